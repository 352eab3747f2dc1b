// One page of a list as its answer shows it, and the numbers of the paged envelope.
import type { ContractName } from '../../contract/contract.ts';
import { UNUSED_STATUSES } from '../../contract/platform.ts';
import { exactBody } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { itemsAt, placeOf } from '../../facts/places-of-items.ts';

/** The counts of the paged envelope. Source: PAG-01. */
export interface PagedNumbers {
  readonly total: number;
  readonly page: number;
  readonly limit: number;
  readonly totalPages: number;
}

export interface Page {
  readonly exchange: Exchange;
  readonly status: number;
  /** JSON pointer of the item array; null without one. */
  readonly place: string | null;
  /** Empty where `place` is null. */
  readonly items: readonly unknown[];
  /** Null for anything but the paged envelope. */
  readonly paged: PagedNumbers | null;
}

/** Whether an answer of this status says nothing about pages: the limiter's, SCH-06's and, where the contract has it, SCH-07's. */
export function isSilentOnPages(status: number, contract: ContractName = 'commerce'): boolean {
  const isUnused = contract === 'commerce' && UNUSED_STATUSES.some((unused) => unused === status);
  return status === 429 || status >= 500 || isUnused;
}

/**
 * The page that the exchange shows; null where the target gave no answer that says anything about pages: none, or one cut short.
 * The paged envelope is the contract `commerce`'s own: elsewhere members of its names may tell anything.
 */
export function pageOf(
  exchange: Exchange,
  usualPlace: string | null,
  contract: ContractName = 'commerce',
): Page | null {
  const { response } = exchange;
  if (response === null || response.truncated || isSilentOnPages(response.status, contract)) return null;
  const { status } = response;
  const body = exactBody(exchange);
  if (status >= 300 || !body.ok) return { exchange, status, place: null, items: [], paged: null };
  const usual = usualPlace === null ? null : itemsAt(body.value, usualPlace);
  const place = usual === null ? (placeOf([body.value], '')?.pointer ?? null) : usualPlace;
  const items = place === null ? [] : (itemsAt(body.value, place) ?? []);
  return { exchange, status, place, items, paged: contract === 'commerce' ? pagedNumbers(body.value) : null };
}

/** The envelope's counts when `data` is an array and all four are numbers. */
export function pagedNumbers(body: unknown): PagedNumbers | null {
  if (typeof body !== 'object' || body === null) return null;
  const { data, total, page, limit, total_pages: totalPages } = body as Readonly<Record<string, unknown>>;
  if (!Array.isArray(data)) return null;
  if (typeof total !== 'number' || typeof page !== 'number') return null;
  if (typeof limit !== 'number' || typeof totalPages !== 'number') return null;
  return { total, page, limit, totalPages };
}

/** The whole number from 1 that the request asked for by this parameter; null when it did not ask, "bad" for anything else. */
export function askedNumber(exchange: Exchange, name: string): number | 'bad' | null {
  const values = new URLSearchParams(exchange.request.query).getAll(name);
  const [value] = values;
  if (value === undefined) return null;
  const least = name === 'offset' ? 0 : 1;
  return values.length === 1 && /^(0|[1-9]\d{0,14})$/.test(value) && Number(value) >= least ? Number(value) : 'bad';
}
