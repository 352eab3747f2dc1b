// PAG-09 (must): limit-only lists never return more than `limit` items; a smaller limit returns a subset of a larger
//   one's. Tolerance: Order not promised; observed.

import type { PageRead } from '../../facts/list-history.ts';
import { flawed } from './flaw.ts';
import type { Suspicion } from './pag-04-to-09-page.ts';

const CLAUSES = ['PAG-09'];

/**
 * The suspicion against two answers; null when the one with fewer items is a subset. A limit that is not applied shows
 * fewer items than a smaller one. Items count as often as they stand.
 */
export function subsetSuspicion(smaller: PageRead, larger: PageRead): Suspicion | null {
  const left = new Map<string, number>();
  for (const key of larger.keys) left.set(key, (left.get(key) ?? 0) + 1);
  const foreign = smaller.keys.filter((key) => {
    const count = left.get(key) ?? 0;
    left.set(key, count - 1);
    return count <= 0;
  });
  if (foreign.length === 0) return null;
  const kind = ['no-subset', 'a smaller limit shows items that a larger one does not'] as const;
  const actual = `shows ${foreign.length} items that are not among them`;
  const breach = flawed(kind, smaller.query, `a subset of what ${larger.query} shows`, actual);
  return { clauses: CLAUSES, breach, earlier: larger };
}
