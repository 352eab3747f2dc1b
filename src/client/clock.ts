// Time as the client sees it, so that tests wait in no time.

export interface Clock {
  /** Epoch ms. */
  now(): number;
  /** Resolves after the delay, or at once when the signal aborts; never rejects. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
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
};
