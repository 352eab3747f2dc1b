// A clock for tests: time stands still until everything else has, then jumps to what is due next.
import type { Clock } from './clock.ts';

interface Due {
  readonly at: number;
  readonly act: () => void;
}

export interface SimulatedClock extends Clock {
  /** Every sleep asked for so far, in order. ms. */
  readonly sleeps: readonly number[];
  /** Lets time pass until the work is done. Real input and output gets a turn of the event loop between two jumps. */
  drive<T>(work: Promise<T>): Promise<T>;
}

export function simulatedClock(startMs = Date.UTC(2026, 0, 1)): SimulatedClock {
  let nowMs = startMs;
  let waiting: Due[] = [];
  const sleeps: number[] = [];
  const after = (delayMs: number, act: () => void): Due => {
    const due = { at: nowMs + delayMs, act };
    waiting.push(due);
    return due;
  };
  return {
    sleeps,
    now: () => nowMs,
    monotonic: () => nowMs - startMs,
    sleep(delayMs, signal) {
      sleeps.push(delayMs);
      return new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        after(delayMs, resolve);
        signal?.addEventListener('abort', () => resolve(), { once: true });
      });
    },
    after(delayMs, act) {
      const due = after(delayMs, act);
      return {
        cancel: () => {
          waiting = waiting.filter((one) => one !== due);
        },
      };
    },
    async drive(work) {
      let done = false;
      const settled = () => {
        done = true;
      };
      work.then(settled, settled);
      while (!done) {
        await new Promise((resolve) => setImmediate(resolve));
        const next = waiting.reduce<Due | null>((first, one) => (first && first.at <= one.at ? first : one), null);
        if (done || next === null) continue;
        waiting = waiting.filter((one) => one !== next);
        nowMs = Math.max(nowMs, next.at);
        next.act();
      }
      return work;
    },
  };
}
