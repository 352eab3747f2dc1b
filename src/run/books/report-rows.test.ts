import { beforeAll, describe, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadShop, operationOf, reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import { optionsWith } from '../../../test/support/run/test-config.ts';
import { benchWith, factsOf } from '../../../test/support/run/test-session.ts';
import type { Finding } from '../../contract/report.ts';
import type { Intent } from '../../exchange/exchange.ts';
import type { Description } from '../../openapi/model/operation.ts';
import type { Cut } from '../perform/events.ts';
import { spotKey } from '../plan/clause-target.ts';
import { lackOf, ofUnserved, refusedAlways, whyOpen } from './report-rows.ts';
import { Traffic } from './traffic.ts';

let shop: Description;
beforeAll(async () => {
  shop = await loadShop();
});

describe('input that was not tried', () => {
  const operation = () => operationOf(shop, 'POST /api/v1/products');
  type Cause = Parameters<typeof factsOf>[1] & { readonly cut?: Cut['reasonCode'] };
  const why = ({ cut, ...changes }: Cause = {}, heldBack = 0) => {
    const bench = benchWith(shop, () => ({}));
    const { service, key } = operation();
    if (heldBack > 0) bench.bound.heldBack.set(spotKey({ service, operation: key }), heldBack);
    if (cut !== undefined) bench.events.tell({ kind: 'cut', reasonCode: cut, experiments: 2 });
    return whyOpen(factsOf(bench, changes), operation());
  };

  it('was left out for what ended or narrowed the run', () => {
    expect(why({ ended: { reasonCode: 'target-lost', reason: 'gone' } })).toEqual({ reason: 'target-lost' });
    expect(why({ cut: 'budget' })).toEqual({ reason: 'budget' });
    expect(why({ cut: 'time-limit' })).toEqual({ reason: 'time-limit' });
    expect(why({ cut: 'fitted' })).toEqual({ reason: 'time-limit', note: expect.stringContaining('--full') });
    expect(why({ cut: 'held' })).toEqual({ reason: 'budget', note: expect.stringContaining('without --budget') });
    expect(why({ options: optionsWith({ clauses: ['ERR-04'] }) })).toEqual({ reason: 'filtered' });
    expect(why()).toMatchObject({ reason: 'precondition', note: 'no request of this run could carry it' });
  });

  it('was left out for limits.created where requests of the operation were held back, whatever was cut elsewhere', () => {
    expect(why({ cut: 'budget' }, 3)).toMatchObject({
      reason: 'precondition',
      note: expect.stringContaining('limits.created'),
    });
  });
});

it('an operation that was served by an id that names nothing is tested, though no value is known for its path', () => {
  const spot = { service: 'admin', operation: 'POST /api/v1/products' };
  const traffic = new Traffic();
  const lack = { reasonCode: 'no-fixture', reason: 'no value is known' } as const;
  const told = (unreached: Parameters<typeof lackOf>[0]) => lackOf(unreached, traffic.get(spotKey(spot)), null);
  traffic.count(spot, exchangeWith({ status: 404, plan: spot }));
  expect(told(lack)).toBe(lack);
  traffic.count(spot, exchangeWith({ status: 200, plan: spot }));
  expect(told(lack)).toBeNull();
  const denied = { reasonCode: 'mutations-denied', reason: 'reads alone' } as const;
  expect([told(denied), told(undefined)]).toEqual([denied, null]);
});

it('an operation that fails on sound calls is tested, whatever is known for its path; of a lost target that is the reason', () => {
  const spot = { service: 'admin', operation: 'POST /api/v1/products' };
  const lack = { reasonCode: 'no-fixture', reason: 'no value is known' } as const;
  const ended = { reasonCode: 'target-lost', reason: 'the target stopped answering' } as const;
  const told = (statuses: readonly number[], end: Parameters<typeof lackOf>[2] = null, intent: Intent = 'sound') => {
    const traffic = new Traffic();
    for (const status of statuses) traffic.count(spot, exchangeWith({ status, plan: { ...spot, intent } }));
    return lackOf(lack, traffic.get(spotKey(spot)), end);
  };
  expect([told([500]), told([404], ended), told([500], null, 'hostile')]).toEqual([null, lack, lack]);
  expect([told([], ended), told([], { ...ended, reasonCode: 'time-limit' }), told([])]).toEqual([ended, lack, lack]);
});

describe('an operation that never succeeded', () => {
  const spot = { service: 'admin', operation: 'POST /api/v1/products' };
  const why = (status: number, intent: Intent = 'sound') => {
    const traffic = new Traffic();
    traffic.count(spot, exchangeWith({ status, plan: { ...spot, intent } }));
    return refusedAlways(operationOf(shop, spot.operation), traffic.get(spotKey(spot))!, { isProven: false });
  };

  it('is not tested where it was only refused, or unavailable', () => {
    for (const status of [400, 404, 412, 503])
      expect(why(status)?.reason).toBe(`none of its calls succeeded: they were answered ${status}`);
    expect(why(500, 'hostile')?.reason).toMatch(/500/);
  });

  it('is tested where what is sound is dropped more than once', () => {
    const failure = { kind: 'reset', message: 'reset', reusedSocket: false } as const;
    const dropped = { ...exchangeWith({ response: null, plan: { ...spot } }), failure };
    const traffic = new Traffic();
    const told = () =>
      refusedAlways(operationOf(shop, spot.operation), traffic.get(spotKey(spot))!, { isProven: false });
    traffic.count(spot, dropped);
    expect(told()?.reason).toMatch(/a dropped connection/);
    traffic.count(spot, dropped);
    expect(told()).toBeNull();
  });

  it('is tested where what is sound fails: that decides about it', () => {
    for (const status of [500, 501, 502]) expect(why(status)).toBeNull();
  });
});

describe('an undeclared content type', () => {
  const told = (operation: string, statuses: readonly number[], known: string | null = null, type = 'text/html') => {
    const bench = benchWith(shop, () => ({}));
    const facts = factsOf(bench);
    const spot = { service: 'admin', operation };
    for (const status of statuses) bench.books.traffic.count(spot, exchangeWith({ status, plan: spot }));
    if (known !== null) {
      const reached = reachedWith(worldWith(), shop, known, { productId: 'prd_1' });
      facts.reaching.reached.set(known, { ...reached, proof: exchangeWith() });
    }
    const first = exchangeWith({ status: 404, headers: [['content-type', 'text/html']], plan: spot });
    facts.reaching.firstAnswers.set(spotKey(spot), first);
    const { code } = ofUnserved(facts, { ...spot, code: 'sch-02.undeclared', actual: `"${type}"` } as Finding);
    return code;
  };
  const ITEM = 'GET /api/v1/products/{productId}';

  it('is told as an operation that is not served where each sound call is answered 404', () => {
    expect(told('POST /api/v1/products', [404, 404])).toBe('sch-02.undeclared.not-served');
    expect(told(`${ITEM}/notes`, [404], ITEM)).toBe('sch-02.undeclared.not-served');
  });

  it('is told as such where a call was served or refused otherwise, and where the id may be unknown', () => {
    expect(told('POST /api/v1/products', [404, 201])).toBe('sch-02.undeclared');
    expect(told('POST /api/v1/products', [404, 400])).toBe('sch-02.undeclared');
    expect(told(ITEM, [404])).toBe('sch-02.undeclared');
    expect(told('POST /api/v1/products', [404], null, 'text/plain')).toBe('sch-02.undeclared');
    expect(told(`${ITEM}/notes`, [404])).toBe('sch-02.undeclared');
  });
});
