// Tells on how much the passes of a report rest, family by family: the same words stand on the page, in the terminal
// and in Markdown.

import type { ClauseFamily } from '../contract/clause.ts';
import { plural } from '../contract/numbers.ts';
import { clausesOf } from '../contract/own-clauses.ts';
import type { ClauseRow, Report } from '../contract/report.ts';
import { advisedRows, clauseTotals, heldWords } from './totals.ts';

/** One family: how many of its clauses hold, and on what that rests, each basis once, that of most clauses first. */
export interface FamilyBasis {
  readonly family: ClauseFamily;
  /** "12 of 13": clauses that hold, of those that could. */
  readonly held: string;
  /** Clauses among them that have advisories. */
  readonly advised: readonly string[];
  readonly bases: readonly { readonly basis: string; readonly ids: readonly string[] }[];
}

/** The families of which a clause holds; empty for reports of versions that did not say what they rest on. */
export function familyBases(report: Report): readonly FamilyBasis[] {
  const rows = new Map(report.clauses.map((row) => [row.id, row]));
  const families = Map.groupBy(clausesOf(report), ({ family }) => family);
  return [...families].flatMap(([family, clauses]) => {
    const mine = clauses.flatMap(({ id }) => rows.get(id) ?? []);
    const bases = [...Map.groupBy(mine.filter(isHeld), ({ basis = '' }) => basis)]
      .map(([basis, same]) => ({ basis, ids: same.map(({ id }) => id) }))
      .toSorted((left, right) => right.ids.length - left.ids.length);
    const advised = advisedRows(mine).map(({ id }) => id);
    return bases.length === 0 ? [] : [{ family, held: heldWords(clauseTotals(mine)), advised, bases }];
  });
}

function isHeld({ status, basis }: ClauseRow): boolean {
  return basis !== undefined && status === 'pass';
}

/** The clauses without repeating their family: "PAG-04, -05, -10". */
export function shortIds(ids: readonly string[]): string {
  return ids.map((id, at) => (at === 0 ? id : id.slice(id.lastIndexOf('-')))).join(', ');
}

/** Families of clauses that a list names; of more it says how many clauses there are. */
const MAX_FAMILIES = 4;

/** The ids as `idsByFamily` has them, or of many families how many there are. */
export function familiesInShort(ids: readonly string[]): string {
  return byFamily(ids).size > MAX_FAMILIES ? plural(ids.length, 'clause') : idsByFamily(ids);
}

function byFamily(ids: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return Map.groupBy(ids, (id) => id.slice(0, id.lastIndexOf('-')));
}

/** "RATE-04, -10", "HOOK-01 to -03": ids by family, ranges where nothing is left out. */
export function idsByFamily(ids: readonly string[]): string {
  return [...byFamily(ids)]
    .map(([, own]) => {
      const numbers = own.map((id) => Number(id.slice(id.lastIndexOf('-') + 1)));
      const isRange = own.length > 2 && numbers.every((one, at) => at === 0 || one === numbers[at - 1]! + 1);
      return isRange ? `${own[0]} to ${own.at(-1)!.slice(own.at(-1)!.lastIndexOf('-'))}` : shortIds(own);
    })
    .join('; ');
}
