// From clause rows to the verdict of the run.
import type { ClauseRow, Verdict } from '../contract/report.ts';

export interface Circumstances {
  /** Interrupted, target lost or wrong, harness error: no verdict unless a violation was found. */
  readonly broken: boolean;
  readonly operationsTested: number;
  /** Fewest operations that must have been tested (gate.minOperations); null: no gate. */
  readonly minOperations: number | null;
}

/** fail beats all; a run that judged no must clause, or too few operations, has no verdict. */
export function verdictOf(rows: readonly ClauseRow[], circumstances: Circumstances): Verdict {
  if (rows.some((row) => row.violations > 0)) return 'fail';
  if (circumstances.broken) return 'none';
  if (!rows.some((row) => row.level === 'must' && row.checks > 0)) return 'none';
  const { minOperations, operationsTested } = circumstances;
  return minOperations !== null && operationsTested < minOperations ? 'none' : 'pass';
}
