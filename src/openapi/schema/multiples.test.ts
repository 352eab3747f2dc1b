import { expect, it } from 'vitest';
import { isMultipleOf } from './multiples.ts';

it.each<[number, number]>([
  [19.99, 0.01],
  [4.35, 0.05],
  [-1.1, 0.1],
  [9_007_199_254_740.99, 0.01],
  [900_719_925_474_099.2, 0.1],
  [0.1 + 0.2, 0.1],
  [1e300, 1e-3],
  [0, 0.7],
  [12, 3],
  [9_999_999.99, 0.01],
  [
    Array(1000)
      .fill(0.1)
      .reduce((sum, one) => sum + one),
    0.1,
  ],
])('%d is a multiple of %d', (value, step) => {
  expect(isMultipleOf(value, step)).toBe(true);
});

it.each<[number, number]>([
  [1.005, 0.01],
  [9_007_199_254_740.99, 0.1],
  [1e308, 0.123456789],
  [0.05, 0.1],
  [13, 3],
  [5.000_000_1, 1],
  [19.990_000_01, 0.01],
])('%d is no multiple of %d', (value, step) => {
  expect(isMultipleOf(value, step)).toBe(false);
});
