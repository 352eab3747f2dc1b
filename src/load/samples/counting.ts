// Histograms of what was sent in one second, as suites/load/arrivals.ts counts them. Run by k6.
import { bucketOf } from './line.ts';

/** The status by which all counts know a refusal by a limiter. */
const LIMITED_STATUS = 429;

/** The status as it is counted, where a limiter refuses by that one; absent: by 429. */
export function countedStatus(status: number, refusedStatus = LIMITED_STATUS): number {
  return status === refusedStatus ? LIMITED_STATUS : status;
}

/** Nothing yet of one kind of answer: a status, or k6's error_code below zero. */
export function emptySample(
  step: string,
  { operation, key }: { readonly operation: string; readonly key: string },
  second: number,
  kind: number,
) {
  const unanswered = kind <= 0 ? { status: 0, errorCode: -kind } : { status: kind };
  return {
    kind: 'histogram' as const,
    step,
    key,
    operation,
    second,
    ...unanswered,
    buckets: new Map<number, number>(),
  };
}

/** One more that took so long. */
export function count(buckets: Map<number, number>, durationMs: number): void {
  const bucket = bucketOf(durationMs);
  buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
}
