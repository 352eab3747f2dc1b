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

/** A page, and how it was asked for. */
export interface Step {
  readonly ask: Ask & { readonly limit: number };
  readonly page: Page;
}

/** The page that is asked for so; null where nothing that says anything about pages answers. */
export type Get = (ask: Ask) => Promise<Page | null>;

export interface Opening {
  readonly placed: Placed;
  readonly bare: Page;
  /** The answer to the excessive limit. */
  readonly excessive: Exchange;
  /** The page that this answer shows; null where it was refused. */
  readonly excess: Page | null;
  readonly first: Step;
  readonly get: Get;
}

/** Reads the first pages; in words why they could not be read. */
export async function openList(list: ListOperation, lab: Asking): Promise<Opening | string> {
  const send = (ask: Ask): Promise<Exchange | null> => lab.ask(pairsOf(list, ask), 'survey');
  const plain = await send({ limit: null, turn: null });
  // A list whose pages have a size of its own is asked for no other.
  const isFixed = list.fixedSize !== undefined;
  const excessive = isFixed ? plain : await send({ limit: EXCESSIVE_LIMIT, turn: null });
  if (plain === null || excessive === null) return 'the requests for this list were spent';
  const placed = await findPlace(list, lab, [...new Set([plain, excessive])].flatMap(bodyOf));
  if (typeof placed === 'string') return placed;
  const pageIn = (exchange: Exchange | null): Page | null => exchange && pageOf(exchange, placed.pointer, list.reading);
  const get: Get = async (ask) => pageIn(await send(ask));
  const bare = successful(pageIn(plain));
  if (bare === null) return 'the list did not answer its first page';
  const first = await firstApplied(list, bare, get);
  if (first === null) return 'the list did not answer its first page by any limit';
  return { placed, bare, excessive, excess: isFixed ? null : successful(pageIn(excessive)), first, get };
}

function successful(page: Page | null): Page | null {
  return page === null || page.status >= 300 ? null : page;
}

/**
 * As configured, else as the answers tell; where several arrays stand in them, a page of one item shows which of them are
 * the items. In words why it is not known.
 */
async function findPlace(list: ListOperation, lab: Asking, bodies: readonly unknown[]): Promise<Placed | string> {
  const stands = (pointer: string): boolean => bodies.some((body) => itemsAt(body, pointer) !== null);
  const stated = list.paging.stated?.items ?? null;
  if (list.place !== null && stands(list.place))
    return { pointer: list.place, confidence: 'sure', basis: 'as configured' };
  if (list.place !== null)
    return `no array stands at "${list.place}", where "lists" in the configuration says that the items are`;
  if (stated !== null && stands(stated)) return { pointer: stated, confidence: 'sure', basis: 'as the contract says' };
  let placed = placeOf(bodies, nounOf(list));
  if (placed !== null && placed.confidence !== 'sure') {
    const single = await lab.ask(pairsOf(list, { limit: 1, turn: firstTurn(list) }), 'survey');
    if (single !== null) placed = placeOf([...bodies, ...bodyOf(single)], nounOf(list));
  }
  if (placed === null) return 'no array of items was found in the answer';
  if (placed.confidence !== 'cannot-tell') return placed;
  return `${placed.basis}: "lists" in the configuration can say which array holds the items`;
}

/**
 * The first page by the largest limit that is accepted, clamped or not. A list that answers a limit above its maximum as
 * if none were given does not accept it: one item more than usual tells, unless the list has just grown by one.
 */
async function firstApplied(list: ListOperation, bare: Page, get: Get): Promise<Step | null> {
  const usual = sizeOfPage(bare);
  const by = async (limit: number): Promise<Step | null> => {
    const ask = { limit, turn: firstTurn(list) };
    const page = successful(await get(ask));
    return page && { ask, page };
  };
  if (list.fixedSize !== undefined) return by(list.fixedSize);
  for (const limit of WALK_LIMITS) {
    const first = await appliedAt(limit, usual, by);
    if (first !== null) return first;
  }
  // A maximum below all of these may be the usual size.
  return usual > 0 && usual < Math.min(...WALK_LIMITS) ? by(usual) : null;
}

/** The first page by the limit, or by one more than usual; null where a smaller limit is to be tried. `by`: the first page by a limit. */
async function appliedAt(
  limit: number,
  usual: number,
  by: (limit: number) => Promise<Step | null>,
): Promise<Step | null> {
  const first = await by(limit);
  if (first === null) return null;
  const isUsual = sizeOfPage(first.page) === usual && usual < limit;
  if (!isUsual) return first;
  const more = await by(usual + 1);
  if (more === null || sizeOfPage(more.page) !== usual + 1) return first;
  const again = await by(limit);
  if (again === null || sizeOfPage(again.page) !== usual) return again ?? first;
  return usual + 1 >= Math.max(...WALK_LIMITS.filter((other) => other < limit), 0) ? more : null;
}

function bodyOf(exchange: Exchange): readonly unknown[] {
  const status = exchange.response?.status ?? 599;
  const body = exactBody(exchange);
  return status < 300 && body.ok ? [body.value] : [];
}
