import { expect, test } from 'vitest';
import { keptBack } from './limit-experiments.ts';

test('requests are kept back for what they allow, one after another, and for nothing that they do not', () => {
  expect(keptBack([9, 80, 500], 1000)).toBe(589);
  expect(keptBack([9, 80, 500], 478)).toBe(89);
  expect(keptBack([9, 500, 80], 478)).toBe(89);
  expect(keptBack([9, 80], -5)).toBe(0);
});
