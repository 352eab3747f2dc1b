// PAG-04 to PAG-09 on one page that was read: what is wrong with it by itself, or beside what other pages showed.
//
// PAG-04 (must): The count of pages is the total divided by the size, rounded up, and page and size echo what was
//   applied. Tolerance: total 0: no page or one.
// PAG-05 (must): Every page but the last holds exactly `limit` items; none holds more.
// PAG-06 (must): For every size, walking from the first to the last page yields each item exactly once, as many as
//   the total says, and the same sequence for every size. Tolerance: Items compared whole, or by id where they have
//   one.
// PAG-07 (must): limit+offset lists: parameters are strings of digits; the page at (limit, offset) is the slice
//   [offset, offset+limit) of the whole, for every pair. Tolerance: For limits up to the maximum found (PAG-13); above
//   it the limit applied counts, here and in PAG-08, -09. Array or envelope; shape constant for one endpoint.
// PAG-08 (must): limit+page lists: the same law with offset = (page−1)·limit.
// PAG-09 (must): limit-only lists never return more than `limit` items; a smaller limit returns a subset of a larger
//   one's. Tolerance: Order not promised; observed.
// PAG-10 (must): A bare array ends with an empty array: past the end answers `[]` with 200.
import { plural } from '../../contract/numbers.ts';
import type { PagingTerms } from '../../contract/terms.ts';
import { jsonBody } from '../../exchange/body.ts';
import { type PageRead, type Sequence, sizeToldBy } from '../../facts/list-history.ts';
import type { NumberedWalk } from '../../facts/list-walks.ts';
import { nameOf } from '../../facts/page-counts.ts';
import { placeInWords } from '../../facts/places-of-items.ts';
import { leavesOf } from '../../facts/seen.ts';
import type { Paging, TurnedBy } from '../../openapi/model/paging.ts';
import { endsWithItsPages } from '../../openapi/model/stated-paging.ts';
import { type Flaw, flawed, saidOfWalk, type WalkSaid } from './flaw.ts';

/** Facts of a list that the laws need. */
export interface ListRules {
  /** Clauses that the partition of the list belongs to: PAG-06, -07, -08. */
  readonly slice: readonly string[];
  /** True where answers count as the contract says, so that PAG-05 applies. */
  readonly paged: boolean;
  /** True where pages say if another follows; absent: they do not. */
  readonly tellsMore?: boolean;
  /** The contract's word on a page past the last one; absent: none. */
  readonly pastEnd?: PagingTerms['pastEnd'];
  /** Where the items stand in every answer. */
  readonly place: string;
  /** The unit of the parameter that turns pages; null for a list with a limit alone. */
  readonly turner: TurnedBy | null;
}

/** The clause on the pages of a list that is asked for so. */
export function sliceOf({ turner }: Pick<Paging, 'turner'>): 'PAG-07' | 'PAG-08' | 'PAG-09' {
  if (turner === null) return 'PAG-09';
  return turner.by === 'page' ? 'PAG-08' : 'PAG-07';
}

/** All clauses on these pages; `total`: as they tell it. */
export function slicesOf(
  paging: Pick<Paging, 'turner' | 'stated'>,
  total: number | null | undefined,
): readonly string[] {
  if (endsWithItsPages(paging.stated)) return ['PAG-06'];
  return [sliceOf(paging), ...(paging.turner === null || total == null ? [] : ['PAG-06'])];
}

/** Breaches of a page, by their part of a code. */
const CAUSES = {
  'page-refused': 'a page of the list is refused',
  'form-changes': 'the form of the list is not constant',
  'over-full': 'a page holds more items than its limit',
  'not-full': 'a page before the last is not full',
  more: 'a page says wrongly whether another follows',
  'told-total': 'total is not the number of items that the pages show',
  'past-end-form': 'past the end there is no bare array',
  'past-end-items': 'past the end there are items',
  'past-end-served': 'past the end a list is answered',
} as const;

/** A breach, should it show again on a list at rest. */
export interface Suspicion {
  readonly clauses: readonly string[];
  readonly breach: Flaw;
  /** The page that this one contradicts; null when it is wrong by itself. */
  readonly earlier: PageRead | null;
}

/** Suspects the later page beside the earlier one. */
export type Compare = (earlier: PageRead | null, later: PageRead) => Suspicion | null;

/** Suspects a page that lies within the list; null for a sound one. */
export function suspicionOf(read: PageRead, seen: Sequence, rules: ListRules): Suspicion | null {
  const { limit, turn } = read.ask;
  const hasSize = limit !== null || turn === null;
  const alone = malformed(read, rules) ?? (hasSize ? wrongSize(read, rules) : null);
  if (alone !== null || rules.turner === null) return alone ?? noSubset(read, seen);
  return contradiction(read, seen, rules) ?? wrongMore(read, seen);
}

function malformed(read: PageRead, { slice, place }: ListRules): Suspicion | null {
  const { page, query } = read;
  if (page.status >= 300) return alone(slice, 'page-refused', query, '2xx with the page', `status ${page.status}`);
  if (page.place === place) return null;
  return alone(slice, 'form-changes', query, placeInWords(place), placeInWords(page.place));
}

function wrongSize(read: PageRead, { slice, paged, turner }: ListRules): Suspicion | null {
  const { page, query, keys, limit, applied, offset } = read;
  const clauses = paged ? ['PAG-05', ...slice] : slice;
  const actual = plural(keys.length, 'item');
  if (keys.length > limit) return alone(clauses, 'over-full', query, `at most ${plural(limit, 'item')}`, actual);
  if (page.paged === null || turner === null) return null;
  const { total } = page.paged;
  const isShort = keys.length < applied && (page.paged.limit ?? applied) === applied;
  if (turner === 'page' && isShort && isBeforeLast(read))
    return alone(clauses, 'not-full', query, plural(applied, 'item'), actual);
  const last = keys.length > 0 && keys.length < applied ? offset + keys.length : null;
  if (last === null || last === total || total === null) return null;
  const name = nameOf(page.paged.envelope.counts.total, 'total');
  const kind = ['total', `${name} is not the number of items that the pages show`] as const;
  return alone(
    slice,
    kind,
    query,
    `${plural(last, 'item')} in all, for the last one stands at index ${last - 1}`,
    `${name} ${total}`,
  );
}

/** Tells whether the counts of the page say that another follows. */
function isBeforeLast({ page: { paged }, offset, applied }: PageRead): boolean {
  const { total = null, totalPages } = paged ?? {};
  return total === null ? offset / applied + 1 < (totalPages ?? 0) : offset + applied < total;
}

/** Names of a number of all items, in the envelope or in an object of it: total, totalCount, meta.total_items, count. */
const TOTAL =
  /^(total|(total|all)(count|items|results|records|rows|elements|entries|hits)|(items?|results?|records?|rows?)total|count)$/;

/**
 * PAG-06: the number that stands under the name of a total where no number of the envelope is that of all items, as `end` tells it. Null where one
 * is, and for a count of the items of the page: an envelope may tell what it likes by whatever name.
 */
export function wrongTotal(read: PageRead, end: PageRead): Suspicion | null {
  const size = sizeToldBy(end);
  const body = jsonBody(read.page.exchange);
  if (read.page.paged?.total != null || size === null || !body.ok) return null;
  const counts = leavesOf(body.value).filter(({ at, value }) => Number.isInteger(value) && !at.includes('/*'));
  const highestFirst = counts.toSorted((one, other) => one.at.split('/').length - other.at.split('/').length);
  const told = highestFirst.find(({ name, value }) => TOTAL.test(name) && Number(value) >= 0);
  const isTold = counts.some(({ value }) => value === size);
  if (told === undefined || isTold || told.value === read.keys.length) return null;
  const expected = `${plural(size, 'item')} in all, as ${end.query} shows`;
  const found = alone(['PAG-06'], 'told-total', read.query, expected, `${told.at} ${told.value}`);
  return { ...found, earlier: end.query === read.query ? null : end };
}

/** PAG-04: a page says that another follows exactly where the others show one. */
function wrongMore({ page, query, keys, offset }: PageRead, seen: Sequence): Suspicion | null {
  const { more } = page;
  const end = seen.endRead;
  if (more === undefined || keys.length === 0) return null;
  const isFollowed = seen.known > offset + keys.length;
  const isLast = seen.size !== null && seen.size <= offset + keys.length;
  if (more ? !isLast : !isFollowed) return null;
  const expected = more ? 'no: the list ends there' : 'yes: items follow';
  const found = alone(['PAG-04'], 'more', `${query} says whether a page follows`, expected, more ? 'yes' : 'no');
  return { ...found, earlier: end === null || end.query === query ? null : end };
}

/** One cause however it shows: how many items the list holds decides whether the same defect moves, repeats or loses one. */
const NO_SLICE = 'pages overlap or skip items';

function contradiction(read: PageRead, seen: Sequence, { slice }: ListRules): Suspicion | null {
  const conflict = seen.conflict(read);
  if (conflict === null) return null;
  const { earlier, expected, actual } = conflict;
  const breach = flawed(['no-slice', NO_SLICE], read.query, expected, `shows ${actual}`);
  return { clauses: slice, breach, earlier: earlier === read ? null : earlier };
}

/** PAG-09: of this page and each one seen before, that with fewer items shows no others. Null where none does. */
function noSubset(read: PageRead, { reads }: Sequence): Suspicion | null {
  for (const other of reads) {
    const [smaller, larger] = other.keys.length >= read.keys.length ? [read, other] : [other, read];
    const foreign = keysBeyond(smaller, larger);
    if (foreign.length === 0) continue;
    const kind = ['no-subset', 'a smaller limit shows items that a larger one does not'] as const;
    const actual = `shows ${plural(foreign.length, 'item')} that are not among them`;
    const breach = flawed(kind, smaller.query, `a subset of what ${larger.query} shows`, actual);
    return { clauses: ['PAG-09'], breach, earlier: other };
  }
  return null;
}

/** Items that the larger page lacks, each as often as it stands. Sizes are counted: a limit that is not applied shows fewer items than a smaller one. */
function keysBeyond(smaller: PageRead, larger: PageRead): readonly string[] {
  const left = new Map<string, number>();
  for (const key of larger.keys) left.set(key, (left.get(key) ?? 0) + 1);
  return smaller.keys.filter((key) => {
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count <= 0;
  });
}

/**
 * PAG-10 on a bare array, and on any list of which the contract does not say that nobody is to ask; else the laws of slices. Past the end there
 * is nothing. What is not stated may refuse, and an envelope of which nothing is stated may say that it shows another page (PAG-13).
 */
export function suspicionPastEnd(read: PageRead, end: PageRead | null, rules: ListRules): Suspicion | null {
  const { page, query, keys, offset } = read;
  const bare = rules.place === '';
  const clauses = isOfPag10(rules) ? ['PAG-10'] : rules.slice;
  const other = otherThanStated(read, rules, clauses);
  if (other !== null || page.status >= 300) return other;
  if (bare && page.place !== '') return alone(clauses, 'past-end-form', query, '[]', placeInWords(page.place));
  const size = end === null ? null : sizeToldBy(end);
  const { paged } = page;
  const shown = paged === null || paged.page === null ? null : paged.page - paged.envelope.first;
  const showsOther = !isOfPag10(rules) && shown !== null && rules.turner === 'page' && shown !== offset / read.applied;
  if (keys.length === 0 || showsOther || end === null || size === null || offset < size) return null;
  const expected = bare ? '200 with []' : 'no items';
  const told = `${query} lies past the end that ${end.query} shows (${plural(size, 'item')})`;
  return { ...alone(clauses, 'past-end-items', told, expected, plural(keys.length, 'item')), earlier: end };
}

/** Tells whether PAG-10 speaks of what stands past the end: on a bare array, and where the contract speaks of it. */
export function isOfPag10({ place, pastEnd }: ListRules): boolean {
  return place === '' || (pastEnd !== undefined && pastEnd !== 'not-shown');
}

/** A refusal where an empty list is stated, or the other way round. A bare array of which nothing is stated is answered. */
function otherThanStated(
  { page: { status }, keys, query }: PageRead,
  { place, pastEnd }: ListRules,
  clauses: readonly string[],
): Suspicion | null {
  const bare = place === '';
  const isAnswered = pastEnd === 'empty' || (bare && (pastEnd === undefined || pastEnd === 'not-shown'));
  const list = bare ? 'a bare array' : 'a list';
  const expected = bare ? '200 with []' : '200 with no items';
  const refused = ['past-end-refused', `past the end ${list} is not answered`] as const;
  if (isAnswered && (status >= 300 || (bare && status !== 200)))
    return alone(clauses, refused, query, expected, `status ${status}`);
  if (pastEnd !== 'refused' || status >= 300 || keys.length > 0) return null;
  return alone(clauses, 'past-end-served', query, 'a 4xx', `status ${status}`);
}

/** A page that is wrong whatever the others say. */
function alone(
  clauses: readonly string[],
  kind: keyof typeof CAUSES | readonly [kind: string, cause: string],
  subject: string,
  expected: string,
  actual: string,
): Suspicion {
  const named = typeof kind === 'string' ? ([kind, CAUSES[kind]] as const) : kind;
  return { clauses, breach: flawed(named, subject, expected, actual), earlier: null };
}

/**
 * PAG-06 to PAG-08 on a list that anybody walked by numbers, by its newest page; null where it goes on. Others may change the list meanwhile: each
 * page must tell the same total.
 */
export function judgeNumberedWalk(walk: NumberedWalk): readonly WalkSaid[] | null {
  const { sequence, reads, place, paging, total } = walk;
  const newest = reads.at(-1);
  if (newest === undefined) return null;
  const slice = slicesOf(paging, newest.page.paged && total);
  const suspicion = suspicionOf(newest, sequence, { slice, paged: false, place, turner: paging.turner?.by ?? 'item' });
  if (suspicion !== null) {
    const { earlier, breach } = suspicion;
    const shown = earlier === null ? [newest] : [earlier, newest];
    const pages = shown.map(({ page }) => page);
    return saidOfWalk(slice, pages, breach);
  }
  const isDone = new Set(reads.flatMap(({ keys }) => keys)).size >= total || newest.keys.length === 0;
  const pages = reads.map(({ page }) => page);
  return isDone ? saidOfWalk(slice, pages, { items: total }) : null;
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
  const kind = ['reordered', 'the order of the list changes from call to call'] as const;
  const actual = `${plural(readings, 'reading')} in a row, each in another order`;
  return flawed(kind, query, 'the same sequence at every reading', actual);
}
