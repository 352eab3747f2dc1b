import { expect, it } from 'vitest';
import { sampleReport } from '../../../test/support/reporters/sample-report.ts';
import { configWith } from '../../../test/support/run/test-config.ts';
import { loadsUnder, withRest } from './certify-once.ts';

const part = (requests: number) => ({ counts: { ...sampleReport().counts, requests } });

it.each([
  [1000, [400, 350], 250],
  [1000, [400, 900], 0],
  [1000, [], 1000],
])('of %i requests, parts that sent %j leave %i', (budget, sent, rest) => {
  expect(withRest({ budget }, sent.map(part)).budget).toBe(rest);
});

it('without a budget is none', () => {
  expect(withRest({ budget: null }, [part(5)]).budget).toBeNull();
});

it('measures limits where the contract speaks of them', () => {
  const under = (contract: 'commerce' | 'openapi') => loadsUnder(configWith({ contract }).stated);
  expect([under('commerce'), under('openapi')]).toEqual([['ratelimit', 'ceiling'], []]);
});
