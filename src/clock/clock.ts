// Time as every room sees it. A run takes one clock from its caller, so that it can also meet a platform in virtual time.

export interface Timer {
  /** The act is not performed any more, unless it was before. */
  cancel(): void;
}

export interface Clock {
  /** Epoch ms. */
  now(): number;
  /** Milliseconds that never go back, from an arbitrary start: only differences mean something. */
  monotonic(): number;
  /** Resolves after the delay, or at once when the signal aborts; never rejects. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** Performs the act once, after the delay. A pending act alone does not keep the process alive. */
  after(delayMs: number, act: () => void): Timer;
}

/** As much of time as probes see. */
export type Timing = Pick<Clock, 'now' | 'sleep'>;
