// The report that the suites show, read once per worker.
import { readFileSync } from 'node:fs';
import { inject } from 'vitest';
import type { ClauseRow, Finding, OperationRow, Report } from '../../src/contract/report.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Absolute path of the run's report.json. */
    reportPath: string;
  }
}

export interface GivenReport {
  readonly rows: ReadonlyMap<string, ClauseRow>;
  readonly operations: readonly OperationRow[];
  /** Violations of a clause, in the report's order. */
  findings(clause: string): readonly Finding[];
}

let read: { readonly path: string; readonly given: GivenReport } | undefined;

/** The report whose path global-setup.ts, or whoever starts vitest, provides. */
export function givenReport(): GivenReport {
  const path = inject('reportPath');
  if (read?.path !== path) read = { path, given: index(JSON.parse(readFileSync(path, 'utf8'))) };
  return read.given;
}

function index(report: Report): GivenReport {
  const violations = report.findings.filter(({ kind }) => kind === 'violation');
  const byClause = Map.groupBy(violations, ({ clause }) => clause);
  return {
    rows: new Map(report.clauses.map((row) => [row.id, row])),
    operations: report.operations,
    findings: (clause) => byClause.get(clause) ?? [],
  };
}
