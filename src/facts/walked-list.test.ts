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
