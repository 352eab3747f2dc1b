// PAG-15 on links beside the next one: prev leads to the page before, first to the first page and last to the last one.
//
// PAG-15 (must): Lists by links (`Link: rel="next"`, or a pointer): each link stays on the service, keeps filters and size, and following them
//   yields each item once; `prev`, `first`, `last` lead where they say. Tolerance: Bound by a contract file. RFC 8288; relative references
//   resolve against the request's address.
import type { Link } from '../../facts/page-links.ts';
import { type Flaw, flawed } from './flaw.ts';

export const RELATIONS = ['prev', 'first', 'last'] as const;
export type Relation = (typeof RELATIONS)[number];

/** The page of the chain that the relation of its page `at` names; undefined where there is none. */
export function relatedTo(links: readonly Link[], at: number, relation: Relation): Link | undefined {
  if (relation === 'prev') return links[at - 1];
  return relation === 'first' ? links[0] : links.at(-1);
}

/** The flaw of the page that the link leads to; null when it is the one that is named. `reached`: its host, where that is another one. */
export function relationFlaw(from: Link, relation: Relation, wanted: Link, reached: Link | string): Flaw | null {
  const expected = `the page that ${wanted.query} shows`;
  const actual =
    typeof reached === 'string'
      ? `a link to ${reached}`
      : reached.page.status >= 300
        ? `status ${reached.page.status}`
        : `${reached.keys.length} items, not those`;
  const isSame = typeof reached !== 'string' && reached.keys.join('\n') === wanted.keys.join('\n');
  if (isSame && reached.page.status < 300) return null;
  const kind = [`relation-${relation}`, `the link ${relation} leads elsewhere`] as const;
  return flawed(kind, `${relation} of ${from.query}`, expected, actual);
}
