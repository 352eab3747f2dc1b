// PAG-06 to PAG-08 on a list that does not keep still: what inserts and deletes cannot do.

import type { Flaw } from './pag-04-to-09-page.ts';
import type { PageRead } from './sequence.ts';

/** Whether items that both pages show stand in another order: inserting and deleting others never does that. */
export function isReordered(left: PageRead, right: PageRead): boolean {
  const common = new Set(left.keys.filter((key) => right.keys.includes(key)));
  const order = ({ keys }: PageRead): string => keys.filter((key) => common.has(key)).join('\n');
  return order(left) !== order(right);
}

/** The breach of a list whose order changes with every reading of one page. */
export function reorderedBreach({ query }: PageRead, readings: number): Flaw {
  const expected = 'the same sequence at every reading';
  const actual = `${readings} readings of ${query} in a row, each in another order`;
  return {
    weight: 'breach',
    kind: 'reordered',
    cause: 'the order of the list changes from call to call',
    message: `${actual}, expected ${expected}`,
    expected,
    actual,
  };
}
