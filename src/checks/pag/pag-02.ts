// PAG-02 (must): Page is 1-indexed: without parameters page is 1 and limit 20; page=1 equals no page. Tolerance: Data
//   may grow between calls: compare on a settled target, re-check once before judging.
import { ACTIVITY_LOG_PAGES } from '../../contract/platform.ts';
import type { Flaw } from './pag-04-to-09-page.ts';
import type { PageRead } from './sequence.ts';

/** What is wrong with the answer without parameters; null when nothing is, or when it is no paged envelope (PAG-01). */
export function wrongDefaults(bare: PageRead): Flaw | null {
  const numbers = bare.page.paged;
  if (numbers === null) return null;
  const { page, limit } = numbers;
  if (page !== 1) return wrong('default-page', 'without parameters page is not 1', 'page 1', `page ${page}`);
  if (limit !== ACTIVITY_LOG_PAGES.default) {
    const expected = `limit ${ACTIVITY_LOG_PAGES.default}`;
    const cause = `without parameters limit is not ${ACTIVITY_LOG_PAGES.default}`;
    return wrong('default-limit', cause, expected, `limit ${limit}`);
  }
  const { length } = bare.keys;
  if (length <= ACTIVITY_LOG_PAGES.default) return null;
  const cause = 'without parameters a page holds more than 20 items';
  return wrong('default-size', cause, 'at most 20 items', `${length} items`);
}

/** How two answers that must be the same page differ; null when they do not, or only by items that were added in between. */
export function differingPages(plain: PageRead, asked: PageRead): Flaw | null {
  if (asked.page.status < 300 && asked.keys.length === plain.keys.length && isSame(plain, asked)) return null;
  const at = asked.keys.findIndex((key, index) => key !== plain.keys[index]);
  const place = at < 0 ? `${asked.keys.length} items in place of ${plain.keys.length}` : `another item at index ${at}`;
  const actual = asked.page.status >= 300 ? `status ${asked.page.status}` : place;
  const cause = 'page=1 is not the page without parameters';
  return wrong('other-first-page', cause, 'the same items', `${asked.query}: ${actual}`);
}

/** The asked page shows the plain one's items, behind no more new ones than `total` has grown by. */
function isSame(plain: PageRead, asked: PageRead): boolean {
  const grown = (asked.page.paged?.total ?? 0) - (plain.page.paged?.total ?? 0);
  const most = Math.min(Math.max(0, grown), Math.floor(plain.keys.length / 2));
  return Array.from({ length: most + 1 }, (_, added) => added).some((added) =>
    asked.keys.slice(added).every((key, at) => key === plain.keys[at]),
  );
}

function wrong(kind: string, cause: string, expected: string, actual: string): Flaw {
  return { weight: 'breach', kind, cause, message: `${cause}: ${actual}, expected ${expected}`, expected, actual };
}
