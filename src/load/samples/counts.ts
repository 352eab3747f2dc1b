// Answers counted, in all and over time: how many, of which class, and how long they took in log buckets. Sums of any two are
// exact.
import type { LoadRow, LoadSeries } from '../../contract/load-part.ts';
import { durationOf } from './line.ts';

export type CountedRow = Omit<LoadRow, 'atSeconds'>;

export class Counts {
  /** Durations by bucket; 429 left out: what was limited says nothing of how fast the platform is. */
  readonly durations = new Map<number, number>();
  requests = 0;
  limited = 0;
  unanswered = 0;
  serverErrors = 0;
  otherErrors = 0;

  /** Adds requests of one status, by bucket of their duration. */
  add(status: number, buckets: Iterable<readonly [bucket: number, count: number]>): void {
    for (const [bucket, count] of buckets) {
      this.requests += count;
      if (status === 429) {
        this.limited += count;
        continue;
      }
      if (status === 0) this.unanswered += count;
      else if (status >= 500) this.serverErrors += count;
      else if (status >= 400) this.otherErrors += count;
      this.durations.set(bucket, (this.durations.get(bucket) ?? 0) + count);
    }
  }

  /** Answers that were no success, 429 aside, and requests without one. */
  get errors(): number {
    return this.unanswered + this.serverErrors + this.otherErrors;
  }

  /** Takes in what another has counted. */
  merge(other: Counts): void {
    this.requests += other.requests;
    this.limited += other.limited;
    this.unanswered += other.unanswered;
    this.serverErrors += other.serverErrors;
    this.otherErrors += other.otherErrors;
    for (const [bucket, count] of other.durations)
      this.durations.set(bucket, (this.durations.get(bucket) ?? 0) + count);
  }

  row(): CountedRow {
    const { requests, limited, unanswered, serverErrors, otherErrors } = this;
    const [p50Ms, p99Ms] = percentiles(this.durations, [0.5, 0.99]) as [number | null, number | null];
    return { requests, p50Ms, p99Ms, unanswered, serverErrors, otherErrors, limited };
  }
}

/** ms that the shares of durations do not exceed, within half a percent; null where nothing was counted. */
export function percentiles(
  durations: ReadonlyMap<number, number>,
  shares: readonly number[],
): readonly (number | null)[] {
  const sorted = [...durations].sort(([left], [right]) => left - right);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  return shares.map((share) => {
    let seen = 0;
    const found = sorted.find(([, count]) => {
      seen += count;
      return seen >= share * total;
    });
    return found === undefined ? null : Number(durationOf(found[0]).toPrecision(4));
  });
}

/** Above it two neighbours become one. */
const MAX_ROWS = 600;

/**
 * Requests and answers over time: counts per second, in wider and wider slices as time goes on, so that a run of any length
 * stays small. Slices begin at multiples of their width since the epoch: series of several generators add up exactly.
 */
export class Series {
  /** Slices by their begin, in slice widths since the epoch. */
  #slices = new Map<number, Counts>();
  #widthSeconds = 1;

  /** Adds requests of one status that were begun in this second since the epoch, by bucket of their duration. */
  add(second: number, status: number, buckets: Iterable<readonly [bucket: number, count: number]>): void {
    this.#slice(Math.floor(second / this.#widthSeconds)).add(status, buckets);
    while (this.#slices.size > MAX_ROWS) this.#widen();
  }

  /** Takes in what another generator measured. */
  merge(other: Series): void {
    while (this.#widthSeconds < other.#widthSeconds) this.#widen();
    const factor = this.#widthSeconds / other.#widthSeconds;
    for (const [index, counts] of other.#slices) this.#slice(Math.floor(index / factor)).merge(counts);
    while (this.#slices.size > MAX_ROWS) this.#widen();
  }

  /** Seconds since the epoch at which the first slice begins; null where nothing was counted. */
  get firstSecond(): number | null {
    return this.#slices.size === 0 ? null : Math.min(...this.#slices.keys()) * this.#widthSeconds;
  }

  /** In the order of time, counted from the second since the epoch at which the run began. */
  rows(beganAtSecond: number): Pick<LoadSeries, 'everySeconds' | 'rows'> {
    const rows = [...this.#slices]
      .sort(([left], [right]) => left - right)
      .map(([index, counts]): LoadRow => ({ atSeconds: index * this.#widthSeconds - beganAtSecond, ...counts.row() }));
    return { everySeconds: this.#widthSeconds, rows };
  }

  #slice(index: number): Counts {
    const slice = this.#slices.get(index) ?? new Counts();
    this.#slices.set(index, slice);
    return slice;
  }

  #widen(): void {
    const narrow = this.#slices;
    this.#slices = new Map();
    this.#widthSeconds *= 2;
    for (const [index, counts] of narrow) this.#slice(Math.floor(index / 2)).merge(counts);
  }
}
