// Tells by what an answer says of its list whether the items that were seen are all, where no contract states how it says so.
import { exactBody } from '../exchange/body.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { isObject, membersOf } from '../openapi/json.ts';

/** Lists may be cut at sizes such as these, and at longer ones that these divide. */
const ROUND_SIZES: readonly number[] = [5, 10, 12, 15, 16, 20, 24, 25, 30, 32, 40, 48, 50, 60, 64, 75, 80, 90, 100];
const [LONG_SIZE, LONG_DIVISORS] = [100, [25, 30, 32, 40]];

/**
 * Tells whether no page follows: all items that the answer counts were seen. How long a page is tells nothing: it may
 * be cut at any length.
 */
export function isAllCounted(page: Exchange, seen: number): boolean {
  const body = exactBody(page);
  const total = body.ok && !tellsOfMore(body.value) ? totalOf(body.value) : null;
  return total !== null && seen >= total;
}

/** Tells whether the only page of a list shows all of it: nothing tells of more, and its length is no usual size of a page. */
export function isCertainlyWhole(page: Exchange, count: number): boolean {
  const body = exactBody(page);
  if (!body.ok || tellsOfMore(body.value) || (count === 0 && isMap(body.value))) return false;
  if (page.response?.headers.some(([name, value]) => name === 'link' && /next/i.test(value)) === true) return false;
  const total = totalOf(body.value);
  return total === null ? !mayBeCutAt(count) : total <= count;
}

function mayBeCutAt(count: number): boolean {
  return ROUND_SIZES.includes(count) || (count > LONG_SIZE && LONG_DIVISORS.some((size) => count % size === 0));
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
