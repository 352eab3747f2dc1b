import { describe, expect, it } from 'vitest';
import { Knowledge } from './knowledge.ts';

const STORES = '/api/v1/stores';
const values = (ids: readonly { readonly value: string }[]): readonly string[] => ids.map(({ value }) => value);

describe('knowledge', () => {
  it('offers what was created before what was listed, the newest first', () => {
    const knowledge = new Knowledge();
    knowledge.noteListed(STORES, [{ id: 'listed' }]);
    knowledge.noteCreated(STORES, { id: 'first' });
    knowledge.noteCreated(STORES, { data: { id: 'second' } });
    expect(knowledge.idsAt(STORES, 'storeId')).toEqual([
      { value: 'second', created: true, own: true },
      { value: 'first', created: true, own: true },
      { value: 'listed', created: false, own: false },
    ]);
    expect(['first', 'listed', 'other'].map((id) => knowledge.isCreated(id))).toEqual([true, false, false]);
  });

  it('knows as its own what an earlier run left, whatever it is called, and once', () => {
    const knowledge = new Knowledge();
    knowledge.noteLeft(STORES, 'left', { data: { id: 'left', name: 'of nobody' } });
    knowledge.noteLeft(STORES, 'bare', null);
    knowledge.noteListed(STORES, [{ id: 'left' }, { id: 'theirs' }]);
    expect(knowledge.idsAt(STORES, 'storeId')).toEqual([
      { value: 'left', created: false, own: true },
      { value: 'bare', created: false, own: true },
      { value: 'theirs', created: false, own: false },
    ]);
  });

  it('offers the same ids in the same order, whichever collection was read first', () => {
    const paths = ['/api/v1/shops/s1/stores', '/api/v1/stores', '/api/v1/my/stores'];
    const offered = [paths, paths.toReversed()].map((order) => {
      const knowledge = new Knowledge();
      for (const path of order) knowledge.noteListed(path, [{ id: `of ${path}`, ownerId: `o ${path}` }]);
      knowledge.share();
      return [knowledge.idsByNoun('storeId'), knowledge.idsByNoun('ownerId')].map(values);
    });
    expect(offered[0]).toEqual(offered[1]);
    expect(offered[0]?.[0]).toEqual(
      ['/api/v1/stores', '/api/v1/my/stores', '/api/v1/shops/s1/stores'].map((path) => `of ${path}`),
    );
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
