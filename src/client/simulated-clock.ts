// A clock for tests: time stands still until everything else has, then jumps to the next sleeper.
import type { Clock } from './clock.ts';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

export interface SimulatedClock extends Clock {
  /** Every sleep asked for so far, in order. ms. */
  readonly sleeps: readonly number[];
  /** Lets time pass until the work is done. Real input and output gets a turn of the event loop between two jumps. */
  drive<T>(work: Promise<T>): Promise<T>;
}

export function simulatedClock(startMs = Date.UTC(2026, 0, 1)): SimulatedClock {
  let nowMs = startMs;
  let sleepers: Sleeper[] = [];
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => nowMs,
    sleep(delayMs, signal) {
      sleeps.push(delayMs);
      return new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        sleepers.push({ at: nowMs + delayMs, wake: resolve });
        signal?.addEventListener('abort', () => resolve(), { once: true });
      });
    },
    async drive(work) {
      let done = false;
      const settled = () => {
        done = true;
      };
      work.then(settled, settled);
      while (!done) {
        await new Promise((resolve) => setImmediate(resolve));
        const next = sleepers.reduce<Sleeper | null>((first, one) => (first && first.at <= one.at ? first : one), null);
        if (done || next === null) continue;
        sleepers = sleepers.filter((one) => one !== next);
        nowMs = Math.max(nowMs, next.at);
        next.wake();
      }
      return work;
    },
  };
}
