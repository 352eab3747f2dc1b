// PAG-12 on answers that are no page: cut at what is read of any, or a redirect.
import { expect, test } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { PLAIN } from '../../facts/page-counts.ts';
import { badValueBreach } from './pag-12.ts';

const VALUE = { query: 'limit=-1', readable: false, besideLimit: null };
const BOUNDS = {
  place: '',
  usual: 20,
  maximum: 100,
  most: 100,
  size: 5000,
  reading: PLAIN,
  refused: null,
  errors: null,
  mayRefusePast: false,
};

/** An answer that was read as far as this. */
function cutAt(bytes: number) {
  const exchange = exchangeWith({ body: [] });
  const { response } = exchange;
  if (response === null) throw new Error('the exchange has an answer');
  return { ...exchange, response: { ...response, bytes, truncated: true } };
}

test('an answer that is longer than is read of any page breaches, one that broke off before is silent', () => {
  const breach = badValueBreach(cutAt(8 * 2 ** 20), VALUE, BOUNDS);
  expect(breach).toMatchObject({ weight: 'breach', kind: 'huge', message: expect.stringContaining('more than 8 MiB') });
  expect(badValueBreach(cutAt(300_000), VALUE, BOUNDS)).toBe('silent');
});

test('a redirect is neither a refusal nor a page', () => {
  const redirect = exchangeWith({ status: 302, headers: [['location', '/api/v1/stores']], body: '' });
  expect(badValueBreach(redirect, VALUE, BOUNDS)).toMatchObject({ kind: 'redirected' });
});
