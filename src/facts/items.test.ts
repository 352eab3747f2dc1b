import { describe, expect, it } from 'vitest';
import { createdObject, idOf, itemsOf } from './items.ts';

describe('the created object', () => {
  it.each([
    ['the body', { id: 1, name: 'a' }, { id: 1, name: 'a' }],
    ['what the body wraps', { data: { id: 1 } }, { id: 1 }],
    ['what stands beside a flag', [{ id: 1 }, true], { id: 1 }],
    ['none in a list', [{ id: 1 }], null],
    ['none in a list of several', [{ id: 1 }, { id: 2 }], null],
  ])('is %s', (_name, body, object) => {
    expect(createdObject(body)).toEqual(object);
  });
});

describe('items of a list answer', () => {
  const items = [{ id: 1 }, { id: 2 }];
  it.each([
    ['a bare array', items],
    ['data', { data: items, total: 2 }],
    ['items', { items }],
    ['results', { results: items }],
    ['an envelope in an envelope', { data: { records: items } }],
    ['a member of any name', { total: 2, stores: items }],
    ['a member of any name below others', { result: { stores: items }, meta: { total: 2 } }],
    ['the member that has the name of the list', { owners: [{ id: 9 }], stores: items }],
    ['the member that is no companion of items', { facets: [{ id: 9 }], found: items }],
    ['a map by id', { 1: {}, 2: {} }],
    ['a map by id that says the ids as well', { data: { 1: { id: 1 }, 2: { id: 2 } } }],
  ])('are found in %s', (_name, body) => {
    expect(itemsOf(body, 'stores').map((item) => ({ id: Number((item as { id: unknown }).id) }))).toEqual(items);
  });

  it('are none in a map of which a key is no id, or a value no object', () => {
    const id = 'ee411bc1-2814-43ea-8dc1-30d895ce4608';
    expect(itemsOf({ [id]: { name: 'a' } })).toEqual([{ id, name: 'a' }]);
    expect(itemsOf({ [id]: { name: 'a' }, owner: { name: 'b' } })).toEqual([]);
    expect(itemsOf({ [id]: { name: 'a' }, 7: 'b' })).toEqual([]);
  });

  it('are none in envelopes without end', () => {
    const nested = JSON.parse(`${'{"data":'.repeat(100_000)}[{"id":1}]${'}'.repeat(100_000)}`);
    expect(itemsOf(nested)).toEqual([]);
  });

  it('are those at the configured place, or none', () => {
    const body = { data: [{ id: 9 }], held: { 'a/b': items } };
    expect(itemsOf(body, '', '/held/a~1b')).toEqual(items);
    expect(itemsOf(body, '', '/held/other')).toEqual([]);
  });

  it.each([null, 'text', 7, {}, { total: 0 }, { tags: ['a'] }, { id: 's', settings: { domains: items } }])(
    'are none in %j',
    (body) => {
      expect(itemsOf(body)).toEqual([]);
    },
  );
});

describe('the id of an item', () => {
  it.each([
    [{ id: 'a', storeId: 'b' }, 'storeId', 'stores', 'b'],
    [{ id: 'a', name: 'b' }, 'storeId', 'stores', 'a'],
    [{ id: 'a', name: 'b' }, 'id_or_name', 'stores', 'a'],
    [{ id: 'a', name: 'b' }, 'store_name', 'stores', 'b'],
    [{ store_id: 'a' }, 'storeId', 'stores', 'a'],
    [{ ID: 7 }, 'storeId', 'stores', '7'],
    [{ uuid: 'a' }, 'storeId', 'stores', 'a'],
    [{ categoryId: 'a' }, 'x', 'categories', 'a'],
    [{ boxId: 'a' }, 'x', 'boxes', 'a'],
    [{ currency_code: 'EUR', name: 'Euro' }, 'x', 'currencies', 'EUR'],
    [{ code: 'EUR', name: 'Euro' }, 'currencyCode', 'currencies', 'EUR'],
    [{ slug: 'a', name: 'b' }, 'theme', 'themes', 'a'],
    [{ version: '1.0', name: 'First' }, 'versionExpression', 'versions', '1.0'],
    [{ id: '' }, 'storeId', 'stores', null],
    [{ id: 1.5 }, 'storeId', 'stores', null],
    [{ id: { nested: 1 } }, 'storeId', 'stores', null],
    [{}, 'storeId', 'stores', null],
  ])('of %j for %s in %s is %j', (item, parameter, noun, id) => {
    expect(idOf(item, parameter, noun)).toBe(id);
  });
});
