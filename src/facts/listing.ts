// Reads pages of a list: the items that they show, and whether these are all.
import { exactBody, jsonText } from '../exchange/body.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { isObject, membersOf } from '../openapi/json.ts';
import { isSuccess } from './answered.ts';
import { itemsOf } from './items.ts';

/** Lists without a described page parameter may be cut at sizes such as these. */
const ROUND_SIZES: readonly number[] = [5, 10, 12, 15, 16, 20, 24, 25, 30, 32, 40, 48, 50, 60, 64, 75, 80, 90, 100];

/** The pages of a list that were read, and whether these are all. */
export interface Listing {
  readonly items: readonly unknown[];
  readonly pages: readonly Exchange[];
  readonly isWhole: boolean;
}

const NO_PAGE: Listing = { items: [], pages: [], isWhole: false };

/** Adds pages of one list, in their order. */
export class PagesRead {
  readonly #place: string | null;
  readonly #seen = new Set<string>();
  listing: Listing = NO_PAGE;
  /** True where no page can follow: these are all, or the next could not be read. */
  isEnded = false;

  /** `place`: where the answers keep the items, a JSON pointer; null where that is not known. */
  constructor(place: string | null) {
    this.#place = place;
  }

  /** Items that the page shows and none before it did; null where it is no page. */
  add(page: Exchange): readonly unknown[] | null {
    const { items, pages } = this.listing;
    const body = exactBody(page);
    if (!isSuccess(page.response?.status ?? 0) || !body.ok) {
      this.isEnded = true;
      return null;
    }
    const { path } = page.plan;
    const shown = itemsOf(body.value, path.slice(path.lastIndexOf('/') + 1), this.#place);
    const fresh = shown.filter((item) => !this.#seen.has(jsonText(item)));
    for (const item of fresh) this.#seen.add(jsonText(item));
    const all = [...items, ...fresh];
    const isEmpty = fresh.length === 0 && (pages.length > 0 || isCertainlyWhole(page, 0));
    this.isEnded = fresh.length === 0 || isLast(body.value, all.length);
    this.listing = { items: all, pages: [...pages, page], isWhole: isEmpty || (fresh.length > 0 && this.isEnded) };
    return fresh;
  }

  /** The list where nothing asks for a further page. `isLast`: where the last page says by itself that none follows. */
  endHere({ isLast = false } = {}): Listing {
    const [page] = this.listing.pages;
    const { items, pages } = this.listing;
    this.isEnded = true;
    if (page !== undefined && (isLast || pages.length === 1))
      this.listing = { ...this.listing, isWhole: isLast || isCertainlyWhole(page, items.length) };
    return this.listing;
  }
}

/**
 * Tells whether no page follows: all items that the answer counts were seen. How long a page is tells nothing: it may
 * be cut at any length.
 */
function isLast(body: unknown, seen: number): boolean {
  const total = totalOf(body);
  return !tellsOfMore(body) && total !== null && seen >= total;
}

/** Tells whether the only page of a list shows all of it: nothing tells of more, and its length is no usual size of a page. */
function isCertainlyWhole(page: Exchange, count: number): boolean {
  const body = exactBody(page);
  if (!body.ok || tellsOfMore(body.value) || (count === 0 && isMap(body.value))) return false;
  if (page.response?.headers.some(([name, value]) => name === 'link' && /next/i.test(value)) === true) return false;
  const total = totalOf(body.value);
  return total === null ? !ROUND_SIZES.includes(count) : total <= count;
}

/** Tells whether the body holds objects by their names and no list: nobody knows which of them are items. */
function isMap(body: unknown): boolean {
  if (!isObject(body)) return false;
  const values = envelopesOf(body).flatMap((one) => membersOf(one).map(([, value]) => value));
  return values.some((value) => isObject(value) && membersOf(value).length > 0) && !values.some(Array.isArray);
}

const TOTAL = /^(total|total_?count|total_?items|total_?elements)$/i;
const MORE =
  /^(next|next_?(page|cursor|token|page_?token|url|link)|has_?(more|next)(_?page)?|cursor|continuation(_?token)?)$/i;

/** How many items the list has in all, as its answer says; null where it does not. */
function totalOf(body: unknown): number | null {
  const counts = envelopesOf(body).flatMap((one) => membersOf(one).filter(([name]) => TOTAL.test(name)));
  const [found] = counts.flatMap(([, value]) => (typeof value === 'number' ? [value] : []));
  return found ?? null;
}

/** The same of an answer. */
export function totalIn(exchange: Exchange): number | null {
  const body = exactBody(exchange);
  return body.ok ? totalOf(body.value) : null;
}

/** Tells whether an answer tells of a further page. */
function tellsOfMore(body: unknown): boolean {
  return envelopesOf(body).some((one) =>
    membersOf(one).some(([name, value]) => MORE.test(name) && value !== null && value !== false && value !== ''),
  );
}

/** The body and the objects in it that may describe the page. */
function envelopesOf(body: unknown): readonly Record<string, unknown>[] {
  if (!isObject(body)) return [];
  return [body, ...membersOf(body).flatMap(([, value]) => (isObject(value) ? [value] : []))];
}
