import { expect, it } from 'vitest';
import { exchangeWith } from '../../test/support/checks/exchanges.ts';
import { createdId } from './created.ts';

it.each([
  ['/customers/cus_1/addresses', { customer: { id: 'cus_1', addresses: [] } }, null],
  ['/customers/cus_1/addresses', { address: { id: 'addr_1' } }, 'addr_1'],
  // Where collections count from 1, a thing and what it stands below may have one number.
  ['/customers/1/addresses', { id: 1 }, '1'],
  ['/files/readme', { id: 'readme' }, 'readme'],
  // An id alone, and texts that are none.
  ['/projects', '"01a21e40-580c-73bb-a2d9-6099de7bd5da"', '01a21e40-580c-73bb-a2d9-6099de7bd5da'],
  ['/projects', '"The project was created at 12:30."', null],
  ['/projects', '"created"', null],
  ['/books', { title: 'Emma', _links: { self: { href: '/books/4' } } }, '4'],
])('a create at %s that is answered %j has made %s', (path, body, id) => {
  const exchange = exchangeWith({ body });
  expect(createdId({ ...exchange, plan: { ...exchange.plan, path } }, '', path)).toBe(id);
});
