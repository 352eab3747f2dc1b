// PAG-14 and PAG-15 on pages that were followed from the first one: each item once, every page full but the last, an end, and the same sequence
// for every size. A chain is judged by itself, and beside another one of the same list. The other links lead where they say, and a cursor that no
// page told is refused: a text that stands for a place of its own, as where cursors are the last value seen, may show what stands there.
//
// PAG-14 (must): Cursor lists: following `next` from the first page to the end yields each item once, the same sequence for every size, and
//   ends; no page but the last is empty or short of its size. Tolerance: Bound by a contract file. A list that changes meanwhile as for PAG-06. A
//   made-up cursor → 4xx, never 5xx and never the first page with a 200 in silence; an old cursor may expire with a 4xx.
// PAG-15 (must): Lists by links (`Link: rel="next"`, or a pointer): each link stays on the service, keeps filters and size, and following them
//   yields each item once; `prev`, `first`, `last` lead where they say. Tolerance: Bound by a contract file. RFC 8288; relative references
//   resolve against the request's address.
import { plural } from '../../contract/numbers.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { FollowedWalk } from '../../facts/list-walks.ts';
import type { Page } from '../../facts/page.ts';
import { followClause } from '../../facts/page-links.ts';
import type { Link, WalkedList } from '../../facts/walked-list.ts';
import { type Flaw, flawed, saidOfWalk, type WalkSaid } from './flaw.ts';

/** A flaw of a chain, and the pages that show it. */
export interface ChainFlaw {
  readonly flaw: Flaw;
  readonly pages: readonly Page[];
}

/** The first flaw of the chain, whatever others show; null for none. */
export function chainFlaw(chain: WalkedList): ChainFlaw | null {
  const seen = new Map<string, Link>();
  for (const [at, link] of chain.links.entries()) {
    const before = chain.links[at - 1];
    const found =
      unreadable(link, before) ??
      wrongSize(link, chain.size) ??
      repeated(link, seen, chain.isDistinct) ??
      wrongNext(link);
    if (found !== null) return found;
    for (const key of link.keys) seen.set(key, link);
  }
  return shortInside(chain);
}

/** Breaches of a chain, by their part of a code. */
const CAUSES = {
  'next-refused': 'the next page is not answered',
  'over-full': 'a page holds more items than its size',
  repeated: 'following next repeats items',
  elsewhere: 'a link leaves the service',
  'more-without-next': 'another page is said to follow, and none is named',
  'empty-inside': 'a page before the last is empty',
  'empty-end': 'another page is said to follow, and it is empty',
  'short-inside': 'a page before the last is short of its size',
  'other-sequence': 'other sizes yield another sequence',
  'other-length': 'other sizes yield other items',
  total: 'the total is not the number of items that following next yields',
} as const;

function unreadable({ page, query }: Link, before: Link | undefined): ChainFlaw | null {
  if (page.status < 300 && page.place !== null) return null;
  const actual = page.status < 300 ? 'no array of items' : `status ${page.status}`;
  const told = before === undefined ? query : `${query}, which ${before.query} names as next,`;
  return wrongBy('next-refused', told, 'a page', actual, before?.page, page);
}

function wrongSize({ page, query, keys }: Link, size: number | null): ChainFlaw | null {
  if (size === null || keys.length <= size) return null;
  return wrongBy('over-full', query, `at most ${plural(size, 'item')}`, plural(keys.length, 'item'), page);
}

function repeated(link: Link, seen: ReadonlyMap<string, Link>, isDistinct: boolean): ChainFlaw | null {
  const { page, query, keys } = link;
  const again = keys.find((key) => seen.has(key));
  const isWhole = keys.length > 0 && keys.every((key) => seen.has(key));
  if (again === undefined || (!isDistinct && !isWhole)) return null;
  const earlier = seen.get(again);
  const actual = `an item that ${earlier?.query ?? 'a page before'} shows`;
  return wrongBy('repeated', query, 'each item once', actual, earlier?.page, page);
}

/** The word on whether another page follows, and what names it, disagree; or it is on another host. */
function wrongNext({ page, query, next, elsewhere }: Link): ChainFlaw | null {
  if (elsewhere !== undefined) return wrongBy('elsewhere', query, 'a link on the service', `one to ${elsewhere}`, page);
  if (page.more !== true || next !== null) return null;
  return wrongBy('more-without-next', query, 'the next page', 'none', page);
}

function shortInside({ links, size }: WalkedList): ChainFlaw | null {
  for (const [at, link] of links.slice(0, -1).entries()) {
    const { keys, page, query } = link;
    const after = links[at + 1];
    if (keys.length === 0) return wrongBy('empty-inside', query, 'some items', 'none', page, after?.page);
    if (page.more === true && after?.next === null && after.keys.length === 0)
      return wrongBy('empty-end', query, 'a page with items', 'none', page, after.page);
    if (size !== null && keys.length < size)
      return wrongBy('short-inside', query, plural(size, 'item'), plural(keys.length, 'item'), page, after?.page);
  }
  return null;
}

/** How two chains of one list contradict each other; null when they do not. */
export function chainConflict(one: WalkedList, other: WalkedList): ChainFlaw | null {
  const [left, right] = [one.keys, other.keys];
  const length = Math.min(left.length, right.length);
  const at = left.slice(0, length).findIndex((key, index) => key !== right[index]);
  const [first, second] = [one.links[0], other.links[0]];
  if (first === undefined || second === undefined) return null;
  const told = `${second.query}, followed to its end, beside ${first.query}`;
  const pages = [first.page, other.links.at(-1)?.page ?? second.page] as const;
  if (at >= 0) return wrongBy('other-sequence', told, `the same item at index ${at}`, 'another one', ...pages);
  const isLonger = (chain: WalkedList, than: WalkedList): boolean =>
    than.isWhole && chain.keys.length > than.keys.length;
  if (!isLonger(one, other) && !isLonger(other, one)) return null;
  return wrongBy('other-length', told, plural(left.length, 'item'), plural(right.length, 'item'), ...pages);
}

/** The total that a page counts is not the number of items that a whole chain yields; null when it is, or none is counted. */
export function totalFlaw(chain: WalkedList): ChainFlaw | null {
  const [first] = chain.links;
  const total = first?.page.paged?.total ?? null;
  const count = chain.keys.length;
  if (first === undefined || total === null || !chain.isWhole || total === count) return null;
  const last = chain.links.at(-1);
  return wrongBy(
    'total',
    first.query,
    `${plural(count, 'item')} in all`,
    `a total of ${total}`,
    first.page,
    last?.page,
  );
}

/** Flaws that a change of the list explains as well; and a cursor may expire. */
const FLAWS_OF_CHANGES = ['repeated', 'total', 'next-refused'];

/** The same on a list that anybody followed, by its newest page; null where it goes on. */
export function judgeFollowedWalk({ stated, chain }: FollowedWalk): readonly WalkSaid[] | null {
  const clause = followClause(stated);
  if (clause === null) return null;
  // Where pages are followed by addresses the first page may not be the first of the list.
  const found = chainFlaw(chain) ?? (clause === 'PAG-14' ? totalFlaw(chain) : null);
  if (found !== null && FLAWS_OF_CHANGES.includes(found.flaw.kind) && !isSettled(chain)) return [];
  if (found !== null) return saidOfWalk([clause], found.pages, found.flaw);
  const pages = chain.links.map(({ page }) => page);
  return chain.isWhole ? saidOfWalk([clause], pages, { items: chain.keys.length }) : null;
}

/** Tells whether each page counts the same total: nothing was added or taken away meanwhile. */
function isSettled({ links }: WalkedList): boolean {
  const totals = new Set(links.map(({ page }) => page.paged?.total ?? null));
  return totals.size === 1 && !totals.has(null);
}

function wrongBy(
  kind: keyof typeof CAUSES,
  subject: string,
  expected: string,
  actual: string,
  ...pages: readonly (Page | undefined)[]
): ChainFlaw {
  const flaw = flawed([kind, CAUSES[kind]], subject, expected, actual);
  return { flaw, pages: pages.filter((page) => page !== undefined) };
}

export const RELATIONS = ['prev', 'first', 'last'] as const;
export type Relation = (typeof RELATIONS)[number];

/** The page of the chain that the relation of its page `at` names; undefined where there is none. */
export function relatedTo(links: readonly Link[], at: number, relation: Relation): Link | undefined {
  if (relation === 'prev') return links[at - 1];
  return relation === 'first' ? links[0] : links.at(-1);
}

/** The flaw of the page that the link leads to; null when it is the one that is named. `reached`: its host, where that is another one. */
export function relationFlaw(from: Link, relation: Relation, wanted: Link, reached: Link | string): Flaw | null {
  const expected = `the page that ${wanted.query} shows`;
  const actual =
    typeof reached === 'string'
      ? `a link to ${reached}`
      : reached.page.status >= 300
        ? `status ${reached.page.status}`
        : `${plural(reached.keys.length, 'item')}, not those`;
  const isSame = typeof reached !== 'string' && reached.keys.join('\n') === wanted.keys.join('\n');
  if (isSame && reached.page.status < 300) return null;
  const kind = [`relation-${relation}`, `the link ${relation} leads elsewhere`] as const;
  return flawed(kind, `${relation} of ${from.query}`, expected, actual);
}

/** The flaw of the answer to a cursor that no page told; null for none. `keys`: of its items, null where it is no page; `first`: of the first page. */
export function madeUpFlaw(
  { plan, response }: Exchange,
  keys: readonly string[] | null,
  first: readonly string[],
): Flaw | null {
  const status = response?.status ?? 0;
  const wrong = (kind: string, cause: string, actual: string): Flaw =>
    flawed([kind, cause], plan.query, 'a 4xx', actual);
  if (status >= 500 && status !== 503)
    return wrong('made-up-5xx', 'a made-up cursor is answered 5xx', `status ${status}`);
  const isFirst = keys !== null && keys.length > 0 && keys.join('\n') === first.join('\n');
  const cause = 'a made-up cursor is answered with the first page';
  return status < 300 && isFirst ? wrong('made-up-first', cause, `status ${status} with the first page`) : null;
}
