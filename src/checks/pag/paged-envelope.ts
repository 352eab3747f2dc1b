// Tells which exchanges the clauses on counted pages speak about, and reads their answers.
import type { PagingTerms } from '../../contract/terms.ts';
import { jsonBody } from '../../exchange/body.ts';
import type { Telling } from '../../exchange/envelope.ts';
import { isHead, isSuccess, wholeResponse } from '../../facts/answered.ts';
import { askedNumber } from '../../facts/page.ts';
import {
  countAt,
  type Envelope,
  itemsIn,
  type PagedNumbers,
  pagedNumbers,
  readingOf,
} from '../../facts/page-counts.ts';
import { isCounted, statedPaging } from '../../openapi/model/stated-paging.ts';
import type { Subject } from '../check.ts';

/** The contract's terms for the list that the exchange reads with success; null for any other exchange. */
export function listRead({ exchange, operation, terms }: Subject): PagingTerms | null {
  if (operation === null || isHead(exchange) || !isSuccess(wholeResponse(exchange)?.status ?? 0)) return null;
  return statedPaging(operation, terms);
}

/** Tells whether the exchange is a successful read of a list that the contract counts. */
export function readsCountedList(subject: Subject): boolean {
  return isCounted(listRead(subject));
}

/** Tells whether the exchange is a successful read of a list, answered with counts that can be right. */
export function readsPagedList(subject: Subject): boolean {
  const numbers = numbersOfPage(subject);
  return numbers !== null && (numbers.limit ?? 1) > 0 && (numbers.total ?? 0) >= 0;
}

/** Tells whether that page names a limit that no page with items has, though none such was asked for. */
export function namesNoLimit(subject: Subject): boolean {
  const numbers = numbersOfPage(subject);
  if (numbers === null || (numbers.limit ?? 1) > 0) return false;
  const hasItems = (itemsOfPage(subject, numbers.envelope) ?? []).length > 0;
  return hasItems && askedNumber(subject.exchange, listRead(subject)?.parameters.size ?? null) !== 'bad';
}

/**
 * The total of a list, where it cannot be that of its items: below 0, in whatever envelope, or in one with all counts less than the page
 * holds. Null where it may be.
 */
export function totalBelow(subject: Subject): { readonly total: number; readonly items: number } | null {
  const stated = listRead(subject);
  const [envelope] = stated === null ? [] : readingOf(stated, subject.terms).envelopes;
  if (envelope === undefined || envelope.counts.total === null) return null;
  const items = itemsOfPage(subject, envelope);
  const total = countAt(answerIn(subject), envelope.counts.total);
  if (items === null || typeof total !== 'number') return null;
  const least = numbersOfPage(subject) === null ? 0 : items.length;
  return total < least ? { total, items: items.length } : null;
}

/** The counts of the page; null where it is none. */
export function numbersOfPage(subject: Subject): PagedNumbers | null {
  const stated = listRead(subject);
  return stated === null ? null : pagedNumbers(answerIn(subject), readingOf(stated, subject.terms));
}

/** The items of the page; null where there are none. */
export function itemsOfPage(subject: Subject, envelope: Pick<Envelope, 'items'>): readonly unknown[] | null {
  return itemsIn(bodyOf(subject), envelope);
}

/** The body and the headers of the answer. */
export function answerIn(subject: Pick<Subject, 'exchange'>): Telling {
  return { body: bodyOf(subject), headers: subject.exchange.response?.headers ?? [] };
}

/** The body as JSON; undefined where it is none. */
export function bodyOf({ exchange }: Pick<Subject, 'exchange'>): unknown {
  const body = jsonBody(exchange);
  return body.ok ? body.value : undefined;
}
