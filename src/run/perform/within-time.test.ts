import { expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { WorkTooLong, withinTime } from './within-time.ts';

const long = exchangeWith({ body: JSON.stringify('x'.repeat(100_000)) });

it('gives the result of the work, and throws what it throws', () => {
  expect(withinTime(long, () => withinTime(long, () => 7))).toBe(7);
  expect(() => withinTime(long, () => JSON.parse('{'))).toThrow(SyntaxError);
});

it('stops work on a long answer that does not end', () => {
  const endless = (): never => {
    for (;;);
  };
  expect(() => withinTime(long, endless, 50)).toThrow(WorkTooLong);
  expect(() => withinTime(long, () => /^(a+)+$/.test(`${'a'.repeat(50)}!`), 50)).toThrow(WorkTooLong);
});
