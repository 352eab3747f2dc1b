// What an experiment may ask of the book of limits, and tell it: so that a probe is read without every law of the family.
import type { DrainFacts } from './drained-window.ts';
import type { RateReading } from './reading.ts';
import type { TargetClock } from './reset-clock.ts';

/** What is known of one key's limit so far. */
export interface KnownLimit {
  readonly clock: TargetClock;
  readonly limits: { readonly current: number | null };
  /** Rises of Remaining: whether some came before the stated Reset, and the least that the window lasts, ms. */
  readonly rises: { readonly movesEarly: boolean; readonly windowAtLeastMs: number };
  /** Whether its Remaining can be relied on. */
  readonly isMeasure: boolean;
  /** The most that was ever left. */
  readonly highest: number;
  /** The last answer that stated a limit, and the one before it. */
  readonly latest: RateReading | null;
  readonly beforeLatest: RateReading | null;
  /** How many calls were answered since, of the last ones; epoch ms. */
  callsBetween(sinceMs: number): number;
}

export interface LimitBook {
  /** The key's limit, begun when there is none. */
  seriesOf(key: string): KnownLimit;
  /** By how much one call of the operation lowered the key's Remaining. */
  noteCost(key: string, operation: string, cost: number): void;
  /** That calls of the operation were shown not to count: what it is granted beyond a limit follows from that. */
  noteUncounted(operation: string): void;
  isUncounted(operation: string): boolean;
  /** That another client uses the key: its Remaining fell while this run sent nothing. */
  noteOthers(key: string): void;
  isUsedByOthers(key: string): boolean;
  noteDrain(key: string, facts: DrainFacts): void;
  /** The window configured for the key's plan, in seconds; null where none is. */
  expectedWindow(key: string): number | null;
}
