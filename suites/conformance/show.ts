// Shows a run's result as vitest tests. A test a clause, and beside it a test an operation, or a resource where there
// are more than a few dozen operations: a row per operation and clause stands in report.json and junit.xml.
import { describe, type TestContext, test } from 'vitest';
import type { ClauseFamily } from '../../src/contract/clause.ts';
import { clausesOf } from '../../src/contract/own-clauses.ts';
import type { ClauseRow, Finding, OperationRow } from '../../src/contract/report.ts';
import { terminalText } from '../../src/reporters/text.ts';
import { REASON_WORDS } from '../../src/reporters/words.ts';
import { ClauseFailure } from './clause-failure.ts';
import { type GivenReport, givenReport } from './given-report.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Set on the one test that stands for a clause's row in the report. */
    clause?: string;
  }
}

/** Beyond this many operations, a test stands for a resource. */
const MOST_SINGLE_OPERATIONS = 40;

/** Declares the tests of these families of clauses. */
export function showFamilies(...families: readonly ClauseFamily[]): void {
  const report = givenReport();
  const all = clausesOf({ clauses: [...report.rows.values()] });
  for (const family of families) {
    const clauses = all.filter((clause) => clause.family === family);
    if (clauses.length === 0) continue;
    describe(family, () => {
      for (const { id, text } of clauses) {
        describe(`${id} ${text}`, () => showClause(report, id));
      }
    });
  }
}

function showClause(report: GivenReport, id: string): void {
  const row = report.rows.get(id);
  test('the clause holds', { meta: { clause: id } }, (context) => {
    if (row === undefined) throw new Error(`the report has no row for ${id}`);
    showRow(row, report.findings(id), context);
  });
  for (const [title, operations] of groups(report.operations, id)) {
    test(terminalText(title), (context) => showGroup(id, operations, report, context));
  }
}

/** A row without a check is never a passed test. */
function showRow(row: ClauseRow, findings: readonly Finding[], { skip }: TestContext): void {
  if (row.status === 'fail') throw new ClauseFailure(row.id, findings);
  if (row.status === 'not-tested' || row.status === 'not-applicable') skip(reasonOf(row));
  if (row.checks > 0) return;
  if (row.level === 'must' || row.status === 'pass') throw new Error(`${row.id} is ${row.status} without a check`);
  skip('nothing was observed');
}

function showGroup(id: string, operations: readonly OperationRow[], report: GivenReport, { skip }: TestContext): void {
  const rows = operations.map((operation) => operation.clauses[id]).filter((row) => row !== undefined);
  if (rows.some(({ status }) => status === 'fail')) {
    const keys = new Set(operations.map(operationName));
    throw new ClauseFailure(
      id,
      report.findings(id).filter((finding) => keys.has(operationName(finding))),
    );
  }
  if (rows.some(({ checks }) => checks > 0)) return;
  skip(reasonOf(rows.find(({ reasonCode }) => reasonCode !== undefined) ?? {}));
}

/** Operations that the clause speaks about, by the title of the test that stands for them. */
function groups(operations: readonly OperationRow[], id: string): Iterable<[string, readonly OperationRow[]]> {
  const concerned = operations.filter(({ clauses }) => clauses[id] !== undefined);
  if (operations.length <= MOST_SINGLE_OPERATIONS) return concerned.map((row) => [operationName(row), [row]]);
  return Map.groupBy(concerned, ({ service, resource }) => `${service}: ${resource}`);
}

function operationName({ service, operation }: Pick<Finding, 'service' | 'operation'>): string {
  return `${service}: ${operation}`;
}

function reasonOf({ reasonCode, reason }: Pick<ClauseRow, 'reasonCode' | 'reason'>): string {
  return reason ?? (reasonCode === undefined ? 'no check was made' : REASON_WORDS[reasonCode]);
}
