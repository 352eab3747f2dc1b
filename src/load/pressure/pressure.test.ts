import { describe, expect, it } from 'vitest';
import type { CapacityStep, PressurePart } from '../../contract/load-part.ts';
import type { Report } from '../../contract/report.ts';
import { StepSums } from '../capacity/sums.ts';
import { bucketOf, type Sample } from '../samples/line.ts';
import { judgedPressure, pressed, pressingRate, pressureWish } from './pressure.ts';

const FIGURES: CapacityStep = {
  ...{ rps: 100, seconds: 10, p50Ms: 10, p99Ms: 40, errorRate: 0, limitedRate: 0.2, dropped: 0, lateP99Ms: 1 },
  ...{ generatorCpu: 0.1, decision: 'met', why: 'met' },
};

function pressure(changes: Partial<PressurePart>): PressurePart {
  const counts = { probes: 400, probesRefused: 9, keyedRefused: 3, left: 0, requests: 1000 };
  return { mode: 'limited', rps: 100, seconds: 10, figures: FIGURES, ...counts, ...changes };
}

function report(checks: Readonly<Record<string, number>>, verdict: Report['verdict'] = 'pass'): Report {
  const clauses = Object.entries(checks).map(([id, count]) => ({ id, checks: count }));
  return { verdict, run: { id: 'r' }, clauses } as unknown as Report;
}
const BOTH = { 'IDEM-02': 5, 'PAG-06': 20, 'ERR-01': 40 };

describe('a run under pressure', () => {
  it.each([
    ['passes where probes were refused and their guarantees held', report(BOTH), pressure({}), 'pass'],
    [
      'passes while saturated, whatever was refused',
      report(BOTH),
      pressure({ mode: 'saturated', probesRefused: 0 }),
      'pass',
    ],
    ['has no verdict where no probe was refused', report(BOTH), pressure({ probesRefused: 0 }), 'none'],
    ['has no verdict where no keyed request was refused', report(BOTH), pressure({ keyedRefused: 0 }), 'none'],
    ['needs no keyed request where none is sent', report({ 'PAG-06': 20 }), pressure({ keyedRefused: 0 }), 'pass'],
    ['has no verdict where nothing was probed', report({ 'ERR-01': 40 }), pressure({}), 'none'],
    ['has no verdict where the generator was weak', report(BOTH), pressure({ generator: 'sent late' }), 'none'],
    ['fails by its violations though it was', report(BOTH, 'fail'), pressure({ generator: 'sent late' }), 'fail'],
    ['fails by its violations', report(BOTH, 'fail'), pressure({ probesRefused: 0 }), 'fail'],
  ])('%s', (_, whole, part, verdict) => {
    const judged = judgedPressure(whole, part);
    expect(judged.verdict).toBe(verdict);
    expect(judged.run.note === undefined).toBe(verdict !== 'none');
  });
});

describe('what pressed', () => {
  /** The generator's word on so many answers within 10 s, of 100 due each second. */
  const generatorOf = (answers: number, tookMs: number, lateMs: number, senders = 50): string | null => {
    const sums = new StepSums('pressure', () => {});
    const buckets = (ms: number, count: number): ReadonlyMap<number, number> => new Map([[bucketOf(ms), count]]);
    const base = { step: 'pressure', operation: 'GET /a', key: 'k' };
    sums.add({ ...base, kind: 'histogram', status: 200, buckets: buckets(tookMs, answers) } as unknown as Sample);
    sums.add({ ...base, kind: 'lateness', buckets: buckets(lateMs, answers) } as unknown as Sample);
    const wished = { ratePerSecond: 100, seconds: 10, generatorCpu: 0.1, othersCpu: null, senders };
    return pressed(sums, wished, { p99Ms: 500, errorRate: 0.01, limitedRate: 0.01 }).generator ?? null;
  };

  it.each([
    ['pressed as told where all arrived', [1000, 5, 1], null],
    ['and where the last second was cut', [920, 1, 1], null],
    ['and where answers were so slow that no sender was free', [500, 1000, 5000], null],
    ['did not where arrivals were late', [1000, 5, 300], /sent (29|30)\d ms late/],
    ['did not where most never arrived though senders were free', [400, 1, 1], /600 requests were dropped/],
  ] as const)('%s', (_, [answers, tookMs, lateMs], why) => {
    const said = generatorOf(answers, tookMs, lateMs);
    if (why === null) expect(said).toBeNull();
    else expect(said).toMatch(why);
  });
});

describe('the rate that presses', () => {
  const limited = { mode: 'limited', rate: null, seconds: 60 } as const;
  it.each([
    ['is a quarter above the limit', limited, { limit: 200, windowSeconds: 2 }, 125],
    ['is the configured one', { ...limited, rate: 30 }, { limit: 200, windowSeconds: 2 }, 30],
    ['is the configured one where no header tells', { ...limited, rate: 30 }, null, 30],
    ['is a hundred where nothing is limited', pressureWish({ load: {} }), null, 100],
  ])('%s', (_, wish, stated, rate) => {
    expect(pressingRate(wish, stated)).toBe(rate);
  });

  it.each([
    ['the limit is not told', null, /set load\.pressure\.rate/],
    ['the window is long', { limit: 5000, windowSeconds: 3600 }, /window is 3600 s/],
  ])('is none where %s', (_, stated, why) => {
    expect(pressingRate(limited, stated)).toMatch(why);
  });
});
