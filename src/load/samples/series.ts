// What was sent and answered over time: counts per second, in wider and wider slices as time goes on, so that a run of any
// length stays small. Slices begin at multiples of their width since the epoch: series of several generators add up exactly.
import type { LoadRow, LoadSeries } from '../../contract/load-part.ts';
import { Counts } from './counts.ts';

/** Above it two neighbours become one. */
const MOST_ROWS = 600;

export class Series {
  /** By their begin, in slice widths since the epoch. */
  #slices = new Map<number, Counts>();
  #widthSeconds = 1;

  /** So many requests of one status that were begun in this second since the epoch; by bucket of their duration. */
  add(second: number, status: number, buckets: Iterable<readonly [bucket: number, count: number]>): void {
    this.#slice(Math.floor(second / this.#widthSeconds)).add(status, buckets);
    while (this.#slices.size > MOST_ROWS) this.#widen();
  }

  /** Takes in what another generator measured. */
  merge(other: Series): void {
    while (this.#widthSeconds < other.#widthSeconds) this.#widen();
    const factor = this.#widthSeconds / other.#widthSeconds;
    for (const [index, counts] of other.#slices) this.#slice(Math.floor(index / factor)).merge(counts);
    while (this.#slices.size > MOST_ROWS) this.#widen();
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
    let slice = this.#slices.get(index);
    if (slice === undefined) {
      slice = new Counts();
      this.#slices.set(index, slice);
    }
    return slice;
  }

  #widen(): void {
    const narrow = this.#slices;
    this.#slices = new Map();
    this.#widthSeconds *= 2;
    for (const [index, counts] of narrow) this.#slice(Math.floor(index / 2)).merge(counts);
  }
}
