// Recorded calls against models: what an order of calls that were under way together explains is no contradiction.
import { expect, it } from 'vitest';
import { fitting, type LimiterModel } from './models.ts';
import type { Observed } from './observed.ts';

const BUCKET: LimiterModel = { kind: 'token-bucket', limit: 3, windowMs: 3000, phaseMs: 0 };

function call(sentMs: number, answeredMs: number, outcome: Observed['outcome']): Observed {
  const untold = { limit: null, reset: null, retryAfterMs: null };
  return { operation: 'GET /a', sentMs, answeredMs, outcome, ...untold };
}

/** Tells whether a bucket of three calls, one of which comes back each second, explains what was seen. */
const isBucket = (seen: readonly Observed[]): boolean => fitting([BUCKET], seen, new Map()).length === 1;

it('a refusal is explained by calls that were sent later and admitted before it was answered', () => {
  const seen = [
    call(0, 1, 'admitted'),
    call(2, 200, 'refused'),
    call(80, 201, 'refused'),
    call(81, 90, 'admitted'),
    call(82, 91, 'admitted'),
  ];
  expect(isBucket(seen)).toBe(true);
});

it('a refusal that was answered while calls were left, and before the next was sent, is a contradiction', () => {
  const seen = [
    call(0, 1, 'admitted'),
    call(2, 3, 'refused'),
    call(80, 81, 'refused'),
    call(90, 91, 'admitted'),
    call(92, 93, 'admitted'),
  ];
  expect(isBucket(seen)).toBe(false);
});

/** Refusals while two calls are left over, unless the second call took one of them: the other one may be a matter of rounding. */
const between = (outcome: Observed['outcome']): readonly Observed[] => [
  call(0, 1, 'admitted'),
  call(4, 5, outcome),
  call(80, 81, 'refused'),
  call(160, 161, 'refused'),
];

it('a call that was never answered may have been counted: refusals long after it are no contradiction', () => {
  expect([isBucket(between('lost')), isBucket(between('refused'))]).toEqual([true, false]);
});

it('it may as well not have been: a call that it would have left nothing for was admitted', () => {
  const seen = [call(0, 1, 'admitted'), call(2, 3, 'admitted'), call(4, 5, 'lost'), call(80, 81, 'admitted')];
  expect(isBucket(seen)).toBe(true);
});
