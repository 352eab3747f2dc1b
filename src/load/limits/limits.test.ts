import { describe, expect, it } from 'vitest';
import {
  type Kind,
  type Limiter,
  limiterOf,
  PLAIN_STYLE,
  sharedWith,
  tokenBucket,
} from '../../../test/support/limiters/limiters.ts';
import { onBench, type Scene } from '../../../test/support/load/limits/bench.ts';
import { MAIN_KEY, OTHER_KEY } from '../../../test/support/probes/world.ts';
import { algorithmIn } from '../../limiters/models.ts';
import type { Outcome } from '../../probes/probe.ts';
import { turnsOf } from './bench.ts';
import { ceilings } from './ceiling.ts';
import { type Ceiling, judgeMeasuredOrder, measuredRow } from './ceiling-verdicts.ts';
import { rateLimits } from './ratelimit.ts';

const ONE = [{ name: OTHER_KEY.name, plan: 'standard' }];
const TWO = [
  { name: MAIN_KEY.name, plan: 'enterprise' },
  { name: OTHER_KEY.name, plan: 'standard' },
];
const COSTS: Readonly<Record<string, number>> = { '/api/v1/a': 1, '/api/v1/b': 3, '/api/v1/c': 5 };

async function measured(scene: Partial<Scene> & Pick<Scene, 'limiterOf'>) {
  const rows: ReturnType<typeof measuredRow>[] = [];
  const outcomes = await onBench({ keys: ONE, ...scene }, (bench) => ceilings(bench, (row) => rows.push(row)));
  return { rows, outcomes };
}

function breachesOf(outcomes: readonly Outcome[]): readonly string[] {
  const all = outcomes.flatMap(({ clause, judgement }) =>
    judgement.kind === 'breached'
      ? judgement.breaches.filter(({ weight }) => weight === 'breach').map(({ cause }) => `${clause}: ${cause}`)
      : [],
  );
  return [...new Set(all)].sort();
}

/** The limiter, its headers of a limit that is not its own. */
function saying(limit: number, limiter: Limiter): Limiter {
  return (nowMs, cost) => {
    const grant = limiter(nowMs, cost);
    return { ...grant, limit, remaining: Math.min(limit, grant.remaining) };
  };
}

it.each<[Kind, number, number, string]>([
  ['first-hit', 60, 20_000, 'fixed-window'],
  ['sliding-log', 60, 20_000, 'sliding-window'],
  ['sliding-log', 20, 2000, 'unknown'],
  ['sliding-counter', 60, 20_000, 'sliding-window'],
  ['bucket', 60, 20_000, 'token-bucket'],
])(
  'a drained limiter %s of %d units in %d ms is told as %s, where no other gives back as much by then',
  async (kind, limit, windowMs, algorithm) => {
    const told: unknown[] = [];
    await onBench(
      {
        keys: ONE,
        style: { ...PLAIN_STYLE, reset: 'epoch-milliseconds' },
        limiterOf: () => limiterOf(kind, limit, windowMs),
      },
      async function* (bench) {
        yield* rateLimits(bench);
        told.push(algorithmIn(bench.book.historyOf(OTHER_KEY.name).drain?.kinds ?? []));
      },
    );
    expect(told).toEqual([algorithm]);
  },
);

describe('a ceiling', () => {
  it.each<[Kind, string]>([
    ['aligned', 'fixed-window'],
    ['first-hit', 'fixed-window'],
    ['sliding-log', 'sliding-window'],
    ['sliding-counter', 'sliding-window'],
  ])('of a limiter %s is its limit, its window and its costs', async (kind, algorithm) => {
    const { rows, outcomes } = await measured({
      limiterOf: () => limiterOf(kind, 240, 8000),
      cost: ({ path }) => COSTS[path] ?? 1,
    });
    const [row] = rows;
    expect(row).toMatchObject({ limit: 240, algorithm, confidence: 'sure', stated: 240 });
    expect(Math.abs((row?.windowSeconds ?? 0) / 8 - 1)).toBeLessThan(0.05);
    expect(row?.costs).toEqual({ 'GET /api/v1/a': 1, 'GET /api/v1/b': 3, 'GET /api/v1/c': 5 });
    expect(breachesOf(outcomes)).toEqual([]);
  });

  it('of a bucket is its rate, its burst and its costs', async () => {
    const { rows, outcomes } = await measured({
      limiterOf: () => tokenBucket(100, 50 / 1000, 'full'),
      cost: ({ path }) => COSTS[path] ?? 1,
    });
    const [row] = rows;
    expect(row).toMatchObject({ algorithm: 'token-bucket', confidence: 'sure' });
    expect(Math.abs((row?.unitsPerSecond ?? 0) / 50 - 1)).toBeLessThan(0.02);
    expect(Math.abs((row?.burst ?? 0) - 100)).toBeLessThanOrEqual(2);
    expect(row?.costs).toEqual({ 'GET /api/v1/a': 1, 'GET /api/v1/b': 3, 'GET /api/v1/c': 5 });
    expect(breachesOf(outcomes)).toEqual([]);
  });

  it('of a bucket that regains less than it states is no pass by its burst', async () => {
    // Full in two seconds, as Reset states; truly in five.
    const limiter = tokenBucket(100, 20 / 1000, 'full');
    const { outcomes } = await measured({
      limiterOf: () => (nowMs, cost) => {
        const grant = limiter(nowMs, cost);
        return { ...grant, resetMs: nowMs + (grant.resetMs - nowMs) * 0.4 };
      },
    });
    const judged = outcomes.filter(({ clause }) => clause === 'RATE-10').map(({ judgement }) => judgement.kind);
    expect(judged.length).toBeGreaterThan(0);
    expect(judged).not.toContain('holds');
  });

  it('without headers is found in units of the cheapest call', async () => {
    const { rows } = await measured({
      limiterOf: () => limiterOf('aligned', 240, 8000),
      cost: ({ path }) => 6 - (COSTS[path] ?? 1),
      change: (headers) => headers.filter(([name]) => !name.startsWith('x-ratelimit')),
    });
    expect(rows[0]).toMatchObject({
      limit: 240,
      stated: null,
      costs: { 'GET /api/v1/a': 5, 'GET /api/v1/b': 3, 'GET /api/v1/c': 1 },
    });
  });

  it('five percent off what is stated breaches RATE-10; above it RATE-04, too', async () => {
    const below = await measured({ limiterOf: () => saying(200, limiterOf('aligned', 190, 8000)) });
    expect(breachesOf(below.outcomes)).toEqual(['RATE-10: the measured ceiling is not the stated Limit']);
    const above = await measured({ limiterOf: () => saying(200, limiterOf('aligned', 212, 8000)) });
    expect(breachesOf(above.outcomes)).toContain('RATE-10: the measured ceiling is not the stated Limit');
    expect(breachesOf(above.outcomes)).toContain('RATE-04: more calls succeed in a window than Limit allows');
  });

  it('that is stated and not kept breaches RATE-04 and RATE-10', async () => {
    const { outcomes } = await measured({ limiterOf: () => saying(200, limiterOf('aligned', 1_000_000, 60_000)) });
    expect(breachesOf(outcomes)).toContain('RATE-04: more calls succeed in a window than Limit allows');
    expect(breachesOf(outcomes)).toContain('RATE-10: the measured ceiling is not the stated Limit');
  });

  it('is held against what the configuration expects', async () => {
    const expected = { standard: { limit: 200, windowSeconds: 10 } };
    const { outcomes } = await measured({ limiterOf: () => limiterOf('aligned', 240, 8000), expected });
    expect(breachesOf(outcomes)).toEqual([
      'RATE-10: the measured ceiling of plan standard is not the configured one',
      'RATE-10: the measured window of plan standard is not the configured one',
    ]);
  });

  it('of keys that are measured together is told as that of all of them', async () => {
    const entered: string[] = [];
    await measured({
      ...{ keys: TWO, limiterOf: () => limiterOf('aligned', 100, 8000) },
      enter: (phase) => entered.push(phase),
    });
    expect(entered).toEqual(['limits of std-1', 'limits of ent-1', 'ceilings of std-1, ent-1']);
  });

  it('that falls from one plan to a higher one breaches RATE-08', async () => {
    const { outcomes, rows } = await measured({
      keys: TWO,
      limiterOf: (key) => limiterOf('aligned', key === MAIN_KEY.name ? 100 : 200, 8000),
    });
    expect(rows.map(({ plan, limit }) => [plan, limit]).sort()).toEqual([
      ['enterprise', 100],
      ['standard', 200],
    ]);
    expect(breachesOf(outcomes)).toEqual(['RATE-08: a ceiling falls from one plan to the next']);
  });
});

describe('the order of plans', () => {
  const found = (best: number, changes: Partial<Ceiling['found']> = {}): Ceiling['found'] => ({
    ...{ kinds: ['sliding-log'], limit: { least: best - 1, best, most: best + 1 }, windowMs: null, burst: null },
    ...{ unenforced: false, stated: best, evidence: ['6 fresh windows were seen'], calls: 600, ...changes },
  });
  const judged = (standard: Ceiling['found'], growth: Ceiling['found']) =>
    judgeMeasuredOrder(
      [['standard', standard] as const, ['growth', growth] as const].map(([plan, one]) =>
        measuredRow({ plan, name: plan, found: one, costs: new Map() }),
      ),
      ['standard', 'growth', 'enterprise'],
    ).kind;

  it('is not judged by a number that no model explains', () => {
    expect(judged(found(84, { kinds: [], limit: null }), found(72))).toBe('cannot-tell');
  });

  it('falls only where what was measured does not overlap', () => {
    expect(judged(found(61), found(60))).toBe('holds');
    expect(judged(found(63), found(60))).toBe('breached');
  });

  it.each([2000, 1000])(
    'of logs of 40, 60 and 80 calls that slide over %i ms is sound, whatever Reset tells',
    async (windowMs) => {
      const plans = { standard: 40, growth: 60, enterprise: 80 };
      const keys = Object.keys(plans).map((plan) => ({ name: plan, plan }));
      const whole =
        (limiter: Limiter): Limiter =>
        (nowMs, cost) => ({ ...limiter(nowMs, cost), resetMs: nowMs + windowMs });
      for (const told of [(limiter: Limiter) => limiter, whole]) {
        const limiterFor = (key: string) => told(limiterOf('sliding-log', plans[key as keyof typeof plans], windowMs));
        const { outcomes } = await measured({ keys, limiterOf: limiterFor });
        expect(breachesOf(outcomes)).toEqual([]);
      }
    },
  );
});

describe('keys of one plan', () => {
  const SAME = TWO.map((key) => ({ ...key, plan: 'standard' }));
  const observedOf = (outcomes: readonly Outcome[]) =>
    outcomes.flatMap(({ judgement }) => judgement.observed ?? []).find((row) => row.subject === 'ceilings of its keys');

  it('are each measured, and compared', async () => {
    const alike = await measured({ keys: SAME, limiterOf: () => limiterOf('aligned', 100, 8000) });
    expect(alike.rows.map(({ key }) => key).sort()).toEqual(TWO.map(({ name }) => name).sort());
    expect(observedOf(alike.outcomes)?.value).toBe('the same');
    expect(breachesOf(alike.outcomes)).toEqual([]);
  });

  it('may differ: that is observed', async () => {
    const { outcomes } = await measured({
      keys: SAME,
      limiterOf: (key) => limiterOf('aligned', key === MAIN_KEY.name ? 100 : 120, 8000),
    });
    expect(observedOf(outcomes)?.value).toMatch(/ 100 in /);
    expect(observedOf(outcomes)?.value).toMatch(/ 120 in /);
    expect(breachesOf(outcomes)).toEqual([]);
  });

  it('take turns, those that were measured before first', () => {
    const keys = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, plan: name < 'd' ? 'standard' : 'growth' }));
    const turns = turnsOf(keys, (name) => name === 'e').map((turn) => turn.map(({ name }) => name));
    expect(turns).toEqual([['e'], ['d', 'a'], ['b'], ['c']]);
  });
});

describe('the laws of limits under concurrency', () => {
  // A window of two seconds passes while it is drained and watched, as fast or as slowly as the target answers.
  const LATENCIES = [1, 3, 5, 8, 10];
  const overShort = (limiter: () => Limiter, latencyMs: number) =>
    onBench({ keys: ONE, limiterOf: limiter, latencyMs: (call) => latencyMs + (call % 3) }, rateLimits);

  it.each(LATENCIES)(
    'are broken where a short window holds less than is stated, answered in %i ms',
    async (latencyMs) => {
      const outcomes = await overShort(() => saying(100, limiterOf('aligned', 80, 2000)), latencyMs);
      expect(breachesOf(outcomes)).toEqual(['RATE-10: the measured ceiling is not the stated Limit']);
    },
  );

  it.each(LATENCIES)('hold for a short window of any kind, answered in %i ms', async (latencyMs) => {
    for (const kind of ['aligned', 'first-hit', 'sliding-log', 'sliding-counter', 'bucket'] as const)
      expect(breachesOf(await overShort(() => limiterOf(kind, 100, 2000), latencyMs)), kind).toEqual([]);
  });

  it.each(LATENCIES)('hold for a bucket of a smaller burst, answered in %i ms', async (latencyMs) => {
    const outcomes = await overShort(() => saying(100, tokenBucket(80, 50 / 1000, 'full')), latencyMs);
    expect(breachesOf(outcomes)).toEqual([]);
  });

  /** Judgements of a fixed window of 3 s that begins so long after a second of the target's clock, whose Reset is a time. */
  const seriesOf = async (phaseMs: number, limiter: () => Limiter, more: Partial<Scene> = {}, clause = 'RATE-03') => {
    const told: string[] = [];
    const scene: Scene = {
      keys: ONE,
      ...more,
      style: { ...PLAIN_STYLE, reset: 'epoch-seconds' },
      limiterOf: () => {
        const own = limiter();
        return (nowMs, cost) => {
          const grant = own(nowMs - phaseMs, cost);
          return { ...grant, resetMs: grant.resetMs + phaseMs, againMs: grant.againMs + phaseMs };
        };
      },
    };
    await onBench(scene, async function* (bench) {
      yield* rateLimits(bench);
      for (const { clause: id, judgement } of bench.book.concludeSeries()) if (id === clause) told.push(judgement.kind);
    });
    return [...new Set(told)].filter((kind) => kind !== 'cannot-tell');
  };

  it.each([0, 200, 400, 600, 800])(
    'have calls to compare in a window of three seconds, begun %i ms after a second',
    async (phaseMs) => {
      expect(await seriesOf(phaseMs, () => limiterOf('aligned', 60, 3000))).toEqual(['holds']);
    },
  );

  it.each([
    [4, 0],
    [9.5, 100],
    [10.5, 200],
  ])('have a wait to wait out where a drain takes most of such a window, answered in %d ms', async (ms, phaseMs) => {
    const slow = { keys: TWO, latencyMs: () => ms };
    expect(await seriesOf(phaseMs, () => limiterOf('aligned', 60, 3000), slow, 'RATE-06')).toEqual(['holds']);
  });

  it('are broken where Reset is in milliseconds among seconds, and hold where it is truly so far off', async () => {
    const style = { ...PLAIN_STYLE, reset: 'delta-seconds' } as const;
    const inMs = (limiter: Limiter): Limiter => {
      return (nowMs, cost) => {
        const grant = limiter(nowMs, cost);
        return { ...grant, resetMs: nowMs + 1000 * (grant.resetMs - nowMs) };
      };
    };
    const judged = (limiter: () => Limiter) => seriesOf(0, limiter, { style });
    expect(await judged(() => inMs(limiterOf('first-hit', 30, 8000)))).toContain('breached');
    expect(await judged(() => limiterOf('first-hit', 30, 8_000_000))).toEqual(['holds']);
    expect(await judged(() => tokenBucket(300, 1 / 1000, 'full'))).not.toContain('breached');
  });

  it('are broken where such a window never tells of fewer calls left', async () => {
    const still = (limiter: Limiter): Limiter => {
      return (nowMs, cost) => {
        const grant = limiter(nowMs, cost);
        return { ...grant, remaining: grant.granted ? 59 : 0 };
      };
    };
    expect(await seriesOf(0, () => still(limiterOf('aligned', 60, 3000)))).toEqual(['breached']);
  });

  /** Where no answer tells its reset, and its plan tells its window. */
  const withoutReset = (limiter: () => Limiter) => {
    const change: Scene['change'] = (headers) => headers.filter(([name]) => name !== 'x-ratelimit-reset');
    const expected = { standard: { windowSeconds: 8 } };
    return onBench({ keys: ONE, expected, change, limiterOf: limiter }, rateLimits);
  };

  it('are broken where 94 calls are admitted and 100 stated, though no answer tells its reset', async () => {
    const outcomes = await withoutReset(() => saying(100, limiterOf('aligned', 94, 8000)));
    expect(breachesOf(outcomes)).toEqual(['RATE-10: the measured ceiling is not the stated Limit']);
  });

  it.each(['aligned', 'first-hit', 'sliding-log', 'sliding-counter', 'bucket'] as const)(
    'hold for a limit whose reset no answer tells, alone and shared with another client: %s',
    async (kind) => {
      const limiter = (): Limiter => limiterOf(kind, 100, 8000);
      for (const make of [limiter, () => sharedWith(8000 / 6, limiter())])
        expect(breachesOf(await withoutReset(make))).toEqual([]);
    },
  );

  it.each([1, 3])('hold for a limiter that keeps them, whose calls cost %i', async (cost) => {
    const outcomes = await onBench(
      {
        keys: TWO,
        limiterOf: (key) => limiterOf('aligned', key === MAIN_KEY.name ? 300 : 120, 8000),
        cost: () => cost,
      },
      rateLimits,
    );
    expect(breachesOf(outcomes)).toEqual([]);
    const admission = outcomes.filter(({ clause }) => clause === 'RATE-04').map(({ judgement }) => judgement.kind);
    expect(admission).toEqual(['holds', 'holds', 'holds', 'holds']);
    const judged = new Set(outcomes.filter(({ judgement }) => judgement.kind === 'holds').map(({ clause }) => clause));
    expect([...judged].sort()).toEqual(['RATE-04', 'RATE-07', 'RATE-10']);
  });

  it('are not said to hold where keys at once are refused with calls left, as one key alone is not', async () => {
    const together = limiterOf('aligned', 300, 8000);
    const throttled = (): Limiter => {
      const own = limiterOf('aligned', 200, 8000);
      return (nowMs, cost) => {
        const isLeft = own(nowMs, 0).remaining >= cost;
        return own(nowMs, isLeft && together(nowMs, cost).granted ? cost : Number.POSITIVE_INFINITY);
      };
    };
    const outcomes = await onBench({ keys: TWO, limiterOf: throttled }, rateLimits);
    expect(breachesOf(outcomes)).toEqual([]);
    const judged = outcomes.filter(({ clause }) => clause === 'RATE-04').map(({ judgement }) => judgement.kind);
    expect(judged).toEqual(['holds', 'holds', 'cannot-tell', 'cannot-tell']);
  });

  it('are broken where two keys spend one limit', async () => {
    const shared = limiterOf('aligned', 300, 8000);
    const outcomes = await onBench({ keys: TWO, limiterOf: () => shared }, rateLimits);
    expect(breachesOf(outcomes)).toContain('RATE-07: one key spends the limit of another');
  });
});
