// One call of a key, as its limiter showed: the form in which answers from k6, and those of simulated limiters, are
// looked at. Times are ms of the local clock.

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
  readonly reset: { readonly earliestMs: number; readonly latestMs: number } | null;
  /** The wait that Retry-After asks for; null where absent. */
  readonly retryAfterMs: number | null;
}

/** Units that one call of each operation takes; 1 where it is not known. */
export type Costs = ReadonlyMap<string, number>;

export function costOf(costs: Costs, operation: string): number {
  return costs.get(operation) ?? 1;
}
