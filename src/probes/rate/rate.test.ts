// The probes of limits against simulated limiters that keep the contract: silent, whatever their kind, headers and speed.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fixedWindow,
  KINDS,
  type Limiter,
  limiterOf,
  PLAIN_STYLE,
  RESET_STYLES,
  sharedWith,
} from '../../../test/support/limiters/limiters.ts';
import { breachesOf, exportThrottle, type Ran, runnerOn, spareBy } from '../../../test/support/probes/rate/run.ts';
import type { TargetOptions } from '../../../test/support/probes/rate/target.ts';
import { MAIN_KEY, OTHER_KEY } from '../../../test/support/probes/world.ts';
import { simulatedClock } from '../../clock/simulated.ts';
import { algorithmIn } from '../../limiters/models.ts';

const run = runnerOn(simulatedClock);

function wordOf({ outcomes }: Ran, clause: string): string {
  return outcomes
    .filter((one) => one.clause === clause)
    .map(({ judgement }) => judgement.kind)
    .join(' ');
}

describe('a conformant limiter', () => {
  it('raises nothing, whatever its kind, its headers and its speed', async () => {
    const scene = fc.record({
      kind: fc.constantFrom(...KINDS),
      limit: fc.constantFrom(20, 100, 250),
      windowMs: fc.constantFrom(1000, 2000, 10_000, 60_000),
      cost: fc.integer({ min: 1, max: 3 }),
      latencyMs: fc.constantFrom(1, 4, 30, 75),
      /** The share of the limit that another client of the key uses. */
      others: fc.constantFrom(0, 0, 0.05, 0.2, 0.4),
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
      others,
      style,
    }: typeof scene extends fc.Arbitrary<infer Scene> ? Scene : never) => {
      // Another client may take every call that comes back of a small limit.
      fc.pre(others === 0 || limit >= 100);
      const alone = () => limiterOf(kind, limit, windowMs);
      const limiter = spareBy(others === 0 ? alone : () => sharedWith(windowMs / (limit * others), alone()));
      const latency = (call: number) => latencyMs + ((call * 7) % 5);
      const ran = await run({ limiterOf: limiter, style, cost: () => cost, latencyMs: latency }, [
        'rate/costs',
        'rate/row',
        'rate/drain',
      ]);
      // A log that others use all the time begins with as little each time: nothing tells it from one of a smaller ceiling.
      const seemsSmaller = others > 0 && kind === 'log-in-windows';
      expect(breachesOf(ran).filter((one) => !seemsSmaller || !one.startsWith('RATE-10'))).toEqual([]);
    };
    await fc.assert(fc.asyncProperty(scene, check), { numRuns: 80, seed: 5 });
  });

  const plain = { ...PLAIN_STYLE, retryAfter: 'date' } as const;

  it.each([
    ['log-till-empty', 150, 5000, 0.3, { ...plain, reset: 'http-date', rounding: 'round', skewMs: 400 }, 2],
    ['log-till-empty', 100, 5000, 1, { ...plain, reset: 'delta-seconds', retryAfter: 'none' }, 20],
    ['sliding-log', 250, 1000, 0.15, { ...plain, reset: 'http-date', rounding: 'floor' }, 20],
  ] as const)('of the kind %s, %i calls in %i ms, may be used by another client to %f', async (...scene) => {
    const [kind, limit, windowMs, share, style, latencyMs] = scene;
    const main = fixedWindow(300, 60_000);
    const spare = sharedWith(windowMs / (limit * share), limiterOf(kind, limit, windowMs));
    const limiters: TargetOptions['limiterOf'] = (key) => (key === MAIN_KEY.name ? main : spare);
    const latency = (call: number) => latencyMs + ((call * 7) % 5);
    const ran = await run({ limiterOf: limiters, style, latencyMs: latency }, ['rate/costs', 'rate/row', 'rate/drain']);
    expect(breachesOf(ran)).toEqual([]);
    expect(wordOf(ran, 'RATE-10')).toContain('cannot-tell');
  });

  it('that is drained in fixed windows is judged by every clause', async () => {
    const ran = await run({ limiterOf: spareBy(() => fixedWindow(100, 2000)), throttle: exportThrottle(5, 10_000) });
    expect(breachesOf(ran)).toEqual([]);
    for (const clause of ['RATE-07', 'RATE-09', 'RATE-10'])
      expect([clause, wordOf(ran, clause)]).toEqual([clause, clause === 'RATE-09' ? 'holds holds' : 'holds']);
    for (const clause of ['RATE-03', 'RATE-04', 'RATE-06']) expect(wordOf(ran, clause)).toContain('holds');
  });

  it('that is not spent within a window is said to be so, by figures, of each clause that needs it spent', async () => {
    const limiter = spareBy(() => fixedWindow(400, 1000));
    const { outcomes } = await run({ limiterOf: limiter, latencyMs: () => 40 }, ['rate/drain']);
    const reasons = outcomes.flatMap(({ clause, judgement }) =>
      judgement.kind === 'cannot-tell' && judgement.reason?.includes('was not exhausted')
        ? [[clause, judgement.reason]]
        : [],
    );
    expect(reasons.map(([clause]) => clause)).toEqual(expect.arrayContaining(['RATE-04', 'RATE-06', 'RATE-10']));
    expect(reasons[0]?.[1]).toMatch(/^key .+: its limit of 400 was not exhausted by the \d+ calls that it admitted$/);
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
    expect(algorithmIn(facts?.drain?.kinds ?? [])).toBe(algorithm);
  });

  it.each([
    ['sliding-log', 46, 1268, 30, 'sliding-window'],
    ['sliding-log', 46, 4702, 4, 'sliding-window'],
    ['sliding-log', 102, 4931, 30, 'sliding-window'],
    ['log-till-empty', 234, 1225, 30, 'sliding-window'],
    ['bucket-next', 100, 60_000, 20, 'token-bucket'],
    ['first-hit', 100, 20_000, 20, 'fixed-window'],
  ] as const)('of the kind %s, %i calls in %i ms, answered in %i ms, is taken for no other', async (...scene) => {
    const [kind, limit, windowMs, latencyMs, algorithm] = scene;
    const words: string[] = [];
    for (const reset of RESET_STYLES) {
      const limiter = spareBy(() => limiterOf(kind, limit, windowMs));
      const style = { ...PLAIN_STYLE, reset };
      const { book } = await run({ limiterOf: limiter, style, latencyMs: () => latencyMs }, ['rate/drain']);
      words.push(algorithmIn(book.historyOf(OTHER_KEY.name).drain?.kinds ?? []));
    }
    expect(words).toContain(algorithm);
    expect(words.filter((word) => word !== algorithm && word !== 'unknown')).toEqual([]);
  });

  it.each([
    ['as its time to full tells', 60_000, 'holds'],
    ['which whole seconds are too coarse to tell of a short one', 10_000, 'cannot-tell'],
  ] as const)('that is a bucket regains its limit in a window, %s', async (_how, windowMs, word) => {
    const limiter = spareBy(() => limiterOf('bucket', 100, windowMs));
    const ran = await run({ limiterOf: limiter, latencyMs: () => 20 }, ['rate/drain']);
    expect([breachesOf(ran), wordOf(ran, 'RATE-10')]).toEqual([[], word]);
  });

  it('whose Remaining falls by two with every second call counts one for each', async () => {
    const byTwos = (): Limiter => {
      const limiter = fixedWindow(100, 10_000);
      return (nowMs, cost) => {
        const grant = limiter(nowMs, cost);
        return { ...grant, remaining: grant.remaining - (grant.remaining % 2) };
      };
    };
    const ran = await run({ limiterOf: spareBy(byTwos) }, ['rate/drain']);
    expect(breachesOf(ran)).toEqual([]);
    for (const clause of ['RATE-04', 'RATE-10']) expect([clause, wordOf(ran, clause)]).toEqual([clause, 'holds']);
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
