// Laws of the model of a walk: slices of one list never contradict each other, and one wrong slice does.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exchangeWith } from '../../test/support/checks/exchanges.ts';
import { identityOf, keyOf } from './item-keys.ts';
import { type PageRead, Sequence } from './list-history.ts';

function read(keys: readonly string[], offset: number, limit: number): PageRead {
  const page = { exchange: exchangeWith(), status: 200, place: '', items: keys, paged: null };
  return { ask: { limit, turn: offset }, query: `${limit} ${offset}`, limit, applied: limit, offset, page, keys };
}

function sliceOf(list: readonly string[], { offset, limit }: { offset: number; limit: number }): PageRead {
  return read(list.slice(offset, offset + limit), offset, limit);
}

const lists = fc.integer({ min: 0, max: 60 }).map((size) => Array.from({ length: size }, (_, index) => `id ${index}`));
const slices = fc.array(fc.record({ offset: fc.nat(70), limit: fc.integer({ min: 1, max: 100 }) }), { minLength: 1 });

it('slices of one list never contradict each other', () => {
  fc.assert(
    fc.property(lists, slices, (list, asked) => {
      const seen = new Sequence(true);
      for (const one of asked) {
        const page = sliceOf(list, one);
        expect(seen.conflict(page)).toBeNull();
        seen.learn(page);
      }
    }),
  );
});

it('a slice that lacks, repeats or swaps an item contradicts the whole', () => {
  const spoilers = fc.constantFrom(
    (keys: readonly string[], at: number) => keys.filter((_, index) => index !== at),
    (keys: readonly string[], at: number) => keys.map((key, index) => (index === at ? (keys[at + 1] ?? 'id x') : key)),
    (keys: readonly string[], at: number) => [...keys.slice(0, at), 'id new', ...keys.slice(at)],
  );
  fc.assert(
    fc.property(lists, slices, spoilers, fc.nat(), (list, [asked], spoil, place) => {
      const sound = sliceOf(list, asked ?? { offset: 0, limit: 1 });
      fc.pre(sound.keys.length > 0);
      const wrong = { ...sound, keys: spoil(sound.keys, place % sound.keys.length) };
      expect(new Sequence(true, [sliceOf(list, { offset: 0, limit: list.length + 1 })]).conflict(wrong)).not.toBeNull();
    }),
  );
});

it('a page without items contradicts the whole, though its envelope tells of all of them', () => {
  const list = Array.from({ length: 5 }, (_, index) => `id ${index}`);
  const envelope = { items: '', counts: { total: '/total', page: '/page', size: '/limit', pages: '/pages' }, first: 1 };
  const numbers = { total: 5, page: 5, limit: 1, totalPages: 5, envelope };
  const empty = read([], 4, 1);
  const told = { ...empty, page: { ...empty.page, paged: numbers } };
  const seen = new Sequence(true, [sliceOf(list, { offset: 0, limit: 10 })]);
  expect(seen.conflict(told)?.expected).toBe('further items: 10 0 shows some from index 4');
});

it('items are told apart by their id, else as a whole without what changes by itself', () => {
  const byId = identityOf([{ id: 1, seen: 1 }], [{ id: 1, seen: 2 }], 'stores');
  expect(keyOf(byId, { id: 1, seen: 3 })).toBe(keyOf(byId, { seen: 4, id: 1 }));
  const readings = [1, 2].map((time) => ['a', 'b'].map((code) => ({ code, seen: `${time} ${code}` })));
  const whole = identityOf(readings[0] ?? [], readings[1] ?? [], 'codes');
  expect(keyOf(whole, { code: 'a', seen: 9 })).toBe(keyOf(whole, { seen: 8, code: 'a' }));
  expect(keyOf(whole, { code: 'a' })).not.toBe(keyOf(whole, { code: 'b' }));
  const shared = identityOf(
    [
      { id: 1, at: 1 },
      { id: 1, at: 2 },
    ],
    [],
    'events',
  );
  expect(keyOf(shared, { id: 1, at: 1 })).not.toBe(keyOf(shared, { id: 1, at: 2 }));
});
