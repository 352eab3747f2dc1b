// Compares what an envelope that is not the paged one tells of the length of its list with what its pages show.
//
// PAG-06 (must): For every size, walking from the first to the last page yields each item exactly once, as many as
//   the total says, and the same sequence for every size. Tolerance: Items compared whole, or by id where they have
//   one.
import { jsonBody } from '../../exchange/body.ts';
import { type PageRead, sizeToldBy } from '../../facts/list-history.ts';
import { leavesOf } from '../../facts/seen.ts';
import { flawed } from './flaw.ts';
import type { Suspicion } from './pag-04-to-09-page.ts';

/** Names of a number of all items, in the envelope or in an object of it: total, totalCount, meta.total_items, count. */
const TOTAL =
  /^(total|(total|all)(count|items|results|records|rows|elements|entries|hits)|(items?|results?|records?|rows?)total|count)$/;

/**
 * The number that stands under the name of a total where no number of the envelope is that of all items, as `end` tells it. Null where one is, and
 * for a count of the items of the page: an envelope may tell what it likes by whatever name.
 */
export function wrongTotal(read: PageRead, end: PageRead): Suspicion | null {
  const size = sizeToldBy(end);
  const body = jsonBody(read.page.exchange);
  if (read.page.paged?.total != null || size === null || !body.ok) return null;
  const counts = leavesOf(body.value).filter(({ at, value }) => Number.isInteger(value) && !at.includes('/*'));
  const highestFirst = counts.toSorted((one, other) => one.at.split('/').length - other.at.split('/').length);
  const told = highestFirst.find(({ name, value }) => TOTAL.test(name) && Number(value) >= 0);
  const isTold = counts.some(({ value }) => value === size);
  if (told === undefined || isTold || told.value === read.keys.length) return null;
  const kind = ['told-total', 'total is not the number of items that the pages show'] as const;
  const expected = `${size} items in all, as ${end.query} shows`;
  const breach = flawed(kind, read.query, expected, `${told.at} ${told.value}`);
  return { clauses: ['PAG-06'], breach, earlier: end.query === read.query ? null : end };
}
