// Recorded calls against models: what an order of calls that were under way together explains is no contradiction.
import { expect, it } from 'vitest';
import { explained } from './fit.ts';
import type { Observed } from './observed.ts';

const BUCKET = { sizes: [3], windowMs: { least: 3000, best: 3000, most: 3000 }, phaseMs: 0 };

function call(sentMs: number, answeredMs: number, outcome: Observed['outcome']): Observed {
  const untold = { limit: null, reset: null, retryAfterMs: null };
  return { operation: 'GET /a', sentMs, answeredMs, outcome, ...untold };
}

it('a refusal is explained by calls that were sent later and admitted before it was answered', () => {
  const seen = [
    call(0, 1, 'admitted'),
    call(2, 200, 'refused'),
    call(80, 201, 'refused'),
    call(81, 90, 'admitted'),
    call(82, 91, 'admitted'),
  ];
  expect(explained('token-bucket', BUCKET, seen, new Map())).toBe(3);
});

it('a refusal that was answered while calls were left, and before the next was sent, is a contradiction', () => {
  const seen = [
    call(0, 1, 'admitted'),
    call(2, 3, 'refused'),
    call(80, 81, 'refused'),
    call(90, 91, 'admitted'),
    call(92, 93, 'admitted'),
  ];
  expect(explained('token-bucket', BUCKET, seen, new Map())).toBeNull();
});
