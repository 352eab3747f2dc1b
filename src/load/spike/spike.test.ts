// A spike as a generator reports it that never sends: nothing here waits, and nothing depends on how busy the machine is.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { CapacityStep, SpikePart } from '../../contract/load-part.ts';
import type { Report } from '../../contract/report.ts';
import type { ArrivalsPlan } from '../k6/arrivals-plan.ts';
import type { Generator, Step } from '../k6/measure.ts';
import { bucketOf } from '../samples/line.ts';
import { judgedSpike, measureSpike, recoveryOf, type WindowCounts } from './spike.ts';

const WISH = { base: 60, peak: 300, seconds: 5, heldBy: null };
const ENDED = { exitCode: 0, stopped: null, cpuSeconds: null, complaints: [] };

/** Tells of every part of the plan as many answers as were due; those after the peak took, and were sent late, so long. */
function generatorThat(after: { readonly tookMs: number; readonly lateMs: number; readonly share: number }): Generator {
  const measure = async ({ plan, onSample, planned }: Step) => {
    const due = (plan as ArrivalsPlan).legs.flatMap(({ parts, perTenSeconds }) =>
      parts.map(({ step, untilMs }, at) => {
        const lastsMs = untilMs - (parts[at - 1]?.untilMs ?? 0);
        return { step, count: Math.round((perTenSeconds * lastsMs) / 10_000) };
      }),
    );
    for (const { step, count } of due) {
      const { tookMs, lateMs, share } = step.startsWith('spike.after') ? after : { tookMs: 10, lateMs: 1, share: 1 };
      const answered = { key: 'std-1', operation: 'GET /a', status: 200 };
      const buckets = (ms: number) => new Map([[bucketOf(ms), Math.round(count * share)]]);
      onSample({ kind: 'histogram', step, ...answered, buckets: buckets(tookMs) });
      onSample({ kind: 'lateness', step, buckets: buckets(lateMs) });
    }
    const sums = { started: planned, received: planned, unanswered: 0, serverErrors: 0 };
    return { ...sums, ended: ENDED, dropped: 0, incomplete: null, broken: false };
  };
  return { measure } as Pick<Generator, 'measure'> as Generator;
}

const spiked = (generator: Generator) =>
  measureSpike({
    ...{ generator, wish: WISH, objectives: { p99Ms: 400, errorRate: 0.01, limitedRate: 0.01 } },
    load: { requests: [], order: [], keys: [], tagged: false },
    ...{ charge: () => {}, refund: () => {}, onKept: () => {}, label: () => {} },
  });

const SLOW = { tookMs: 900, lateMs: 1, share: 1 };

test('a generator that was late itself says nothing of a platform that stays slow', async () => {
  const { recovery, generator } = await spiked(generatorThat({ ...SLOW, lateMs: 300 }));
  expect(recovery).toBeNull();
  expect(generator).toMatch(/^requests were sent 30\d ms late: this machine is too busy$/);
});

test.each([
  ['was in time', SLOW],
  ['had no sender left, for all of them waited for the platform,', { ...SLOW, lateMs: 300, share: 0.8 }],
])('a generator that %s tells that the platform stays slow', async (_, after) => {
  const { recovery, generator } = await spiked(generatorThat(after));
  expect(recovery).toBeNull();
  expect(generator).toBeNull();
});

test('a generator that was late after a peak does not hide that the objectives hold again', async () => {
  const { recovery, generator } = await spiked(generatorThat({ tookMs: 10, lateMs: 300, share: 1 }));
  expect(recovery).toMatchObject({ best: 0 });
  expect(generator).toBeNull();
});

test('requests that never went out after a peak are held against it, however fast the others were answered', async () => {
  const { recovery } = await spiked(generatorThat({ tookMs: 10, lateMs: 1, share: 0.5 }));
  expect(recovery).toBeNull();
});

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

const OBJECTIVES = { errorRate: 0.01, limitedRate: 0.01 };
const WINDOWS = 30;

const windows = (wrongAt: (at: number) => Partial<WindowCounts>): readonly WindowCounts[] =>
  Array.from({ length: WINDOWS }, (_, at) => ({ count: 50, slow: 0, errors: 0, limited: 0, ...wrongAt(at) }));
const recovery = (counts: readonly WindowCounts[]) => recoveryOf(counts, 1, OBJECTIVES);

describe('after a peak', () => {
  it.each(['slow', 'errors', 'limited'] as const)('it is told when the last window with %s is over', (name) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 5, max: 50 }), (until, wrong) => {
        const found = recovery(windows((at) => (at < until ? { [name]: wrong } : {})));
        expect(found?.best).toBe(until);
        expect(found?.least).toBe(Math.max(0, until - 1));
        if (found?.most != null) expect(found.most).toBeGreaterThanOrEqual(until);
      }),
    );
  });

  it('it is at once where nothing goes wrong, beyond doubt', () => {
    expect(recovery(windows(() => ({})))).toEqual({ least: 0, best: 0, most: 0 });
  });

  it('a slow request now and then, as objectives allow, is none', () => {
    expect(recovery(windows((at) => (at % 5 === 2 ? { slow: 1 } : {})))?.best).toBe(0);
  });

  it('nothing was recovered where it goes wrong to the end, or comes and goes', () => {
    expect(recovery(windows(() => ({ slow: 25 })))).toBeNull();
    expect(recovery(windows((at) => (at % 2 === 1 ? { errors: 10 } : {})))).toBeNull();
    expect(recovery(windows(() => ({ count: 0 })))).toBeNull();
    expect(recovery([])).toBeNull();
  });

  it('few requests leave open from when on it is beyond doubt', () => {
    const few = windows((at) => ({ count: 3, slow: at < 4 ? 3 : 0 }));
    expect(recovery(few)).toEqual({ least: 3, best: 4, most: null });
  });
});
