import { expect, test } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { Losses } from './losses.ts';

type Call = readonly [method: string, path: string, status: number, body?: unknown, plan?: Partial<RequestPlan>];

function lostAfter(calls: readonly Call[], at: string): string | null {
  const losses = new Losses();
  for (const [method, path, status, body = {}, plan = {}] of calls)
    losses.observe(exchangeWith({ plan: { method, path, ...plan }, status, body }));
  return losses.above(at);
}

const read: Call = ['GET', '/shops/s1', 200, { id: 's1', slug: 'corner' }];
const missed: Call = ['GET', '/shops/s1', 404];

test('what was read, and is answered 404 later, is lost with all that lies below it', () => {
  expect(lostAfter([read, missed], '/shops/s1')).toBe('/shops/s1');
  expect(lostAfter([read, missed], '/shops/s1/orders')).toBe('/shops/s1');
  expect(lostAfter([read, missed], '/shops/s10')).toBeNull();
  expect(lostAfter([missed], '/shops/s1')).toBeNull();
});

test('what the run deleted, by whichever name, or what that lay below, is not', () => {
  for (const path of ['/shops/s1', '/shops/by-slug/corner', '/shops'])
    expect(lostAfter([read, ['DELETE', path, 204], missed], '/shops/s1'), path).toBeNull();
  expect(lostAfter([read, ['DELETE', '/shops/s1', 403], missed], '/shops/s1')).toBe('/shops/s1');
  for (const plan of [{ query: 'force=true' }, { intent: 'invalid' as const }])
    expect(lostAfter([read, ['DELETE', '/shops/by-slug/corner', 500, {}, plan], missed], '/shops/s1')).toBeNull();
});

test('what the run changed meanwhile, or acted on, may have another place', () => {
  for (const change of [['PATCH', '/shops/s1', 200] as const, ['POST', '/shops/s1/archive', 202] as const])
    expect(lostAfter([read, change, missed], '/shops/s1')).toBeNull();
});

test('what another caller may not see, a query rules out, or is there again is not lost', () => {
  const stranger = { credential: { kind: 'none' } } as const;
  expect(lostAfter([read, ['GET', '/shops/s1', 404, {}, stranger]], '/shops/s1')).toBeNull();
  expect(lostAfter([read, ['GET', '/shops/s1', 404, {}, { query: 'page=9' }]], '/shops/s1')).toBeNull();
  expect(lostAfter([read, missed, read], '/shops/s1')).toBeNull();
});
