// Sums of one step of load, from its samples: durations as a histogram of bounded size, the rest counted.
import { build, type Histogram } from 'hdr-histogram-js';
import { Counts } from '../samples/counts.ts';
import { type BodySample, durationOf, type Sample } from '../samples/line.ts';
import { mannKendall } from '../soak/trend.ts';

/** µs; three digits keep every duration within 0.1 %. */
const OPTIONS = {
  lowestDiscernibleValue: 1,
  highestTrackableValue: 3_600_000_000,
  numberOfSignificantValueDigits: 3,
} as const;

/** Answers of fewer seconds tell no trend. */
const MIN_SECONDS = 4;
/** Mann–Kendall's statistic of means that rise with each of four seconds. */
const MIN_Z_OF_GROWTH = 1.69;

interface Took {
  readonly count: number;
  readonly ms: number;
}

export class StepSums {
  /** Answers of the measured part, 429 left out: what was limited says nothing of how fast the platform is. µs */
  readonly durations: Histogram = build(OPTIONS);
  readonly #late: Histogram = build(OPTIONS);
  readonly #wakes: Histogram = build(OPTIONS);
  /** Answers by the second in which their requests were begun, and what all of them took, ms. */
  readonly #seconds = new Map<number, Took>();
  readonly #step: string;
  readonly #onKept: (sample: BodySample) => void;
  /** All answers, class by class. */
  readonly counts = new Counts();

  /** `step`: samples of another name, such as the ramp's, are left out. `onKept` is handed every answer kept whole. */
  constructor(step = '', onKept: (sample: BodySample) => void = () => {}) {
    this.#step = step;
    this.#onKept = onKept;
  }

  add(sample: Sample): void {
    if (sample.kind === 'body') this.#onKept(sample);
    if (sample.step !== this.#step) return;
    if (sample.kind === 'lateness') record(this.#late, sample.buckets);
    if (sample.kind === 'wakes') record(this.#wakes, sample.buckets);
    if (sample.kind !== 'histogram') return;
    this.counts.add(sample.status, sample.buckets);
    if (sample.status === 429) return;
    record(this.durations, sample.buckets);
    if (sample.second === undefined) return;
    const count = [...sample.buckets.values()].reduce((sum, one) => sum + one, 0);
    const ms = [...sample.buckets].reduce((sum, [bucket, of]) => sum + of * durationOf(bucket), 0);
    this.#took(sample.second, { count, ms });
  }

  #took(second: number, { count, ms }: Took): void {
    const known = this.#seconds.get(second) ?? { count: 0, ms: 0 };
    this.#seconds.set(second, { count: known.count + count, ms: known.ms + ms });
  }

  /** Takes in what another part of the same load came to. */
  merge(other: StepSums): void {
    this.durations.add(other.durations);
    this.#late.add(other.#late);
    this.#wakes.add(other.#wakes);
    for (const [second, took] of other.#seconds) this.#took(second, took);
    this.counts.merge(other.counts);
  }

  get received(): number {
    return this.counts.requests;
  }

  get errors(): number {
    return this.counts.errors;
  }

  get limited(): number {
    return this.counts.limited;
  }

  /**
   * Seconds by which answers took longer with each second: where more requests come than are answered, the queue grows by that share of the
   * time. 0 where they did not take longer and longer.
   */
  get queueGrowth(): number {
    const inOrder = [...this.#seconds].sort(([left], [right]) => left - right);
    const means = inOrder.map(([, { count, ms }]) => ms / count);
    const half = Math.floor(means.length / 2);
    if (means.length < MIN_SECONDS || mannKendall(means) < MIN_Z_OF_GROWTH) return 0;
    const mean = (of: readonly number[]): number => of.reduce((sum, one) => sum + one, 0) / of.length;
    return (mean(means.slice(-half)) - mean(means.slice(0, half))) / (1000 * (means.length - half));
  }

  /** How late the generator sent, ms, at its 99th percentile. */
  get lateP99Ms(): number {
    return percentileMs(this.#late, 99);
  }

  /** How late it sent the least late request of those that tell, ms; null where none tells. */
  get leastLateMs(): number | null {
    return this.#late.totalCount === 0 ? null : percentileMs(this.#late, 0);
  }

  /** How late the generator woke from its short sleeps, ms, at the 99th percentile; null where it did not tell. */
  get wakeP99Ms(): number | null {
    return this.#wakes.totalCount === 0 ? null : percentileMs(this.#wakes, 99);
  }
}

/** Several sums as one. */
export function pooled(all: readonly StepSums[]): StepSums {
  const whole = new StepSums();
  for (const sums of all) whole.merge(sums);
  return whole;
}

/** The percentile of durations in µs, ms; 0 of none. */
export function percentileMs(durations: Histogram, percentile: number): number {
  return durations.totalCount === 0 ? 0 : durations.getValueAtPercentile(percentile) / 1000;
}

function record(histogram: Histogram, buckets: ReadonlyMap<number, number>): void {
  for (const [bucket, count] of buckets) {
    const value = Math.min(OPTIONS.highestTrackableValue, Math.max(1, Math.round(durationOf(bucket) * 1000)));
    histogram.recordValueWithCount(value, count);
  }
}
