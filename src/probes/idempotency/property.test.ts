// A law's findings name the case that shows them, and that case alone shows them again.
import { beforeAll, describe, expect, it } from 'vitest';
import {
  loadStores,
  PAYMENT,
  performed,
  reachedStores,
  STORES,
  Stores,
  type Ways,
} from '../../../test/support/probes/idempotency/stores.ts';
import { worldWith } from '../../../test/support/probes/world.ts';
import type { Breach } from '../../contract/judgement.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { CutShort, type Outcome, type Send } from '../probe.ts';
import { idempotencyExperiments } from './family.ts';

let description: Description;
beforeAll(async () => {
  description = await loadStores();
});

const CASELESS: Ways = { keyAs: (key) => key.toLowerCase() };
const PREFIX: Ways = { keyAs: (key) => key.slice(0, 32) };

interface Found {
  readonly clause: string;
  readonly breach: Breach;
}

function foundIn(outcomes: readonly Outcome[], clauses: readonly string[]): readonly Found[] {
  return outcomes.flatMap(({ clause, judgement }) =>
    judgement.kind === 'breached' && clauses.includes(clause)
      ? judgement.breaches.map((breach) => ({ clause, breach }))
      : [],
  );
}

/** The outcomes of the laws of one probe on an operation; `again` tries one case alone. */
async function tryProbe(probe: string, operation: string, ways: Ways, again?: Breach['property'], isBrief = false) {
  const world = worldWith(again === undefined ? { isBrief } : { nonce: 'run-8', again });
  const experiments = idempotencyExperiments(world, reachedStores(world, description));
  const one = experiments.find((each) => each.probe === probe && each.operation === operation);
  if (one === undefined) throw new Error(`there is no ${probe} on ${operation}`);
  const stores = new Stores(ways);
  return { outcomes: await performed(one, stores.send), requests: stores.plans.length };
}

describe.each([
  ['idempotency/near-keys', STORES, CASELESS, 'IDEM-04', 5],
  ['idempotency/near-keys', STORES, PREFIX, 'IDEM-04', 5],
  ['idempotency/replays', PAYMENT, { keyAs: (key, stores) => `${key} ${stores.plans.length}` }, 'IDEM-05', 3],
] satisfies [string, string, Ways, string, number][])('%s on %s', (probe, operation, ways, clause, most) => {
  it(`tells the case of each finding, which shows it again with at most ${most} requests in another run`, async () => {
    const { outcomes, requests } = await tryProbe(probe, operation, ways);
    const found = foundIn(outcomes, [clause]);
    expect(found.length).toBeGreaterThan(0);
    for (const { breach } of found) {
      expect(breach.property).toMatchObject({ probe, path: expect.stringMatching(/^\d+(:\d+)*$/) });
      expect(breach.message).toContain(`(seed ${breach.property?.seed}, path ${breach.property?.path})`);
      const again = await tryProbe(probe, operation, ways, breach.property);
      expect(foundIn(again.outcomes, [clause]).map((one) => one.breach.cause)).toContain(breach.cause);
      expect(again.requests).toBeLessThanOrEqual(most);
      expect(again.requests).toBeLessThan(requests);
    }
  });
});

it.each([PREFIX, CASELESS, { keyAs: (key: string) => key.slice(1) }, { keyAs: (key: string) => key.slice(0, 64) }])(
  'a few pairs of keys show within a budget what many show without, and a run without one shows their case again',
  async (ways) => {
    const many = await tryProbe('idempotency/near-keys', STORES, {});
    const few = await tryProbe('idempotency/near-keys', STORES, {}, undefined, true);
    expect(few.requests).toBeLessThan(many.requests / 2);
    // Five pairs, of which two have their first key in common.
    expect(few.requests).toBe(10);
    const { outcomes } = await tryProbe('idempotency/near-keys', STORES, ways, undefined, true);
    const [found] = foundIn(outcomes, ['IDEM-04']);
    const again = await tryProbe('idempotency/near-keys', STORES, ways, found?.breach.property);
    expect(foundIn(again.outcomes, ['IDEM-04']).map(({ breach }) => breach.cause)).toEqual([found?.breach.cause]);
  },
);

it('within a budget a case that breaks a law is not made much smaller', async () => {
  const brief = await tryProbe('idempotency/near-keys', STORES, PREFIX, undefined, true);
  const whole = await tryProbe('idempotency/near-keys', STORES, PREFIX);
  expect(foundIn(brief.outcomes, ['IDEM-04'])).not.toEqual([]);
  expect(brief.requests).toBeLessThanOrEqual(20);
  expect(whole.requests).toBeGreaterThan(brief.requests);
});

it('a law that was broken before the run ended is told as broken', async () => {
  const world = worldWith();
  const one = idempotencyExperiments(world, reachedStores(world, description)).find(
    ({ probe, operation }) => probe === 'idempotency/near-keys' && operation === STORES,
  );
  const stores = new Stores(PREFIX);
  const untilSpent: Send = async (plan) => {
    if (stores.plans.length >= 9) throw new Error('the budget is spent');
    return stores.send(plan);
  };
  const ended = one === undefined ? null : await performed(one, untilSpent).catch((error: unknown) => error);
  expect(ended).toBeInstanceOf(CutShort);
  expect(ended).toMatchObject({ cause: { message: 'the budget is spent' } });
  expect(foundIn((ended as CutShort).outcomes, ['IDEM-04'])).not.toEqual([]);
});

it('a case that does not break anything any more holds', async () => {
  const { outcomes } = await tryProbe('idempotency/near-keys', STORES, CASELESS);
  const [found] = foundIn(outcomes, ['IDEM-04']);
  const again = await tryProbe('idempotency/near-keys', STORES, {}, found?.breach.property);
  expect(new Set(again.outcomes.map(({ judgement }) => judgement.kind))).toEqual(new Set(['holds']));
});

it('a path that leads nowhere judges nothing', async () => {
  const nowhere = { probe: 'idempotency/near-keys', seed: 7, path: '0:99999:0' };
  const { outcomes, requests } = await tryProbe('idempotency/near-keys', STORES, CASELESS, nowhere);
  expect(outcomes).toEqual([]);
  expect(requests).toBe(0);
});
