// Finds out by a few answers how the pages of a list are numbered and how large they are, where its description does not say.

import { identityOf, keyOf } from '../../facts/item-keys.ts';
import type { Ask } from '../../facts/list-history.ts';
import { pageOf } from '../../facts/page.ts';
import { pairsOf } from '../reach/reading-lists.ts';
import type { Asking, ListOperation } from './list-operation.ts';

/** The items of the page that is asked for so; null where it is not answered. */
type Get = (ask: Ask) => Promise<readonly unknown[] | null>;

/** The list with what a few pages tell of it; at most four requests, and none where nothing is open. */
export async function knownBetter(list: ListOperation, lab: Asking): Promise<ListOperation> {
  const { size, turner } = list.paging;
  const isNumbered = turner === null || list.first !== null;
  const isSized = size !== null || list.fixedSize !== undefined;
  if (isNumbered && isSized) return list;
  const get: Get = async (ask) => {
    const exchange = await lab.ask(pairsOf(list, ask), 'numbering');
    return exchange && (pageOf(exchange, list.place, list.reading, list.noun)?.items ?? []);
  };
  const plain = turner?.required === true ? null : await get({ limit: null, turn: null });
  const first = isNumbered ? list.first : await firstOf(list, plain, get);
  const known = { ...list, first };
  if (isSized) return known;
  const shown = (plain ?? (await get({ limit: null, turn: first })) ?? []).length;
  // A first page that is empty may be one that stands before the list.
  const second = first !== null && shown === 0 ? await get({ limit: null, turn: first + 1 }) : null;
  return { ...known, fixedSize: Math.max(1, shown, second?.length ?? 0) };
}

/**
 * The number of the first page: that of the one which is the page without a number. Where both are, or neither is, a page 0 that is answered
 * like any page 1 is taken for it as the description lets one assume.
 */
async function firstOf(list: ListOperation, plain: readonly unknown[] | null, get: Get): Promise<number | null> {
  const assumed = list.paging.turner?.assumed ?? null;
  const zero = await get({ limit: null, turn: 0 });
  const one = await get({ limit: null, turn: 1 });
  if (zero === null || one === null) return assumed;
  if (plain === null) return zero.length > 0 && !isSame(zero, one, list.noun) ? 0 : assumed;
  const [isZero, isOne] = [isSame(plain, zero, list.noun), isSame(plain, one, list.noun)];
  return isZero === isOne ? assumed : isZero ? 0 : 1;
}

/** Tells whether both pages show the same items, and some. */
function isSame(items: readonly unknown[], others: readonly unknown[], noun: string): boolean {
  const identity = identityOf(items, others, noun);
  const keys = (page: readonly unknown[]): string => page.map((item) => keyOf(identity, item)).join('\n');
  return items.length > 0 && items.length === others.length && keys(items) === keys(others);
}
