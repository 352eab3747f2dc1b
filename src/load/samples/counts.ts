// Answers counted: how many, of which class, and how long they took in log buckets. Sums of any two are exact.
import type { LoadRow } from '../../contract/load-part.ts';
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

  /** So many requests of one status; by bucket of their duration. */
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
