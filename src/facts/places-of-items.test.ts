import { expect, it } from 'vitest';
import { itemsAt, placeOf } from './places-of-items.ts';

const three = [{ id: 1 }, { id: 2 }, { id: 3 }];

it.each<[string, readonly unknown[], string | null, string | undefined]>([
  ['a bare array', [[]], '', 'sure'],
  ['the only array, whatever its name', [{ meta: {}, wares: [] }], '/wares', 'sure'],
  ['an envelope in an envelope', [{ result: { items: [1] }, meta: { tags: ['a'] } }], '/result/items', 'likely'],
  ['the name of the list', [{ facets: [{}], Products: three, count: 3 }], '/Products', 'likely'],
  ['no companion, though the items are none', [{ errors: [], wares: [] }], '/wares', 'likely'],
  ['no companion, though it has objects and the items are texts', [{ links: [{}], codes: ['a'] }], '/codes', 'likely'],
  [
    'the array that follows the limit',
    [
      { colours: [{}, {}], wares: [{}] },
      { colours: [{}, {}], wares: three },
    ],
    '/wares',
    'sure',
  ],
  [
    'the usual name, where others follow the limit, too',
    [
      { included: three, data: three },
      { included: [{}], data: [{}] },
    ],
    '/data',
    'likely',
  ],
  ['the first, where nothing tells', [{ left: three, right: three }], '/left', 'cannot-tell'],
  ['names that a pointer escapes', [{ 'a/b~c': { items: three } }], '/a~1b~0c/items', 'sure'],
  ['nothing without an array', [{ total: 3 }], null, undefined],
  ['nothing in a text', ['text'], null, undefined],
])('finds %s', (_name, bodies, pointer, confidence) => {
  const placed = placeOf(bodies, 'products');
  expect([placed?.pointer ?? null, placed?.confidence]).toEqual([pointer, confidence]);
  if (pointer !== null) expect(itemsAt(bodies[0], pointer)).not.toBeNull();
});
