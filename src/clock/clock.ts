// Time as every room sees it. A run takes one clock from its caller, so that it can also meet a platform in virtual time.

import { type Halts, NO_HALTS } from './running-time.ts';

export interface Timer {
  /** The act is not performed any more, unless it was before. */
  cancel(): void;
}

export interface Clock {
  /** Epoch ms. As they go by: a wall clock that is set meanwhile sets nobody back or forth. */
  now(): number;
  /** Milliseconds that never go back, from an arbitrary start: only differences mean something. */
  monotonic(): number;
  /** When this process did not run for seconds, as far as is known; absent: it always does. */
  halts?(): Halts;
  /** How long this process has computed so far, in ms, waits aside; absent: that is not known, as in virtual time. */
  busyMs?(): number;
  /** Resolves after the delay, or at once when the signal aborts; never rejects. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  /**
   * Resolves when whatever else is ready had its turn: a long computation lets signals, answers and timers in between its parts.
   * Takes no time of its own; in virtual time nothing that is due later comes meanwhile.
   */
  turn(): Promise<void>;
  /**
   * Performs the act once, after the delay. A pending act alone does not keep the process alive, unless it is a limit: what ends
   * the wait for something that may never come must come itself, even where nothing else is under way.
   */
  after(delayMs: number, act: () => void, kind?: { readonly isLimit: true }): Timer;
}

/** The halts by this clock: by their count whoever measured something tells whether it can be relied on. */
export function haltsOf(clock: Pick<Clock, 'halts'>): Halts {
  return clock.halts?.() ?? NO_HALTS;
}

/** For `Clock.after`: the act ends a wait. */
export const LIMIT = { isLimit: true } as const;

/** As much of time as probes see. */
export type Timing = Pick<Clock, 'now' | 'sleep'>;
