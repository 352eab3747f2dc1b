// Amounts by which arithmetic with binary fractions shows.
import { describe, expect, it } from 'vitest';
import { amountThatLosesACent } from './numbers.ts';

describe('an amount that loses a cent', () => {
  it.each([0, 1, 2.5, 19, 50, 99.75, 1_000, -5, 10_000])('is found near %d, of two places', (number) => {
    const amount = amountThatLosesACent(number) ?? Number.NaN;
    expect(Math.trunc(amount * 100)).not.toBe(Math.round(amount * 100));
    expect(Number(amount.toFixed(2))).toBe(amount);
    expect(Math.sign(amount) * Math.sign(number)).toBeGreaterThanOrEqual(0);
  });

  it('is none for a huge number', () => {
    expect(amountThatLosesACent(1e9)).toBeNull();
  });
});
