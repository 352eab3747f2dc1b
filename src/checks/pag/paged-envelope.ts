// Which exchanges the clauses on the paged envelope speak about, and its members as they stand.
import { ACTIVITY_LOG_OPERATION } from '../../contract/platform.ts';
import { jsonBody } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isHead, isSuccess, wholeResponse } from '../answered.ts';
import type { Subject } from '../check.ts';
import { pagedNumbers } from './page.ts';

/** Whether the exchange is a successful read of the activity log. */
export function readsActivityLog({ exchange, operation }: Subject): boolean {
  return (
    operation?.key === ACTIVITY_LOG_OPERATION && !isHead(exchange) && isSuccess(wholeResponse(exchange)?.status ?? 0)
  );
}

/** Whether the exchange is a successful read of a list that takes a limit, answered with the paged envelope. */
export function readsPagedList({ exchange, operation }: Subject): boolean {
  const takesLimit = operation?.parameters.some((one) => one.in === 'query' && one.name === 'limit') ?? false;
  const body = jsonBody(exchange);
  if (!takesLimit || isHead(exchange) || !isSuccess(wholeResponse(exchange)?.status ?? 0) || !body.ok) return false;
  const numbers = pagedNumbers(body.value);
  return numbers !== null && numbers.limit > 0 && numbers.total >= 0;
}

/** The top-level members of the body; null when it is no JSON object. */
export function membersOf(exchange: Exchange): Readonly<Record<string, unknown>> | null {
  const body = jsonBody(exchange);
  if (!body.ok || typeof body.value !== 'object' || body.value === null || Array.isArray(body.value)) return null;
  return body.value as Readonly<Record<string, unknown>>;
}
