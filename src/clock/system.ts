// The clock of this machine. It is the only door to real time: test/clock.test.ts names who else may look past it.
import type { Clock } from './clock.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (delayMs, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, delayMs);
      signal?.addEventListener('abort', done, { once: true });
    }),
  after(delayMs, act) {
    const timer = setTimeout(act, delayMs);
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};

/** Aborts with a `TimeoutError` after the delay: for what reads the network or runs a program in real time. */
export function timeLimit(delayMs: number): AbortSignal {
  return AbortSignal.timeout(delayMs);
}
