// Lists whose answers hold two arrays of items: told apart where something tells, else by the configuration.
import { describe, expect, it } from 'vitest';
import { examine, type ListSetup, loadLists } from '../../../test/support/probes/pagination/lists.ts';

const description = await loadLists();

/** Both arrays follow the limit; the second one loses an item beyond offset 50. */
const TWO: ListSetup = {
  kind: 'offset',
  slice: ({ all, offset, limit }) => all.slice(offset > 50 ? offset + 1 : offset).slice(0, limit),
  body: ({ items, all, offset, limit }) => ({ draft: all.slice(offset, offset + limit), live: items }),
};

describe('a list with two arrays that both follow the limit', () => {
  it('is not judged, and the reason names the key that tells', async () => {
    const { blamed, outcomes } = await examine(description, TWO);
    expect(blamed).toEqual([]);
    expect(outcomes.find(({ clause }) => clause === 'PAG-07')?.judgement).toMatchObject({
      kind: 'cannot-tell',
      reasonCode: 'precondition',
      reason:
        'of 2 arrays none is told apart from the others: "lists" in the configuration can say which array holds the items',
    });
  });

  it('is judged by the array that is configured', async () => {
    expect((await examine(description, { ...TWO, place: '/live' })).blamed).toEqual(['PAG-07']);
    expect((await examine(description, { ...TWO, place: '/draft' })).blamed).toEqual([]);
  });

  it('is not judged where no array stands at the configured place', async () => {
    const { outcomes } = await examine(description, { ...TWO, place: '/data/rows' });
    expect(outcomes.find(({ clause }) => clause === 'PAG-07')?.judgement).toMatchObject({
      reason: 'no array stands at "/data/rows", where "lists" in the configuration says that the items are',
    });
  });
});

it.each<[string, ListSetup]>([
  ['facets beside few items', { kind: 'page', size: 3, body: ({ items }) => ({ facets: [{}, {}, {}], hits: items }) }],
  ['an empty list of errors', { kind: 'offset', body: ({ items }) => ({ errors: [], found: { all: items } }) }],
  ['what the items refer to', { kind: 'page', body: ({ items }) => ({ included: [...items, {}], data: items }) }],
  [
    'a constant array of objects',
    { kind: 'offset', size: 4, body: ({ items }) => ({ a: [{}, {}, {}, {}], b: items }) },
  ],
  [
    'an array of one object, beside one item',
    { kind: 'page', size: 1, body: ({ items }) => ({ links: [{}], all: items }) },
  ],
])('%s is not taken for the items', async (_name, setup) => {
  const { blamed, outcomes } = await examine(description, setup);
  expect(blamed).toEqual([]);
  expect(outcomes.filter(({ judgement }) => judgement.kind === 'holds').length).toBeGreaterThan(0);
});
