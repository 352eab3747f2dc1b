// Limits that are hard to exhaust are told of when the first answer states them.
import { expect, test } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import type { Config } from '../../config/config.ts';
import { COMMERCE_TERMS } from '../../contract/shipped.ts';
import { foretellingLimits } from './limits-foretold.ts';

const answered = (key: string, limit: string) =>
  exchangeWith({
    plan: { credential: { kind: 'key', name: key } },
    headers: [
      ['X-RateLimit-Limit', limit],
      ['X-RateLimit-Remaining', '7'],
      ['X-RateLimit-Reset', '60'],
    ],
  });

function toldOf(accept: Config['certify']['accept'], ...limits: readonly string[]): readonly string[] {
  const told: string[] = [];
  const config = { certify: { accept }, load: {}, stated: { terms: COMMERCE_TERMS } } as unknown as Config;
  const hear = foretellingLimits(config, (sentence) => told.push(sentence));
  for (const limit of [...limits, ...limits]) hear(answered(`key-${limit}`, limit));
  return told;
}

test('a limit that only a fast machine exhausts is told once, and a small one is not', () => {
  expect(toldOf({}, '400', '30000')).toEqual([
    "key key-30000 states a limit of 30,000, and only a machine that sends as many calls within one window exhausts it. Where no key's limit is exhausted, RATE-04, RATE-06, RATE-10 stay untested, and there is no verdict: certify where limits are smaller, or accept that by name (certify.accept)",
  ]);
});

test('a limit above what load may send is told with the cap', () => {
  expect(toldOf({ 'RATE-04': 'why' }, '120000')[0]).toMatch(
    /^key key-120000 states a limit of 120,000, and load sends at most 100,000 calls for one key .*, RATE-06, RATE-10 stay untested/,
  );
});

test('what is accepted is not told', () => {
  expect(toldOf({ 'RATE-04': 'a', 'RATE-06': 'b', 'RATE-10': 'c' }, '30000')).toEqual([]);
});
