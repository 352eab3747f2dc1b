// PAG-04 to PAG-09 on one page that was read: what is wrong with it by itself, or beside what other pages showed.
//
// PAG-04 (must): total_pages = ceil(total / limit), and `page`, `limit` echo what was applied. Tolerance: total 0:
//   total_pages 0 or 1.
// PAG-05 (must): Every page but the last holds exactly `limit` items; none holds more.
// PAG-06 (must): For every limit, walking page 1..total_pages yields each item exactly once, `total` in all, and the
//   same sequence for every limit. Tolerance: Items compared whole, or by id where they have one.
// PAG-07 (must): limit+offset lists: parameters are strings of digits; the page at (limit, offset) is the slice
//   [offset, offset+limit) of the whole, for every pair. Tolerance: For limits up to the maximum found (PAG-13); above
//   it the limit applied counts, here and in PAG-08, -09. Array or envelope; shape constant for one endpoint.
// PAG-08 (must): limit+page lists: the same law with offset = (page−1)·limit.
// PAG-09 (must): limit-only lists never return more than `limit` items; a smaller limit returns a subset of a larger
//   one's. Tolerance: Order not promised; observed.
// PAG-10 (must): A bare array ends with an empty array: past the end answers `[]` with 200.
import type { Breach } from '../../contract/judgement.ts';
import { placeInWords } from '../../facts/places-of-items.ts';
import { type PageRead, type Sequence, sizeToldBy } from './sequence.ts';

/** What the laws need to know of a list. */
export interface ListRules {
  /** Clauses that the partition of the list belongs to: PAG-06, -07, -08. */
  readonly slice: readonly string[];
  /** Whether answers are the paged envelope, so that PAG-04 and PAG-05 apply. */
  readonly paged: boolean;
  /** Where the items stand in every answer. */
  readonly place: string;
  /** Name of the parameter that turns pages; null for a list with a limit alone. */
  readonly turner: 'page' | 'offset' | null;
}

/** A breach before it is known under which clauses it is told: `kind` is what follows the clause in its code. */
export type Flaw = Omit<Breach, 'code'> & { readonly kind: string };

/** What may be a breach, once it has shown again on a list at rest. */
export interface Suspicion {
  readonly clauses: readonly string[];
  readonly breach: Flaw;
  /** The page that this one contradicts; null when it is wrong by itself. */
  readonly earlier: PageRead | null;
}

/** What is wrong with a page that lies within the list; null when nothing is. */
export function suspicionOf(read: PageRead, seen: Sequence, rules: ListRules): Suspicion | null {
  const { limit, turn } = read.ask;
  const alone = limit === null && turn !== null ? malformed(read, rules) : suspicionAlone(read, rules);
  return alone ?? contradiction(read, seen, rules);
}

/** What is wrong with a page that lies within the list, whatever the others say; null when nothing is. */
export function suspicionAlone(read: PageRead, rules: ListRules): Suspicion | null {
  return malformed(read, rules) ?? wrongSize(read, rules) ?? wrongEcho(read, rules);
}

function malformed(read: PageRead, { slice, place }: ListRules): Suspicion | null {
  const { page, query } = read;
  if (page.status >= 300) {
    const expected = '2xx with the page';
    return alone(slice, 'page-refused', 'a page of the list is refused', query, expected, `status ${page.status}`);
  }
  if (page.place === place) return null;
  return alone(
    slice,
    'form-changes',
    'the form of the list is not constant',
    query,
    placeInWords(place),
    placeInWords(page.place),
  );
}

function wrongSize(read: PageRead, { slice, paged, turner }: ListRules): Suspicion | null {
  const { page, query, keys, limit, applied, offset } = read;
  const clauses = paged ? ['PAG-05', ...slice] : slice;
  const actual = `${keys.length} items`;
  if (keys.length > limit) {
    return alone(
      clauses,
      'over-full',
      'a page holds more items than its limit',
      query,
      `at most ${limit} items`,
      actual,
    );
  }
  if (page.paged === null || turner === null) return null;
  const { total, totalPages } = page.paged;
  if (turner === 'page' && page.paged.page < totalPages && keys.length < applied && page.paged.limit === applied) {
    return alone(clauses, 'not-full', 'a page before the last is not full', query, `${applied} items`, actual);
  }
  const last = keys.length > 0 && keys.length < applied ? offset + keys.length : null;
  if (last === null || last === total) return null;
  const cause = 'total is not the number of items that the pages show';
  return alone(
    slice,
    'total',
    cause,
    query,
    `${last} items in all, for the last one stands at index ${last - 1}`,
    `total ${total}`,
  );
}

function wrongEcho(read: PageRead, { paged, turner }: ListRules): Suspicion | null {
  const numbers = read.page.paged;
  if (!paged || numbers === null || turner === null) return null;
  const { query, applied, offset } = read;
  if (numbers.limit !== applied) {
    return alone(
      ['PAG-04'],
      'limit-echo',
      'limit does not echo what was applied',
      query,
      `limit ${applied}`,
      `limit ${numbers.limit}`,
    );
  }
  const asked = offset / applied + 1;
  if (turner !== 'page' || numbers.page === asked) return null;
  return alone(
    ['PAG-04'],
    'page-echo',
    'page does not echo what was applied',
    query,
    `page ${asked}`,
    `page ${numbers.page}`,
  );
}

/** One cause however it shows: how many items the list holds decides whether the same defect moves, repeats or loses one. */
const NO_SLICE = 'pages overlap or skip items';

function contradiction(read: PageRead, seen: Sequence, { slice }: ListRules): Suspicion | null {
  const conflict = seen.conflict(read);
  if (conflict === null) return null;
  const { earlier, expected, actual } = conflict;
  const told = `${read.query} shows ${actual}, expected ${expected}`;
  const breach: Flaw = { weight: 'breach', kind: 'no-slice', cause: NO_SLICE, message: told, expected, actual };
  return { clauses: slice, breach, earlier: earlier === read ? null : earlier };
}

/**
 * PAG-10 on a bare array and the laws of slices on an envelope: past the end there is nothing. An envelope may refuse, or
 * say that it shows another page; the source does not tell (PAG-13).
 */
export function suspicionPastEnd(read: PageRead, end: PageRead | null, rules: ListRules): Suspicion | null {
  const { page, query, keys, offset } = read;
  const bare = rules.place === '';
  const clauses = bare ? ['PAG-10'] : rules.slice;
  if (page.status >= 300 || (bare && page.status !== 200)) {
    return bare
      ? alone(
          clauses,
          'past-end-refused',
          'past the end a bare array is not answered',
          query,
          '200 with []',
          `status ${page.status}`,
        )
      : null;
  }
  if (bare && page.place !== '') {
    return alone(
      clauses,
      'past-end-form',
      'past the end there is no bare array',
      query,
      '[]',
      placeInWords(page.place),
    );
  }
  const size = end === null ? null : sizeToldBy(end);
  const showsOther = page.paged !== null && rules.turner === 'page' && page.paged.page !== offset / read.applied + 1;
  if (keys.length === 0 || showsOther || end === null || size === null || offset < size) return null;
  const expected = bare ? '200 with []' : 'no items';
  const told = `${query} lies past the end that ${end.query} shows (${size} items)`;
  const found = alone(
    clauses,
    'past-end-items',
    'past the end there are items',
    told,
    expected,
    `${keys.length} items`,
  );
  return { ...found, earlier: end };
}

/** A page that is wrong whatever the others say. */
function alone(
  clauses: readonly string[],
  kind: string,
  cause: string,
  subject: string,
  expected: string,
  actual: string,
): Suspicion {
  const breach: Flaw = {
    weight: 'breach',
    kind,
    cause,
    message: `${subject}: ${actual}, expected ${expected}`,
    expected,
    actual,
  };
  return { clauses, breach, earlier: null };
}

/**
 * PAG-06 to PAG-08 on a list that does not keep still: whether items that both pages show stand in another order. Inserting and
 * deleting others never does that.
 */
export function isReordered(left: PageRead, right: PageRead): boolean {
  const common = new Set(left.keys.filter((key) => right.keys.includes(key)));
  const order = ({ keys }: PageRead): string => keys.filter((key) => common.has(key)).join('\n');
  return order(left) !== order(right);
}

/** The breach of a list whose order changes with every reading of one page. */
export function reorderedBreach({ query }: PageRead, readings: number): Flaw {
  const expected = 'the same sequence at every reading';
  const actual = `${readings} readings of ${query} in a row, each in another order`;
  return {
    weight: 'breach',
    kind: 'reordered',
    cause: 'the order of the list changes from call to call',
    message: `${actual}, expected ${expected}`,
    expected,
    actual,
  };
}
