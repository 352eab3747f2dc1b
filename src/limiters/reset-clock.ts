// When a window can reset, by the local clock. The target's clock is found out from the Date of its answers: an answer
// sent at s and received at r with Date d puts the target's clock ahead by something in [d - r, d + 1000 - s], and many
// answers narrow that down to a round trip. Whole seconds are rounded up or down: a stated reset is good to one second.
import type { RateReading } from './reading.ts';

const ROUNDING_MS = 1000;

/** Bounds of a moment, epoch ms of the local clock. */
export interface Moment {
  readonly earliest: number;
  readonly latest: number;
}

/** Bounds, ms. */
interface Ahead {
  readonly low: number;
  readonly high: number;
}

export class TargetClock {
  #low = Number.NEGATIVE_INFINITY;
  #high = Number.POSITIVE_INFINITY;
  #lowest = Number.POSITIVE_INFINITY;
  #highest = Number.NEGATIVE_INFINITY;
  #ahead: Ahead | null = null;

  add({ dateMs, sentAt, answeredAt }: RateReading): void {
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

  /** By how much the target's clock is ahead, ms; null without a Date. Where several clocks answer, the bounds hold them all. */
  ahead(): Ahead | null {
    return this.#ahead;
  }

  /** When the window of this reading resets; null when it says nothing, or nothing is known of the target's clock. */
  resetOf({ reset, sentAt, answeredAt }: RateReading): Moment | null {
    if (reset === null) return null;
    if (reset.form === 'delta-seconds') {
      return { earliest: sentAt + reset.ms - ROUNDING_MS, latest: answeredAt + reset.ms + ROUNDING_MS };
    }
    const ahead = this.ahead();
    if (ahead === null) return null;
    return { earliest: reset.ms - ROUNDING_MS - ahead.high, latest: reset.ms + ROUNDING_MS - ahead.low };
  }
}

/** Whether the first call was answered before the second was sent. */
export function precedes(first: RateReading, second: RateReading): boolean {
  return first.answeredAt < second.sentAt;
}
