import { expect, it } from 'vitest';
import { exchangeWith } from '../../test/support/checks/exchanges.ts';
import { LIMITED } from '../../test/support/checks/readings.ts';
import { readingOf } from './reading.ts';
import { numeric } from './stated.ts';

it.each([
  ['100', 100],
  ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
  [`-${'9'.repeat(400)}`, Number.MIN_SAFE_INTEGER],
  ['Infinity', null],
  ['1e400', null],
])('a number of a header is one that a report can hold: %s', (text, number) => {
  expect(numeric(text)).toBe(number);
});

it('a refusal by another status than 429 asks for a wait, or has nothing left', () => {
  const terms = LIMITED.terms && { ...LIMITED.terms, refused: { status: 403, retryAfter: 'optional' as const } };
  const told = (status: number, ...headers: readonly (readonly [string, string])[]) =>
    readingOf(exchangeWith({ status, headers }), { ...LIMITED, terms })?.isRefused;
  expect([told(403), told(403, ['retry-after', '3']), told(403, ['x-ratelimit-remaining', '0']), told(429)]).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

it('a wait without measure is one that a report can hold', () => {
  const exchange = exchangeWith({ status: 429, headers: [['retry-after', '9'.repeat(400)]] });
  expect(readingOf(exchange, LIMITED)?.retryAfterMs).toBe(Number.MAX_SAFE_INTEGER);
});
