// PAG-02: two answers that must be the same page, on a log that grows in between.
import { expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { COMMERCE_TERMS } from '../../contract/shipped.ts';
import type { PagingTerms } from '../../contract/terms.ts';
import type { PageRead } from '../../facts/list-history.ts';
import { type Envelope, readingOf } from '../../facts/page-counts.ts';
import { differingPages } from './pag-02.ts';

const [LOG] = COMMERCE_TERMS.pagination as [PagingTerms];
const [envelope] = readingOf(LOG, COMMERCE_TERMS).envelopes as [Envelope];
const compared = (plain: PageRead, asked: PageRead) => differingPages(plain, asked, LOG);

/** The first page of a log that holds the items first to 59, the newest first. */
function firstPage(first: number, length = 20): PageRead {
  const keys = Array.from({ length }, (_, index) => `id ${first + index}`);
  const paged = { total: 60 - first, page: 1, limit: 20, totalPages: 3, envelope };
  const page = { exchange: exchangeWith({}), status: 200, place: '/data', items: keys, paged };
  return { ask: { limit: 20, turn: 1 }, query: 'page=1', limit: 20, applied: 20, offset: 0, page, keys };
}

it('agrees when nothing changed, and when as many items were added as total tells', () => {
  expect(compared(firstPage(10), firstPage(10))).toBeNull();
  expect(compared(firstPage(10), firstPage(7))).toBeNull();
});

it('differs by another page, by a shift that total does not tell of, and by a size', () => {
  const cause = 'page=1 is not the page without parameters';
  expect(compared(firstPage(10), firstPage(11))).toMatchObject({ cause });
  expect(compared(firstPage(10), firstPage(30))).toMatchObject({ cause });
  const shifted = { ...firstPage(9), page: firstPage(10).page };
  expect(compared(firstPage(10), shifted)).toMatchObject({ cause });
  expect(compared(firstPage(10), firstPage(10, 19))).toMatchObject({ actual: 'page=1: 19 items in place of 20' });
});
