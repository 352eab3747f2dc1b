// One call of a key, as its limiter showed: the form in which answers from k6, and those of simulated limiters, are
// looked at. Times are ms of the local clock.

import type { Moment } from './reset-clock.ts';

export interface Observed {
  readonly operation: string;
  /** The limiter decided somewhere between these. */
  readonly sentMs: number;
  readonly answeredMs: number;
  /** `lost`: no answer came, so nobody knows whether it was counted. */
  readonly outcome: 'admitted' | 'refused' | 'lost';
  /** The header; null where it is absent or no number. */
  readonly limit: number | null;
  /** When the stated reset comes, as far as its rounding lets it be known; null where absent. */
  readonly reset: Moment | null;
  /** The wait that Retry-After asks for; null where absent. */
  readonly retryAfterMs: number | null;
}

/** The values that are the same, or have the same key, where these are most; those that come first of several. */
export function mostAlike<V>(values: readonly V[], keyOf: (value: V) => unknown = (value) => value): readonly V[] {
  const groups = [...Map.groupBy(values, keyOf).values()];
  return groups.toSorted((left, right) => right.length - left.length)[0] ?? [];
}

/** Units that one call of each operation takes; 1 where it is not known. */
export type Costs = ReadonlyMap<string, number>;

export function costOf(costs: Costs, operation: string): number {
  return costs.get(operation) ?? 1;
}
