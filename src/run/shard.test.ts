import { beforeAll, describe, expect, it } from 'vitest';
import type { Described } from '../openapi/catalogue.ts';
import { createCatalogue } from '../openapi/catalogue.ts';
import { loadShop } from '../probes/test-world.ts';
import { scopeOf, shareOf } from './shard.ts';

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

  it('call, beside their own operations, what lists or creates for path parameters', () => {
    for (const { own, called } of parts(3)) {
      const foreign = called.filter((described) => !own.includes(described));
      expect(called).toEqual(expect.arrayContaining([...own]));
      for (const { operation } of foreign) expect(operation.path.endsWith('}')).toBe(false);
    }
  });

  it('book what concerns no operation in every shard, and perform it in the first', () => {
    const nowhere = { service: null, operation: null };
    expect(parts(3).map(({ books }) => books(nowhere))).toEqual([true, true, true]);
    expect(parts(3).map(({ performs }) => performs(nowhere))).toEqual([true, false, false]);
  });

  it('leave what filters left out to the first, which a whole run books, too', () => {
    const [left, ...selected] = all;
    const spot = { service: left?.operation.service ?? '', operation: left?.operation.key ?? '' };
    const shares = [1, 2].map((index) => shareOf(selected, { index, count: 2 }));
    expect(shares.map(({ books, performs }) => [books(spot), performs(spot)])).toEqual([
      [true, true],
      [false, false],
    ]);
    expect(shareOf(selected, null).books(spot)).toBe(true);
  });

  it('share a scope that filters change', () => {
    expect(scopeOf(all, [])).toBe(scopeOf(all, []));
    expect(scopeOf(all.slice(1), [])).not.toBe(scopeOf(all, []));
    expect(scopeOf(all, ['ERR-04'])).not.toBe(scopeOf(all, []));
  });
});
