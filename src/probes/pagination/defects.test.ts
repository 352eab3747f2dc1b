// Defects of lists, each of which is blamed on its clause; most show at one limit, one border or one call in seven. Those that the
// platform has as a fault (src/platform/faults/pag.ts) are tried in test/faults/paging.test.ts alone.
import { expect, it } from 'vitest';
import { shareDue } from '../../../test/programme.ts';
import {
  breachesOf,
  EVERY_LOOK,
  envelopeOf,
  examine,
  type Item,
  type ListSetup,
  loadLists,
  type Slice,
} from '../../../test/support/probes/pagination/lists.ts';

const description = await loadLists();

function enveloped(change: (slice: Slice) => object): Pick<ListSetup, 'body'> {
  return { body: (slice) => ({ ...envelopeOf(slice), ...change(slice) }) };
}

/** Items of a wrong slice where the defect shows. */
function sliced(shows: (slice: Slice) => boolean, wrong: (slice: Slice) => readonly Item[]): Pick<ListSetup, 'slice'> {
  return { slice: (slice) => (shows(slice) ? wrong(slice) : slice.items) };
}

/** The slice moved by so many items. */
const moved =
  (by: number) =>
  ({ all, offset, limit }: Slice) =>
    all.slice(Math.max(0, offset + by), offset + by + limit);
const withoutLast = ({ items }: Slice) => items.slice(0, -1);
const reversed = ({ items }: Slice) => items.toReversed();
const onLastPage = ({ offset, limit, all }: Slice) => offset > 0 && offset + limit >= all.length;
const pagesFor = (total: number, { limit }: Slice) => ({ total, total_pages: Math.ceil(total / limit) });

const DEFECTS: readonly (readonly [clause: string, name: string, setup: ListSetup])[] = [
  ['PAG-03', 'limits above 100 applied', { kind: 'log', maximum: 1000 }],
  [
    'PAG-03',
    '150 items for a limit of 101',
    {
      kind: 'log',
      size: 150,
      ...sliced(
        (s) => s.query.get('limit') === '101',
        (s) => s.all,
      ),
    },
  ],
  [
    'PAG-05',
    'limit 0 answers one item more than the limit named',
    {
      kind: 'log',
      size: 21,
      bad: (query, all) =>
        query.get('limit') === '0'
          ? { status: 200, body: { data: all, total: 21, page: 1, limit: 20, total_pages: 2 } }
          : null,
    },
  ],
  [
    'PAG-06',
    'a limit of 100 refused',
    { kind: 'log', twist: (answer, { query }) => (query.get('limit') === '100' ? { status: 400, body: {} } : answer) },
  ],
  ['PAG-06', 'total one more, the last page full', { kind: 'log', size: 60, ...enveloped((s) => pagesFor(61, s)) }],
  [
    'PAG-06',
    'the page number ignored',
    {
      kind: 'log',
      ...sliced(
        () => true,
        ({ all, limit }) => all.slice(0, limit),
      ),
    },
  ],
  ['PAG-06', 'an item twice, one call in seven', { kind: 'log', ...sliced((s) => s.call % 7 === 0, moved(-1)) }],
  [
    'PAG-06',
    'another order at each call',
    {
      kind: 'log',
      slice: (s) => [...s.all.slice(s.call % 19), ...s.all.slice(0, s.call % 19)].slice(s.offset, s.offset + s.limit),
    },
  ],
  [
    'PAG-06',
    'a count that ends at 50',
    { kind: 'offset', body: ({ items, all }) => ({ results: items, count: Math.min(50, all.length) }) },
  ],
  [
    'PAG-06',
    'a total of one too few on the last page alone',
    {
      kind: 'offset',
      body: (s) => ({ notifications: s.items, totalCount: s.all.length - (onLastPage(s) ? 1 : 0) }),
    },
  ],
  ['PAG-06', 'a wrong last page of 1900 items', { kind: 'log', size: 1901, ...sliced(onLastPage, withoutLast) }],
  ['PAG-07', 'offset ignored', { kind: 'offset', slice: ({ all, limit }) => all.slice(0, limit) }],
  [
    'PAG-07',
    'offset taken for a page',
    { kind: 'offset', slice: ({ all, offset, limit }) => all.slice(offset * limit, (offset + 1) * limit) },
  ],
  [
    'PAG-07',
    'limit 7 holds eight',
    {
      kind: 'offset',
      ...sliced(
        (s) => s.limit === 7,
        (s) => s.all.slice(s.offset, s.offset + 8),
      ),
    },
  ],
  [
    'PAG-07',
    'items without id, one border',
    { kind: 'offset', item: (index) => ({ name: `n${index}` }), ...sliced((s) => s.offset === 50, moved(-1)) },
  ],
  [
    'PAG-07',
    'valid pages refused beyond 30',
    {
      kind: 'offset',
      twist: (answer, s) => (s.offset > 30 && s.items.length > 0 ? { status: 400, body: {} } : answer),
    },
  ],
  [
    'PAG-08',
    'pages from 0',
    {
      kind: 'page',
      ...sliced(
        (s) => s.query.has('page'),
        (s) => moved(s.limit)(s),
      ),
    },
  ],
  [
    'PAG-08',
    'page 3 shows page 2',
    {
      kind: 'page',
      slice: ({ all, page, limit }) => all.slice((Math.min(page, 2) - 1) * limit, Math.min(page, 2) * limit),
    },
  ],
  [
    'PAG-08',
    'a maximum of 30 that loses an item',
    { kind: 'page', maximum: 30, ...sliced((s) => s.page === 2 && s.limit === 30, moved(1)) },
  ],
  [
    'PAG-09',
    'limit 50 ignored',
    {
      kind: 'limit',
      ...sliced(
        (s) => s.limit === 50,
        ({ all }) => all,
      ),
    },
  ],
  ['PAG-10', 'null past the end', { kind: 'offset', body: ({ items }) => (items.length > 0 ? items : null) }],
  [
    'PAG-12',
    'page abc has another code',
    {
      kind: 'log',
      bad: (query) => (query.get('page') === 'abc' ? { status: 400, body: { error: { code: 'bad_request' } } } : null),
    },
  ],
];

it.each(DEFECTS)('%s is breached: %s', async (clause, _name, setup) => {
  const { blamed } = await examine(description, setup);
  expect(blamed).toContain(clause);
});

const AT_ONE_LIMIT: readonly (readonly [clause: string, name: string, setup: ListSetup])[] = [
  ['PAG-06', 'page 2 by 13 begins early', { kind: 'log', ...sliced((s) => s.limit === 13 && s.page === 2, moved(-1)) }],
  ['PAG-06', 'the last page by 17', { kind: 'log', ...sliced((s) => s.limit === 17 && onLastPage(s), withoutLast) }],
  [
    'PAG-06',
    'an item of 3000 lost after the 20th page by 100',
    { kind: 'log', size: 3000, ...sliced((s) => s.limit === 100 && s.page > 20, moved(1)) },
  ],
  [
    'PAG-06',
    'an item of 2500 twice at one border far from both ends',
    { kind: 'log', size: 2500, ...sliced((s) => s.limit === 100 && s.page === 19, moved(-1)) },
  ],
  [
    'PAG-06',
    'an item of 3000 lost beyond the 2000th by every limit',
    { kind: 'log', size: 3000, ...sliced((s) => s.offset >= 2000 && !onLastPage(s), moved(1)) },
  ],
  [
    'PAG-06',
    'an item of 800 twice in the middle of 40 pages by the default limit',
    { kind: 'log', size: 800, ...sliced((s) => s.limit === 20 && s.page === 21, moved(-1)) },
  ],
  [
    'PAG-08',
    'an item of 800 lost in the middle of 16 pages by 50',
    { kind: 'page', size: 800, ...sliced((s) => s.limit === 50 && s.page === 9, moved(1)) },
  ],
  [
    'PAG-07',
    'an item of 800 twice in the middle of 32 pages by 25',
    { kind: 'offset', size: 800, ...sliced((s) => s.limit === 25 && s.offset === 400, moved(-1)) },
  ],
  [
    'PAG-07',
    'one page of 2000 items, whose number no page tells, is in reverse',
    { kind: 'offset', size: 2000, ...sliced((s) => s.offset === 1500 && s.limit > 50, reversed) },
  ],
  ['PAG-07', 'a limit longer than the list', { kind: 'offset', ...sliced((s) => s.limit === 83, withoutLast) }],
  [
    'PAG-07',
    'another order above 150',
    { kind: 'offset', size: 900, maximum: 200, ...sliced((s) => s.limit > 150, reversed) },
  ],
  [
    'PAG-07',
    'limits from 21 on shifted where those above 30 are refused',
    { kind: 'offset', maximum: 30, refuses: true, ...sliced((s) => s.limit > 20 && s.offset > 0, moved(1)) },
  ],
  [
    'PAG-08',
    'limit 29 reversed where limits above 30 are ignored',
    { kind: 'page', usual: 10, maximum: 30, refuses: true, lenient: true, ...sliced((s) => s.limit === 29, reversed) },
  ],
  ['PAG-08', 'limit 64 reversed', { kind: 'page', size: 1000, ...sliced((s) => s.limit === 64, reversed) }],
  [
    'PAG-09',
    'limit 51 from elsewhere',
    {
      kind: 'limit',
      size: 400,
      ...sliced(
        (s) => s.limit === 51,
        ({ all }) => all.slice(300, 351),
      ),
    },
  ],
];

// These take long lists. By day a third of them, others each day.
it.each(shareDue(AT_ONE_LIMIT, 3))('%s is breached at one limit: %s', async (clause, _name, setup) => {
  expect((await examine(description, setup, EVERY_LOOK)).blamed).toContain(clause);
});

it.each([56, 57, 58, 59, 60])('a skipped item has the same cause in a list of %s items', async (size) => {
  const setup: ListSetup = { kind: 'offset', size, ...sliced((s) => s.offset > 50, moved(1)) };
  for (const depth of EVERY_LOOK) {
    const breaches = breachesOf(await examine(description, setup, [depth]));
    expect(breaches.map(({ cause }) => cause)).toEqual(['pages overlap or skip items']);
  }
});

it('the smallest case of a list without a maximum is two pages, one of them a single item', async () => {
  const setup: ListSetup = { kind: 'offset', size: 80, maximum: 1000, ...sliced((s) => s.offset > 50, moved(1)) };
  for (const depth of EVERY_LOOK) {
    const [breach] = breachesOf(await examine(description, setup, [depth]));
    expect(breach?.message).toContain('smallest case: limit=100&offset=0, then limit=1&offset=');
  }
});

it('finds most of them by the first look alone', async () => {
  const found = await Promise.all(
    DEFECTS.map(async ([clause, , setup]) => (await examine(description, setup, [0])).blamed.includes(clause)),
  );
  expect(found.filter(Boolean).length / DEFECTS.length).toBeGreaterThan(0.85);
});
