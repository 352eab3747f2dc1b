// PAG-04: a page's counts agree, and its number and size echo what was applied. Judged on each answer whose counts the contract states;
// where the maximum is not stated, a smaller limit may be echoed.
//
// PAG-04 (must): The count of pages is the total divided by the size, rounded up, and page and size echo what was
//   applied. Tolerance: total 0: no page or one.
import { codeOf } from '../../contract/code.ts';
import { type Breach, breached, resting } from '../../contract/judgement.ts';
import type { PagingTerms, Place } from '../../contract/terms.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { askedNumber } from '../../facts/page.ts';
import { nameOf, type PagedNumbers } from '../../facts/page-counts.ts';
import type { ExchangeCheck } from '../check.ts';
import { wrongAt } from './flaw.ts';
import { isTotalBelow, namesNoLimit, pageRead, readsPagedList } from './paged-envelope.ts';

export const pag04: ExchangeCheck = {
  clause: 'PAG-04',
  title: 'The counts of a page agree, and its number and size echo what was applied',
  applies(subject) {
    const page = pageRead(subject);
    return page !== null && (readsPagedList(subject) || namesNoLimit(subject) || isTotalBelow(page));
  },
  judge(subject) {
    const page = pageRead(subject);
    if (page === null) return breached([]);
    const { stated, numbers, items } = page;
    if (isTotalBelow(page)) return breached([tooSmall(page)]);
    if (numbers === null) return breached([]);
    if ((numbers.limit ?? 1) <= 0) return breached([noLimit(numbers)], 3);
    const asked = askedOf(subject.exchange, stated);
    const limit = numbers.limit ?? unnamedLimit(asked.limit, stated, items);
    const { total } = numbers;
    const grounds = total === null || limit === null ? {} : { items: total, pages: Math.ceil(total / limit) };
    if (asked.isOdd) return resting(breached(arithmetic(numbers, limit)), grounds);
    const echoes = [...limitEcho(numbers, asked.limit, stated), ...pageEcho(numbers, asked.page)];
    return resting(breached([...arithmetic(numbers, limit), ...echoes], 3), grounds);
  },
};

interface Asked {
  readonly limit: number | null;
  readonly page: number | null;
  /** True where something was asked for by a bad value. */
  readonly isOdd: boolean;
}

function askedOf(exchange: Exchange, { parameters, style, first }: PagingTerms): Asked {
  const limit = askedNumber(exchange, parameters.size);
  const page = style === 'page' ? askedNumber(exchange, parameters.turn, first ?? 1) : null;
  const offset = style === 'offset' ? askedNumber(exchange, parameters.turn, 0) : null;
  const isOdd = limit === 'bad' || page === 'bad' || offset === 'bad';
  return { limit: limit === 'bad' ? null : limit, page: page === 'bad' ? null : page, isOdd };
}

/** The limit of an answer that names none: the one asked for, where the page is full or the contract states a maximum; else the stated default. */
function unnamedLimit(asked: number | null, { size }: PagingTerms, items: readonly unknown[] | null): number | null {
  if (asked === null) return size.default;
  const isWithin = size.maximum !== null && asked <= size.maximum;
  return isWithin || items?.length === asked ? asked : null;
}

function arithmetic({ total, totalPages, envelope }: PagedNumbers, limit: number | null): readonly Breach[] {
  if (total === null || totalPages === null || limit === null) return [];
  const pages = Math.ceil(total / limit);
  if (totalPages === pages || (total === 0 && totalPages === 1)) return [];
  const { counts } = envelope;
  const name = nameOf(counts.pages, 'pages');
  const told = `ceil(${total} / ${limit})`;
  const expected = total === 0 ? `${name} 0 or 1` : `${name} ${pages}, which is ${told}`;
  const cause = `${name} is not ceil(${nameOf(counts.total, 'total')} / ${nameOf(counts.size, 'limit')})`;
  return [wrongAt(counts.pages, ['pag-04.total-pages', cause], 'the page', expected, `${name} ${totalPages}`)];
}

function tooSmall({ stated, items, total }: NonNullable<ReturnType<typeof pageRead>>): Breach {
  const place = stated.counts.total ?? '/total';
  const name = nameOf(place, 'total');
  const kind = ['pag-04.total-below', `${name} is less than the items that the page holds`] as const;
  return wrongAt(place, kind, 'the page', `a ${name} of ${items?.length ?? 0} or more`, `${name} ${total}`);
}

function noLimit({ limit, envelope: { counts } }: PagedNumbers): Breach {
  const name = nameOf(counts.size, 'limit');
  const kind = ['pag-04.no-limit', `the ${name} that a page with items names is not above 0`] as const;
  return wrongAt(counts.size, kind, 'the page', `the ${name} that was applied`, `${name} ${limit}`);
}

function limitEcho({ limit, envelope }: PagedNumbers, asked: number | null, { size }: PagingTerms): readonly Breach[] {
  if (asked === null || limit === null || limit === asked) return [];
  const allowed = size.maximum === null ? limit < asked : asked > size.maximum;
  if (allowed) return [];
  return [wrongEcho('limit-echo', envelope.counts.size, 'limit', asked, limit)];
}

function pageEcho({ page, totalPages, envelope }: PagedNumbers, asked: number | null): readonly Breach[] {
  const isPast = asked !== null && asked - envelope.first + 1 > (totalPages ?? Number.POSITIVE_INFINITY);
  if (asked === null || page === null || page === asked || isPast) return [];
  return [wrongEcho('page-echo', envelope.counts.page, 'page', asked, page)];
}

function wrongEcho(code: string, place: Place | null, usual: string, asked: number, told: number): Breach {
  const name = nameOf(place, usual);
  const kind = [codeOf('PAG-04', code), `${name} does not echo what was applied`] as const;
  return wrongAt(place, kind, 'the page', `${name} ${asked}`, `${name} ${told}`);
}
