// PAG: pages that go wrong where a parameter is left out, or a filter stands beside those of the page.
import type { Deviation } from '../deviation.ts';
import type { Route } from '../http/call.ts';
import { asObject, type JsonObject } from '../json.ts';
import { fault } from './fault.ts';
import { isList, type ListPage, moved, onPages } from './pages.ts';

const isOffsetList = isList('offset', { bare: true });
const isPageList = isList('page', { bare: false });
const FILTERED = '/customers';
const MEMBER = 'marketing';
const SEARCH = 'search';
const TEN = 10;

export const PAGES_ASKED_BRIEFLY: readonly Deviation[] = [
  fault(
    'pag-07-offset-alone',
    'Without a limit one list takes no notice of its offset.',
    onPages('a list by limit and offset', isOffsetList, (page) =>
      page.call.query.limit === undefined ? moved(page, -page.offset) : page.items,
    ),
    { alsoBreaks: ['PAG-10'] },
  ),
  fault(
    'pag-07-limit-alone',
    'Without an offset one list leaves out its first item.',
    onPages('a list by limit and offset', isOffsetList, (page) =>
      page.call.query.offset === undefined ? moved(page, 1) : page.items,
    ),
    { alsoBreaks: ['PAG-10'] },
  ),
  fault(
    'pag-08-page-alone',
    'Without a limit one list has ten items on each page after its first.',
    onPages('a list by limit and page', isPageList, ({ call, all, page, items }) =>
      call.query.limit === undefined && page > 1 ? all.slice((page - 1) * TEN, page * TEN) : items,
    ),
    { alsoBreaks: ['PAG-05', 'PAG-06'] },
  ),
  fault(
    'pag-06-told-total',
    'One list whose form is open answers an envelope of its own, whose total is one more than it has.',
    ownEnvelope((count) => ({ total: count + 1 })),
    { describe: describeOpenForm },
  ),
  fault(
    'pag-07-other-plans',
    'To other plans than the one that asks first one list leaves out the first item of each page after its first.',
    (around) => {
      let first: string | null = null;
      return onPages('a list by limit and offset', isOffsetList, (page) => {
        first ??= page.call.key?.plan ?? null;
        return page.call.key?.plan !== first && page.offset > 0 ? moved(page, 1) : page.items;
      })(around);
    },
    { alsoBreaks: ['PAG-10'] },
  ),
  underFilter('filter-forgotten', 'One list forgets its filter from its second page on.', (page) =>
    page.offset > 0 ? page.items : filtered(page),
  ),
  underFilter('search-forgotten', 'One list forgets what is searched for from its second page on.', (page) =>
    page.offset > 0 ? cut(page, page.all.filter(fits(page))) : filtered(page),
  ),
  underFilter('filtered-after-cut', 'One list is cut into pages before it is filtered.', (page) =>
    page.items.filter(fits(page)),
  ),
];

/** Puts the items of the one list that pages by an offset into an envelope of its own, beside what it tells of them. */
export function ownEnvelope(meta: (count: number) => JsonObject) {
  return onPages('a list by limit and offset', isFiltered, ({ answer, all }) => {
    answer.body = { items: answer.body, meta: meta(all.length) };
    return null;
  });
}

/** A fault of the list that filters are described on. */
function underFilter(name: string, description: string, change: (page: ListPage) => readonly unknown[]): Deviation {
  const hooks = onPages('a list by limit and offset whose items tell apart', isFiltered, change);
  return fault(`pag-07-${name}`, description, hooks, { describe: describeFilters });
}

export function isFiltered(route: Route): boolean {
  return route.operation.path.endsWith(FILTERED) && isOffsetList(route);
}

/** The page of the items that the filter and what is searched for leave. */
export function filtered(page: ListPage): readonly unknown[] {
  return cut(page, page.all.filter(fits(page)).filter(holds(page)));
}

function cut({ offset, limit }: ListPage, items: readonly unknown[]): readonly unknown[] {
  return items.slice(offset, offset + limit);
}

function fits({ call }: ListPage): (item: unknown) => boolean {
  const asked = call.query[MEMBER];
  return (item) => asked === undefined || String(asObject(item)[MEMBER] === true) === asked;
}

function holds({ call }: ListPage): (item: unknown) => boolean {
  const asked = String(call.query[SEARCH] ?? '').toLowerCase();
  const isIn = (value: unknown): boolean => typeof value === 'string' && value.toLowerCase().includes(asked);
  return (item) => asked === '' || Object.values(asObject(item)).some(isIn);
}

/** The filter and the search as their list describes them. */
export function describeFilters(roots: ReadonlyMap<string, JsonObject>): void {
  for (const root of roots.values()) {
    const list = Object.entries(asObject(root.paths)).find(([path]) => path.endsWith(FILTERED));
    const get = asObject(asObject(list?.[1]).get);
    if (!Array.isArray(get.parameters)) continue;
    get.parameters.push({ name: MEMBER, in: 'query', schema: { type: 'boolean' } });
    get.parameters.push({ name: SEARCH, in: 'query', schema: { type: 'string', maxLength: 80 } });
  }
}

/** The list of the filter may answer an array or an envelope. */
export function describeOpenForm(roots: ReadonlyMap<string, JsonObject>): void {
  for (const root of roots.values()) {
    const list = Object.entries(asObject(root.paths)).find(([path]) => path.endsWith(FILTERED));
    const responses = asObject(asObject(asObject(list?.[1]).get).responses);
    const json = asObject(asObject(asObject(responses['200']).content)['application/json']);
    if (json.schema !== undefined) json.schema = { anyOf: [json.schema, { type: 'object' }] };
  }
}
