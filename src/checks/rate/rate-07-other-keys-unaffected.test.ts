import { expect, it } from 'vitest';
import { readingWith } from '../../../test/support/checks/readings.ts';
import type { RateReading } from '../../limiters/reading.ts';
import { TargetClock } from '../../limiters/reset-clock.ts';
import { judgeUntouched } from './rate-07-other-keys-unaffected.ts';

const SPENT = 20;

const left = (remaining: number, atMs: number): RateReading => ({
  ...readingWith({ limit: 3600, remaining, reset: '60' }),
  sentAt: atMs,
  answeredAt: atMs,
});

/** One look, without rounds: what the other key fell by while the spender made its calls, and nothing as long after. */
const judgedFall = (fall: number): string =>
  judgeUntouched('std-1', SPENT, [
    {
      ...{ key: 'gro-1', clock: new TargetClock(), refused: [], freed: null },
      ...{ before: left(3000, 0), after: left(3000 - fall, 100), rested: left(3000 - fall - 1, 200) },
    },
  ]).kind;

it('a fall by just what was spent is the doing of the spender, where nobody else was seen', () => {
  expect([judgedFall(1), judgedFall(SPENT + 1)]).toEqual(['holds', 'breached']);
});

it('a fall by about as much is not: others who then rest spend as much as that now and then', () => {
  expect([judgedFall(SPENT - 1), judgedFall(SPENT + 3)]).toEqual(['cannot-tell', 'cannot-tell']);
});

it('a fall many times as large is not: what its calls take would be as much each time', () => {
  expect(judgedFall(18 * SPENT)).toBe('cannot-tell');
});
