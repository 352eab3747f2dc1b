// Counts the clauses and violations of a report once, so that page, terminal, summary and headline tell the same numbers.
import { number, plural } from '../contract/numbers.ts';
import type { ClauseRow, ClauseStatus, Finding, Report } from '../contract/report.ts';
import { isAcceptedIn } from './words.ts';

/** How many clauses have each status. */
export type ClauseTotals = Readonly<Record<ClauseStatus, number>>;

export function clauseTotals(rows: readonly Pick<ClauseRow, 'status'>[]): ClauseTotals {
  const count = (wanted: ClauseStatus): number => rows.filter(({ status }) => status === wanted).length;
  return {
    ...{ pass: count('pass'), fail: count('fail'), observed: count('observed') },
    ...{ 'not-tested': count('not-tested'), 'not-applicable': count('not-applicable') },
  };
}

/** Rows of clauses that hold, and have advisories. Their status is `pass`; where a reader looks at it, it is told with them. */
export function advisedRows<Row extends Pick<ClauseRow, 'status' | 'advisories'>>(
  rows: readonly Row[],
): readonly Row[] {
  return rows.filter(({ status, advisories }) => status === 'pass' && advisories > 0);
}

/** Rows of clauses that fail, and whose violations are all accepted. */
export function acceptedRows<Row extends Pick<ClauseRow, 'status' | 'violations' | 'accepted'>>(
  rows: readonly Row[],
): readonly Row[] {
  return rows.filter(({ status, violations, accepted = 0 }) => status === 'fail' && violations <= accepted);
}

/** "12 of 13": clauses that hold, of those that could; one that is observed or does not apply cannot. */
export function heldWords(totals: ClauseTotals): string {
  return `${number(totals.pass)} of ${number(totals.pass + totals.fail + totals['not-tested'])}`;
}

export interface ViolationTotals {
  /** Violations that do not decide the verdict. */
  readonly accepted: number;
  /** Violations that do, and the clauses and operations that have them. */
  readonly deciding: number;
  readonly clauses: number;
  readonly operations: number;
  /** Violations of the baseline. */
  readonly known: number;
  /** Violations among them that decide all the same. */
  readonly knownDeciding: number;
  /** Violations that a waiver covers and the baseline has not. */
  readonly waived: number;
  /** All others. */
  readonly fresh: number;
}

export function violationTotals(report: Report): ViolationTotals {
  const all = report.findings.filter(({ kind }) => kind === 'violation');
  const deciding = all.filter((finding) => !isAcceptedIn(report, finding));
  const known = all.filter((finding) => finding.known === true);
  const waived = all.filter((finding) => finding.known !== true && finding.waiver !== undefined);
  return {
    accepted: all.length - deciding.length,
    deciding: deciding.length,
    clauses: report.clauses.filter(({ violations, accepted = 0 }) => violations > accepted).length,
    operations: operationsOf(deciding),
    known: known.length,
    knownDeciding: known.filter((finding) => !isAcceptedIn(report, finding)).length,
    waived: waived.length,
    fresh: all.length - known.length - waived.length,
  };
}

/** How many operations have one of the findings; the same operation of two services counts twice. */
export function operationsOf(findings: readonly Pick<Finding, 'service' | 'operation'>[]): number {
  const located = findings.filter(({ operation }) => operation !== null);
  return new Set(located.map(({ service, operation }) => `${service} ${operation}`)).size;
}

/** "3 clauses fail on 12 operations". */
export function brokenWords({ clauses, operations }: ViolationTotals): string {
  const fails = plural(clauses, 'clause fails', 'clauses fail');
  return operations === 0 ? fails : `${fails} on ${plural(operations, 'operation')}`;
}
