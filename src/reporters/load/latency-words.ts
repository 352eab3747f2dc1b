// The latency of a part of load in words, which never claim a percentile that the answers are too few to tell.
import type { CapacityStep } from '../../contract/load-part.ts';
import { tellsPercentile } from '../../grading/latency.ts';
import { threeDigits } from '../words.ts';

/** "p99 7.8 ms", of fewer answers "p95 7.1 ms"; empty where they are too few for either. */
export function latencyWords({ rps, seconds, dropped, limitedRate, answers, p95Ms, p99Ms }: CapacityStep): string {
  const count = answers ?? (Math.round(rps * seconds) - dropped) * (1 - limitedRate);
  if (tellsPercentile(count, 0.99)) return `p99 ${threeDigits(p99Ms)} ms`;
  return p95Ms !== undefined && tellsPercentile(count, 0.95) ? `p95 ${threeDigits(p95Ms)} ms` : '';
}
