// The clock of this machine. It is the only door to real time: test/clock.test.ts names who else may look past it.
import { uptime } from 'node:os';
import type { Clock } from './clock.ts';
import { RunningTime } from './running-time.ts';

const time = new RunningTime({
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  uptime: () => uptime() * 1000,
});
let isWatching = false;

/** Looks every second from now on, for as long as the process lasts. */
function watched(): RunningTime {
  if (!isWatching) setInterval(() => time.watch(), 1000).unref();
  if (!isWatching) time.watch();
  isWatching = true;
  return time;
}

export const systemClock: Clock = {
  now: () => time.nowMs(),
  monotonic: () => time.elapsedMs(),
  halts: () => watched().halts,
  busyMs: () => performance.eventLoopUtilization().active,
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
  turn: () => new Promise((resolve) => setImmediate(resolve)),
  after(delayMs, act, kind) {
    const timer = setTimeout(act, delayMs);
    if (kind?.isLimit !== true) timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};

/**
 * How far this machine's wall clock is ahead of `systemClock`, in ms: what a program of ours that reads it has to take off.
 * Both agree unless it was set since this process began.
 */
export function wallAheadMs(): number {
  return Date.now() - systemClock.now();
}

/** Aborts with a `TimeoutError` after the delay: for what reads the network or runs a program in real time. */
export function timeLimit(delayMs: number): AbortSignal {
  return AbortSignal.timeout(delayMs);
}
