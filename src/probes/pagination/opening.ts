// Reads how a list opens: its page without parameters, by an excessive limit, and by the largest limit that it applies.

import { exactBody } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Ask } from '../../facts/list-history.ts';
import { type Page, pageOf } from '../../facts/page.ts';
import { sizeOfPage } from '../../facts/page-sizes.ts';
import { itemsAt, type Placed, placeOf } from '../../facts/places-of-items.ts';
import { type Asking, firstTurn, type ListOperation, nounOf, pairsOf } from './list-operation.ts';

/** A limit that no list is expected to apply: what it answers shows the maximum. */
export const EXCESSIVE_LIMIT = 1000;
/** Limits that the list is walked by: the first that it applies. */
const WALK_LIMITS = [100, 50, 20, 10];

export interface Opening {
  /** JSON pointer of the items, and how it was told. */
  readonly place: string;
  readonly placed: Placed;
  readonly bare: Page;
  readonly excessive: { readonly ask: Ask; readonly exchange: Exchange; readonly page: Page | null };
  readonly first: First;
}

export interface First {
  readonly ask: Ask & { readonly limit: number };
  readonly page: Page;
}

/** Reads the first pages; in words why they could not be read. */
export async function openList(list: ListOperation, lab: Asking): Promise<Opening | string> {
  const get = (ask: Ask): Promise<Exchange | null> => lab.ask(pairsOf(list, ask), 'survey');
  const plain = await get({ limit: null, turn: null });
  const ask = { limit: EXCESSIVE_LIMIT, turn: null };
  // A list whose pages have a size of its own is asked for no other.
  const isFixed = list.fixedSize !== undefined;
  const excessive = isFixed ? plain : await get(ask);
  if (plain === null || excessive === null) return 'the requests for this list were spent';
  const placed = await findPlace(list, lab, [...new Set([plain, excessive])].flatMap(bodyOf));
  if (typeof placed === 'string') return placed;
  const place = placed.pointer;
  const bare = successOf(plain, place, list);
  if (bare === null) return 'the list did not answer its first page';
  const first = await firstApplied(list, lab, place, bare);
  if (first === null) return 'the list did not answer its first page by any limit';
  const page = isFixed ? null : successOf(excessive, place, list);
  return { place, placed, bare, excessive: { ask, exchange: excessive, page }, first };
}

/**
 * As configured, else as the answers tell; where several arrays stand in them, a page of one item shows which of them are
 * the items. In words why it is not known.
 */
async function findPlace(list: ListOperation, lab: Asking, bodies: readonly unknown[]): Promise<Placed | string> {
  if (list.place !== null) return configured(list.place, bodies);
  const stated = list.paging.stated?.items ?? null;
  if (stated !== null && bodies.some((body) => itemsAt(body, stated) !== null))
    return { pointer: stated, confidence: 'sure', basis: 'as the contract says' };
  let placed = placeOf(bodies, nounOf(list));
  if (placed !== null && placed.confidence !== 'sure') {
    const single = await lab.ask(pairsOf(list, { limit: 1, turn: firstTurn(list) }), 'survey');
    if (single !== null) placed = placeOf([...bodies, ...bodyOf(single)], nounOf(list));
  }
  if (placed === null) return 'no array of items was found in the answer';
  if (placed.confidence !== 'cannot-tell') return placed;
  return `${placed.basis}: "lists" in the configuration can say which array holds the items`;
}

function configured(pointer: string, bodies: readonly unknown[]): Placed | string {
  const stands = bodies.some((body) => itemsAt(body, pointer) !== null);
  if (stands) return { pointer, confidence: 'sure', basis: 'as configured' };
  return `no array stands at "${pointer}", where "lists" in the configuration says that the items are`;
}

/**
 * The first page by the largest limit that is accepted, clamped or not. A list that answers a limit above its maximum as
 * if none were given does not accept it: one item more than usual tells, unless the list has just grown by one.
 */
async function firstApplied(list: ListOperation, lab: Asking, place: string, bare: Page): Promise<First | null> {
  const usual = sizeOfPage(bare);
  const get: Get = async (limit) => {
    const ask = { limit, turn: firstTurn(list) };
    const exchange = await lab.ask(pairsOf(list, ask), 'survey');
    const page = exchange === null ? null : successOf(exchange, place, list);
    return page === null ? null : { ask, page };
  };
  if (list.fixedSize !== undefined) return get(list.fixedSize);
  for (const limit of WALK_LIMITS) {
    const first = await appliedAt(limit, usual, get);
    if (first !== null) return first;
  }
  // A maximum below all of these may be the usual size.
  return usual > 0 && usual < Math.min(...WALK_LIMITS) ? get(usual) : null;
}

/** The first page by a limit; null where it is not answered. */
type Get = (limit: number) => Promise<First | null>;

/** The first page by the limit, or by one more than usual; null where a smaller limit is to be tried. */
async function appliedAt(limit: number, usual: number, get: Get): Promise<First | null> {
  const first = await get(limit);
  if (first === null) return null;
  const isUsual = sizeOfPage(first.page) === usual && usual < limit;
  if (!isUsual) return first;
  const more = await get(usual + 1);
  if (more === null || sizeOfPage(more.page) !== usual + 1) return first;
  const again = await get(limit);
  if (again === null || sizeOfPage(again.page) !== usual) return again ?? first;
  return usual + 1 >= Math.max(...WALK_LIMITS.filter((other) => other < limit), 0) ? more : null;
}

function successOf(exchange: Exchange, place: string, { reading }: ListOperation): Page | null {
  const page = pageOf(exchange, place, reading);
  return page === null || page.status >= 300 ? null : page;
}

function bodyOf(exchange: Exchange): readonly unknown[] {
  const status = exchange.response?.status ?? 599;
  const body = exactBody(exchange);
  return status < 300 && body.ok ? [body.value] : [];
}
