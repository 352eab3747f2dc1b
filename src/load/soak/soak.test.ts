import { describe, expect, it } from 'vitest';
import type { CapacityStep, SoakPart, SoakSlice } from '../../contract/load-part.ts';
import type { Report } from '../../contract/report.ts';
import { bucketOf } from '../samples/line.ts';
import { slicesOf } from './slices.ts';
import { judgedSoak, partOf } from './soak.ts';

const FIGURES: CapacityStep = {
  ...{ rps: 20, seconds: 15, p50Ms: 10, p99Ms: 40, errorRate: 0, limitedRate: 0, dropped: 0, lateP99Ms: 1 },
  ...{ generatorCpu: 0.1, decision: 'met', why: 'met' },
};
const PASS = { verdict: 'pass', run: { id: 'r' } } as Report;
const LOOSE = { stated: false, drift: null };
const STRICT = { stated: true, drift: null };

function soak(changes: Partial<SoakPart>, slice: (at: number) => Partial<SoakSlice> = () => ({})): SoakPart {
  const slices = Array.from(
    { length: 20 },
    (_, at): SoakSlice => ({
      ...FIGURES,
      ...{ step: `soak.${at + 1}`, fromSeconds: 15 * at, toSeconds: 15 * at + 15 },
      ...slice(at),
    }),
  );
  const objectives = { p99Ms: 500, errorRate: 0.01 };
  const drifts = { p50Drift: null, p99Drift: null, errorsFromSeconds: null };
  return { ...FIGURES, heldBy: null, objectives, slices, ...drifts, requests: 6000, ...changes };
}
const rising = { rise: 0.31, least: 0.24, most: 0.39, drifts: true };

describe('a soak', () => {
  it.each([
    ['that met everything changes nothing', soak({}), STRICT, 'pass', undefined],
    [
      'that missed stated objectives in a slice fails, and names it',
      soak({}, (at) => (at > 11 ? { decision: 'missed', why: 'missed by latency' } : {})),
      STRICT,
      'fail',
      'soak: the objectives were missed in 8 of 20 slices, first from 180 s on (missed by latency)',
    ],
    [
      'that missed the usual objectives informs',
      soak({ decision: 'missed', why: 'missed by errors' }),
      LOOSE,
      'pass',
      'soak: the objectives were missed by errors',
    ],
    [
      'that drifts informs',
      soak({ p50Drift: rising }),
      STRICT,
      'pass',
      'soak: the median rose by 31 % (24 % to 39 %) from the first third to the last',
    ],
    [
      'that drifts more than is allowed fails',
      soak({ p99Drift: rising }),
      { stated: false, drift: 0.2 },
      'fail',
      /99th/,
    ],
    [
      'that may drift less than is allowed does not',
      soak({ p99Drift: rising }),
      { ...LOOSE, drift: 0.3 },
      'pass',
      undefined,
    ],
    [
      'whose errors begin late informs',
      soak({ errorsFromSeconds: 200 }),
      STRICT,
      'pass',
      /from 200 s on more requests fail/,
    ],
    [
      'whose generator was late has no verdict',
      soak({}, (at) => (at < 3 ? { decision: 'void', why: 'requests were sent 90 ms late' } : {})),
      STRICT,
      'none',
      /no verdict on the platform: in 3 of 20 slices requests were sent 90 ms late/,
    ],
    [
      'that the limiter answered has no verdict',
      soak({ decision: 'void', why: '4.0 % of the requests were answered 429' }),
      LOOSE,
      'none',
      /answered 429/,
    ],
    [
      'of too few requests leaves stated objectives open',
      soak({ decision: 'undecided', why: '200 samples are too few' }),
      STRICT,
      'none',
      'soak: 200 samples are too few',
    ],
    ['that was held shorter says so', soak({ heldBy: '--time-limit' }), LOOSE, 'pass', 'soak: held by --time-limit'],
  ])('%s', (_, part, demands, verdict, note) => {
    const judged = judgedSoak(PASS, part, demands);
    expect(judged.verdict).toBe(verdict);
    if (note instanceof RegExp) expect(judged.run.note).toMatch(note);
    else expect(judged.run.note).toBe(note);
  });

  it('leaves a violation to speak for itself', () => {
    const failed = { ...PASS, verdict: 'fail' } as Report;
    expect(judgedSoak(failed, soak({ decision: 'void' }), STRICT)).toBe(failed);
  });
});

describe('slices of a soak', () => {
  // Thirty slices of a second, 390 requests each.
  const wish = { ratePerSecond: 390, seconds: 31 };
  const objectives = { p99Ms: 400, errorRate: 0.01, limitedRate: 0.01 };
  const soaked = (facts: (at: number) => { readonly lateMs: number; readonly received: number }) => {
    const slices = slicesOf(wish);
    for (const [at, { step, sums }] of slices.entries()) {
      const { lateMs, received } = facts(at);
      const of = { key: 'std-1', operation: 'GET /a', status: 200 };
      sums.add({ kind: 'histogram', step, ...of, buckets: new Map([[bucketOf(10), received]]) });
      sums.add({ kind: 'lateness', step, buckets: new Map([[bucketOf(lateMs), received]]) });
    }
    return partOf({ wish: { ...wish, heldBy: null }, objectives }, slices, {
      ...{ conditions: { generatorCpu: 0.1 }, broken: false, requests: 11_505 },
    });
  };

  it('tell what was dropped where it was dropped, and not where the numbers of requests end', () => {
    // Half a second without a free sender in the third slice: all later requests are late by it, and the last slice is short.
    const { slices, dropped } = soaked((at) => ({ lateMs: at < 3 ? 1 : 500, received: at === 29 ? 195 : 390 }));
    expect(dropped).toBe(195);
    expect(slices.flatMap((slice, at) => (slice.dropped > 0 ? [[at, slice.dropped, slice.decision]] : []))).toEqual([
      [2, 195, 'missed'],
    ]);
  });

  it('that were sent late are void where nothing was dropped', () => {
    const { slices } = soaked((at) => ({ lateMs: at < 10 ? 1 : 500, received: 390 }));
    expect(slices.map(({ decision }) => decision)).toEqual(slices.map((_, at) => (at < 10 ? 'met' : 'void')));
  });
});
