// When a window can reset, by the local clock. The target's clock is found out from the Date of its answers: an answer
// sent at s and received at r with Date d puts the target's clock ahead by something in [d - r, d + 1000 - s], and many
// answers narrow that down to a round trip. Whole seconds are rounded up or down: a stated reset is good to one second.
import type { Interval } from '../contract/load-part.ts';
import type { RateReading } from './reading.ts';
import type { ResetForm } from './reset-forms.ts';

/** Whole seconds are rounded by less, up or down. ms. */
export const ROUNDING_MS = 1000;
/** Resets that lie no farther apart may be one: each is rounded by a second at most, either way. ms. */
export const SAME_RESET_MS = 2 * ROUNDING_MS;
/** Some servers write the Date once a second, and send it until the next. ms. */
const STALE_MS = 1000;
/** No window is taken to be shorter. ms. */
export const SHORTEST_WINDOW_MS = 1000;

/** Bounds of a moment, epoch ms of the local clock. */
export interface Moment {
  readonly earliest: number;
  readonly latest: number;
}

export class TargetClock {
  #low = Number.NEGATIVE_INFINITY;
  #high = Number.POSITIVE_INFINITY;
  #lowest = Number.POSITIVE_INFINITY;
  #highest = Number.NEGATIVE_INFINITY;
  /** Time by which the target's clock is ahead, ms; null without a Date. Where several clocks answer, the bounds hold them all. */
  #ahead: { readonly low: number; readonly high: number } | null = null;
  #longest: Interval = { least: 0, best: 0, most: 0 };

  add(reading: RateReading): void {
    this.#synchronize(reading);
    const reset = reading.isRefused ? null : this.resetOf(reading);
    if (reset === null) return;
    const [leastMs, mostMs] = [reset.earliest - reading.answeredAt, reset.latest - reading.answeredAt];
    const { least, best, most } = this.#longest;
    const bestMs = Math.max(best, (leastMs + mostMs) / 2);
    this.#longest = { least: Math.max(least, leastMs), best: bestMs, most: Math.max(most, mostMs) };
  }

  /** Bounds of the longest time to a reset that an accepted call was told: a window is no shorter. 0 where none was told. ms. */
  get longest(): Interval {
    return this.#longest;
  }

  /** A lower bound of the window. ms. */
  get windowAtLeastMs(): number {
    return Math.max(SHORTEST_WINDOW_MS, this.#longest.least);
  }

  #synchronize({ dateMs, sentAt, answeredAt }: RateReading): void {
    if (dateMs === null) return;
    const low = dateMs - answeredAt;
    const high = dateMs + 1000 - sentAt;
    this.#low = Math.max(this.#low, low);
    this.#high = Math.min(this.#high, high);
    this.#lowest = Math.min(this.#lowest, low);
    this.#highest = Math.max(this.#highest, high);
    const isOne = this.#low <= this.#high;
    this.#ahead = isOne ? { low: this.#low, high: this.#high } : { low: this.#lowest, high: this.#highest };
  }

  /** When the window of this reading resets; null when it says nothing, or nothing is known of the target's clock. */
  resetOf({ reset, sentAt, answeredAt }: RateReading): Moment | null {
    if (reset === null) return null;
    if (reset.form === 'delta-seconds') {
      return { earliest: sentAt + reset.ms - ROUNDING_MS, latest: answeredAt + reset.ms + ROUNDING_MS };
    }
    const ahead = this.#ahead;
    if (ahead === null) return null;
    return { earliest: reset.ms - ROUNDING_MS - ahead.high, latest: reset.ms + ROUNDING_MS - ahead.low };
  }

  /** The moment before which the reset surely is not, however old the Date is; null as above. */
  surelyNotBefore(reading: RateReading): number | null {
    const earliest = this.resetOf(reading)?.earliest ?? null;
    return earliest === null ? null : earliest - staleMs(reading.reset?.form);
  }

  /** Tells whether the later answer belongs to the window that the first states: both state the same moment, or it came before that. */
  isOneWindow(first: RateReading, later: RateReading): boolean {
    const isAbsolute = first.reset !== null && first.reset.form !== 'delta-seconds';
    if (isAbsolute && first.reset?.ms === later.reset?.ms) return true;
    const reset = this.resetOf(first);
    return reset !== null && later.answeredAt <= reset.earliest;
  }
}

/** Tells whether the first call was answered before the second was sent. */
export function precedes(first: RateReading, second: RateReading): boolean {
  return first.answeredAt < second.sentAt;
}

/** Time by which resets of this form may seem later than they are. */
export function staleMs(form: ResetForm | null | undefined): number {
  return form === 'delta-seconds' ? 0 : STALE_MS;
}
