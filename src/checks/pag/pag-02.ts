// PAG-02: without parameters the activity log answers page 1 with limit 20, and page=1 equals no page.
import type { Breach } from '../../contract/judgement.ts';
import { ACTIVITY_LOG_PAGES } from '../../contract/platform.ts';
import type { PageRead } from './sequence.ts';

/** What is wrong with the answer without parameters; null when nothing is, or when it is no paged envelope (PAG-01). */
export function wrongDefaults(bare: PageRead): Breach | null {
  const numbers = bare.page.paged;
  if (numbers === null) return null;
  const { page, limit } = numbers;
  if (page !== 1) return wrong('without parameters page is not 1', 'page 1', `page ${page}`);
  if (limit !== ACTIVITY_LOG_PAGES.default) {
    const expected = `limit ${ACTIVITY_LOG_PAGES.default}`;
    return wrong(`without parameters limit is not ${ACTIVITY_LOG_PAGES.default}`, expected, `limit ${limit}`);
  }
  const { length } = bare.keys;
  if (length <= ACTIVITY_LOG_PAGES.default) return null;
  return wrong('without parameters a page holds more than 20 items', 'at most 20 items', `${length} items`);
}

/** How two answers that must be the same page differ; null when they do not. */
export function differingPages(plain: PageRead, asked: PageRead): Breach | null {
  const { length } = plain.keys;
  if (
    asked.page.status < 300 &&
    asked.keys.length === length &&
    asked.keys.every((key, at) => key === plain.keys[at])
  ) {
    return null;
  }
  const at = asked.keys.findIndex((key, index) => key !== plain.keys[index]);
  const place = at < 0 ? `${asked.keys.length} items in place of ${length}` : `another item at index ${at}`;
  const actual = asked.page.status >= 300 ? `status ${asked.page.status}` : place;
  return wrong('page=1 is not the page without parameters', 'the same items', `${asked.query}: ${actual}`);
}

function wrong(cause: string, expected: string, actual: string): Breach {
  return { weight: 'breach', cause, message: `${cause}: ${actual}, expected ${expected}`, expected, actual };
}
