// The probes of limits against simulated limiters: silent for conformant ones of every kind, loud for each defect.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  fixedWindow,
  KINDS,
  type Limiter,
  limiterOf,
  PLAIN_STYLE,
  RESET_STYLES,
} from '../../checks/rate/test-limiters.ts';
import { withHeader } from '../../checks/rate/test-traffic.ts';
import { simulatedClock } from '../../client/simulated-clock.ts';
import type { Description } from '../../openapi/operation.ts';
import type { Outcome } from '../probe.ts';
import { MAIN_KEY, OTHER_KEY, worldWith } from '../test-world.ts';
import { RATE_CLAUSES, rateExperiments } from './experiments.ts';
import { allReached, loadLimited, type SimulatedTarget, simulatedTarget, type TargetOptions } from './test-target.ts';

let description: Description;
beforeAll(async () => {
  description = await loadLimited();
});

interface Ran extends SimulatedTarget {
  readonly outcomes: readonly Outcome[];
}

/** Runs the experiments of these probes one after the other, then asks the book. */
async function run(
  options: Omit<TargetOptions, 'clock'>,
  probes = ['rate/costs', 'rate/drain', 'rate/export'],
): Promise<Ran> {
  const world = worldWith();
  const clock = simulatedClock();
  const target = simulatedTarget(world, { ...options, clock });
  const reached = allReached(world, description);
  const { costs, limits } = rateExperiments(world, { own: reached, reached }, target.book, clock);
  const experiments = [...costs, ...limits];
  const outcomes: Outcome[] = [];
  const all = async () => {
    for (const experiment of experiments)
      if (probes.includes(experiment.probe)) outcomes.push(...(await experiment.converse(target.send)));
  };
  await clock.drive(all());
  outcomes.push(...target.book.conclude());
  return { ...target, outcomes };
}

/** "RATE-04: cause" of every breach that is no observation or advisory, once. */
function breachesOf({ outcomes }: Ran): readonly string[] {
  const all = outcomes.flatMap(({ clause, judgement }) =>
    judgement.kind === 'breached'
      ? judgement.breaches.filter(({ weight }) => weight === 'breach').map(({ cause }) => `${clause}: ${cause}`)
      : [],
  );
  return [...new Set(all)].sort();
}

function wordOf({ outcomes }: Ran, clause: string): string {
  return outcomes
    .filter((one) => one.clause === clause)
    .map(({ judgement }) => judgement.kind)
    .join(' ');
}

/** The main key has room; the spare one this limiter. */
const spareBy =
  (make: () => Limiter): TargetOptions['limiterOf'] =>
  (key) =>
    key === MAIN_KEY.name ? fixedWindow(100_000, 10_000) : make();

const exportThrottle = (calls: number, windowMs: number, of: (key: string) => string): TargetOptions['throttle'] => {
  const windows = new Map<string, Limiter>();
  return (plan, nowMs) => {
    if (!plan.path.endsWith('/export') || plan.credential.kind !== 'key') return null;
    const user = of(plan.credential.name);
    const window = windows.get(user) ?? fixedWindow(calls, windowMs);
    windows.set(user, window);
    const grant = window(nowMs, 1);
    return grant.granted ? null : Math.ceil((grant.againMs - nowMs) / 1000);
  };
};
const perUser = exportThrottle(5, 10_000, (key) => key);

describe('a conformant limiter', () => {
  it('raises nothing, whatever its kind, its headers and its speed', async () => {
    const scene = fc.record({
      kind: fc.constantFrom(...KINDS),
      limit: fc.constantFrom(20, 100, 250),
      windowMs: fc.constantFrom(1000, 2000, 10_000, 60_000),
      cost: fc.integer({ min: 1, max: 3 }),
      latencyMs: fc.constantFrom(1, 4, 30, 75),
      style: fc.record({
        reset: fc.constantFrom(...RESET_STYLES),
        rounding: fc.constantFrom('ceil' as const, 'floor' as const, 'round' as const),
        skewMs: fc.constantFrom(0, 400, -90_000, 300_000),
        date: fc.boolean(),
        retryAfter: fc.constantFrom('seconds' as const, 'date' as const, 'none' as const),
      }),
    });
    const check = async ({
      kind,
      limit,
      windowMs,
      cost,
      latencyMs,
      style,
    }: typeof scene extends fc.Arbitrary<infer Scene> ? Scene : never) => {
      const limiter = spareBy(() => limiterOf(kind, limit, windowMs));
      const latency = (call: number) => latencyMs + ((call * 7) % 5);
      const ran = await run({ limiterOf: limiter, style, cost: () => cost, latencyMs: latency }, [
        'rate/costs',
        'rate/drain',
      ]);
      expect(breachesOf(ran)).toEqual([]);
    };
    await fc.assert(fc.asyncProperty(scene, check), { numRuns: 60, seed: 5 });
  }, 60_000);

  it('that is drained in fixed windows is judged by every clause', async () => {
    const ran = await run({ limiterOf: spareBy(() => fixedWindow(100, 2000)), throttle: perUser });
    expect(breachesOf(ran)).toEqual([]);
    for (const clause of ['RATE-07', 'RATE-09', 'RATE-10'])
      expect([clause, wordOf(ran, clause)]).toEqual([clause, clause === 'RATE-09' ? 'holds holds' : 'holds']);
    for (const clause of ['RATE-03', 'RATE-04', 'RATE-06']) expect(wordOf(ran, clause)).toContain('holds');
  });

  it.each([
    ['aligned', 'fixed-window'],
    ['first-hit', 'fixed-window'],
    ['sliding-log', 'sliding-window'],
    ['sliding-counter', 'sliding-window'],
    ['bucket', 'token-bucket'],
  ] as const)('of the kind %s is taken for a %s', async (kind, algorithm) => {
    const limiter = spareBy(() => limiterOf(kind, 100, 10_000));
    const { book } = await run({ limiterOf: limiter, latencyMs: () => 75 }, ['rate/drain']);
    const facts = book.planFacts().find(({ key }) => key === OTHER_KEY.name);
    expect(facts?.drain?.algorithm).toBe(algorithm);
  });

  it('of a large limit is not drained', async () => {
    const ran = await run({ limiterOf: () => fixedWindow(30_000, 10_000) }, ['rate/drain']);
    expect(breachesOf(ran)).toEqual([]);
    expect([wordOf(ran, 'RATE-10'), wordOf(ran, 'RATE-07')]).toEqual(['cannot-tell', 'holds']);
    expect(ran.plans.length).toBeLessThan(60);
  });

  it('may have a throttle of concurrent calls beside it', async () => {
    let inFlight = 0;
    const throttle: TargetOptions['throttle'] = (_plan, nowMs) => (nowMs % 7 === 0 && inFlight++ < 3 ? 1 : null);
    expect(
      breachesOf(await run({ limiterOf: spareBy(() => fixedWindow(100, 10_000)), throttle }, ['rate/drain'])),
    ).toEqual([]);
  });
});

describe('a defect', () => {
  const window = (limit: number, seconds = 10) => fixedWindow(limit, seconds * 1000);
  const found = async (options: Omit<TargetOptions, 'clock'>, probes = ['rate/drain']) =>
    breachesOf(await run(options, probes));

  it.each(RESET_STYLES)('is found where 130 calls are admitted and 100 stated, with Reset as %s', async (reset) => {
    const make = (): Limiter => {
      const inner = window(130);
      return (nowMs, cost) => {
        const grant = inner(nowMs, cost);
        return { ...grant, limit: 100, remaining: Math.max(0, grant.remaining - 30) };
      };
    };
    const told = await found({ limiterOf: spareBy(make), style: { ...PLAIN_STYLE, reset } });
    expect(told).toContain('RATE-04: more calls succeed in a window than Limit allows');
    expect(told).toContain('RATE-10: the measured ceiling is not the stated Limit');
  });

  it('is found where calls are refused while twenty are left', async () => {
    const make = (): Limiter => {
      const inner = window(100);
      return (nowMs, cost) => {
        const grant = inner(nowMs, cost);
        const granted = grant.granted && grant.remaining >= 20;
        return { ...grant, granted, remaining: Math.max(20, grant.remaining) };
      };
    };
    expect(await found({ limiterOf: spareBy(make) })).toEqual([
      "RATE-04: the key's limiter refuses while calls are left",
      'RATE-10: the measured ceiling is not the stated Limit',
    ]);
  });

  it('is found where Retry-After is too short', async () => {
    const change: TargetOptions['change'] = (headers, _plan, granted) =>
      granted ? headers : withHeader(headers, 'retry-after', '1');
    expect(await found({ limiterOf: spareBy(() => window(100)), change })).toContain(
      'RATE-06: a call is refused after waiting as Retry-After says',
    );
  });

  it('is found where Retry-After is in milliseconds', async () => {
    const limiter = window(100, 4);
    const change: TargetOptions['change'] = (headers, _plan, granted) =>
      granted
        ? headers
        : withHeader(
            headers,
            'retry-after',
            String(Number(headers.find(([name]) => name === 'retry-after')?.[1]) * 1000),
          );
    expect(await found({ limiterOf: spareBy(() => limiter), change })).toEqual([
      'RATE-05: Retry-After is in milliseconds',
    ]);
  });

  it('is found where the limit never comes back', async () => {
    const make = (): Limiter => {
      const inner = window(100, 1_000_000);
      return (nowMs, cost) => ({
        ...inner(nowMs, cost),
        resetMs: Math.ceil(nowMs / 5000) * 5000,
        againMs: Math.ceil(nowMs / 5000) * 5000,
      });
    };
    const told = await found({ limiterOf: spareBy(make) });
    expect(told).toContain('RATE-03: Remaining does not come back after Reset');
    expect(told).toContain('RATE-06: a call is refused after waiting as Retry-After says');
  });

  it('is found where two keys share one limit', async () => {
    for (const limit of [100, 30_000]) {
      const shared = window(limit);
      expect(await found({ limiterOf: () => shared })).toContain('RATE-07: one key spends the limit of another');
    }
  });

  it('is found where one operation is not counted, in windows and in buckets', async () => {
    const cost: TargetOptions['cost'] = ({ path, method }) => (method === 'GET' && path === '/api/v1/b' ? 0 : 1);
    for (const kind of ['aligned', 'bucket'] as const) {
      const told = await found({ limiterOf: () => limiterOf(kind, 1000, 60_000), cost }, ['rate/costs']);
      expect(told).toEqual(['RATE-03: a successful call does not lower Remaining']);
    }
  });

  it('is found where exports are never throttled, and where one throttle serves all users', async () => {
    const limiterOf = () => fixedWindow(30_000, 10_000);
    expect(await found({ limiterOf }, ['rate/export'])).toEqual(['RATE-09: exports are never throttled']);
    expect(await found({ limiterOf, throttle: perUser }, ['rate/export'])).toEqual([]);
    const tight = exportThrottle(1, 2000, (key) => key);
    expect(await found({ limiterOf, throttle: tight }, ['rate/export'])).toEqual([]);
    const shared = exportThrottle(20, 10_000, () => 'all');
    expect(await found({ limiterOf, throttle: shared }, ['rate/export'])).toContain(
      "RATE-09: one user's exports throttle another user",
    );
  });
});

it('costs are measured operation by operation', async () => {
  const cost: TargetOptions['cost'] = ({ method }) => (method === 'POST' ? 3 : 1);
  const { book } = await run({ limiterOf: () => fixedWindow(1000, 60_000), cost }, ['rate/costs']);
  expect(book.planFacts()[0]?.costs).toEqual({
    'GET /api/v1/a': 1,
    'GET /api/v1/b': 1,
    'GET /api/v1/c': 1,
    'POST /api/v1/c': 3,
  });
});

it('the clauses are those of the family', () => {
  expect(RATE_CLAUSES).toHaveLength(11);
});
