// Follows lists from their first page on, whoever asks for them: by numbers, by cursors or by the addresses that pages tell.
import type { PagingTerms } from '../contract/terms.ts';
import { answeredMs, type Exchange } from '../exchange/exchange.ts';
import { isSafe } from '../exchange/methods.ts';
import type { Described } from '../openapi/model/catalogue.ts';
import { type Paging, pagingOf, type Stating } from '../openapi/model/paging.ts';
import { isSuccess } from './answered.ts';
import { type Identity, identityOf, keyOf } from './item-keys.ts';
import { totalIn } from './list-ends.ts';
import { type PageRead, Sequence } from './list-history.ts';
import { nounAt } from './nouns.ts';
import { askedNumber, type Page, pageOf } from './page.ts';
import { readingOf } from './page-counts.ts';
import { followClause, linkTold } from './page-links.ts';
import { WalkedList } from './walked-list.ts';

/** Others use the target, too, and what they change moves items from page to page: pages that are further apart are of two walks. ms. */
const MAX_REST_MS = 10_000;
/** Walks that are followed at once; the oldest are left. */
const MAX_WALKS = 500;

/** Pages that were asked for by numbers or offsets, each of which tells the same total. */
export interface NumberedWalk {
  readonly kind: 'numbered';
  readonly identity: Identity;
  readonly place: string;
  readonly paging: Paging;
  readonly total: number;
  /** How many items each page but the last has. */
  readonly size: number;
  /** The history that the pages before the newest tell. */
  readonly sequence: Sequence;
  /** In order, the newest last. */
  readonly reads: readonly PageRead[];
}

/** Pages each of which the one before told. */
export interface FollowedWalk {
  readonly kind: 'followed';
  readonly stated: PagingTerms;
  readonly chain: WalkedList;
}

export type Walk = NumberedWalk | FollowedWalk;

export class ListWalks {
  /** Named by all that the pages of a walk have in common, or by what asks for the next page. */
  readonly #walks = new Map<string, Walk>();
  readonly #stating: Stating;
  /** Where an operation's answers keep the items of a list, by its key. */
  readonly #places: (operation: string) => string | null;

  constructor(stating: Stating, places: (operation: string) => string | null) {
    this.#stating = stating;
    this.#places = places;
  }

  /** The walk that the answer, of which the time is known, is the newest page of; null where it is of none. */
  observe(exchange: Exchange, described: Described): Walk | null {
    const paging = isSafe(exchange.plan.method) ? pagingOf(described, this.#stating) : null;
    const stated = paging?.stated ?? null;
    if (paging !== null && stated !== null && followClause(stated) !== null)
      return this.#followed(exchange, described, paging, stated);
    if (paging?.turner == null || !isSuccess(exchange.response?.status ?? 0)) return null;
    const name = commonName(exchange, paging);
    const known = this.#take(name);
    const walk = this.#numbered(exchange, described, paging, known?.kind === 'numbered' ? known : undefined);
    if (walk !== null) this.#keep(name, walk);
    return walk;
  }

  /** Something was written, which may show in any list. */
  leaveAll(): void {
    this.#walks.clear();
  }

  /** Follows the walk no further. */
  letGo(walk: Walk): void {
    for (const [name, one] of this.#walks) if (one === walk) this.#walks.delete(name);
  }

  #take(name: string): Walk | undefined {
    const walk = this.#walks.get(name);
    this.#walks.delete(name);
    return walk;
  }

  #keep(name: string, walk: Walk): void {
    const [oldest] = this.#walks.keys();
    if (this.#walks.size >= MAX_WALKS && oldest !== undefined) this.#walks.delete(oldest);
    this.#walks.set(name, walk);
  }

  #numbered(
    exchange: Exchange,
    { operation }: Described,
    paging: Paging,
    known: NumberedWalk | undefined,
  ): NumberedWalk | null {
    const { turner, stated } = paging;
    const place = known?.place ?? this.#places(operation.key) ?? stated?.items ?? null;
    const page = pageOf(exchange, place, readingOf(stated, this.#stating.terms));
    const total = page?.paged?.total ?? totalIn(exchange);
    const turn = askedNumber(exchange, turner?.name ?? null, 0);
    const first = turner?.stated ?? turner?.assumed ?? 0;
    if (page?.place == null || total === null || turn === 'bad') return null;
    const past = turn === null ? 0 : turn - first;
    const walk = past === 0 ? numberedFrom(page, page.place, paging, total, operation.path) : known;
    const last = walk?.reads.at(-1);
    if (walk == null || walk.total !== total || !isSoonAfter(last?.page, exchange)) return null;
    if (last !== undefined) walk.sequence.learn(last);
    const offset = turner?.by === 'page' ? past * walk.size : past;
    const keys = page.items.map((item) => keyOf(walk.identity, item));
    const ask = { limit: walk.size, turn };
    const query = exchange.plan.query || 'no parameter';
    const read = { ask, query, limit: walk.size, applied: walk.size, offset, page, keys };
    return { ...walk, reads: [...walk.reads, read] };
  }

  #followed(exchange: Exchange, { operation }: Described, paging: Paging, stated: PagingTerms): FollowedWalk | null {
    const { path, query } = exchange.plan;
    const known = this.#take(nameOf(exchange, path, query));
    const chain = known?.kind === 'followed' ? known.chain : undefined;
    const isNext = chain !== undefined && isSoonAfter(chain.links.at(-1)?.page, exchange);
    const own = isNext ? chain : this.#chainFrom(exchange, paging, stated, operation.path);
    const link = own?.add(exchange);
    if (own == null || link == null || link.page.place === null) return null;
    const walk = { kind: 'followed', stated, chain: own } as const;
    const { asked } = own;
    if (asked !== null) this.#keep(nameOf(exchange, asked.path ?? path, asked.query), walk);
    return walk;
  }

  /** The chain that begins at the page; null where that is told or asked for as one after another. */
  #chainFrom(exchange: Exchange, paging: Paging, stated: PagingTerms, path: string): WalkedList | null {
    const reading = readingOf(stated, this.#stating.terms);
    const page = pageOf(exchange, stated.items, reading);
    const { turn, size } = stated.parameters;
    const isLater = turn !== null && new URLSearchParams(exchange.plan.query).has(turn);
    const isAfter = stated.links.prev !== null && linkTold(exchange, stated.links.prev) !== null;
    if (page?.place == null || isLater || isAfter) return null;
    const asked = askedNumber(exchange, size);
    const identity = identityOf(page.items, [], nounAt(path));
    return new WalkedList({ paging, first: 0, identity, place: page.place, reading }, asked === 'bad' ? null : asked);
  }
}

function isSoonAfter(page: Page | undefined, { sentAt }: Exchange): boolean {
  return page === undefined || sentAt - answeredMs(page.exchange) <= MAX_REST_MS;
}

function numberedFrom(
  { items }: Page,
  place: string,
  paging: Paging,
  total: number,
  path: string,
): NumberedWalk | undefined {
  const identity = identityOf(items, [], nounAt(path));
  // Without ids two items may well be equal.
  if (items.length === 0 || identity.member === null) return undefined;
  const history = { sequence: new Sequence(true), reads: [] };
  return { kind: 'numbered', paging, identity, place, total, size: items.length, ...history };
}

/** All that the pages of one walk have in common: who asked, of what, by which size and filters. */
function commonName({ plan }: Exchange, { turner }: Paging): string {
  const rest = new URLSearchParams(plan.query);
  if (turner !== null) rest.delete(turner.name);
  return `numbered ${nameOf({ plan }, plan.path, rest.toString())}`;
}

function nameOf({ plan }: Pick<Exchange, 'plan'>, path: string, query: string): string {
  return JSON.stringify([plan.service, path, plan.credential, [...new URLSearchParams(query)].sort()]);
}
