import { expect, it } from 'vitest';
import { exchangeWith } from '../../test/support/checks/exchanges.ts';
import { listingIn } from './walked-list.ts';

const listed = (body: unknown) => listingIn(exchangeWith({ status: 200, body }), null);

it.each([
  ['a list without items', []],
  ['one in an envelope', { data: [], meta: { page: 1 } }],
  ['one that counts none', { total: 0 }],
])('an empty page is the whole of %s', (_name, body) => {
  expect(listed(body)).toMatchObject({ items: [], isWhole: true });
});

it('objects by their names may be the items: no list is known to be empty there', () => {
  expect(listed({ sweet: { taste: 1 }, sour: { taste: 2 } })).toMatchObject({ items: [], isWhole: false });
});

it.each([100, 128, 150, 200, 250, 360, 500, 512, 1000])('a first page of %i items may be cut there', (count) => {
  const items = Array.from({ length: count }, (_, id) => ({ id }));
  expect(listed(items)).toMatchObject({ isWhole: false });
  expect(listed({ items, total: count })).toMatchObject({ isWhole: true });
  expect(listed(items.slice(1))).toMatchObject({ isWhole: true });
});
