// Which pagination clauses apply to which lists.

import type { ContractName } from '../../contract/contract.ts';
import { experimentedIn } from '../../contract/dossiers.ts';
import { ACTIVITY_LOG_OPERATION } from '../../contract/platform.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import { pagingOf } from '../../openapi/model/paging.ts';
import { type ListOperation, type Pattern, patternOf } from './list-operation.ts';

/** Clauses that the pagination experiments judge, beside the passive PAG checks. */
export const PAGINATION_CLAUSES = experimentedIn('PAG');

/** The clauses that may apply to the list, before anything is known of its answers. */
export function clausesOf({ pattern, isLog }: Pick<ListOperation, 'pattern' | 'isLog'>): readonly string[] {
  if (isLog) return ['PAG-02', 'PAG-03', 'PAG-04', 'PAG-05', 'PAG-06', 'PAG-12'];
  if (pattern === 'limit') return ['PAG-09', 'PAG-12', 'PAG-13'];
  return [pattern === 'offset' ? 'PAG-07' : 'PAG-08', 'PAG-10', 'PAG-12', 'PAG-13'];
}

const WORDS: Readonly<Record<Pattern, string>> = {
  offset: 'by limit and offset',
  page: 'by limit and page',
  limit: 'by a limit alone',
};
const PATTERNS: Readonly<Record<string, Pattern>> = { 'PAG-07': 'offset', 'PAG-08': 'page', 'PAG-09': 'limit' };
const OF_THE_LOG = ['PAG-01', 'PAG-02', 'PAG-03'];

/** What the operations would have to declare for the clause to apply; null when they do, or when it is no clause of this family. */
export function paginationUndeclared(
  clause: string,
  described: readonly Described[],
  contract: ContractName,
): string | null {
  if (OF_THE_LOG.includes(clause)) {
    const isThere = described.some(({ operation }) => operation.key === ACTIVITY_LOG_OPERATION);
    return isThere ? null : `no description has ${ACTIVITY_LOG_OPERATION}`;
  }
  if (!PAGINATION_CLAUSES.includes(clause)) return null;
  const patterns = described.flatMap((one) => {
    const paging = pagingOf(one, contract);
    return paging === null ? [] : [patternOf(paging)];
  });
  if (patterns.length === 0) return 'no operation is a list that pages';
  const wanted = PATTERNS[clause];
  return wanted === undefined || patterns.includes(wanted) ? null : `no list pages ${WORDS[wanted]}`;
}
