// A sample keeps what the contract's own headers tell of a limit, and the exchange that is made of it tells the same.
import { expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { termsOf } from '../../contract/terms-of.ts';
import { statedIn } from '../../limiters/stated.ts';
import { exchangeOf, limitHeaders, sampleOf, termsAsSent } from './exchange.ts';

it.each([
  ['the customary headers', undefined, { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '4' }],
  ['headers of its own', { limit: 'X-Quota', remaining: 'X-Quota-Left' }, { 'x-quota': '10', 'x-quota-left': '4' }],
  ["the IETF's fields", 'ietf' as const, { 'ratelimit-policy': '"a";q=10;w=60', ratelimit: '"a";r=4;t=3' }],
  ["the IETF's fields of its first drafts", 'ietf' as const, { 'ratelimit-limit': '10', 'ratelimit-remaining': '4' }],
])('a sample keeps %s', (_name, headers, sent) => {
  const { rateLimits } = termsOf({ name: 'Acme', ...(headers === undefined ? {} : { rateLimits: { headers } }) });
  const exchange = exchangeWith({ headers: Object.entries(sent) });
  const limits = limitHeaders(termsAsSent(rateLimits, [Object.entries(sent)]));
  const sample = sampleOf(exchange, 'one', (text) => text, limits);
  const back = exchangeOf(sample, { plan: exchange.plan, url: '', id: 'k6-1', limits });
  expect(statedIn(back.response?.headers ?? [], rateLimits)).toMatchObject([{ limit: 10, remaining: 4 }]);
});
