// Durations in classes that grow by 2^(1/8): small, addable over operations and runs, and good for any percentile.
import type { Latency } from '../contract/latency.ts';

const BUCKETS_PER_OCTAVE = 8;
const MIN_BUCKET_MS = 0.125;

/** The class of a duration: the least n with ms <= 2^(n/8); all that is shorter than an eighth of a millisecond shares one. */
export function latencyClass(ms: number): number {
  return Math.ceil(BUCKETS_PER_OCTAVE * Math.log2(Math.max(ms, MIN_BUCKET_MS)));
}

/** The middle of a class, in milliseconds: at most 4.5 % off for each duration in it. */
function classMs(index: number): number {
  return 2 ** ((index - 0.5) / BUCKETS_PER_OCTAVE);
}

/** The longest duration of a class, in milliseconds. */
export function longestMs(index: number): number {
  return 2 ** (index / BUCKETS_PER_OCTAVE);
}

/** All of them together. */
export function addLatencies(all: readonly Latency[]): Latency {
  const sum: Record<string, number> = {};
  for (const one of all) for (const [index, count] of Object.entries(one)) sum[index] = (sum[index] ?? 0) + count;
  return sum;
}

/** How many durations were counted. */
export function latencyCount(latency: Latency): number {
  return Object.values(latency).reduce((sum, count) => sum + count, 0);
}

/** The classes that hold something, the fastest first, with their middle in milliseconds. */
export function latencyClasses(
  latency: Latency,
): readonly { readonly index: number; readonly ms: number; readonly count: number }[] {
  return Object.entries(latency)
    .map(([index, count]) => ({ index: Number(index), ms: classMs(Number(index)), count }))
    .sort((left, right) => left.index - right.index);
}

/** How many must lie above a percentile for it to be told. */
const MIN_ABOVE = 3;

/** Tells whether so many durations tell the percentile of this share (0 to 1): a 99th takes 300 of them, a 95th 60. */
export function tellsPercentile(count: number, share: number): boolean {
  // A hair less than what is wanted, for shares are no exact numbers.
  return count * (1 - share) > MIN_ABOVE - 1e-6;
}

/** Milliseconds that the share (0 to 1) of durations does not exceed, within 5 %; null where nothing was counted. */
export function percentileMs(latency: Latency, share: number): number | null {
  const needed = share * latencyCount(latency);
  let seen = 0;
  for (const { ms, count } of latencyClasses(latency)) {
    seen += count;
    if (count > 0 && seen >= needed) return ms;
  }
  return null;
}
