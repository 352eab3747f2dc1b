// Which command and which suite judge a clause, and on what: views of the clauses' entries.
import type { Basis, SuiteName } from './clauses/entry.ts';
import { entryOf, idsWhere } from './clauses.ts';

/** Commands that judge on what `assay conform` does not see. */
const OTHER_COMMANDS: { readonly [B in Basis]?: string } = {
  delivery: 'assay webhooks',
  scenario: 'assay client -- COMMAND',
};

/** The command that judges the clause, where that is not `assay conform`; null where it is. */
export function commandOf(clause: string): string | null {
  const basis = entryOf(clause)?.on[0];
  return basis === undefined ? null : (OTHER_COMMANDS[basis] ?? null);
}

/** Clauses that `assay conform` judges. */
export const JUDGED_BY_CONFORM: ReadonlySet<string> = new Set(
  idsWhere(({ on }) => on.some((basis) => OTHER_COMMANDS[basis] === undefined)),
);

/** Tells whether the clause is judged on exchanges that others made: no request of Assay's own is needed. */
export function judgedInTraffic(clause: string): boolean {
  const entry = entryOf(clause);
  if (entry === null) return false;
  return (
    entry.shownByTraffic !== undefined || entry.on.some((basis) => ['description', 'exchange', 'run'].includes(basis))
  );
}

/** The clauses of a family that experiments are sent for. */
export function experimentedIn(family: string): readonly string[] {
  return idsWhere((entry) => entry.family === family && entry.on.includes('experiment'));
}

/** The clauses that a load suite judges, in the contract's order. */
export function judgedBySuite(suite: SuiteName): readonly string[] {
  return idsWhere(({ load = [] }) => load.includes(suite));
}

/** Tells whether experiments for `given` bring about answers that `judged` is judged on. */
export function givesOccasion(given: string, judged: string): boolean {
  return entryOf(judged)?.occasions?.some((one) => given === one || given.startsWith(`${one}-`)) ?? false;
}
