// Every clause of the contract, in its order. Ids are fixed: never renumbered, never reused.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clause } from './clause.ts';
import { AUTH } from './clauses/auth.ts';
import { CLIENT } from './clauses/client.ts';
import { COND } from './clauses/cond.ts';
import type { ClauseEntry } from './clauses/entry.ts';
import { ERR } from './clauses/err.ts';
import { HOOK } from './clauses/hook.ts';
import { IDEM } from './clauses/idem.ts';
import { LIFE } from './clauses/life.ts';
import { PAG } from './clauses/pag.ts';
import { RATE } from './clauses/rate.ts';
import { REQ } from './clauses/req.ts';
import { SCH } from './clauses/sch.ts';
import { HEALTH, INT, RED, VER } from './clauses/service.ts';
import { SPEC } from './clauses/spec.ts';
import { PACKAGE_ROOT } from './package-root.ts';

/** The entry of each clause, by family in the contract's order, by number within a family. */
export const ENTRIES: readonly ClauseEntry[] = [
  ...[...SPEC, ...SCH, ...ERR, ...AUTH, ...REQ, ...PAG, ...IDEM, ...RATE],
  ...[...VER, ...RED, ...HEALTH, ...INT, ...LIFE, ...COND, ...HOOK, ...CLIENT],
];

/** The sentences in which the platform's own contract says a clause, where they name its paths, members or codes. */
const COMMERCE_WORDS = JSON.parse(
  readFileSync(join(PACKAGE_ROOT, 'contracts', 'commerce.clauses.json'), 'utf8'),
) as Readonly<Record<string, Partial<Pick<Clause, 'text' | 'tolerance'>>>>;

/** The clauses alone, each in the words of the platform's own contract. */
export const CLAUSES: readonly Clause[] = ENTRIES.map(({ id, family, level, text, tolerance }) => ({
  ...{ id, family, level, text, tolerance },
  ...COMMERCE_WORDS[id],
}));

const clauses = new Map(CLAUSES.map((clause) => [clause.id, clause]));
const entries = new Map(ENTRIES.map((entry) => [entry.id, entry]));

/** The clause with this id. Throws on an id that the contract does not know: a programming error, never user input. */
export function clauseById(id: string): Clause {
  const found = clauses.get(id);
  if (found === undefined) throw new Error(`the contract has no clause ${id}`);
  return found;
}

/** The clause's entry; null for ids that the contract does not have, such as those of a user's own clauses. */
export function entryOf(id: string): ClauseEntry | null {
  return entries.get(id) ?? null;
}

/** The ids of the clauses that are so, in the contract's order. */
export function idsWhere(is: (entry: ClauseEntry) => boolean): readonly string[] {
  return ENTRIES.filter((entry) => is(entry)).map(({ id }) => id);
}

/** How a breach of the clause is usually repaired; empty for clauses of a user's own. */
export function repairOf(id: string): string {
  return entryOf(id)?.repair ?? '';
}

/** Tells whether a breach of the clause lets strangers in or tells them secrets: ERR-12, INT-01 and AUTH-*. */
export function isSecurityClause(id: string): boolean {
  return id === 'ERR-12' || id === 'INT-01' || id.startsWith('AUTH-');
}

/** Tells whether the contract knows this id. */
export function isClauseId(id: string): boolean {
  return clauses.has(id);
}
