// RATE-02 over a key's series: Limit is constant within a window. A plan may change, once; a Limit that changes twice within
// one window, or within one window and another, did not. Concurrent answers may overtake each other, so only calls that
// surely followed one another count. A refusal by another throttle may state another Limit: a 429 counts where it follows an answer
// that left no call over, and where the key's Limit is afterwards what it was before.
//
// RATE-02 (must): 0 ≤ Remaining ≤ Limit; Limit is constant for one key within a window.
import { type Breach, breached, holds, type Judgement } from '../../contract/judgement.ts';
import type { RateReading } from '../../limiters/reading.ts';
import { precedes, SAME_RESET_MS, type TargetClock } from '../../limiters/reset-clock.ts';
import { rate } from '../../wording/rate.ts';

/** Readings remembered for each Limit seen. */
const REMEMBERED = 24;
/** Limits remembered. */
const MOST_LIMITS = 16;
/** Where Reset tells no window, there and back within this is one. ms. */
const SURELY_ONE_WINDOW_MS = 1000;
/** With no more left, the next refusal is the key's own limiter's. */
const LAST_CALLS = 1;

/** Two changes: the first two readings, and the last two, differ in Limit. */
export interface Flicker {
  readonly before: RateReading;
  readonly between: RateReading;
  readonly after: RateReading;
}

export class LimitConstancy {
  readonly #clock: TargetClock;
  readonly #byLimit = new Map<number, RateReading[]>();
  readonly #flickers = new Map<string, Flicker>();
  /** The first reading after the last change within a window. */
  #changed: RateReading | null = null;
  /** An answer that left next to nothing over, and the first refusal after it in its window, which states another Limit. */
  #spent: RateReading | null = null;
  #refused: { readonly before: RateReading; readonly between: RateReading } | null = null;
  #looks = 0;

  constructor(clock: TargetClock) {
    this.#clock = clock;
  }

  add(reading: RateReading): void {
    if (reading.limit === null) return;
    if (reading.isRefused) {
      this.#addRefusal(reading);
      return;
    }
    this.#looks += 1;
    this.#compare(reading);
    this.#compareRefusal(reading);
    const kept = this.#byLimit.get(reading.limit) ?? [];
    kept.push(reading);
    if (kept.length > REMEMBERED) kept.shift();
    this.#byLimit.delete(reading.limit);
    this.#byLimit.set(reading.limit, kept);
    const [oldest] = this.#byLimit.keys();
    if (this.#byLimit.size > MOST_LIMITS && oldest !== undefined) this.#byLimit.delete(oldest);
  }

  /** One judgement for each operation on which another Limit showed, or one that holds; none without two readings. */
  conclude(): readonly {
    readonly operation: string | null;
    readonly judgement: Judgement;
    readonly flicker?: Flicker;
  }[] {
    if (this.#looks < 2) return [];
    if (this.#flickers.size === 0) return [{ operation: null, judgement: holds(this.#looks - 1) }];
    return [...this.#flickers.entries()].map(([operation, flicker]) => ({
      operation,
      judgement: breached([breachOf(flicker)]),
      flicker,
    }));
  }

  #compare(after: RateReading): void {
    for (const [limit, others] of this.#byLimit) {
      if (limit === after.limit) continue;
      for (const between of others) {
        if (!precedes(between, after) || !this.#inOneWindow(between, after)) continue;
        const before = this.#beforeIn(between, after);
        if (before !== undefined) this.#note({ before, between, after });
        else this.#noteChange(between, after);
      }
    }
  }

  #addRefusal(between: RateReading): void {
    const before = this.#spent;
    if (before === null || before.limit === between.limit || this.#refused !== null) return;
    if (precedes(before, between) && this.#inOneWindow(before, between)) this.#refused = { before, between };
  }

  /** Whether the key's Limit is the same after a refusal as before it: then no plan has changed meanwhile. */
  #compareRefusal(reading: RateReading): void {
    this.#spent = (reading.remaining ?? Number.POSITIVE_INFINITY) <= LAST_CALLS ? reading : null;
    if (this.#refused === null || !precedes(this.#refused.between, reading)) return;
    const { before, between } = this.#refused;
    this.#refused = null;
    if (reading.limit === before.limit && !this.#flickers.has(between.operation))
      this.#flickers.set(between.operation, { before, between, after: reading });
  }

  /** A reading of another Limit before this one, in the window of `after`. */
  #beforeIn(between: RateReading, after: RateReading): RateReading | undefined {
    for (const [limit, kept] of this.#byLimit) {
      if (limit === between.limit) continue;
      const before = kept.find((one) => precedes(one, between) && this.#inOneWindow(one, after));
      if (before !== undefined) return before;
    }
    return undefined;
  }

  /** One change within a window: only a second one, in another window, counts. */
  #noteChange(from: RateReading, to: RateReading): void {
    const last = this.#changed;
    this.#changed ??= to;
    if (last === null || !precedes(last, from)) return;
    const [stated, now] = [this.#clock.resetOf(last), this.#clock.resetOf(from)];
    if (stated !== null && now !== null && now.earliest > stated.earliest + SAME_RESET_MS)
      this.#note({ before: last, between: from, after: to });
  }

  /** The odd one out is the Limit that fewer operations showed. */
  #note(flicker: Flicker): void {
    const spread = (limit: number | null) => new Set(this.#byLimit.get(limit ?? 0)?.map((one) => one.operation)).size;
    const isOdd = spread(flicker.between.limit) <= spread(flicker.before.limit);
    const operation = isOdd ? flicker.between.operation : flicker.after.operation;
    if (!this.#flickers.has(operation)) this.#flickers.set(operation, flicker);
  }

  #inOneWindow(first: RateReading, last: RateReading): boolean {
    if (first.reset === null || last.reset === null) return last.answeredAt - first.sentAt <= SURELY_ONE_WINDOW_MS;
    if (first.reset.form !== 'delta-seconds' && first.reset.ms === last.reset.ms) return true;
    const reset = this.#clock.resetOf(first);
    return reset !== null && last.answeredAt <= reset.earliest;
  }
}

function breachOf({ before, between, after }: Flicker): Breach {
  const expected = `one Limit for key ${before.key} within a window`;
  const actual = [before, between, after].map(({ limit, operation }) => `${limit} (${operation})`).join(', ');
  const told = `${before.names.limit} changes within a window: ${actual}`;
  return rate('rate-02.limit-changes', { told, actual, expected });
}
