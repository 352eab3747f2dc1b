// RATE-03 of one operation: which rounds show that its calls are not counted.
import { expect, it } from 'vitest';
import { spoken } from '../../../test/support/checks/judging.ts';
import { readingWith } from '../../../test/support/checks/readings.ts';
import type { RateReading } from '../../limiters/reading.ts';
import { type CountingRound, judgeCounting } from './rate-03-uncounted-operation.ts';

const left = (remaining: number): RateReading => readingWith({ limit: 1000, remaining, reset: '30' });

/** A call of a counted operation, three of the other, and two around a pause. */
function rounds(count: number, remaining: readonly number[], isPastReset = false): readonly CountingRound[] {
  const [before = 0, one = 0, two = 0, three = 0, pauseFrom = 0, pauseTo = 0] = remaining;
  const run = [left(one), left(two), left(three)];
  const round = { before: left(before), run, pauseFrom: left(pauseFrom), pauseTo: left(pauseTo), isPastReset };
  return Array.from({ length: count }, () => round);
}

const UNCOUNTED = [900, 900, 900, 900, 899, 898];
const judged = (...args: Parameters<typeof rounds>) => {
  const said = spoken(judgeCounting('GET /things', rounds(...args), 1000));
  return typeof said === 'string' ? said : said.map(({ actual }) => actual);
};

it('takes three rounds in which no call of it was counted', () => {
  expect(judged(2, UNCOUNTED)).toBe('cannot tell');
  expect(judged(3, UNCOUNTED)).toEqual(['900, 900, 900, 900']);
});

it('is counted where one round shows a fall by its calls, and not told where the pause refills as much, or it falls by less', () => {
  expect(judged(3, [900, 899, 898, 897, 896, 895])).toBe('holds');
  expect(judged(3, [900, 900, 900, 900, 899, 902])).toBe('cannot tell');
  expect(judged(1, [900, 900, 899, 899, 898, 897])).toBe('cannot tell');
});

it('takes more rounds where a stated Reset passes in one: the calls that leave a sliding log then may hide those of a run', () => {
  expect(judged(7, UNCOUNTED, true)).toBe('cannot tell');
  expect(judged(8, UNCOUNTED, true)).toEqual(['900, 900, 900, 900']);
});
