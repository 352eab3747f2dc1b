import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mixedOrder } from './mix.ts';

it('gives each operation its share, spread evenly', () => {
  expect(mixedOrder([1])).toEqual([0]);
  expect(mixedOrder([3, 1])).toEqual([0, 0, 1, 0]);
});

it('holds the shares of any weights', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 8 }), (weights) => {
      const order = mixedOrder(weights);
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      for (const [at, weight] of weights.entries()) {
        const turns = order.filter((one) => one === at).length;
        expect(Math.abs(turns / order.length - weight / total)).toBeLessThanOrEqual(1 / order.length + 1e-9);
      }
    }),
  );
});
