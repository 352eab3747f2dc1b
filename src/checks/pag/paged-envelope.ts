// Tells which exchanges the clauses on counted pages speak about, and reads their answers.
import type { PagingTerms } from '../../contract/terms.ts';
import { jsonBody } from '../../exchange/body.ts';
import type { Telling } from '../../exchange/envelope.ts';
import { isHead, isSuccess, wholeResponse } from '../../facts/answered.ts';
import { askedNumber } from '../../facts/page.ts';
import { countAt, itemsIn, type PagedNumbers, pagedNumbers, readingOf } from '../../facts/page-counts.ts';
import { isCounted, statedPaging } from '../../openapi/model/stated-paging.ts';
import type { Subject } from '../check.ts';

/** The answer to a successful read of a list, as the contract states that it tells. */
interface ToldPage {
  readonly stated: PagingTerms;
  readonly answer: Telling;
  /** Null where it counts nothing. */
  readonly numbers: PagedNumbers | null;
  /** Null where no array stands for them. */
  readonly items: readonly unknown[] | null;
  /** The total, whatever stands there; undefined where none is stated. */
  readonly total: unknown;
}

/** The contract's terms for the list that the exchange reads with success; null for any other exchange. */
export function listRead({ exchange, operation, terms }: Subject): PagingTerms | null {
  if (operation === null || isHead(exchange) || !isSuccess(wholeResponse(exchange)?.status ?? 0)) return null;
  return statedPaging(operation, terms);
}

/** The page that the exchange reads with success; null for any other exchange. */
export function pageRead(subject: Subject): ToldPage | null {
  const stated = listRead(subject);
  if (stated === null) return null;
  const body = jsonBody(subject.exchange);
  const answer = { body: body.ok ? body.value : undefined, headers: subject.exchange.response?.headers ?? [] };
  const reading = readingOf(stated, subject.terms);
  const numbers = pagedNumbers(answer, reading);
  const { items, counts } = numbers?.envelope ?? reading.envelopes[0] ?? stated;
  const total = counts.total === null ? undefined : countAt(answer, counts.total);
  return { stated, answer, numbers, items: itemsIn(answer.body, { items }), total };
}

/** Tells whether the exchange is a successful read of a list that the contract counts. */
export function readsCountedList(subject: Subject): boolean {
  return isCounted(listRead(subject));
}

/** Tells whether the exchange is a successful read of a list, answered with counts that can be right. */
export function readsPagedList(subject: Subject): boolean {
  const numbers = pageRead(subject)?.numbers ?? null;
  return numbers !== null && (numbers.limit ?? 1) > 0 && (numbers.total ?? 0) >= 0;
}

/** Tells whether that page names a limit that no page with items has, though none such was asked for. */
export function namesNoLimit(subject: Subject): boolean {
  const { numbers = null, items = null, stated } = pageRead(subject) ?? {};
  if (numbers === null || (numbers.limit ?? 1) > 0) return false;
  return (items ?? []).length > 0 && askedNumber(subject.exchange, stated?.parameters.size ?? null) !== 'bad';
}

/**
 * Tells whether the total of a list cannot be that of its items: below 0, in whatever envelope, or in one with all counts less than the page
 * holds.
 */
export function isTotalBelow({ numbers, items, total }: ToldPage): boolean {
  return items !== null && typeof total === 'number' && total < (numbers === null ? 0 : items.length);
}
