// Tells which pagination clauses apply to which lists.

import { sliceOf } from '../../checks/pag/pag-04-to-09-page.ts';
import { experimentedIn } from '../../contract/judged-by.ts';
import type { PagingTerms } from '../../contract/terms.ts';
import { followClause } from '../../facts/page-links.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import { type Paging, pagingOf, type Stating } from '../../openapi/model/paging.ts';
import { endsWithItsPages, isCounted } from '../../openapi/model/stated-paging.ts';

/** Clauses that the pagination experiments judge, beside the passive PAG checks. */
export const PAGINATION_CLAUSES = experimentedIn('PAG');

/** The clauses that may apply to the list, before anything is known of its answers. */
export function clausesOf({ paging }: { readonly paging: Pick<Paging, 'stated' | 'turner'> }): readonly string[] {
  const { stated, turner } = paging;
  const ends = endsWithItsPages(stated);
  const { size, counts, more = null } = stated ?? {};
  const isNumbered = turner !== null;
  const tellsNumbers = counts?.pages != null || counts?.page != null || counts?.size != null || more !== null;
  return [
    ...(stated !== null && statesFirstPage(stated) ? ['PAG-02'] : []),
    ...(size?.maximum == null ? [] : ['PAG-03']),
    ...(isNumbered && tellsNumbers ? ['PAG-04'] : []),
    ...(isNumbered && isCounted(stated) ? ['PAG-05', 'PAG-06'] : []),
    ...(ends ? [] : [followClause(stated) ?? sliceOf(paging)]),
    ...(ends || !isNumbered ? [] : ['PAG-10']),
    'PAG-12',
    ...(size?.default != null && size.maximum !== null ? [] : ['PAG-13']),
  ];
}

const WAYS: Readonly<Record<string, string>> = {
  'PAG-07': 'by limit and offset',
  'PAG-08': 'by limit and page',
  'PAG-09': 'by a limit alone',
};
/** Conditions that bind the clauses which need more than a list that pages. */
const NEEDS: Readonly<Record<string, (stated: PagingTerms) => boolean>> = {
  'PAG-01': isCounted,
  'PAG-02': statesFirstPage,
  'PAG-03': ({ size }) => size.maximum !== null,
  'PAG-14': ({ style }) => style === 'cursor',
  'PAG-15': ({ style }) => style === 'links',
};

/** The condition that keeps the clause from applying, in words; null when some are, or when it is no clause of this family. */
export function paginationUndeclared(clause: string, described: readonly Described[], stating: Stating): string | null {
  const pagings = described.flatMap((one) => pagingOf(one, stating) ?? []);
  const needs = NEEDS[clause];
  if (needs !== undefined) {
    if (pagings.some(({ stated }) => stated !== null && needs(stated))) return null;
    const named = stating.terms.pagination.filter(needs).flatMap(({ operations }) => operations ?? []);
    return named.length > 0 ? `no description has ${named.join(', ')}` : 'no operation is a list that pages so';
  }
  if (!PAGINATION_CLAUSES.includes(clause)) return null;
  if (pagings.length === 0) return 'no operation is a list that pages';
  const way = WAYS[clause];
  const isThere = pagings.some((paging) => sliceOf(paging) === clause && followClause(paging.stated) === null);
  return way === undefined || isThere ? null : `no list pages ${way}`;
}

/** Tells whether the contract states what is shown where nothing is asked for. */
function statesFirstPage({ first, style, size }: PagingTerms): boolean {
  return (first !== null && (style === 'page' || style === 'offset')) || size.default !== null;
}
