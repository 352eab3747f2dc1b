import { describe, expect, it } from 'vitest';
import { idOf, itemsOf, Knowledge } from './knowledge.ts';

const STORES = '/api/v1/stores';
const values = (ids: readonly { readonly value: string }[]): readonly string[] => ids.map(({ value }) => value);

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
  ])('are found in %s', (_name, body) => {
    expect(itemsOf(body, 'stores')).toEqual(items);
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
    [{ store_id: 'a' }, 'storeId', 'stores', 'a'],
    [{ ID: 7 }, 'storeId', 'stores', '7'],
    [{ uuid: 'a' }, 'storeId', 'stores', 'a'],
    [{ categoryId: 'a' }, 'x', 'categories', 'a'],
    [{ boxId: 'a' }, 'x', 'boxes', 'a'],
    [{ currency_code: 'EUR', name: 'Euro' }, 'x', 'currencies', 'EUR'],
    [{ code: 'EUR', name: 'Euro' }, 'currencyCode', 'currencies', 'EUR'],
    [{ slug: 'a', name: 'b' }, 'theme', 'themes', 'a'],
    [{ id: '' }, 'storeId', 'stores', null],
    [{ id: 1.5 }, 'storeId', 'stores', null],
    [{ id: { nested: 1 } }, 'storeId', 'stores', null],
    [{}, 'storeId', 'stores', null],
  ])('of %j for %s in %s is %j', (item, parameter, noun, id) => {
    expect(idOf(item, parameter, noun)).toBe(id);
  });
});

describe('knowledge', () => {
  it('offers what was created before what was listed, the newest first', () => {
    const knowledge = new Knowledge();
    knowledge.noteListed(STORES, [{ id: 'listed' }]);
    knowledge.noteCreated(STORES, { id: 'first' });
    knowledge.noteCreated(STORES, { data: { id: 'second' } });
    expect(knowledge.idsAt(STORES, 'storeId')).toEqual([
      { value: 'second', created: true },
      { value: 'first', created: true },
      { value: 'listed', created: false },
    ]);
    expect(['first', 'listed', 'other'].map((id) => knowledge.isCreated(id))).toEqual([true, false, false]);
  });

  it('knows a collection by its concrete path', () => {
    const knowledge = new Knowledge();
    knowledge.noteListed('/api/v1/stores/a/domains', [{ id: 'd1' }]);
    expect(knowledge.idsAt('/api/v1/stores/b/domains', 'domainId')).toEqual([]);
  });

  it.each([
    ['storeId', '/api/v1/stores'],
    ['store_id', '/api/v1/my/stores'],
    ['category_id', '/api/v1/categories'],
    ['boxUuid', '/api/v1/boxes'],
    ['addressId', '/api/v1/addresses'],
  ])('finds ids for %s in %s', (parameter, path) => {
    const knowledge = new Knowledge();
    knowledge.share();
    knowledge.noteListed(path, [{ id: 'a' }]);
    expect(values(knowledge.idsByNoun(parameter))).toEqual(['a']);
  });

  it('finds ids in a property of other objects where no collection has the noun', () => {
    const knowledge = new Knowledge();
    knowledge.share();
    knowledge.noteListed('/api/v1/orders', [{ id: 'o1', customer_id: 'c1' }]);
    expect(values(knowledge.idsByNoun('customerId'))).toEqual(['c1']);
    expect(knowledge.idsByNoun('id')).toEqual([]);
  });

  it('offers nothing to other resources before it is shared', () => {
    const knowledge = new Knowledge();
    knowledge.noteListed('/api/v1/stores', [{ id: 'a' }]);
    expect(knowledge.idsByNoun('storeId')).toEqual([]);
    expect(values(knowledge.idsAt('/api/v1/stores', 'storeId'))).toEqual(['a']);
    knowledge.share();
    expect(values(knowledge.idsByNoun('storeId'))).toEqual(['a']);
  });

  it('tells what a list showed, under its own path', () => {
    const knowledge = new Knowledge();
    knowledge.noteListed(STORES, [{ id: 'a' }]);
    knowledge.noteCreated(STORES, { id: 'b' });
    expect(['a', 'b'].map((id) => knowledge.isListed(STORES, id))).toEqual([true, false]);
    expect(knowledge.isListed('/api/v1/products', 'a')).toBe(false);
  });

  it('forgets what was deleted, created or listed', () => {
    const knowledge = new Knowledge();
    knowledge.noteListed(STORES, [{ id: 'a' }, { id: 'b' }]);
    knowledge.noteCreated(STORES, { id: 'c' });
    for (const id of ['a', 'c', 'nobody']) knowledge.forget(STORES, id);
    expect(values(knowledge.idsAt(STORES, 'storeId'))).toEqual(['b']);
  });

  it('is bounded, however many items a list shows', () => {
    const knowledge = new Knowledge();
    knowledge.noteListed(
      STORES,
      Array.from({ length: 5_000 }, (_, id) => ({ id })),
    );
    expect(knowledge.idsAt(STORES, 'storeId').length).toBeLessThan(200);
  });

  it('offers an id once, however often it was listed', () => {
    const knowledge = new Knowledge();
    for (let look = 0; look < 3; look += 1) knowledge.noteListed(STORES, [{ id: 'a' }, { id: 'b' }]);
    expect(values(knowledge.idsAt(STORES, 'storeId'))).toEqual(['a', 'b']);
  });

  it('forgets the object of that id, not one that refers to it', () => {
    const knowledge = new Knowledge();
    knowledge.noteCreated(STORES, { id: 'child', parent: 'root' });
    knowledge.noteCreated(STORES, { id: 'root' });
    knowledge.forget(STORES, 'root');
    expect(values(knowledge.idsAt(STORES, 'storeId'))).toEqual(['child']);
  });
});
