// PAG-14 on a cursor that no page told: it is refused, and never answered with the first page as if nothing had been asked for. A text that stands
// for a place of its own, as where cursors are the last value seen, may show what stands there.
//
// PAG-14 (must): Cursor lists: following `next` from the first page to the end yields each item once, the same sequence for every size, and
//   ends; no page but the last is empty or short of its size. Tolerance: Bound by a contract file. A list that changes meanwhile as for PAG-06. A
//   made-up cursor → 4xx, never 5xx and never the first page with a 200 in silence; an old cursor may expire with a 4xx.
import type { Exchange } from '../../exchange/exchange.ts';
import { type Flaw, flawed } from './flaw.ts';

/** The flaw of the answer; null for none. `keys`: of its items, null where it is no page; `first`: of the first page. */
export function madeUpFlaw(
  { plan, response }: Exchange,
  keys: readonly string[] | null,
  first: readonly string[],
): Flaw | null {
  const status = response?.status ?? 0;
  const wrong = (kind: string, cause: string, actual: string): Flaw =>
    flawed([kind, cause], plan.query, 'a 4xx', actual);
  if (status >= 500 && status !== 503)
    return wrong('made-up-5xx', 'a made-up cursor is answered 5xx', `status ${status}`);
  const isFirst = keys !== null && keys.length > 0 && keys.join('\n') === first.join('\n');
  const cause = 'a made-up cursor is answered with the first page';
  return status < 300 && isFirst ? wrong('made-up-first', cause, `status ${status} with the first page`) : null;
}
