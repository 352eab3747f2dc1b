// Oddities of lists that are allowed: others who write, clamps, envelopes, items without ids. Nothing is blamed, and what
// can be judged is judged within the allowance.
import { describe, expect, it } from 'vitest';
import {
  ALL_LOOKS,
  envelopeOf,
  examine,
  type Item,
  type ListSetup,
  loadLists,
  type Slice,
} from '../../../test/support/probes/pagination/lists.ts';
import type { Breach } from '../../contract/judgement.ts';
import type { Outcome } from '../probe.ts';

const description = await loadLists();

const added = (call: number): Item => ({ id: `new_${call}` });
/** At every n-th call an item is added at the front, at the end, or in turns added and removed. */
const writer =
  (every: number, where: 'front' | 'end' | 'turns') =>
  (items: Item[], call: number): void => {
    if (call % every !== 0) return;
    if (where === 'end') items.push(added(call));
    else if (where === 'front' || (call / every) % 2 === 1) items.unshift(added(call));
    else items.shift();
  };

/** Past the end the last page is shown, and its number told. */
function lastPageInstead({ all, page, limit }: Slice): unknown {
  const shown = Math.min(page, Math.ceil(all.length / limit));
  const items = all.slice((shown - 1) * limit, shown * limit);
  return { ...envelopeOf({ items, all, limit, page: shown, offset: 0, call: 0, query: new URLSearchParams() }) };
}

const AT_REST: readonly (readonly [name: string, setup: ListSetup])[] = [
  ['the log', { kind: 'log' }],
  ['a long log', { kind: 'log', size: 1900 }],
  ['a log that refuses limits above 100', { kind: 'log', refuses: true }],
  ['a log that takes limits above 100 for none', { kind: 'log', size: 143, refuses: true, lenient: true }],
  ['an empty log', { kind: 'log', size: 0 }],
  ['a list of one item', { kind: 'offset', size: 1 }],
  ['a list as long as its maximum', { kind: 'page', size: 100 }],
  ['a list longer than its maximum', { kind: 'offset', size: 5000 }],
  ['a maximum of 50', { kind: 'page', maximum: 50 }],
  ['a maximum one or two items short of the list', { kind: 'offset', size: 252, maximum: 250 }],
  ['a maximum one item short of the list by pages', { kind: 'page', size: 101, maximum: 100 }],
  ['a maximum of 10', { kind: 'offset', maximum: 10 }],
  ['a maximum of 50, refused above', { kind: 'offset', maximum: 50, refuses: true }],
  ['a maximum of 50, ignored above', { kind: 'page', maximum: 50, refuses: true, lenient: true }],
  ['bad values answered by defaults', { kind: 'page', lenient: true }],
  [
    'an envelope with the items two levels down',
    { kind: 'offset', body: ({ items }) => ({ meta: { tags: ['a'] }, data: { items } }) },
  ],
  [
    'an envelope with several arrays',
    { kind: 'page', body: ({ items }) => ({ filters: [{}, {}, {}], currencies: items }) },
  ],
  [
    'an envelope with 404 past the end',
    {
      kind: 'page',
      body: ({ items }) => ({ items }),
      twist: (answer, { items }) => (items.length > 0 ? answer : { status: 404, body: {} }),
    },
  ],
  ['an envelope with the last page past the end', { kind: 'page', body: lastPageInstead }],
  [
    'an envelope with its total',
    { kind: 'offset', body: ({ items, all }) => ({ items, meta: { total: all.length } }) },
  ],
  [
    'an envelope that counts the items of its page',
    { kind: 'page', body: ({ items }) => ({ results: items, count: items.length }) },
  ],
  [
    'an envelope that counts all there is beside what is found',
    { kind: 'offset', body: ({ items, all }) => ({ items, total: 4 * all.length, total_found: all.length }) },
  ],
  [
    'an envelope whose total is null, or a text',
    { kind: 'page', body: ({ items, page }) => ({ items, total: page === 1 ? null : 'many' }) },
  ],
  [
    'a list that shows others to other accounts, and fewer',
    { kind: 'offset', other: { size: 31, item: (index) => ({ id: `theirs_${index}` }) } },
  ],
  ['a list that is empty for other accounts', { kind: 'page', other: { size: 0 } }],
  ['a maximum of 5 for another plan', { kind: 'page', other: { maximum: 5 } }],
  ['items with a time of their own', { kind: 'log', item: (index, call) => ({ id: index, last_seen: call }) }],
  [
    'items without ids, with a time of their own',
    { kind: 'log', item: (index, call) => ({ code: `c${index}`, last_seen: call }) },
  ],
  ['items that are all equal', { kind: 'log', item: () => ({ type: 'login' }) }],
  ['strings, some equal', { kind: 'offset', item: (index) => `s${index % 5}` }],
  ['a limit alone, newest first', { kind: 'limit', slice: ({ all, limit }) => all.toReversed().slice(0, limit) }],
  [
    'a list that fails now and then',
    { kind: 'offset', twist: (answer, { call }) => (call % 9 === 0 ? { status: 503, body: {} } : answer) },
  ],
];

const WRITTEN: readonly (readonly [name: string, setup: ListSetup])[] = [
  ['an item added at every fifth call', { kind: 'log', write: writer(5, 'front') }],
  ['an item added at the end, every fifth call', { kind: 'offset', write: writer(5, 'end') }],
  ['an item added at every call', { kind: 'log', write: writer(1, 'front') }],
  ['items added and removed in turns', { kind: 'log', write: writer(2, 'turns') }],
  [
    'an item added at every third call, in an envelope with its total',
    { kind: 'offset', write: writer(3, 'end'), body: ({ items, all }) => ({ items, meta: { total: all.length } }) },
  ],
  ['items added and removed in turns, slowly', { kind: 'page', write: writer(6, 'turns') }],
  ['a growing list by limit', { kind: 'limit', write: writer(2, 'front') }],
  ['a list that grows beyond its maximum', { kind: 'page', size: 24, maximum: 25, write: writer(9, 'end') }],
  [
    'a list as long as its maximum that grows once by one',
    { kind: 'page', size: 25, maximum: 25, write: (items, call) => void (call === 8 && items.push({ id: 'new' })) },
  ],
  ['a list that grows from nothing', { kind: 'offset', size: 0, lenient: true, write: writer(3, 'end') }],
];

describe('a list at rest', () => {
  it.each(AT_REST)('%s: nothing is blamed', async (_name, setup) => {
    const { blamed, outcomes, requests } = await examine(description, setup, ALL_LOOKS);
    expect(blamed).toEqual([]);
    expect(requests[0]).toBeLessThanOrEqual(38);
    expect(requests[1]).toBeLessThanOrEqual(92);
    expect(requests[2]).toBeLessThanOrEqual(300);
    expect(outcomes.some(({ judgement }) => judgement.kind === 'holds')).toBe(true);
  });
});

describe('a list that others write to', () => {
  it.each(WRITTEN)('%s: nothing is blamed', async (_name, setup) => {
    expect((await examine(description, setup, ALL_LOOKS)).blamed).toEqual([]);
  });

  it('has its first page judged once it keeps still while that is read', async () => {
    // The first items go to the end: once after the page without parameters was read, once while it is read again.
    const setup: ListSetup = {
      kind: 'log',
      write: (items, call) => (call === 4 || call === 9 ? items.push(...items.splice(0, 1)) : undefined),
    };
    const { blamed, outcomes } = await examine(description, setup, [0]);
    expect(blamed).toEqual([]);
    expect(outcomes.find(({ clause }) => clause === 'PAG-02')?.judgement).toMatchObject({ kind: 'holds' });
  });

  it('is not judged by a walk when it changes at every call', async () => {
    const { outcomes } = await examine(description, { kind: 'log', write: writer(1, 'front') }, [0]);
    expect(outcomes.find(({ clause }) => clause === 'PAG-06')?.judgement).toMatchObject({
      kind: 'cannot-tell',
      reasonCode: 'precondition',
    });
  });
});

it('a breach tells its smallest case, with seed and path, and points to both pages', async () => {
  const skipping: ListSetup = {
    kind: 'offset',
    slice: ({ all, offset, limit }) => all.slice(offset > 50 ? offset + 1 : offset).slice(0, limit),
  };
  const { outcomes } = await examine(description, skipping, [0]);
  const found = outcomes.find(({ clause }) => clause === 'PAG-07');
  expect(found?.judgement).toMatchObject({ kind: 'breached' });
  const [breach] = found?.judgement.kind === 'breached' ? found.judgement.breaches : [];
  expect(breach?.message).toMatch(
    /smallest case: limit=100&offset=0, then limit=\d+&offset=51 \(fast-check seed -?\d+, path "[\d:]+"\)$/,
  );
  expect(found?.evidence.map(({ plan }) => plan.query)).toEqual([
    'limit=100&offset=0',
    expect.stringMatching(/offset=51$/),
  ]);
});

it('the case of a breach alone shows it again, with fewer requests', async () => {
  const rounding: ListSetup = {
    kind: 'offset',
    slice: ({ all, offset, limit }) => all.slice(offset - (offset % limit)).slice(0, limit),
  };
  const [first, deep] = await Promise.all([[0], [1]].map((depths) => examine(description, rounding, depths)));
  for (const [depth, whole] of [first!, deep!].entries()) {
    const found = breachesOf(whole.outcomes, 'PAG-07').find(({ property }) => property !== undefined);
    expect(found?.property?.probe).toBe(depth === 0 ? 'pagination/first' : 'pagination/deep');
    const again = await examine(description, rounding, [depth], { again: found!.property! });
    expect(breachesOf(again.outcomes, 'PAG-07')).toMatchObject([{ cause: found!.cause, property: found!.property! }]);
    expect(again.requests[0]).toBeLessThan(whole.requests[0]! / 2);
    const mended = await examine(description, { kind: 'offset' }, [depth], { again: found!.property! });
    expect(mended.blamed).toEqual([]);
  }
});

it('the case of a breach shows it in a list that has grown or shrunk, and asks for no page beyond its end', async () => {
  const shifted: ListSetup = {
    kind: 'log',
    size: 137,
    slice: ({ all, offset, limit, page, items }) =>
      limit === 37 && page === 3 ? all.slice(offset + 1, offset + 1 + limit) : items,
  };
  const [found] = breachesOf((await examine(description, shifted, [2])).outcomes, 'PAG-06');
  expect(found?.property?.pages).toEqual([{ limit: 37, at: expect.any(Number) }]);
  for (const size of [120, 140, 180]) {
    const again = await examine(description, { ...shifted, size }, [2], { again: found!.property! });
    expect(breachesOf(again.outcomes, 'PAG-06')).toMatchObject([{ cause: found!.cause }]);
    expect(again.requests[0]).toBeLessThan(20);
  }
  const refusing: ListSetup = {
    ...shifted,
    size: 30,
    twist: (answer, { offset, all }) => (offset < all.length ? answer : { status: 404, body: {} }),
  };
  expect((await examine(description, refusing, [2], { again: found!.property! })).blamed).toEqual([]);
});

function breachesOf(outcomes: readonly Outcome[], clause: string): readonly Breach[] {
  return outcomes.flatMap((one) =>
    one.clause === clause && one.judgement.kind === 'breached' ? one.judgement.breaches : [],
  );
}

it('the same seed sends the same requests', async () => {
  const twice = await Promise.all([1, 2].map(async () => (await examine(description, { kind: 'log' })).queries));
  expect(twice[0]).toEqual(twice[1]);
});
