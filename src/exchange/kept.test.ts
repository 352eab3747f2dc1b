import { expect, it } from 'vitest';
import { exchangeWith } from '../../test/support/checks/exchanges.ts';
import { beginning, toKeep } from './kept.ts';

it('an exchange to keep has the beginning of a long body, which counts as cut', () => {
  const long = exchangeWith({ body: JSON.stringify('ab'.repeat(50_000)) });
  const { response } = toKeep(long);
  expect(response).toMatchObject({ status: 200, truncated: true });
  expect(long.response?.body.startsWith(response?.body ?? '-')).toBe(true);
  expect(response?.body.length).toBeLessThan(40_000);
});

it('one with a short body, or none, is as it was', () => {
  for (const exchange of [exchangeWith(), exchangeWith({ response: null })]) expect(toKeep(exchange)).toBe(exchange);
});

it('the beginning of a text holds its characters, lone surrogates too', () => {
  expect(beginning('a\ud800é😀z', 4)).toBe('a\ud800é😀'.slice(0, 4));
});
