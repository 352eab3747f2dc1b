// Remembers what the answers of one key state of its limit, whoever caused them: bounded, however many there are.
import { isTelling, type RateReading } from './reading.ts';
import {
  type Moment,
  precedes,
  SAME_RESET_MS,
  SHORTEST_WINDOW_MS,
  SURELY_LATER_MS,
  TargetClock,
} from './reset-clock.ts';
import { type WindowFacts, Windows } from './windows.ts';

const MAX_TIMES_KEPT = 256;
const MAX_READINGS_KEPT = 48;
/** More in a row that moved on before they came, by little each, are no coincidence of clocks. */
const MAX_EARLY_BY_CHANCE = 2;

/** Answers that state one and the same reset, from the first of them on. */
export interface Stretch {
  readonly first: RateReading;
  /** True where the answer that was added last belongs to it, and came before the reset. */
  isGoingOn: boolean;
}

export class KeyHistory {
  readonly clock = new TargetClock();
  readonly #windows = new Windows(this.clock);
  /** The last answers that told what was left, before the one that was added last. */
  readonly recent: RateReading[] = [];
  /** Null until an answer states a reset. */
  stretch: Stretch | null = null;
  /** The last answer that stated a limit, and the one before it. */
  latest: RateReading | null = null;
  beforeLatest: RateReading | null = null;
  /** The most that was ever left. */
  highest = 0;
  /** True where resets move on before they come, as those of buckets and sliding logs do. */
  movesEarly = false;
  #early = 0;
  #last: RateReading | null = null;
  /** When the last calls were answered. */
  readonly #answered: number[] = [];

  /** The Limit that was stated last. */
  get limit(): number | null {
    return this.latest?.limit ?? null;
  }

  /** A lower bound of the window. ms. */
  get windowAtLeastMs(): number {
    return Math.max(SHORTEST_WINDOW_MS, this.clock.longest.leastMs);
  }

  /** `moving`: whether it is known otherwise that resets move on with every call, so that their distance is no window. */
  window(moving = false): WindowFacts {
    return this.#windows.facts(moving || this.movesEarly);
  }

  /** How many of the last calls were answered between these times, both included; epoch ms. */
  callsBetween(sinceMs: number, untilMs = Number.POSITIVE_INFINITY): number {
    return this.#answered.filter((at) => at >= sinceMs && at <= untilMs).length;
  }

  add(reading: RateReading): void {
    this.#answered.push(reading.answeredAt);
    if (this.#answered.length > MAX_TIMES_KEPT) this.#answered.shift();
    this.clock.add(reading);
    this.highest = Math.max(this.highest, reading.remaining ?? 0);
    this.#windows.add(reading);
    this.#keep(reading);
    this.#follow(reading);
    if (reading.limit === null || reading.isRefused) return;
    this.beforeLatest = this.latest;
    this.latest = reading;
  }

  /** Keeps the answer for those that come after it. */
  #keep(reading: RateReading): void {
    if (this.#last !== null) this.recent.push(this.#last);
    if (this.recent.length > MAX_READINGS_KEPT) this.recent.shift();
    this.#last = isTelling(reading) ? reading : null;
  }

  #follow(reading: RateReading): void {
    const { stretch } = this;
    if (stretch !== null) stretch.isGoingOn = false;
    const reset = isTelling(reading) ? this.clock.resetOf(reading) : null;
    if (reset === null) return;
    this.movesEarly ||= this.recent.some((before) => this.#movedOnEarly(before, reading, reset));
    const stated = stretch === null ? null : this.clock.resetOf(stretch.first);
    const movedMs = stated === null ? Number.POSITIVE_INFINITY : reset.earliest - stated.earliest;
    const isBefore = stated !== null && reading.answeredAt <= stated.earliest;
    if (movedMs > SAME_RESET_MS) {
      this.#early = isBefore ? this.#early + 1 : 0;
      this.movesEarly ||= this.#early > MAX_EARLY_BY_CHANCE;
      this.stretch = { first: reading, isGoingOn: true };
    } else if (stretch !== null) stretch.isGoingOn = isBefore && movedMs >= -SAME_RESET_MS;
  }

  /** Tells whether a later answer, before the reset that this one states, surely states a later one. */
  #movedOnEarly(before: RateReading, after: RateReading, { earliest }: Moment): boolean {
    const reset = this.clock.resetOf(before);
    if (reset === null || before.limit !== after.limit || !precedes(before, after)) return false;
    return after.answeredAt <= reset.earliest && earliest - reset.earliest >= SURELY_LATER_MS;
  }
}
