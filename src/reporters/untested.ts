// Groups the rows that were not tested by reason: ten thousand rows say the same in a handful of lines.
import type { ClauseStatus, ReasonCode } from '../contract/report.ts';

interface Untested {
  /** Set in rows of clauses alone. */
  readonly status?: ClauseStatus;
  readonly reasonCode?: ReasonCode;
  readonly reason?: string;
}

export interface UntestedGroup<Row extends Untested> {
  readonly reasonCode: ReasonCode;
  /** The reason in words where all rows of the group share it; else null. */
  readonly reason: string | null;
  /** Never empty. */
  readonly rows: readonly Row[];
}

/** Most reasons that a code whose words say nothing of them is parted into. */
const MAX_REASONS = 3;

/**
 * The rows that carry a reason code, by that code, most rows first; a precondition by its reason, where these are few. What does not
 * apply is no gap, and is left out.
 */
export function groupUntested<Row extends Untested>(rows: readonly Row[]): readonly UntestedGroup<Row>[] {
  const untested = rows.filter(({ status, reasonCode }) => reasonCode !== undefined && status !== 'not-applicable');
  const groups = Map.groupBy(untested, ({ reasonCode }) => reasonCode!);
  return [...groups]
    .flatMap(([reasonCode, members]) =>
      parted(reasonCode, members).map((rows) => ({ reasonCode, reason: shared(rows), rows })),
    )
    .sort((a, b) => b.rows.length - a.rows.length);
}

function parted<Row extends Untested>(code: ReasonCode, rows: readonly Row[]): readonly (readonly Row[])[] {
  const byReason = [...Map.groupBy(rows, ({ reason }) => reason).values()];
  return code === 'precondition' && byReason.length <= MAX_REASONS ? byReason : [rows];
}

function shared(rows: readonly Untested[]): string | null {
  const first = rows[0]?.reason;
  return first !== undefined && first !== '' && rows.every(({ reason }) => reason === first) ? first : null;
}
