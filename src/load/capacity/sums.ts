// Sums of one step of load, from its samples: durations as a histogram of bounded size, the rest counted.
import { build, type Histogram } from 'hdr-histogram-js';
import type { BodySample, Sample } from '../samples/line.ts';
import { durationOf } from '../samples/line.ts';

/** µs; three digits keep every duration within 0.1 %. */
const OPTIONS = {
  lowestDiscernibleValue: 1,
  highestTrackableValue: 3_600_000_000,
  numberOfSignificantValueDigits: 3,
} as const;

export class StepSums {
  /** Answers of the measured part, 429 left out: what was limited says nothing of how fast the platform is. µs */
  readonly durations: Histogram = build(OPTIONS);
  readonly #late: Histogram = build(OPTIONS);
  readonly #wakes: Histogram = build(OPTIONS);
  readonly #step: string;
  readonly #onKept: (sample: BodySample) => void;
  #received = 0;
  #errors = 0;
  #limited = 0;

  /** `step`: samples of another name, such as the ramp's, are left out. `onKept` is handed every answer kept whole. */
  constructor(step: string, onKept: (sample: BodySample) => void) {
    this.#step = step;
    this.#onKept = onKept;
  }

  add(sample: Sample): void {
    if (sample.kind === 'body') this.#onKept(sample);
    if (sample.step !== this.#step) return;
    if (sample.kind === 'lateness') record(this.#late, sample.buckets);
    if (sample.kind === 'wakes') record(this.#wakes, sample.buckets);
    if (sample.kind !== 'histogram') return;
    const count = [...sample.buckets.values()].reduce((sum, one) => sum + one, 0);
    this.#received += count;
    if (sample.status === 429) {
      this.#limited += count;
      return;
    }
    if (sample.status === 0 || sample.status >= 400) this.#errors += count;
    record(this.durations, sample.buckets);
  }

  /** Takes in what another part of the same load came to. */
  merge(other: StepSums): void {
    this.durations.add(other.durations);
    this.#late.add(other.#late);
    this.#wakes.add(other.#wakes);
    this.#received += other.#received;
    this.#errors += other.#errors;
    this.#limited += other.#limited;
  }

  get received(): number {
    return this.#received;
  }

  /** Answers that were no success, 429 aside. */
  get errors(): number {
    return this.#errors;
  }

  get limited(): number {
    return this.#limited;
  }

  /** How late the generator sent, ms, at its 99th percentile. */
  get lateP99Ms(): number {
    return this.#late.totalCount === 0 ? 0 : this.#late.getValueAtPercentile(99) / 1000;
  }

  /** How late the generator woke from its short sleeps, ms, at the 99th percentile; null where it did not tell. */
  get wakeP99Ms(): number | null {
    return this.#wakes.totalCount === 0 ? null : this.#wakes.getValueAtPercentile(99) / 1000;
  }
}

function record(histogram: Histogram, buckets: ReadonlyMap<number, number>): void {
  for (const [bucket, count] of buckets) {
    const value = Math.min(OPTIONS.highestTrackableValue, Math.max(1, Math.round(durationOf(bucket) * 1000)));
    histogram.recordValueWithCount(value, count);
  }
}
