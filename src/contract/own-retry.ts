// How long this program's own client waits, and how often it tries again: no verdict on a target rests on it.

/** ms, but for the number of retries. */
export const RETRY = {
  maxRetries: 4,
  throttledBaseMs: 1000,
  throttledCapMs: 30_000,
  jitterMs: 250,
  serverErrorBaseMs: 250,
} as const;
