import { beforeAll, describe, expect, it } from 'vitest';
import { loadShop } from '../../../test/support/probes/world.ts';
import { benchWith, failing, getting, sending } from '../../../test/support/run/test-session.ts';
import type { Description } from '../../openapi/model/operation.ts';
import type { Experiment } from '../../probes/probe.ts';
import { spotKey } from '../plan/clause-target.ts';
import { clausesFirst, type Limits, named, performAll } from './pass.ts';

let shop: Description;
beforeAll(async () => {
  shop = await loadShop();
});

const QUIET = { inRun: (clause: string) => clause === 'REQ-01' };
const unlimited = (): Limits => ({ budget: null, width: 4, until: null, now: () => 0, performed: new Set() });
const on = (operation: string, rank: number, changes: Partial<Experiment> = {}): Experiment =>
  sending([getting('/api/v1/products', { operation, probe: `${operation} ${rank}` })], {
    operation,
    rank,
    clauses: ['REQ-01'],
    ...changes,
  });
const spot = (operation: string) => ({ service: 'admin', operation });

describe('a pass', () => {
  it('finishes one rank before it starts the next, whatever the order given', async () => {
    const { session, plans } = benchWith(shop, () => ({}), QUIET);
    const experiments = [on('GET b', 2), on('GET a', 1), on('GET c', 1), on('GET a', 3)];
    expect(await performAll(session, experiments, unlimited())).toEqual([]);
    const ranks = plans.map(({ probe }) => Number(probe.split(' ')[2]));
    expect(ranks).toEqual([1, 1, 2, 3]);
  });

  it('cuts from the end what the budget does not cover, and books why', async () => {
    const { session, ledger, plans } = benchWith(shop, () => ({}), QUIET);
    const experiments = [on('GET a', 1), on('GET b', 2), on('GET c', 2), on('GET d', 3)];
    const cuts = await performAll(session, experiments, { ...unlimited(), budget: 2 });
    expect(plans.map(({ probe }) => probe)).toEqual(['GET a 1', 'GET b 2']);
    expect(cuts.map(({ reasonCode }) => reasonCode)).toEqual(['budget', 'budget']);
    for (const operation of ['GET c', 'GET d']) {
      expect(ledger.tallies('REQ-01').get(spotKey(spot(operation)))).toMatchObject({ checks: 0, reasonCode: 'budget' });
    }
    expect(ledger.tallies('REQ-01').get(spotKey(spot('GET a')))?.reasonCode ?? null).toBeNull();
  });

  it('cuts every operation alike within a rank', async () => {
    const { session, plans } = benchWith(shop, () => ({}), QUIET);
    const experiments = ['GET a', 'GET a', 'GET a', 'GET b', 'GET b'].map((operation) => on(operation, 1));
    await performAll(session, experiments, { ...unlimited(), budget: 3 });
    expect(plans.map(({ probe }) => probe).toSorted()).toEqual(['GET a 1', 'GET a 1', 'GET b 1']);
  });

  it('begins nothing that the budget could not undo', async () => {
    const { session, plans } = benchWith(shop, () => ({}), QUIET);
    const experiments = ['POST a', 'POST b', 'POST c'].map((operation) => on(operation, 1));
    await performAll(session, experiments, { ...unlimited(), budget: 5, undoing: ({ cost }) => cost });
    expect(plans.map(({ probe }) => probe)).toEqual(['POST a 1', 'POST b 1']);
  });

  it('sends nothing for what does not stand, and spends no budget on it', async () => {
    const { session, plans } = benchWith(shop, () => ({}), QUIET);
    const experiments = [on('GET a', 1, { stands: () => false }), on('GET b', 1), on('GET c', 1), on('GET d', 1)];
    await performAll(session, experiments, { ...unlimited(), budget: 2 });
    expect(plans.map(({ probe }) => probe)).toEqual(['GET b 1', 'GET c 1']);
  });

  it('starts no experiment that costs more than is left', async () => {
    const { session, plans } = benchWith(shop, () => ({}), QUIET);
    await performAll(session, [on('GET a', 1, { cost: 4 })], { ...unlimited(), budget: 3 });
    expect(plans).toEqual([]);
  });

  it('performs more of a wave that took less than was stated, where it is thrifty', async () => {
    const experiments = () => ['GET a', 'GET b', 'GET c'].map((operation) => on(operation, 1, { cost: 2 }));
    const thrifty = benchWith(shop, () => ({}), QUIET);
    await performAll(thrifty.session, experiments(), { ...unlimited(), budget: 4, thrifty: true });
    expect(thrifty.plans).toHaveLength(3);
    const plain = benchWith(shop, () => ({}), QUIET);
    await performAll(plain.session, experiments(), { ...unlimited(), budget: 4 });
    expect(plain.plans).toHaveLength(2);
  });

  it('says of a dear experiment what it would have taken', async () => {
    const { session, ledger } = benchWith(shop, () => ({}), QUIET);
    await performAll(session, [on('GET a', 1, { cost: 170 })], { ...unlimited(), budget: 100 });
    expect(ledger.tallies('REQ-01').get(spotKey(spot('GET a')))).toMatchObject({
      reasonCode: 'budget',
      reason: 'needs about 170 requests; the budget had fewer left',
    });
  });

  it('tells equal experiments of several passes apart by the names that they share', async () => {
    const { session, plans } = benchWith(shop, () => ({}), QUIET);
    const [first, second] = [on('GET a', 1), on('GET a', 1)];
    const limits = { ...unlimited(), names: named([first, second]) };
    await performAll(session, [first], limits);
    await performAll(session, [second], limits);
    await performAll(session, [first, second], limits);
    expect(plans).toHaveLength(2);
  });

  it('cuts what comes after its time', async () => {
    const { session, ledger, plans } = benchWith(shop, () => ({}), QUIET);
    const limits = { ...unlimited(), until: 10, now: () => plans.length * 20 };
    const cuts = await performAll(session, [on('GET a', 1), on('GET b', 2), on('GET c', 3)], limits);
    expect(plans.map(({ probe }) => probe)).toEqual(['GET a 1']);
    expect(cuts).toEqual([{ reasonCode: 'time-limit', experiments: 2 }]);
    for (const operation of ['GET b', 'GET c'])
      expect(ledger.tallies('REQ-01').get(spotKey(spot(operation)))).toMatchObject({ reasonCode: 'time-limit' });
  });

  it('cuts within a rank, too, what comes after its time', async () => {
    const { session, plans } = benchWith(shop, () => ({}), QUIET);
    const limits = { ...unlimited(), width: 1, until: 10, now: () => plans.length * 20 };
    const cuts = await performAll(
      session,
      ['GET a', 'GET b', 'GET c'].map((key) => on(key, 1)),
      limits,
    );
    expect(plans).toHaveLength(1);
    expect(cuts).toEqual([{ reasonCode: 'time-limit', experiments: 2 }]);
  });

  it('goes on where an earlier one stopped, and repeats nothing', async () => {
    const experiments = () => [on('GET a', 1), on('GET b', 2), on('GET b', 2), on('GET c', 3)];
    const performed = new Set<string>();
    const first = benchWith(shop, () => ({}), QUIET);
    await performAll(first.session, experiments(), { ...unlimited(), performed, budget: 2 });
    expect(performed.size).toBe(2);
    const second = benchWith(shop, () => ({}), QUIET);
    expect(await performAll(second.session, experiments(), { ...unlimited(), performed })).toEqual([]);
    expect(second.plans.map(({ probe }) => probe)).toEqual(['GET b 2', 'GET c 3']);
  });

  it('leaves an operation alone that hangs', async () => {
    const { session, ledger, plans } = benchWith(
      shop,
      ({ path }) => (path === '/api/health/live' ? {} : failing('timeout')),
      { inRun: (clause) => clause === 'REQ-09' || clause === 'REQ-01' },
    );
    const experiments = [1, 2, 3, 4].map((rank) => on('GET /api/v1/products', rank));
    await performAll(session, experiments, unlimited());
    expect(plans.filter(({ path }) => path !== '/api/health/live')).toHaveLength(2);
    expect(ledger.tallies('REQ-01').get(spotKey(spot('GET /api/v1/products')))).toMatchObject({
      reasonCode: 'precondition',
      reason: 'the operation does not answer',
    });
  });
});

it("every clause's first experiment comes first, then its first in each resource; the others keep their ranks", () => {
  const experiments = [
    on('GET a', 5),
    on('GET b', 7),
    on('GET c', 9, { clauses: ['REQ-02', 'REQ-01'] }),
    on('GET d', 9, { clauses: ['REQ-02'] }),
    on('GET x', 9),
    on('GET y', 9),
    on('GET e', 9, { clauses: [] }),
  ];
  const resourceOf = ({ operation }: Experiment): string => (/[xy]$/.test(operation ?? '') ? 'xs' : 'others');
  expect(clausesFirst(experiments, resourceOf).map(({ rank }) => rank)).toEqual([0, 7, 0, 9, 1, 9, 9]);
});
