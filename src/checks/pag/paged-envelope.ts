// Which exchanges the clauses on the paged envelope speak about, and its members as they stand.
import { ACTIVITY_LOG_OPERATION } from '../../contract/platform.ts';
import { jsonBody } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isHead, isSuccess, wholeResponse } from '../../facts/answered.ts';
import type { Subject } from '../check.ts';
import { askedNumber, type PagedNumbers, pagedNumbers } from './page.ts';

/** Whether the exchange is a successful read of the activity log. */
export function readsActivityLog({ exchange, operation }: Subject): boolean {
  return (
    operation?.key === ACTIVITY_LOG_OPERATION && !isHead(exchange) && isSuccess(wholeResponse(exchange)?.status ?? 0)
  );
}

/** Whether the exchange is a successful read of a list that takes a limit, answered with the paged envelope. */
export function readsPagedList(subject: Subject): boolean {
  const numbers = numbersOfPage(subject);
  return numbers !== null && numbers.limit > 0 && numbers.total >= 0;
}

/** Whether that page names a limit that no page with items has, though none such was asked for. */
export function namesNoLimit(subject: Subject): boolean {
  const numbers = numbersOfPage(subject);
  const data = membersOf(subject.exchange)?.data;
  const hasItems = Array.isArray(data) && data.length > 0;
  return numbers !== null && numbers.limit <= 0 && hasItems && askedNumber(subject.exchange, 'limit') !== 'bad';
}

/**
 * The total of a list that takes a limit, where it cannot be that of its items: below 0, in whatever envelope, or in the paged one less
 * than the page holds. Null where it may be.
 */
export function totalBelow(subject: Subject): { readonly total: number; readonly items: number } | null {
  const { data, total } = isPage(subject) ? (membersOf(subject.exchange) ?? {}) : {};
  if (!Array.isArray(data) || typeof total !== 'number') return null;
  const least = numbersOfPage(subject) === null ? 0 : data.length;
  return total < least ? { total, items: data.length } : null;
}

function numbersOfPage(subject: Subject): PagedNumbers | null {
  const body = jsonBody(subject.exchange);
  return isPage(subject) && body.ok ? pagedNumbers(body.value) : null;
}

/** Whether the exchange is a success of a list that takes a limit. */
function isPage({ exchange, operation }: Subject): boolean {
  const takesLimit = operation?.parameters.some((one) => one.in === 'query' && one.name === 'limit') ?? false;
  return takesLimit && !isHead(exchange) && isSuccess(wholeResponse(exchange)?.status ?? 0);
}

/** The top-level members of the body; null when it is no JSON object. */
export function membersOf(exchange: Exchange): Readonly<Record<string, unknown>> | null {
  const body = jsonBody(exchange);
  if (!body.ok || typeof body.value !== 'object' || body.value === null || Array.isArray(body.value)) return null;
  return body.value as Readonly<Record<string, unknown>>;
}
