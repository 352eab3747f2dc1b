// Clauses of the user's own, beside those of the contract: the configuration states them and brings their checks. Their
// ids begin with X-, which no clause of the contract ever will.
import type { Clause, ClauseFamily, Level } from './clause.ts';
import { CLAUSES, clauseById, entryOf } from './clauses.ts';
import type { Report } from './report.ts';

/** The family of all of them. */
export const OWN_FAMILY: ClauseFamily = 'X';

const OWN_ID = /^X-([A-Z][A-Z0-9]*-)*[0-9]{2,}$/;

/** Tells whether a user's own clause may have this id: X-01, X-CACHE-01. */
export function isOwnClauseId(id: string): boolean {
  return OWN_ID.test(id);
}

/** The clause that a configuration, or a row of a report, states. */
export function ownClause({
  id,
  level,
  text,
}: {
  readonly id: string;
  readonly level: Level;
  readonly text: string;
}): Clause {
  return { id, family: OWN_FAMILY, level, text, tolerance: '' };
}

/** The clauses that a report has rows of: those of the contract in its order, then the user's own. */
export function clausesOf({ clauses }: Pick<Report, 'clauses'>): readonly Clause[] {
  const texts = new Map(clauses.flatMap(({ id, text }) => (text === undefined ? [] : [[id, text] as const])));
  const own = clauses.flatMap(({ id, level, text }) =>
    text === undefined || !isOwnClauseId(id) ? [] : [ownClause({ id, level, text })],
  );
  // A row that says its sentence is not worded by the platform's own contract.
  const worded = CLAUSES.map((clause) => {
    const text = texts.get(clause.id);
    return text === undefined ? clause : { ...clause, text, tolerance: entryOf(clause.id)?.tolerance ?? '' };
  });
  return [...worded, ...own];
}

/** Finds a clause of the contract, or one of these. Throws on any other id. */
export function clauseFinder(own: readonly Clause[]): (id: string) => Clause {
  const byId = new Map(own.map((clause) => [clause.id, clause]));
  return (id) => byId.get(id) ?? clauseById(id);
}
