// From clause rows to the verdict of the run.
import type { ClauseRow, Report, Verdict } from '../contract/report.ts';

export interface Circumstances {
  /** Interrupted, target lost or wrong, harness error: no verdict unless a violation was found. */
  readonly broken: boolean;
  /** Checks on answers of the target, of clauses whose breach is a violation; null: not told. Descriptions alone decide nothing about a target. */
  readonly checksOnAnswers: number | null;
  /** Operations that answered with a success; null: not told. */
  readonly operationsSucceeded: number | null;
  readonly operationsTested: number;
  /** Fewest operations that must have been tested (gate.minOperations); null: no gate. */
  readonly minOperations: number | null;
}

/**
 * fail beats all, accepted violations aside. A run that judged on no answer what could be a violation, that met no success, or that
 * tested too few operations has no verdict.
 */
export function verdictOf(rows: readonly ClauseRow[], circumstances: Circumstances): Verdict {
  if (rows.some(({ violations, accepted = 0 }) => violations > accepted)) return 'fail';
  if (circumstances.broken) return 'none';
  const { checksOnAnswers, operationsSucceeded, minOperations, operationsTested } = circumstances;
  if (!isDecisive(rows, checksOnAnswers) || operationsSucceeded === 0) return 'none';
  return minOperations !== null && operationsTested < minOperations ? 'none' : 'pass';
}

/** Tells whether a clause was judged whose breach is a violation: a must, or what the configuration expects or promotes. */
function isDecisive(rows: readonly ClauseRow[], checksOnAnswers: number | null): boolean {
  const judged = rows.filter(({ checks }) => checks > 0);
  if (checksOnAnswers !== null) return checksOnAnswers > 0 && judged.length > 0;
  return judged.some(({ level, status }) => level === 'must' || (level === 'discover' && status === 'pass'));
}

/** The verdict that a report's own rows and circumstances come to. */
export function verdictOfReport({ clauses, counts, run }: Pick<Report, 'clauses' | 'counts' | 'run'>): Verdict {
  return verdictOf(clauses, {
    broken: run.broken === true,
    operationsTested: counts.operationsTested,
    // A shard cannot know what the others tested, and what succeeded there.
    checksOnAnswers: run.shard === undefined ? (counts.checksOnAnswers ?? null) : null,
    operationsSucceeded: run.shard === undefined ? (counts.operationsSucceeded ?? null) : null,
    minOperations: run.shard === undefined ? (run.minOperations ?? null) : null,
  });
}

/**
 * The verdict on one finding that is looked at again, `rows` counting what concerns it alone: fail where it shows, pass
 * where its clause was judged without it, and none where the looking was cut short or nothing was judged.
 */
export function verdictOnReplay(rows: readonly ClauseRow[], { isBroken }: { readonly isBroken: boolean }): Verdict {
  if (rows.some((row) => row.violations > 0)) return 'fail';
  return !isBroken && rows.some((row) => row.checks > 0) ? 'pass' : 'none';
}
