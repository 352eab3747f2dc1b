import { expect, it } from 'vitest';
import { simulatedClock } from '../clock/simulated.ts';
import type { Answer } from './pace.ts';
import { createPaceByOperation } from './pace-by-operation.ts';

/** One call a minute. */
function minutely(): (nowMs: number) => Answer {
  let freeAt = 0;
  return (nowMs) => {
    if (nowMs < freeAt) return { status: 429, headers: [['retry-after', String(Math.ceil((freeAt - nowMs) / 1000))]] };
    freeAt = nowMs + 60_000;
    return { status: 200, headers: [] };
  };
}

/** `limit` calls in every 10 s, whatever the operation. */
function windowed(limit: number): (nowMs: number) => Answer {
  const used = new Map<number, number>();
  return (nowMs) => {
    const window = Math.floor(nowMs / 10_000);
    used.set(window, (used.get(window) ?? 0) + 1);
    const waitMs = (window + 1) * 10_000 - nowMs;
    const headers = [['retry-after', String(Math.ceil(waitMs / 1000))]] as const;
    return (used.get(window) ?? 0) > limit ? { status: 429, headers } : { status: 200, headers: [] };
  };
}

interface Ended {
  readonly durationMs: number;
  readonly refused: number;
}

/** Time that four workers take for 40 calls on each operation, in turns. */
async function run(operations: readonly string[], answer: (operation: string, nowMs: number) => Answer) {
  const clock = simulatedClock();
  const pace = createPaceByOperation(clock);
  const ended = new Map<string, Ended>();
  const startMs = clock.now();
  const calls = operations.map(async (operation) => {
    let refused = 0;
    for (let call = 0; call < 40; call += 1) {
      const ticket = await pace.enter('main', operation);
      await clock.sleep(10);
      const received = answer(operation, clock.now());
      pace.leave('main', ticket, received, operation);
      if (received.status === 429) refused += 1;
    }
    ended.set(operation, { durationMs: clock.now() - startMs, refused });
  });
  await clock.drive(Promise.all(calls));
  return { ended, patienceMs: pace.patienceMs('main') };
}

it('a limiter of one operation holds that operation alone, and shortly', async () => {
  const limiter = minutely();
  const free: Answer = { status: 200, headers: [] };
  const { ended, patienceMs } = await run(['reset', 'list', 'read'], (operation, nowMs) =>
    operation === 'reset' ? limiter(nowMs) : free,
  );
  expect(ended.get('list')?.durationMs).toBeLessThan(1_000);
  expect(ended.get('read')?.durationMs).toBeLessThan(1_000);
  expect(ended.get('reset')?.durationMs).toBeLessThan(40 * 5_100);
  expect(patienceMs).toBe(5_000);
});

it('a limiter that refuses three operations in a row is the key’s, and the key is held', async () => {
  const limiter = windowed(30);
  const { ended, patienceMs } = await run(['a', 'b', 'c', 'd'], (_operation, nowMs) => limiter(nowMs));
  const refused = [...ended.values()].reduce((sum, one) => sum + one.refused, 0);
  expect(refused).toBeLessThan(25);
  expect(patienceMs).toBe(120_000);
});
