// PAG-02 (must): The first page is the one that the contract names, and holds as many items as it states: asking for
//   it equals asking for none. Tolerance: Data may grow between calls: compare on a settled target, re-check once
//   before judging.
import { plural } from '../../contract/numbers.ts';
import type { PagingTerms } from '../../contract/terms.ts';
import type { PageRead } from '../../facts/list-history.ts';
import { nameOf } from '../../facts/page-counts.ts';
import { type Flaw, flawed } from './flaw.ts';

/** The flaw of the answer without parameters; null for none, or when a list that counts answers no counts (PAG-01). */
export function wrongDefaults(bare: PageRead, { size, counts }: PagingTerms): Flaw | null {
  const numbers = bare.page.paged;
  if (numbers === null && counts.total !== null) return null;
  const { page = null, limit = null, envelope } = numbers ?? {};
  const first = envelope?.first ?? 1;
  const named = nameOf(counts.page, 'page');
  if (page !== null && page !== first) {
    const cause = `without parameters ${named} is not ${first}`;
    return wrong('default-page', cause, `${named} ${first}`, `${named} ${page}`);
  }
  if (size.default === null) return null;
  const limitName = nameOf(counts.size, 'limit');
  if (limit !== null && limit !== size.default) {
    const cause = `without parameters ${limitName} is not ${size.default}`;
    return wrong('default-limit', cause, `${limitName} ${size.default}`, `${limitName} ${limit}`);
  }
  const { length } = bare.keys;
  if (length <= size.default) return null;
  const cause = `without parameters a page holds more than ${plural(size.default, 'item')}`;
  return wrong('default-size', cause, `at most ${plural(size.default, 'item')}`, plural(length, 'item'));
}

/** The page without parameters of a list that is longer than that, and names no size: it holds the stated default. */
export function smallDefault(bare: PageRead, { size }: PagingTerms): Flaw | null {
  const { length } = bare.keys;
  if (size.default === null || bare.page.paged?.limit != null || length >= size.default) return null;
  const cause = `without parameters a page holds fewer than ${plural(size.default, 'item')} though others follow`;
  return wrong('default-size', cause, plural(size.default, 'item'), plural(length, 'item'));
}

/** How two answers that must be the same page differ; null when they do not, or only by items that were added in between. */
export function differingPages(plain: PageRead, asked: PageRead, { parameters, first }: PagingTerms): Flaw | null {
  if (asked.page.status < 300 && asked.keys.length === plain.keys.length && isSame(plain, asked)) return null;
  const at = asked.keys.findIndex((key, index) => key !== plain.keys[index]);
  const place =
    at < 0 ? `${plural(asked.keys.length, 'item')} in place of ${plain.keys.length}` : `another item at index ${at}`;
  const actual = asked.page.status >= 300 ? `status ${asked.page.status}` : place;
  const named = parameters.turn === null ? asked.query : `${parameters.turn}=${first ?? 1}`;
  const cause = `${named} is not the page without parameters`;
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
  return flawed([kind, cause], cause, expected, actual);
}
