// A spike as a generator reports it that never sends: nothing here waits, and nothing depends on how busy the machine is.
import { expect, test } from 'vitest';
import type { ArrivalsPlan } from '../k6/arrivals-plan.ts';
import type { Generator, Step } from '../k6/measure.ts';
import { bucketOf } from '../samples/line.ts';
import { measureSpike } from './spike.ts';

const WISH = { base: 60, peak: 300, seconds: 5, heldBy: null };
const ENDED = { exitCode: 0, stopped: null, cpuSeconds: null, complaints: [] };

/** Tells of every part of the plan as many answers as were due; those after the peak took, and were sent late, so long. */
function generatorThat(after: { readonly tookMs: number; readonly lateMs: number; readonly share: number }): Generator {
  const measure = async ({ plan, onSample, planned }: Step) => {
    for (const { parts, perTenSeconds } of (plan as ArrivalsPlan).legs)
      for (const [at, { step, untilMs }] of parts.entries()) {
        const due = Math.round((perTenSeconds * (untilMs - (parts[at - 1]?.untilMs ?? 0))) / 10_000);
        const isAfter = step.startsWith('spike.after');
        const count = isAfter ? Math.round(due * after.share) : due;
        const answered = { key: 'std-1', operation: 'GET /a', status: 200 };
        const buckets = (ms: number) => new Map([[bucketOf(ms), count]]);
        onSample({ kind: 'histogram', step, ...answered, buckets: buckets(isAfter ? after.tookMs : 10) });
        onSample({ kind: 'lateness', step, buckets: buckets(isAfter ? after.lateMs : 1) });
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
  expect(generator).toMatch(/^requests were sent 30\d ms late$/);
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
