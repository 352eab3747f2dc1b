import { beforeAll, describe, expect, it } from 'vitest';
import { loadShop } from '../../../test/support/probes/world.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import { createCatalogue } from '../../openapi/model/catalogue.ts';
import { NOWHERE, scopeOf, shareOf } from './shard.ts';

let all: readonly Described[];
beforeAll(async () => {
  all = createCatalogue([await loadShop()]).operations;
});

const keysOf = (operations: readonly Described[]): readonly string[] =>
  operations.map(({ operation }) => operation.key);
const parts = (count: number) => Array.from({ length: count }, (_, at) => shareOf(all, { index: at + 1, count }));

describe('shards', () => {
  it.each([1, 2, 3, 7])('of %i runs own every operation once, and as many as the others but one', (count) => {
    const owned = parts(count).map(({ own }) => own);
    expect(keysOf(owned.flat()).toSorted()).toEqual(keysOf(all).toSorted());
    const sizes = owned.map((own) => own.length);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  });

  it('call, beside their own operations, what lists or creates for path parameters, and items of what they create', () => {
    for (const { own, called } of parts(3)) {
      const foreign = called.filter((described) => !own.includes(described));
      expect(called).toEqual(expect.arrayContaining([...own]));
      const creates = own.filter(({ operation }) => operation.method === 'POST').map(({ operation }) => operation.path);
      for (const { operation } of foreign.filter(({ operation: { path } }) => path.endsWith('}')))
        expect(creates).toContain(operation.path.slice(0, operation.path.lastIndexOf('/')));
    }
  });

  it('answer in the first for what concerns no operation, and for what filters left out', () => {
    const [left, ...selected] = all;
    const spot = { service: left?.operation.service ?? '', operation: left?.operation.key ?? '' };
    const shares = [1, 2, 3].map((index) => shareOf(selected, { index, count: 3 }));
    expect(shares.map(({ performs }) => [performs(NOWHERE), performs(spot)])).toEqual([
      [true, true],
      [false, false],
      [false, false],
    ]);
  });

  it('book whatever their own experiments call', () => {
    const spots = all.map(({ operation: { service, key } }) => ({ service, operation: key }));
    for (const { books } of parts(2)) expect(spots.every(books)).toBe(true);
  });

  it('share a scope that filters change', () => {
    expect(scopeOf(all, [])).toBe(scopeOf(all, []));
    expect(scopeOf(all.slice(1), [])).not.toBe(scopeOf(all, []));
    expect(scopeOf(all, ['ERR-04'])).not.toBe(scopeOf(all, []));
  });
});
