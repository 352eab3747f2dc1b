// Which of several requests that show one thing is told: the one that a person reads.
import { expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { isPlainer, requestCharacters } from './evidence.ts';

const withHeaders = (count: number, length = 10) => {
  const exchange = exchangeWith({});
  const headers = Array.from({ length: count }, (_, index) => [`X-${index}`, 'x'.repeat(length)] as const);
  return [{ ...exchange, request: { ...exchange.request, headers } }];
};

it('a request with the usual headers is plainer than one with many, and a long one than none half as long', () => {
  const many = requestCharacters(withHeaders(12));
  expect(isPlainer(withHeaders(5), many)).toBe(true);
  expect(isPlainer(withHeaders(11), many)).toBe(false);
  expect(isPlainer(withHeaders(3), requestCharacters(withHeaders(5)))).toBe(false);
  expect(isPlainer(withHeaders(5), requestCharacters(withHeaders(5, 1000)))).toBe(true);
});
