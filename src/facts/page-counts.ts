// Where the answers of a list count its items and pages, as the contract states it, and what they say there.
import { isHeader, type PagingTerms, type Place, type Terms } from '../contract/terms.ts';
import { header } from '../exchange/body.ts';
import type { Telling } from '../exchange/envelope.ts';
import { valueAt } from '../openapi/json.ts';
import { itemsAt, placeOf } from './places-of-items.ts';

/** The places of one kind of answer. */
export interface Envelope {
  /** null: found out. */
  readonly items: Place | null;
  readonly counts: PagingTerms['counts'];
  /** The number of the first page. */
  readonly first: number;
}

/** The counts of an answer; null: it does not count that. */
export interface PagedNumbers {
  readonly total: number | null;
  readonly page: number | null;
  readonly limit: number | null;
  readonly totalPages: number | null;
  readonly envelope: Envelope;
}

/** How answers of a list are read. */
export interface Reading {
  /** The first that the answer has counts. */
  readonly envelopes: readonly Envelope[];
  /** A member that says whether another page follows; null: none does. */
  readonly more: Place | null;
  /** Statuses that the contract never uses: such an answer says nothing of pages. */
  readonly unusedStatuses: readonly number[];
}

/** Nothing is stated. */
export const PLAIN: Reading = { envelopes: [], more: null, unusedStatuses: [] };

/** How answers of the list are read: by its own counts, or where none are stated of it by whole envelopes that the contract states elsewhere. */
export function readingOf(stated: PagingTerms | null, { pagination, unusedStatuses }: Terms): Reading {
  if (stated === null) return { ...PLAIN, unusedStatuses };
  const own = countsAnything(stated) ? [stated] : pagination.filter(isWhole);
  return { envelopes: own.map(envelopeOf), more: stated.more, unusedStatuses };
}

function countsAnything({ counts }: PagingTerms): boolean {
  return Object.values(counts).some((place) => place !== null);
}

function isWhole({ items, counts }: PagingTerms): boolean {
  return items !== null && Object.values(counts).every((place) => place !== null);
}

function envelopeOf({ items, counts, first, style }: PagingTerms): Envelope {
  return { items, counts, first: style === 'page' ? (first ?? 1) : 1 };
}

/** The counts of the answer where all that are stated are numbers and the items stand where they should; else null. */
export function pagedNumbers(answer: Telling, { envelopes }: Reading): PagedNumbers | null {
  for (const envelope of envelopes) {
    const { total, page, size, pages } = envelope.counts;
    const read = [total, page, size, pages].map((place) => (place === null ? null : countAt(answer, place)));
    const isThere = read.every((value) => value === null || typeof value === 'number');
    if (!isThere || itemsIn(answer.body, envelope) === null) continue;
    const [told, number, limit, totalPages] = read as (number | null)[];
    return {
      total: told ?? null,
      page: number ?? null,
      limit: limit ?? null,
      totalPages: totalPages ?? null,
      envelope,
    };
  }
  return null;
}

/** The value where the answer counts; of a header the number that it is. */
export function countAt({ body, headers }: Telling, place: Place): unknown {
  if (!isHeader(place)) return valueAt(body, place);
  const text = header(headers, place)?.trim();
  return text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

/** The items of the answer; null where no array stands for them. */
export function itemsIn(body: unknown, { items }: Pick<Envelope, 'items'>): readonly unknown[] | null {
  const place = items ?? placeOf([body], '')?.pointer ?? null;
  return place === null ? null : itemsAt(body, place);
}

/** A member, or a header, as findings call it: "total", "meta/total", "X-Total-Count". */
export function nameOf(place: Place | null, otherwise: string): string {
  return place === null ? otherwise : place.replace(/^\//, '');
}
