import { describe, expect, it } from 'vitest';
import type { CapacityStep, PressurePart } from '../../contract/load-part.ts';
import type { Report } from '../../contract/report.ts';
import { judgedPressure, pressingRate, pressureWish } from './pressure.ts';

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
    ['fails by its violations', report(BOTH, 'fail'), pressure({ probesRefused: 0 }), 'fail'],
  ])('%s', (_, whole, part, verdict) => {
    const judged = judgedPressure(whole, part);
    expect(judged.verdict).toBe(verdict);
    expect(judged.run.note === undefined).toBe(verdict !== 'none');
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
