// Reads the pages of a list one after another: what is new in each, what asks for the next one, and whether these are all. It sends nothing.
import { exactBody } from '../exchange/body.ts';
import type { Exchange, RequestPlan } from '../exchange/exchange.ts';
import type { Paging } from '../openapi/model/paging.ts';
import { type Identity, keyOf } from './item-keys.ts';
import { isAllCounted, isCertainlyWhole } from './list-ends.ts';
import { lastNoun } from './nouns.ts';
import { type Page, pageOf } from './page.ts';
import { PLAIN, type Reading } from './page-counts.ts';
import { addressOf, askForNext, followClause, isByAddress, nextTold, turnedTo } from './page-links.ts';

/** The request for a page; `path` is absent for that of the list. */
export type AskedPage = Pick<RequestPlan, 'query'> & Partial<Pick<RequestPlan, 'path'>>;

/** The pages of a list that were read, and whether these are all. */
export interface Listing {
  /** Each once. */
  readonly items: readonly unknown[];
  readonly pages: readonly Exchange[];
  readonly isWhole: boolean;
}

/** How a list is read. */
export interface ListReading {
  readonly paging: Pick<Paging, 'turner' | 'stated'>;
  /** The value that asks for the first page. */
  readonly first: number;
  readonly identity: Identity;
  /** JSON pointer of the items; null where it is not known. */
  readonly place: string | null;
  readonly reading: Reading;
  /** A word for what the list holds, by which its items are told where no place is known. Absent: they are an array, wherever it stands. */
  readonly noun?: string;
}

/** One page of a list that is walked. */
export interface Link {
  readonly page: Page;
  /** The key of each item. */
  readonly keys: readonly string[];
  /** As it was asked for: "limit=3&cursor=abc". */
  readonly query: string;
  /** The cursor or the address of the next page as this one tells it; null: it tells none. */
  readonly next: string | null;
  /** The host that the next page is on; absent: that of the service. */
  readonly elsewhere?: string;
}

/** A list of things of which nothing is known but a word for them, and where they are configured to stand. */
export function listOfThings(noun: string, place: string | null): ListReading {
  const paging = { turner: null, stated: null };
  return { paging, first: 0, identity: { member: null, ignored: [] }, place, reading: PLAIN, noun };
}

export class WalkedList {
  readonly links: Link[] = [];
  /** Items a page; null where none was asked for. */
  size: number | null;
  /** Items of the newest page that none before it showed. */
  fresh: readonly unknown[] = [];
  readonly #items: unknown[] = [];
  readonly #seen = new Set<string>();
  readonly #list: ListReading;
  readonly #isPromised: boolean;

  /** `isPromised`: the list applies a size of so many items, so that a first page which is shorter is not one of the maximum. */
  constructor(list: ListReading, size: number | null = null, { isPromised = false } = {}) {
    this.#list = list;
    this.size = size;
    this.#isPromised = isPromised;
  }

  /** Adds the page that the answer shows; null where it says nothing of pages. */
  add(exchange: Exchange): Link | null {
    const link = linkIn(exchange, this.#list, this.size);
    if (link === null) return null;
    if (this.links.length === 0 && !this.#isPromised) this.size = sizeApplied(link, this.size);
    this.links.push(link);
    this.fresh = link.page.items.filter((_, at) => !this.#seen.has(link.keys[at] ?? ''));
    for (const key of link.keys) this.#seen.add(key);
    for (const item of this.fresh) this.#items.push(item);
    return link;
  }

  /** True where each key is an id, so that it may stand once only. */
  get isDistinct(): boolean {
    return this.#list.identity.member !== null;
  }

  /** The keys of all items, in order. */
  get keys(): readonly string[] {
    return this.links.flatMap(({ keys }) => keys);
  }

  get listing(): Listing {
    const pages = this.links.filter(isRead).map(({ page }) => page.exchange);
    return { items: this.#items, pages, isWhole: this.isWhole };
  }

  /** True where the pages are all of the list, as far as they tell. */
  get isWhole(): boolean {
    const last = this.links.at(-1);
    if (last === undefined || !isRead(last)) return false;
    if (this.#isFollowed) return last.next === null || last.elsewhere !== undefined;
    const isAlone = this.links.length === 1 && (this.#list.paging.turner === null || this.fresh.length === 0);
    return isAlone ? isCertainlyWhole(last.page.exchange, this.#items.length) : this.isEnded;
  }

  /** True where nothing new is to be expected of a further page. */
  get isEnded(): boolean {
    const last = this.links.at(-1);
    if (last === undefined) return false;
    // A page that is empty may name another that follows.
    if (this.fresh.length === 0) return last.next === null || last.keys.length > 0;
    return !this.#isFollowed && isAllCounted(last.page.exchange, this.#items.length);
  }

  /** The value that asks for the page at the index; null where no parameter turns pages. */
  turnAt(index: number): number | null {
    const { paging, first } = this.#list;
    if (paging.turner === null) return null;
    const before = this.links.slice(0, index);
    return first + (paging.turner.by === 'page' ? index : before.reduce((sum, { keys }) => sum + keys.length, 0));
  }

  /** Asks for the page after the newest one; null where none can be asked for, or it is on another host. */
  get asked(): AskedPage | null {
    const last = this.links.at(-1);
    if (last === undefined || last.page.status >= 300) return null;
    const { exchange } = last.page;
    const { turner, stated } = this.#list.paging;
    if (stated !== null && this.#isFollowed) return last.next === null ? null : askForNext(exchange, last.next, stated);
    return turner === null ? null : turnedTo(exchange, turner.name, String(this.turnAt(this.links.length)));
  }

  get #isFollowed(): boolean {
    return followClause(this.#list.paging.stated) !== null;
  }
}

/** The list as one answer shows it, however it may be asked for further pages; no page where it shows none. */
export function listingIn(exchange: Exchange, place: string | null): Listing {
  const walked = new WalkedList(listOfThings(lastNoun(exchange.plan.path), place));
  walked.add(exchange);
  return walked.listing;
}

function isRead({ page }: Link): boolean {
  return page.status < 300 && exactBody(page.exchange).ok;
}

/** The page that the answer shows, as one of a list by this size; null where it says nothing of pages. */
export function linkIn(exchange: Exchange, list: ListReading, size: number | null): Link | null {
  const { paging, identity, place, reading, noun } = list;
  const page = pageOf(exchange, place, reading, noun);
  if (page === null) return null;
  const keys = page.items.map((item) => keyOf(identity, item));
  const query = exchange.plan.query || 'no parameter';
  const stated = followClause(paging.stated) === null ? null : paging.stated;
  const next = stated !== null && page.status < 300 ? nextTold(page, stated, size) : null;
  const address = stated !== null && next !== null && isByAddress(stated) ? addressOf(exchange, next) : null;
  const elsewhere = address?.kind === 'elsewhere' ? address.host : address?.kind === 'none' ? 'no address' : null;
  return { page, keys, query, next, ...(elsewhere === null ? {} : { elsewhere }) };
}

/** The size that counts: a first page that is shorter than asked for while others follow is one of the maximum. */
function sizeApplied(first: Pick<Link, 'keys' | 'next'>, size: number | null): number | null {
  const count = first.keys.length;
  const isClamped = first.next !== null && count > 0 && (size === null || count < size);
  return isClamped ? count : size;
}
