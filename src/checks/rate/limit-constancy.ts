// RATE-02 over a key's series: Limit is constant within a window. A plan may change, once; a Limit that goes and comes back
// within one window did not. Concurrent answers may overtake each other, so only calls that surely followed one another count.
import { type Breach, breached, holds, type Judgement } from '../../contract/judgement.ts';
import { precedes, type TargetClock } from './moments.ts';
import type { RateReading } from './reading.ts';

/** Readings remembered for each Limit seen. */
const REMEMBERED = 24;
/** Where Reset tells no window, there and back within this is one. ms. */
const SURELY_ONE_WINDOW_MS = 1000;

export interface Flicker {
  readonly before: RateReading;
  readonly between: RateReading;
  readonly after: RateReading;
}

export class LimitConstancy {
  readonly #clock: TargetClock;
  readonly #byLimit = new Map<number, RateReading[]>();
  readonly #flickers = new Map<string, Flicker>();
  #looks = 0;

  constructor(clock: TargetClock) {
    this.#clock = clock;
  }

  add(reading: RateReading): void {
    if (reading.limit === null || reading.status === 429) return;
    this.#looks += 1;
    const same = this.#byLimit.get(reading.limit);
    if (same !== undefined && this.#byLimit.size > 1) this.#compare(reading, same);
    const kept = same ?? [];
    kept.push(reading);
    if (kept.length > REMEMBERED) kept.shift();
    this.#byLimit.set(reading.limit, kept);
  }

  /** The Limit of the last reading that stated one. */
  get current(): number | null {
    let last: RateReading | null = null;
    for (const [latest] of [...this.#byLimit.values()].map((kept) => kept.slice(-1))) {
      if (latest !== undefined && (last === null || latest.answeredAt > last.answeredAt)) last = latest;
    }
    return last?.limit ?? null;
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

  #compare(after: RateReading, same: readonly RateReading[]): void {
    for (const [limit, others] of this.#byLimit) {
      if (limit === after.limit) continue;
      for (const between of others) {
        if (!precedes(between, after)) continue;
        const before = same.find((one) => precedes(one, between) && this.#inOneWindow(one, after));
        if (before !== undefined) this.#note({ before, between, after });
      }
    }
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
  const actual = `${before.limit} (${before.operation}), ${between.limit} (${between.operation}), ${after.limit} (${after.operation})`;
  return {
    weight: 'breach',
    cause: 'Limit differs within a window',
    message: `X-RateLimit-Limit of one window is ${actual}, expected ${expected}`,
    expected,
    actual,
  };
}
