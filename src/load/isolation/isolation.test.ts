import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Limiter, limiterOf } from '../../../test/support/limiters/limiters.ts';
import { onBench, type Scene } from '../../../test/support/load/limits/bench.ts';
import { MAIN_KEY, OTHER_KEY } from '../../../test/support/probes/world.ts';
import { sampleReport } from '../../../test/support/reporters/sample-report.ts';
import type { IsolationPart, IsolationRow } from '../../contract/load-part.ts';
import type { Report } from '../../contract/report.ts';
import { isolation } from './isolation.ts';
import { type Sized, scheduleOf } from './schedule.ts';
import { judgedIsolation } from './slowing.ts';

const KEYS = [
  { name: MAIN_KEY.name, plan: 'enterprise' },
  { name: OTHER_KEY.name, plan: 'standard' },
];

async function seen(scene: Partial<Scene> & Pick<Scene, 'limiterOf'>) {
  const rows: IsolationRow[] = [];
  const outcomes = await onBench({ keys: KEYS, ...scene }, (bench) => isolation(bench, 5000, (row) => rows.push(row)));
  const causes = outcomes.flatMap(({ judgement }) =>
    judgement.kind === 'breached' ? judgement.breaches.map(({ cause }) => cause) : [],
  );
  return { rows, causes, kinds: new Set(outcomes.map(({ judgement }) => judgement.kind)) };
}

describe('a key at its ceiling', () => {
  it.each(['aligned', 'first-hit', 'sliding-log', 'sliding-counter'] as const)(
    'behind a limiter %s of its own leaves others alone',
    async (kind) => {
      const { rows, causes, kinds } = await seen({
        limiterOf: (key) => limiterOf(kind, key === MAIN_KEY.name ? 600 : 200, 8000),
      });
      expect(causes).toEqual([]);
      expect(kinds).toContain('holds');
      expect(rows.map(({ plan }) => plan)).toEqual(['standard', 'enterprise']);
      expect(rows.every(({ refused }) => refused > 0)).toBe(true);
      expect(rows.flatMap(({ others }) => others.map((one) => one.refusedUnderPressure))).toEqual([0, 0]);
    },
  );

  it('that spends the limit of another breaches RATE-07', async () => {
    const shared = limiterOf('aligned', 300, 8000);
    const { causes, rows } = await seen({ limiterOf: () => shared });
    expect(new Set(causes)).toEqual(new Set(['one key spends the limit of another']));
    expect(rows.some(({ others }) => others.some((one) => one.refusedUnderPressure > 0))).toBe(true);
  });

  it('whose limit another has in part, too, breaches RATE-07', async () => {
    const own = new Map<string, Limiter>();
    const spills = (key: string): Limiter => {
      const limiter = own.get(key) ?? limiterOf('aligned', 400, 60_000);
      own.set(key, limiter);
      return (nowMs, cost) => {
        // Units that the one spends are taken from the other, too.
        if (key === OTHER_KEY.name) spillsInto(MAIN_KEY.name)(nowMs, cost);
        return limiter(nowMs, cost);
      };
    };
    const spillsInto = (key: string): Limiter => {
      const limiter = own.get(key) ?? limiterOf('aligned', 600, 60_000);
      own.set(key, limiter);
      return limiter;
    };
    const { causes } = await seen({ limiterOf: (key) => (key === MAIN_KEY.name ? spillsInto(key) : spills(key)) });
    expect(new Set(causes)).toEqual(new Set(['one key spends the limit of another']));
  });

  it('is not blamed for a throttle that refuses now and then', async () => {
    let calls = 0;
    const { causes } = await seen({
      limiterOf: (key) => limiterOf('aligned', key === MAIN_KEY.name ? 600 : 200, 8000),
      throttle: () => {
        calls += 1;
        return calls % 7 === 0 ? 1 : null;
      },
    });
    expect(causes).toEqual([]);
  });
});

describe('what is sent', () => {
  const sized = (changes: Partial<Sized>): Sized => ({
    ...{ name: 'a', limit: 100, remaining: 100, cost: 1, windowMs: null, windowAtLeastMs: 1000 },
    ...changes,
  });

  it('stays below the half of what others have left, or of their window', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000 }),
        fc.integer({ min: 1, max: 10 }),
        fc.option(fc.integer({ min: 1000, max: 3_600_000 })),
        fc.integer({ min: 1, max: 5000 }),
        (limit, cost, windowMs, pressed) => {
          const { others } = scheduleOf(
            sized({ limit: pressed }),
            [sized({ name: 'b', limit, remaining: limit, cost, windowMs })],
            'GET /a',
            5000,
            20_000,
          );
          const longest = windowMs ?? Number.POSITIVE_INFINITY;
          for (const { afterMs } of others) {
            const inside = others.filter((one) => one.afterMs >= afterMs && one.afterMs < afterMs + longest);
            expect(inside.length * cost).toBeLessThanOrEqual(0.5 * limit + cost);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('spends the limit and goes on pressing, within what may be sent', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 10, max: 20_000 }), (limit, most) => {
        const { pressure } = scheduleOf(sized({ limit }), [], 'GET /a', 5000, most);
        expect(2 * pressure.length).toBeLessThanOrEqual(most);
        if (most >= 4 * limit + 300 && limit < 15_000)
          expect(pressure.filter(({ afterMs }) => afterMs === 0).length).toBeGreaterThan(limit);
      }),
    );
  });
});

describe('the verdict', () => {
  const part = (
    slowdown: number | null,
    shift: 'none' | 'open' | 'sure',
    least: number,
    best: number,
  ): IsolationPart => ({
    slowdown,
    keys: [
      {
        ...{ plan: 'standard', key: 'std-1', admitted: 100, refused: 50 },
        others: [
          {
            ...{ plan: 'growth', key: 'gro-1', callsAtRest: 90, callsUnderPressure: 60 },
            ...{ refusedAtRest: 0, refusedUnderPressure: 0 },
            slowing: {
              ...{ p50RestMs: 10, p50PressedMs: 30, p90RestMs: 10, p90PressedMs: 30 },
              ...{ factor: { least, best, most: 4 }, shift, unknown: null },
            },
          },
        ],
      },
    ],
  });
  const passed: Report = { ...sampleReport(), verdict: 'pass' };

  it.each([
    ['informs without an objective', part(null, 'sure', 3, 3), 'pass'],
    ['fails where it surely is slower', part(2, 'sure', 2.4, 3), 'fail'],
    ['is none where it may be', part(2, 'open', 0.9, 3), 'none'],
    ['passes below the objective', part(4, 'sure', 2.4, 3), 'pass'],
    ['passes within milliseconds', part(2, 'none', 1, 3), 'pass'],
  ])('%s', (_, isolated, verdict) => {
    expect(judgedIsolation(passed, isolated).verdict).toBe(verdict);
  });
});
