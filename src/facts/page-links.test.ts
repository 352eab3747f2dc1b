// Where links to other pages lead, below a base address with a path and without one.
import { expect, it } from 'vitest';
import { exchangeWith } from '../../test/support/checks/exchanges.ts';
import { addressOf } from './page-links.ts';

it.each([
  ['http://127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1/books?page=2', '/books'],
  ['http://127.0.0.1:8080/v1', '?page=2', '/books'],
  ['http://127.0.0.1:8080/v1', '/books?page=2', 'elsewhere'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/books?page=2', '/books'],
  ['http://127.0.0.1:8080/v1', 'http://127.0.0.2/v1/books?page=2', 'elsewhere'],
  ['https://api.test/v1', 'http://api.test/v1/books?page=2', 'elsewhere'],
  ['http://api.test/v1', 'https://api.test/v1/books?page=2', '/books'],
])('below %s the link %s leads to %s', (base, told, expected) => {
  const sent = exchangeWith({ plan: { path: '/books' } });
  const exchange = { ...sent, request: { ...sent.request, url: `${base}/books?page=1` } };
  const address = addressOf(exchange, told);
  expect(address.kind === 'here' ? address.path : address.kind).toBe(expected);
});
