// Tells in sentences how much a run created on its target, how much of it is left, and how it is deleted. Pure.
import { plural } from '../contract/numbers.ts';
import type { CreatedByOperation, Report } from '../contract/report.ts';

export interface CreatedWords {
  /** "209 objects created, 180 deleted, 29 left"; where requests were not answered, only what is known. */
  readonly total: string;
  /** A sentence for each operation that left something, those that left most first. */
  readonly left: readonly string[];
  /** Further sentences: of requests nobody can tell of, and of what limits.created held back. */
  readonly notes: readonly string[];
  /** True where `assay clean` may delete more. */
  readonly isCleanable: boolean;
}

/** Null where the run created nothing, or its report does not tell. */
export function createdWords({ created, target }: Pick<Report, 'created' | 'target'>): CreatedWords | null {
  if (created === undefined) return null;
  const { made, deleted, left, unknown = 0, changed = [], operations } = created;
  if (made === 0 && unknown === 0 && changed.length === 0) return null;
  const leaving = operations.filter((row) => row.left > 0).toSorted((one, other) => other.left - one.left);
  const held = operations.reduce((sum, { heldBack = 0 }) => sum + heldBack, 0);
  const ended =
    target.embedded === true && left > 0 ? ['The embedded platform ended with the run, and all of it is gone.'] : [];
  const [known, rest] = unknown === 0 ? ['', 'left'] : [' known to be', 'of them left'];
  return {
    total: `${plural(made, 'object')}${known} created, ${plural(deleted, 'deleted', 'deleted')}, ${plural(left, rest, rest)}`,
    left: leaving.map(leftOf),
    notes: [
      ...ended,
      ...changed.map((line) => `Changed, and not put back: ${line}.`),
      ...(unknown === 0
        ? []
        : [`${plural(unknown, 'request')} failed at the server or had no answer: what was created is unknown.`]),
      ...(held === 0
        ? []
        : [`${plural(held, 'request')} that would create more ${was(held)} not sent: limits.created.`]),
    ],
    isCleanable: target.embedded !== true && (unknown > 0 || leaving.some(({ deletable }) => deletable)),
  };
}

function leftOf({ operation, left, reasons }: CreatedByOperation): string {
  return `${left} of ${operation}: ${reasons.join('; ')}`;
}

function was(count: number): string {
  return count === 1 ? 'was' : 'were';
}
