// Holds the grounds of a pass against the needs of its clause. A pass below its floor decides nothing: the clause is
// not tested there. A breach needs no floor.

import { ENTRIES } from './clauses.ts';
import { counted, type Grounds, type Measure } from './measures.ts';
import { number, plural } from './numbers.ts';

/** Tells whether these grounds are enough for a pass of the clause. Asked of every judgement. */
export function meetsFloor(clause: string, grounds: Grounds): boolean {
  for (const { measure, least } of floorOf(clause)) if ((grounds[measure] ?? 0) < least) return false;
  return true;
}

/** The grounds that the clause lacks for a pass, in words ("1 item, 1 page to judge by; …"); null where it lacks none. */
export function lackOf(clause: string, grounds: Grounds): string | null {
  if (meetsFloor(clause, grounds)) return null;
  const floor = floorOf(clause);
  const had = floor.map(({ measure }) => counted(measure, grounds[measure] ?? 0)).join(', ');
  return `${had} to judge by; a pass needs at least ${floorInWords(clause)}`;
}

/** The clause's floor: "3 items and 2 pages". */
export function floorInWords(clause: string): string {
  return floorOf(clause)
    .map(({ measure, least }) => counted(measure, least))
    .join(' and ');
}

/** How much of the measure a pass of the clause needs at least; 0 of what it does not need. */
export function leastOf(clause: string, measure: Measure): number {
  return floorOf(clause).find((one) => one.measure === measure)?.least ?? 0;
}

type Floor = readonly { readonly measure: Measure; readonly least: number }[];

const NO_FLOOR: Floor = [];
const floors: ReadonlyMap<string, Floor> = new Map(
  ENTRIES.map(({ id, needs }) => {
    const measures = Object.entries(needs) as [Measure, number][];
    return [id, measures.map(([measure, least]) => ({ measure, least }))];
  }),
);

function floorOf(clause: string): Floor {
  return floors.get(clause) ?? NO_FLOOR;
}

/** The grounds of a clause in the whole run: measures that add up, and how large the lists are. */
export interface RowGrounds {
  readonly sums: Grounds;
  readonly lists?: { readonly count: number; readonly least: number; readonly most: number };
}

/** The grounds of several places as those of one row. */
export function rowGrounds(places: readonly Grounds[]): RowGrounds {
  // As a target counts its items: some count infinitely many, or parts of one.
  const sizes = places.flatMap(({ items }) => items ?? []).filter(Number.isSafeInteger);
  const sums = summed(places.map(({ items: _items, pages: _pages, ...others }) => others));
  if (sizes.length === 0) return { sums };
  return { sums, lists: { count: sizes.length, least: Math.min(...sizes), most: Math.max(...sizes) } };
}

/** The grounds of several parts of a run, together. `operations`: on how many it was judged; a list that two parts saw is one. */
export function joinedGrounds(parts: readonly RowGrounds[], operations: number): RowGrounds {
  const sums = summed(parts.map((part) => part.sums));
  const lists = parts.flatMap((part) => part.lists ?? []);
  if (lists.length === 0) return { sums };
  const count = lists.reduce((total, one) => total + one.count, 0);
  return {
    sums,
    lists: {
      count: Math.min(count, operations),
      least: Math.min(...lists.map(({ least }) => least)),
      most: Math.max(...lists.map(({ most }) => most)),
    },
  };
}

function summed(all: readonly Grounds[]): Grounds {
  const sums: Partial<Record<Measure, number>> = {};
  for (const [measure, count] of all.flatMap((one) => Object.entries(one) as [Measure, number][]))
    sums[measure] = (sums[measure] ?? 0) + count;
  return sums;
}

/**
 * The grounds of a row, in words: "5 lists of 3 to 57 items", "412 answers of 48 operations". `operations`: on how many
 * operations it was judged; 0: on what belongs to none.
 */
export function basisOf({ sums, lists }: RowGrounds, operations: number): string {
  if (lists !== undefined) {
    const { count, least, most } = lists;
    const size = least === most ? counted('items', most) : `${number(least)} to ${counted('items', most)}`;
    return count === 1 ? `a list of ${size}` : `${plural(count, 'list')} of ${size}`;
  }
  const of = operations === 0 ? '' : ` of ${operations === 1 ? 'one operation' : plural(operations, 'operation')}`;
  const { descriptions, windows, hostile, overLimits, deliveries, scenarios, answers, comparisons } = sums;
  const told = { windows, hostile, overLimits, deliveries, scenarios, answers, comparisons };
  const [first] = (Object.entries(told) as [Measure, number | undefined][]).filter(([, sum]) => sum !== undefined);
  if (first !== undefined) return counted(first[0], first[1] ?? 0) + of;
  if (descriptions === undefined) return '';
  return operations === 0 ? counted('descriptions', descriptions) : `the description${of}`;
}
