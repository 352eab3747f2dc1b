import { describe, expect, it } from 'vitest';
import type { CapacityStep, SpikePart } from '../../contract/load-part.ts';
import type { Report } from '../../contract/report.ts';
import { judgedSpike } from './verdict.ts';

const FIGURES: CapacityStep = {
  ...{ rps: 40, seconds: 10, p50Ms: 10, p99Ms: 40, errorRate: 0, limitedRate: 0, dropped: 0, lateP99Ms: 1 },
  ...{ generatorCpu: 0.1, decision: 'met', why: 'met' },
};
const PASS = { verdict: 'pass', run: { id: 'r' } } as Report;
const LOOSE = { stated: false, recoverySeconds: null };
const STRICT = { stated: true, recoverySeconds: null };
const IN_FIVE = { stated: false, recoverySeconds: 5 };

function spike(changes: Partial<SpikePart>): SpikePart {
  return {
    ...{ heldBy: null, generator: null, objectives: { p99Ms: 500, errorRate: 0.01 }, afterSeconds: 30, requests: 4000 },
    ...{ before: FIGURES, peak: { ...FIGURES, rps: 200 } },
    shares: { succeeded: 1, limited: 0, refused: 0, serverErrors: 0, unanswered: 0, dropped: 0 },
    recovery: { least: 2, best: 3, most: 4 },
    ...changes,
  };
}

describe('a spike', () => {
  it.each([
    ['after which the objectives hold again changes nothing', spike({}), STRICT, 'pass', undefined],
    [
      'of which the platform never recovered fails',
      spike({ recovery: null }),
      STRICT,
      'fail',
      /not hold again within 30 s/,
    ],
    [
      'of which it never recovered informs without objectives',
      spike({ recovery: null }),
      LOOSE,
      'pass',
      /not hold again/,
    ],
    [
      'whose recovery took longer than allowed fails',
      spike({}),
      { ...IN_FIVE, recoverySeconds: 1 },
      'fail',
      /3 s after the peak, 1 s/,
    ],
    ['whose recovery was in time changes nothing', spike({}), IN_FIVE, 'pass', undefined],
    [
      'whose recovery is not settled has no verdict',
      spike({ recovery: { least: 2, best: 3, most: null } }),
      IN_FIVE,
      'none',
      /not settled/,
    ],
    [
      'whose base rate missed the objectives fails by that',
      spike({ before: { ...FIGURES, decision: 'missed', why: 'missed by latency' } }),
      STRICT,
      'fail',
      /missed by latency at the base rate/,
    ],
    [
      'whose generator was the limit has no verdict',
      spike({ generator: 'it was late' }),
      STRICT,
      'none',
      /it was late/,
    ],
    [
      'in whose peak the limiter answered changes nothing',
      spike({ peak: { ...FIGURES, decision: 'void' } }),
      STRICT,
      'pass',
      undefined,
    ],
    ['that was held says so', spike({ heldBy: 'load.caps.ratePerSecond' }), LOOSE, 'pass', /held by load\.caps/],
  ])('%s', (_, part, demands, verdict, note) => {
    const judged = judgedSpike(PASS, part, demands);
    expect(judged.verdict).toBe(verdict);
    if (note === undefined) expect(judged.run.note).toBeUndefined();
    else expect(judged.run.note).toMatch(note);
  });
});
