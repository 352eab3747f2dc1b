import fc from 'fast-check';
import { expect, it } from 'vitest';
import { limiterOf } from '../../test/support/limiters/limiters.ts';
import { logWindow } from './log-window.ts';
import type { Observed } from './observed.ts';

it('the length of a sliding log lies within the bounds that its calls tell, whatever they take', () => {
  const calls = fc.array(
    fc.record({
      gapMs: fc.integer({ min: 0, max: 400 }),
      tookMs: fc.integer({ min: 0, max: 40 }),
      cost: fc.constantFrom(1, 1, 3),
    }),
    { minLength: 60, maxLength: 300 },
  );
  fc.assert(
    fc.property(
      calls,
      fc.integer({ min: 3, max: 30 }),
      fc.integer({ min: 300, max: 5000 }),
      (made, limit, windowMs) => {
        const log = limiterOf('sliding-log', limit, windowMs);
        let atMs = 1_000_000;
        const observed = made.map(({ gapMs, tookMs, cost }): Observed => {
          atMs += gapMs;
          const { granted } = log(atMs, cost);
          return {
            ...{ operation: cost === 3 ? 'GET /dear' : 'GET /cheap', outcome: granted ? 'admitted' : 'refused' },
            ...{ sentMs: atMs - tookMs, answeredMs: atMs + tookMs },
            ...{ limit: null, remaining: null, reset: null, retryAfterMs: null },
          };
        });
        const inOrder = observed.toSorted((one, other) => one.sentMs - other.sentMs);
        const { leastMs, mostMs } = logWindow(inOrder, limit, new Map([['GET /dear', 3]]));
        expect(leastMs).toBeLessThanOrEqual(windowMs + 1);
        expect(mostMs).toBeGreaterThanOrEqual(windowMs - 1);
      },
    ),
  );
});

it('of calls that follow each other closely it is known closely', () => {
  const log = limiterOf('sliding-log', 10, 1000);
  const observed = Array.from({ length: 400 }, (_, at): Observed => {
    const ms = 1_000_000 + at * 20;
    const outcome = log(ms, 1).granted ? 'admitted' : 'refused';
    const untold = { limit: null, remaining: null, reset: null, retryAfterMs: null };
    return { operation: 'GET /a', sentMs: ms, answeredMs: ms, outcome, ...untold };
  });
  const { leastMs, mostMs } = logWindow(observed, 10, new Map());
  expect(mostMs - leastMs).toBeLessThanOrEqual(30);
});
