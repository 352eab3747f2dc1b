import { expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { LIMITED } from '../../../test/support/checks/readings.ts';
import { judgeThrottled } from './rate-09-export-throttle.ts';

const throttle = { operation: 'POST /exports', calls: 200, seconds: 10, refused: 429 };

/** An answer that does not come. */
const LOST = 0;

/** The verdict on a flood of these answers, another operation of the key being served. */
const judged = (...runs: readonly (readonly [count: number, status: number])[]): string => {
  const exchanges = runs.flatMap(([count, status]) =>
    Array.from({ length: count }, () => exchangeWith(status === LOST ? { response: null } : { status })),
  );
  const judgement = judgeThrottled({ throttle, limited: LIMITED, exchanges, elsewhere: exchangeWith() });
  return judgement.kind === 'breached' ? (judgement.breaches[0]?.code ?? '') : judgement.kind;
};

it('a throttle that refuses by another status is found, though a window of it begins meanwhile', () => {
  expect(judged([25, 202], [200, 409])).toBe('rate-09.other-status');
  expect(judged([5, 202], [124, 409], [20, 202], [71, 409])).toBe('rate-09.other-status');
});

it('a lost answer ends no row of refusals', () => {
  expect(judged([25, 202], [99, 409], [1, LOST], [99, 409], [1, LOST])).toBe('rate-09.other-status');
  expect(judged([25, 202], [99, 409], [101, LOST])).toBe('cannot-tell');
});

it('errors now and then are no throttle', () => {
  expect(judged([100, 202], [60, 409], [20, 202], [60, 409])).toBe('cannot-tell');
});
