// PAG-14 on a cursor that no page told: it is refused, and never answered with the first page as if nothing had been asked for. A text that stands
// for a place of its own, as where cursors are the last value seen, may show what stands there.
//
// PAG-14 (must): Cursor lists: following `next` from the first page to the end yields each item once, the same sequence for every size, and
//   ends; no page but the last is empty or short of its size. Tolerance: Bound by a contract file. A list that changes meanwhile as for PAG-06. A
//   made-up cursor → 4xx, never 5xx and never the first page with a 200 in silence; an old cursor may expire with a 4xx.
import type { Exchange } from '../../exchange/exchange.ts';
import type { Flaw } from './pag-04-to-09-page.ts';

/** What is wrong with the answer; null when nothing is. `keys`: of its items, null where it is no page; `first`: of the first page. */
export function madeUpFlaw(
  { plan, response }: Exchange,
  keys: readonly string[] | null,
  first: readonly string[],
): Flaw | null {
  const status = response?.status ?? 0;
  const expected = 'a 4xx';
  const wrong = (kind: string, cause: string, actual: string): Flaw => {
    return {
      weight: 'breach',
      kind,
      cause,
      message: `${plan.query}: ${actual}, expected ${expected}`,
      expected,
      actual,
    };
  };
  if (status >= 500 && status !== 503)
    return wrong('made-up-5xx', 'a made-up cursor is answered 5xx', `status ${status}`);
  const isFirst = keys !== null && keys.length > 0 && keys.join('\n') === first.join('\n');
  if (status >= 300 || !isFirst) return null;
  return wrong(
    'made-up-first',
    'a made-up cursor is answered with the first page',
    `status ${status} with the first page`,
  );
}
