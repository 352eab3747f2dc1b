// Defects of what one page of a list says beside its items, at the places that the contract names.
import type { PagingTerms } from '../contract/terms.ts';
import { type JsonObject, valueAt } from '../openapi/json.ts';
import { type Difference, type Named, named, withAt } from './defect.ts';

/** A page of a list, and how the contract says that the list pages. */
export interface SeenPage {
  readonly body: JsonObject;
  readonly stated: PagingTerms;
  /** As it was asked for. */
  readonly query: URLSearchParams;
}

export interface PageDefect extends Named {
  /** counted: pages of lists whose items are counted. paged: those of them whose counts can be right. any: whatever a list answers. */
  readonly having: 'counted' | 'paged' | 'any';
  /** Why no page could show it, where none could; absent: no page was read. */
  readonly lacks?: string;
  /** Tells whether pages of such a list can have it. */
  has(stated: PagingTerms): boolean;
  /** null where this page cannot show it. */
  change(page: SeenPage): Difference | null;
}

function defect(
  clause: string,
  name: string,
  says: string,
  { having, lacks, has }: Pick<PageDefect, 'having' | 'lacks' | 'has'>,
  change: PageDefect['change'],
): PageDefect {
  return { ...named(clause, name, says), ...(lacks === undefined ? {} : { lacks }), having, has, change };
}

/** The page with another value at the place. */
function saying({ body }: SeenPage, place: string | null, value: unknown): Difference | null {
  return place === null ? null : { json: withAt(body, place, value) };
}

/** The number at the place; null where none stands there. */
function numberAt({ body }: SeenPage, place: string | null): number | null {
  const value = place === null ? null : valueAt(body, place);
  return typeof value === 'number' ? value : null;
}

const hasTotal = ({ counts }: PagingTerms): boolean => counts.total !== null;

export const PAGE_DEFECTS: readonly PageDefect[] = [
  defect(
    'PAG-01',
    'has-more',
    'The list has a member that no page has.',
    { having: 'counted', has: (stated) => hasTotal(stated) && stated.absent.length > 0 },
    (page) => saying(page, page.stated.absent[0] ?? null, false),
  ),
  defect(
    'PAG-01',
    'total-string',
    'The list tells its total as a text.',
    { having: 'counted', has: hasTotal },
    (page) => saying(page, page.stated.counts.total, String(valueAt(page.body, page.stated.counts.total ?? ''))),
  ),
  defect(
    'PAG-03',
    'limit',
    'The list reports a size above its maximum.',
    { having: 'counted', has: ({ counts, size }) => counts.size !== null && size.maximum !== null },
    (page) => saying(page, page.stated.counts.size, (page.stated.size.maximum ?? 0) + 1),
  ),
  defect(
    'PAG-04',
    'total-pages',
    'The list counts one page too many.',
    { having: 'paged', has: ({ counts }) => counts.pages !== null },
    (page) => {
      const { pages } = page.stated.counts;
      const told = numberAt(page, pages);
      return told === null ? null : saying(page, pages, told + 2);
    },
  ),
  defect(
    'PAG-04',
    'page',
    'The list tells another page than was asked for.',
    {
      ...{ having: 'paged', lacks: 'no page was asked for by its number' },
      has: ({ style, counts }) => style === 'page' && counts.page !== null,
    },
    (page) => {
      const { counts, parameters } = page.stated;
      const told = numberAt(page, counts.page);
      const isAsked = told !== null && page.query.get(parameters.turn ?? '') === String(told);
      return isAsked ? saying(page, counts.page, told + 1) : null;
    },
  ),
  defect(
    'PAG-05',
    'over-full',
    'A page holds more items than its limit.',
    {
      ...{ having: 'paged', lacks: 'no page held an item' },
      has: ({ counts, items }) => counts.total !== null && counts.size !== null && items !== null,
    },
    (page) => {
      const { counts, items } = page.stated;
      const [size, own] = [numberAt(page, counts.size), items === null ? null : valueAt(page.body, items)];
      if (size === null || !Array.isArray(own) || own.length === 0) return null;
      return saying(
        page,
        items,
        Array.from({ length: size + 1 }, (_, index) => own[index % own.length]),
      );
    },
  ),
  defect('PAG-11', 'link', 'The list sends a Link header.', { having: 'any', has: () => true }, () => ({
    headers: { link: '</next>; rel="next"' },
  })),
];
