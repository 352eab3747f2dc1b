// PAG-04: total_pages = ceil(total / limit), and page and limit echo what was applied. Judged on the activity log and on
// every other answer that is the paged envelope; there the maximum is not known, so a smaller limit may be echoed.
//
// PAG-04 (must): total_pages = ceil(total / limit), and `page`, `limit` echo what was applied. Tolerance: total 0:
//   total_pages 0 or 1.
import { type Breach, breached, resting } from '../../contract/judgement.ts';
import { ACTIVITY_LOG_OPERATION, ACTIVITY_LOG_PAGES } from '../../contract/platform.ts';
import { jsonBody } from '../../exchange/body.ts';
import type { ExchangeCheck } from '../check.ts';
import { askedNumber, type PagedNumbers, pagedNumbers } from './page.ts';
import { namesNoLimit, readsPagedList, totalBelow } from './paged-envelope.ts';

export const pag04: ExchangeCheck = {
  clause: 'PAG-04',
  title: 'total_pages is ceil(total / limit); page and limit echo what was applied',
  applies: (subject) => readsPagedList(subject) || namesNoLimit(subject) || totalBelow(subject) !== null,
  judge(subject) {
    const { exchange, operation } = subject;
    const below = totalBelow(subject);
    if (below !== null) return breached([tooSmall(below)]);
    const body = jsonBody(exchange);
    const numbers = body.ok ? pagedNumbers(body.value) : null;
    if (numbers === null) return breached([]);
    if (numbers.limit <= 0) return breached([noLimit(numbers)], 3);
    const limit = askedNumber(exchange, 'limit');
    const page = askedNumber(exchange, 'page');
    const isOdd = limit === 'bad' || page === 'bad' || askedNumber(exchange, 'offset') === 'bad';
    const grounds = { items: numbers.total, pages: Math.ceil(numbers.total / numbers.limit) };
    if (isOdd) return resting(breached(arithmetic(numbers)), grounds);
    const exact = operation?.key === ACTIVITY_LOG_OPERATION;
    const echoes = [...limitEcho(numbers, limit, exact), ...pageEcho(numbers, page)];
    return resting(breached([...arithmetic(numbers), ...echoes], 3), grounds);
  },
};

function arithmetic({ total, limit, totalPages }: PagedNumbers): readonly Breach[] {
  const pages = Math.ceil(total / limit);
  if (totalPages === pages || (total === 0 && totalPages === 1)) return [];
  const expected = total === 0 ? 'total_pages 0 or 1' : `total_pages ${pages}, which is ceil(${total} / ${limit})`;
  const kind = { code: 'pag-04.total-pages', cause: 'total_pages is not ceil(total / limit)' };
  return [wrong(kind, expected, `total_pages ${totalPages}`, '/total_pages')];
}

function tooSmall({ total, items }: { readonly total: number; readonly items: number }): Breach {
  const kind = { code: 'pag-04.total-below', cause: 'total is less than the items that the page holds' };
  return wrong(kind, `a total of ${items} or more`, `total ${total}`, '/total');
}

function noLimit({ limit }: PagedNumbers): Breach {
  const kind = { code: 'pag-04.no-limit', cause: 'the limit that a page with items names is not above 0' };
  return wrong(kind, 'the limit that was applied', `limit ${limit}`, '/limit');
}

function limitEcho({ limit }: PagedNumbers, asked: number | null, exact: boolean): readonly Breach[] {
  if (asked === null || limit === asked) return [];
  const allowed = exact ? asked > ACTIVITY_LOG_PAGES.maximum : limit < asked;
  if (allowed) return [];
  const kind = { code: 'pag-04.limit-echo', cause: 'limit does not echo what was applied' };
  return [wrong(kind, `limit ${asked}`, `limit ${limit}`, '/limit')];
}

function pageEcho({ page, totalPages }: PagedNumbers, asked: number | null): readonly Breach[] {
  if (asked === null || page === asked || asked > totalPages) return [];
  const kind = { code: 'pag-04.page-echo', cause: 'page does not echo what was applied' };
  return [wrong(kind, `page ${asked}`, `page ${page}`, '/page')];
}

function wrong(kind: Pick<Breach, 'code' | 'cause'>, expected: string, actual: string, pointer: string): Breach {
  return { weight: 'breach', ...kind, message: `${actual}, expected ${expected}`, expected, actual, pointer };
}
