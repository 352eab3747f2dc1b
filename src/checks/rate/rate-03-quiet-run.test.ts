// RATE-03 call by call: which rows of Remaining are sound, and which are not.

import { describe, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { spoken } from '../../../test/support/checks/judging.ts';
import { LIMITED } from '../../../test/support/checks/readings.ts';
import { type RateReading, readingOf } from '../../limiters/reading.ts';
import { TargetClock } from '../../limiters/reset-clock.ts';
import { judgeQuietRun, judgeQuietRuns } from './rate-03-quiet-run.ts';

/** Answers one after the other with these values of Remaining, the window an hour long. */
function row(remaining: readonly number[], fromMs: number, limit = 1000): readonly RateReading[] {
  return remaining.flatMap((left, index) => {
    const headers = [
      ['x-ratelimit-limit', String(limit)],
      ['x-ratelimit-remaining', String(left)],
      ['x-ratelimit-reset', '3600'],
    ] as const;
    const exchange = { ...exchangeWith({ headers }), sentAt: fromMs + index * 10 };
    return readingOf(exchange, LIMITED) ?? [];
  });
}

function judged(before: readonly number[], after: readonly number[]) {
  const said = spoken(judgeQuietRun({ before: row(before, 0), after: row(after, 10_000) }, new TargetClock()));
  return typeof said === 'string' ? said : said.map(({ actual }) => actual);
}

/** The values of Remaining over a number of calls from here, each of this cost. */
const falling = (from: number, calls: number, cost = 1) =>
  Array.from({ length: calls }, (_, call) => from - call * cost);

describe('a row of calls is sound', () => {
  it('where each lowers Remaining by its cost', () => {
    expect(judged(falling(900, 20), falling(880, 20))).toBe('holds');
    expect(judged(falling(900, 20, 3), falling(840, 20, 3))).toBe('holds');
  });

  it('where one came back by rounding in each half', () => {
    expect(judged([900, 899, 899, ...falling(898, 17)], [881, 880, 880, ...falling(879, 17)])).toBe('holds');
  });

  it('where two replicas are a call apart', () => {
    const apart = (from: number) => falling(from, 21).map((left, index) => left - (index % 2));
    expect(judged(apart(900), apart(879))).toBe('holds');
  });
});

describe('a row of calls is not sound', () => {
  it('where three calls in one half were not counted', () => {
    expect(judged([900, 900, 899, 899, 898, 898, ...falling(897, 12)], falling(885, 18))).toEqual(['898, then 898']);
  });

  it('where calls of several units now and then cost none', () => {
    const dear = [900, 897, 894, 894, 891, 888, 888, 885, 882];
    expect(judged(dear, falling(879, 9, 3))).toEqual(['894, then 894']);
  });

  it('where Remaining twice rises', () => {
    expect(judged([900, 899, 901, ...falling(897, 10)], [887, 886, 888, ...falling(884, 10)])).toEqual([
      '899, then 901',
    ]);
  });
});

it('nothing is told where others spent in the pause, or it brought calls back, nor of values that RATE-02 blames', () => {
  expect(judged([900, 900, 900, 900, 900], falling(960, 5))).toBe('cannot tell');
  expect(judged([900, 900, 900, 900, 900], falling(890, 5))).toBe('cannot tell');
  expect(judged([900, 1003, 898, 1003, 896, 895, 894], falling(893, 7))).toBe('holds');
});

describe('an operation between two calls of a counted one', () => {
  const ofOther = (readings: readonly RateReading[]): readonly RateReading[] =>
    readings.map((one, at) => (at > 0 && at < 4 ? { ...one, operation: 'GET /other' } : one));
  const look = (remaining: readonly number[], reset?: RateReading['reset']) => {
    const [before, after] = [ofOther(row(remaining.slice(0, 5), 0)), row(remaining.slice(5), 100)];
    const told = (one: RateReading): RateReading => (reset === undefined ? one : { ...one, reset });
    return { before: before.map(told), after: after.map(told) };
  };
  const UNCOUNTED = [900, 900, 900, 900, 899, 898];
  const told = (looks: number, remaining: readonly number[], reset?: RateReading['reset']) => {
    const runs = Array.from({ length: looks }, () => look(remaining, reset));
    const judgement = judgeQuietRuns(runs, new TargetClock());
    return judgement?.kind === 'breached' ? judgement.breaches[0]?.code : (judgement?.kind ?? null);
  };

  it('takes three looks in which no call of it was counted', () => {
    expect([told(2, UNCOUNTED), told(3, UNCOUNTED)]).toEqual([null, 'rate-03.uncounted']);
  });

  it('is counted where one shows a fall by its calls, and not told where the pause refills as much', () => {
    expect(told(1, [900, 899, 898, 897, 896, 895])).toBe('holds');
    expect([told(3, [900, 900, 900, 900, 899, 902]), told(4, [900, 900, 900, 900, 899, 902])]).toEqual([
      null,
      'cannot-tell',
    ]);
  });

  it('takes more looks where a stated Reset passes: calls that leave a sliding log then may hide those of a run', () => {
    const passing = { form: 'delta-seconds', ms: 0 } as const;
    expect([told(7, UNCOUNTED, passing), told(8, UNCOUNTED, passing)]).toEqual([null, 'rate-03.uncounted']);
    expect(told(40, [900, 901, 901, 901, 900, 899], passing)).toBe('cannot-tell');
  });
});
