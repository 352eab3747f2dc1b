import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { affordable } from './affordable.ts';

const CAPS = { ratePerSecond: 5000, seconds: 3600, requests: 1_000_000, requestsPerKey: 100_000 };
const FREE = { caps: CAPS, budget: null, leftSeconds: null };
const WISH = { ratePerSecond: 100, seconds: 300 };

describe('a load', () => {
  it.each([
    ['is sent as wished', FREE, { ...WISH, heldBy: null }],
    [
      'is held to the cap of seconds',
      { ...FREE, caps: { ...CAPS, seconds: 60 } },
      { ratePerSecond: 100, seconds: 60, heldBy: 'load.caps.seconds' },
    ],
    [
      'is held to the cap of the rate',
      { ...FREE, caps: { ...CAPS, ratePerSecond: 50 } },
      { ratePerSecond: 50, seconds: 300, heldBy: 'load.caps.ratePerSecond' },
    ],
    [
      'ends before the time limit',
      { ...FREE, leftSeconds: 100 },
      { ratePerSecond: 100, seconds: 85, heldBy: '--time-limit' },
    ],
    [
      'is none where no time is left',
      { ...FREE, leftSeconds: 5 },
      { ratePerSecond: 100, seconds: 0, heldBy: '--time-limit' },
    ],
  ])('%s', (_, bounds, afforded) => {
    expect(affordable(WISH, bounds)).toEqual(afforded);
  });

  it('never takes more than caps, budget and time limit', () => {
    fc.assert(
      fc.property(
        fc.record({ ratePerSecond: fc.integer({ min: 1, max: 9000 }), seconds: fc.integer({ min: 1, max: 9000 }) }),
        fc.integer({ min: 10, max: 1_000_000 }),
        fc.option(fc.integer({ min: 0, max: 9000 })),
        (wish, budget, leftSeconds) => {
          const { ratePerSecond, seconds, heldBy } = affordable(wish, { caps: CAPS, budget, leftSeconds });
          expect(ratePerSecond * seconds).toBeLessThanOrEqual(Math.min(budget, CAPS.requests));
          expect(seconds).toBeLessThanOrEqual(Math.min(wish.seconds, CAPS.seconds, leftSeconds ?? CAPS.seconds));
          expect(heldBy === null).toBe(ratePerSecond === wish.ratePerSecond && seconds === wish.seconds);
        },
      ),
    );
  });
});
