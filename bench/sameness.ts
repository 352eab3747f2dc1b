// What differs between the reports of runs that should be the same: per clause its statuses, and the violations.
import type { ClauseRow, Report } from '../src/contract/report.ts';

export interface Difference {
  readonly clause: string;
  /** Most frequent first. */
  readonly statuses: readonly { readonly status: string; readonly count: number }[];
  /** What the violation says, or why it was not tested; null for neither. */
  readonly example: string | null;
}

/** Clauses that fail in any report, or that have not the same status in all. */
export function differences(reports: readonly Report[]): readonly Difference[] {
  const ids = reports[0]?.clauses.map(({ id }) => id) ?? [];
  return ids.flatMap((clause) => {
    const rows = reports.flatMap((report) => report.clauses.filter(({ id }) => id === clause));
    const counts = Map.groupBy(rows, statusOf);
    if (counts.size === 1 && !counts.has('fail')) return [];
    const statuses = [...counts]
      .map(([status, { length }]) => ({ status, count: length }))
      .toSorted((left, right) => right.count - left.count);
    return [{ clause, statuses, example: exampleOf(clause, reports, rows) }];
  });
}

function statusOf({ status, reasonCode }: ClauseRow): string {
  return reasonCode === undefined ? status : `${status} (${reasonCode})`;
}

function exampleOf(clause: string, reports: readonly Report[], rows: readonly ClauseRow[]): string | null {
  const violation = reports
    .flatMap(({ findings }) => findings)
    .find((finding) => finding.clause === clause && finding.kind === 'violation');
  if (violation !== undefined) return `${violation.operation ?? 'the whole target'}: ${violation.message}`;
  return rows.find(({ reason }) => reason !== undefined)?.reason ?? null;
}
