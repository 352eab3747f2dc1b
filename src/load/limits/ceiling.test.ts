// The ceiling of a key whose calls are sent late, or answered slowly: what headers told of its drain holds however late they are.
import { expect, it } from 'vitest';
import { seedsDue } from '../../../test/programme.ts';
import { type Kind, type Limiter, limiterOf } from '../../../test/support/limiters/limiters.ts';
import { onBench, type Scene } from '../../../test/support/load/limits/bench.ts';
import { OTHER_KEY } from '../../../test/support/probes/world.ts';
import { ceilings } from './ceiling.ts';

/** The same numbers in [0, 1) for a seed. */
function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

async function limitOf(scene: Omit<Scene, 'keys'>): Promise<number | null> {
  const limits: (number | null)[] = [];
  const keys = [{ name: OTHER_KEY.name, plan: 'standard' }];
  await onBench({ ...scene, keys }, (bench) => ceilings(bench, ({ limit }) => limits.push(limit)));
  return limits[0] ?? null;
}

it.each<Kind>(['aligned', 'first-hit', 'sliding-log', 'sliding-counter', 'bucket'])(
  'a limiter of the kind %s is measured though three in ten steps are late by up to eight tenths of its window',
  async (kind) => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const random = numbersOf(seed);
      const lateMs = (calls: number): number => (calls > 1 && random() < 0.3 ? random() * 6400 : random() * 100);
      expect(await limitOf({ limiterOf: () => limiterOf(kind, 60, 8000), senders: 8, lateMs }), `seed ${seed}`).toBe(
        60,
      );
    }
  },
);

/** Answers take so long that the next window of 4 s begins meanwhile. */
function slow(seed: number): Pick<Scene, 'senders' | 'latencyMs' | 'lateMs'> {
  const random = numbersOf(3000 + seed);
  const lateMs = (): number => (random() < 0.3 ? random() * 3000 : random() * 300);
  return { senders: 6, latencyMs: () => 25 + random() * 150, lateMs };
}

it.each<Kind>(['aligned', 'first-hit', 'sliding-counter'])(
  'a limiter of the kind %s is measured, or not at all, where answers are so slow that the next window begins meanwhile',
  async (kind) => {
    for (const seed of seedsDue(40)) {
      const limit = await limitOf({ limiterOf: () => limiterOf(kind, 60, 4000), ...slow(seed) });
      expect([60, null], `seed ${seed}`).toContain(limit);
    }
  },
);

it.each([80, 45])('one of %d units is not taken for the 60 that it states, however slow', async (units) => {
  const stating = (): Limiter => {
    const inner = limiterOf('aligned', units, 4000);
    return (nowMs, cost) => {
      const grant = inner(nowMs, cost);
      return { ...grant, limit: 60, remaining: Math.max(0, grant.remaining - (units - 60)) };
    };
  };
  for (const seed of seedsDue(20))
    expect(await limitOf({ limiterOf: stating, ...slow(seed) }), `seed ${seed}`).not.toBe(60);
});
