// One page of a list as its answer shows it.
import { exactBody } from '../exchange/body.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { valueAt } from '../openapi/json.ts';
import { itemsOf } from './items.ts';
import { type PagedNumbers, PLAIN, pagedNumbers, type Reading } from './page-counts.ts';
import { itemsAt, placeOf } from './places-of-items.ts';

export interface Page {
  readonly exchange: Exchange;
  readonly status: number;
  /** JSON pointer of the item array; null without one. */
  readonly place: string | null;
  /** Empty where `place` is null. */
  readonly items: readonly unknown[];
  /** The counts of the answer; null where it does not. */
  readonly paged: PagedNumbers | null;
  /** True where the answer says that another page follows; absent: it does not say. */
  readonly more?: boolean;
}

/** Tells whether an answer of this status says nothing about pages: the limiter's, SCH-06's and, where the contract has it, SCH-07's. */
export function isSilentOnPages(status: number, { unusedStatuses }: Pick<Reading, 'unusedStatuses'> = PLAIN): boolean {
  return status === 429 || status >= 500 || unusedStatuses.includes(status);
}

/**
 * The page that the exchange shows; null where the target gave no answer that says anything about pages: none, or one cut short. `noun`: a word for
 * its items, where they may be told by their ids, too, and stand in no array.
 */
export function pageOf(
  exchange: Exchange,
  usualPlace: string | null,
  reading: Reading = PLAIN,
  noun?: string,
): Page | null {
  const { response } = exchange;
  if (response === null || response.truncated || isSilentOnPages(response.status, reading)) return null;
  const { status } = response;
  const body = exactBody(exchange);
  if (status >= 300 || !body.ok) return { exchange, status, place: null, items: [], paged: null };
  const usual = usualPlace === null ? null : itemsAt(body.value, usualPlace);
  const place = usual === null ? (placeOf([body.value], '')?.pointer ?? null) : usualPlace;
  const inPlace = place === null ? [] : (itemsAt(body.value, place) ?? []);
  const items = noun === undefined ? inPlace : itemsOf(body.value, noun, usualPlace);
  const more = reading.more === null ? undefined : valueAt(body.value, reading.more);
  const told = typeof more === 'boolean' ? { more } : {};
  const paged = pagedNumbers({ body: body.value, headers: response.headers }, reading);
  return { exchange, status, place, items, paged, ...told };
}

/**
 * The whole number that the request asked for by this parameter; null when it did not ask, "bad" for anything else and for less than `least`.
 * `name`: null for a parameter that the list does not have.
 */
export function askedNumber(exchange: Exchange, name: string | null, least = 1): number | 'bad' | null {
  if (name === null) return null;
  const values = new URLSearchParams(exchange.request.query).getAll(name);
  const [value] = values;
  if (value === undefined) return null;
  return values.length === 1 && /^(0|[1-9]\d{0,14})$/.test(value) && Number(value) >= least ? Number(value) : 'bad';
}
