import { beforeAll, describe, expect, it } from 'vitest';
import {
  breachesOf,
  loadStores,
  PATHS,
  PAYMENT,
  performed,
  reachedStores,
  refusal,
  STORES,
  Stores,
  type Ways,
} from '../../../test/support/probes/idempotency/stores.ts';
import { inWords, MAIN_KEY, worldWith } from '../../../test/support/probes/world.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import type { Description } from '../../openapi/model/operation.ts';
import type { Conversation, Experiment, Outcome } from '../probe.ts';
import { IDEMPOTENCY_CLAUSES, idempotencyExperiments, idempotencyUndeclared, idempotencyUntested } from './family.ts';

let description: Description;
beforeAll(async () => {
  description = await loadStores();
});

const world = worldWith();

function all(from: Description = description, run = world): readonly (Experiment | Conversation)[] {
  const experiments = idempotencyExperiments(run, reachedStores(run, from));
  const stages = ['lean', 'quiet'];
  return experiments.toSorted((a, b) => stages.indexOf(a.stage) - stages.indexOf(b.stage) || a.rank - b.rank);
}

/** Everything on the operations, as a run would do it. */
async function judge(stores: Stores, from?: Description, run = world): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const one of all(from, run)) outcomes.push(...(await performed(one, stores.send)));
  return outcomes;
}

async function judgeWays(ways: Ways): Promise<readonly Outcome[]> {
  return judge(new Stores(ways));
}

const keyOfPlan = ({ headers }: RequestPlan): string | undefined =>
  headers.find(([name]) => name === 'Idempotency-Key')?.[1];
const credentialOf = ({ credential }: RequestPlan): string => (credential.kind === 'key' ? credential.name : '');
const isPayment = ({ path }: RequestPlan): boolean => path.endsWith('process-payment');

describe('on a server that keeps its keys', () => {
  it('every clause holds on both operations and on those without the key', async () => {
    const outcomes = await judgeWays({});
    expect(breachesOf(outcomes)).toEqual([]);
    const held = (operation: string) =>
      new Set(
        outcomes
          .filter((one) => one.operation === operation && one.judgement.kind !== 'cannot-tell')
          .map(({ clause }) => clause),
      );
    expect([...held(STORES)].sort()).toEqual(['IDEM-01', 'IDEM-02', 'IDEM-03', 'IDEM-04', 'IDEM-07']);
    // No list shows payments: how many there are, the answers alone tell.
    expect([...held(PAYMENT)].sort()).toEqual(['IDEM-01', 'IDEM-04', 'IDEM-05', 'IDEM-07']);
    expect([...held('DELETE /api/v1/stores/{storeId}')]).toEqual(['IDEM-06']);
  });

  it('costs at most 260 requests an operation, 20 of them in the lean pass, and no more than was announced by a fifth', async () => {
    for (const operation of [STORES, PAYMENT]) {
      const experiments = all().filter((one) => one.operation === operation);
      const stores = new Stores();
      let lean = 0;
      for (const one of experiments) {
        await performed(one, stores.send);
        if (one.stage === 'lean') lean = stores.plans.length;
      }
      const announced = experiments.reduce((total, { cost }) => total + cost, 0);
      expect(lean).toBeLessThanOrEqual(20);
      expect(stores.plans.length).toBeLessThanOrEqual(260);
      expect(stores.plans.length).toBeLessThanOrEqual(announced * 1.2);
    }
  });

  it('is not misled by what an earlier run of the same seed has left', async () => {
    const stores = new Stores();
    await judge(stores);
    expect(breachesOf(await judge(stores, description, worldWith({ nonce: 'a-later-run' })))).toEqual([]);
  });

  it('lets the first keys rest before they are sent once more, as long as it is told to', async () => {
    const pauses: number[] = [];
    const timing = {
      now: () => 0,
      sleep: async (ms: number) => {
        pauses.push(ms);
      },
    };
    const patient = worldWith({ restMs: 9000, timing });
    const late = idempotencyExperiments(patient, reachedStores(patient, description)).filter(
      ({ probe }) => probe === 'idempotency/late',
    );
    for (const one of late) await performed(one, new Stores().send);
    expect(pauses).toEqual(late.map(() => 9000));
    expect(late).toHaveLength(2);
  });

  it('sends the same requests for the same seed', async () => {
    const [one, two] = [new Stores(), new Stores()];
    await judge(one);
    await judge(two);
    expect(one.plans).toEqual(two.plans);
  });

  it('sends no payment without its key twice, and none whose body another payment had', async () => {
    const stores = new Stores();
    await judge(stores);
    const payments = stores.plans.filter(isPayment);
    const keyless = payments.filter((plan) => keyOfPlan(plan) === undefined).map(({ body }) => JSON.stringify(body));
    const keyed = new Set(
      payments.filter((plan) => keyOfPlan(plan) !== undefined).map(({ body }) => JSON.stringify(body)),
    );
    expect(keyless.length).toBe(2);
    expect(new Set(keyless).size).toBe(2);
    expect(keyless.filter((body) => keyed.has(body))).toEqual([]);
  });

  it('sends no payment without its key where its bodies cannot differ', async () => {
    const closed = {
      type: 'object',
      additionalProperties: false,
      properties: { amount: { type: 'integer', enum: [5] } },
      required: ['amount'],
    };
    const post = {
      ...PATHS['/api/v1/stores/process-payment'].post,
      requestBody: { content: { 'application/json': { schema: closed } } },
    };
    const paths = { ...PATHS, '/api/v1/stores/process-payment': { post } };
    const stores = new Stores();
    expect(breachesOf(await judge(stores, await loadStores(paths)))).toEqual([]);
    expect(stores.plans.filter((plan) => isPayment(plan) && keyOfPlan(plan) === undefined)).toEqual([]);
  });

  it('tries 2 to 16 sends at once, and at least 60 calls between a send and its replay', async () => {
    const stores = new Stores();
    await judge(stores);
    const uses = Map.groupBy(stores.plans.filter((plan) => plan.path === '/api/v1/stores').entries(), ([, plan]) =>
      keyOfPlan(plan),
    );
    uses.delete(undefined);
    const gaps = [...uses.values()].map((entries) => (entries.at(-1)?.[0] ?? 0) - (entries.at(0)?.[0] ?? 0));
    expect(Math.max(...gaps)).toBeGreaterThan(60);
    expect([...uses.values()].map((entries) => entries.length)).toEqual(expect.arrayContaining([2, 3, 6, 8, 17]));
  });
});

describe('a defect is found', () => {
  it.each<[string, Ways, string]>([
    [
      'a list without names still shows two effects, one by one',
      {
        itemAs: ({ id }) => ({ id }),
        replayAs: (reply, _resend, again) => {
          again();
          return reply;
        },
      },
      'IDEM-02 a list shows two effects of one key',
    ],
    [
      'a body with an empty text is executed again',
      { replayAs: (reply, _resend, again) => (Object(reply.body).name === '' ? again() : reply) },
      'IDEM-02 the answers tell of two effects of one key',
    ],
    [
      'a replay has lost its letters beyond ASCII',
      {
        replayAs: ({ status, body }) => ({
          status,
          body: JSON.parse(JSON.stringify(body).replaceAll(/[^\x20-\x7e]/g, '?')),
        }),
      },
      'IDEM-01 a replay has another body than the original',
    ],
    [
      'a replay shows what was changed since',
      { whenTouched: 'changed' },
      'IDEM-01 a replay has another body than the original',
    ],
    [
      'the key is forgotten with what it made',
      { whenTouched: 'forgotten' },
      'IDEM-01 a replay has another body than the original',
    ],
    [
      'dashes are left out of keys',
      { keyAs: (key) => key.replaceAll(/[-_]/g, '') },
      'IDEM-04 a key that differs in its dashes is refused as if the key had been used',
    ],
    [
      'keys of another account are not kept',
      {
        first: (plan, stores) =>
          plan.path === '/api/v1/stores' && credentialOf(plan) !== MAIN_KEY.name && plan.body.kind === 'json'
            ? stores.execute(plan, plan.body.value as Record<string, unknown>)
            : null,
      },
      'IDEM-01 a replay has another body than the original',
    ],
    [
      'every key is answered the first resource',
      { createdAs: ({ body }) => ({ status: 201, body: { ...body, id: 'store_1' } }) },
      'IDEM-04 another key is answered with the first resource',
    ],
    [
      'answers without ids are told apart by what they repeat',
      {
        createdAs: () => ({ status: 201, body: { name: 'assay-run-7-first' } }),
        keyAs: () => 'one',
        first: firstBodyAgain(),
      },
      'IDEM-04 another key is answered with the first resource',
    ],
  ])('where %s', async (_what, ways, expected) => {
    expect(breachesOf(await judgeWays(ways))).toContain(expected);
  });
});

/** A send without a key is refused. */
function keyNeeded(plan: RequestPlan): ReturnType<NonNullable<Ways['first']>> {
  return keyOfPlan(plan) === undefined ? refusal(400, 'idempotency_key_required') : null;
}

/** Creates that are answered the body of the first create. */
function firstBodyAgain(): NonNullable<Ways['first']> {
  let kept: unknown;
  return (plan) => {
    if (plan.path !== '/api/v1/stores' || plan.body.kind !== 'json') return null;
    kept ??= plan.body.value;
    return { status: 201, body: kept };
  };
}

describe('no false alarm', () => {
  it.each<[string, Ways]>([
    ['payments that need a key', { first: (plan) => (isPayment(plan) ? keyNeeded(plan) : null) }],
    ['answers in a wrapper', { createdAs: ({ id, body }) => ({ status: 200, body: { data: { ...body, id } } }) }],
    ['answers without an id', { createdAs: ({ body }) => ({ status: 202, body }) }],
    ['answers that say nothing', { createdAs: () => ({ status: 201, body: { ok: true } }) }],
    ['answers without a body', { createdAs: () => ({ status: 204 }) }],
    ['lists that show ids alone', { itemAs: ({ id }) => ({ id }) }],
    ['lists that show nothing', { itemAs: () => ({}) }],
    ['nothing that succeeds', { first: (plan) => (plan.method === 'GET' ? null : refusal(403, 'account_limited')) }],
    ['an operation that works every other time', { first: everyOther() }],
  ])('on %s', async (_what, ways) => {
    expect(breachesOf(await judgeWays(ways))).toEqual([]);
  });
});

function everyOther(): NonNullable<Ways['first']> {
  let calls = 0;
  return (plan) => {
    if (plan.method !== 'PATCH') return null;
    calls += 1;
    return calls % 2 === 1 ? refusal(409, 'wrong_state') : null;
  };
}

describe('what ends the run', () => {
  it('passes through the property unchanged, and nothing more is sent', async () => {
    const stores = new Stores();
    const ended = new Error('the request budget is spent');
    const send: typeof stores.send = (plan) => (stores.plans.length >= 3 ? Promise.reject(ended) : stores.send(plan));
    const [replays] = all();
    if (replays === undefined) throw new Error('no experiment');
    await expect(performed(replays, send)).rejects.toBe(ended);
    expect(stores.plans.length).toBe(3);
  });
});

describe('what is not tested', () => {
  it('is told for operations that never succeeded', () => {
    const unproven = reachedStores(world, description).map((one) => ({ ...one, proof: null }));
    expect(idempotencyExperiments(world, unproven)).toEqual([]);
    const untested = idempotencyUntested(world, unproven, unproven);
    expect(untested.filter(({ operation }) => operation === PAYMENT).map(({ clause }) => clause)).toEqual([
      'IDEM-01',
      'IDEM-02',
      'IDEM-03',
      'IDEM-04',
      'IDEM-05',
      'IDEM-07',
      'IDEM-08',
    ]);
    expect(new Set(untested.map(({ reasonCode }) => reasonCode))).toEqual(new Set(['precondition']));
  });

  it('is not declared where no operation has the key', async () => {
    const { '/api/v1/stores/{storeId}': item } = PATHS;
    const { operations } = await loadStores({ '/api/v1/stores/{storeId}': item });
    const reasons = IDEMPOTENCY_CLAUSES.map((clause) => idempotencyUndeclared(clause, operations, world.terms));
    expect(reasons.map((reason) => reason !== null)).toEqual([true, true, true, true, true, false, true, true]);
    expect(
      IDEMPOTENCY_CLAUSES.map((clause) => idempotencyUndeclared(clause, description.operations, world.terms)),
    ).toEqual(IDEMPOTENCY_CLAUSES.map(() => null));
    expect(idempotencyUndeclared('AUTH-01', operations, world.terms)).toBeNull();
  });
});

describe('IDEM-07', () => {
  it('observes reuse, forms and lifetime without judging them', async () => {
    const outcomes = (await judgeWays({})).filter(
      ({ clause, operation }) => clause === 'IDEM-07' && operation === STORES,
    );
    expect(new Set(inWords(outcomes))).toEqual(
      new Set([
        'IDEM-07 breached: the same key with another body is refused',
        'IDEM-07 breached: the same key on another operation has an effect of its own',
        'IDEM-07 breached: the same key by another account has an effect of its own',
        'IDEM-07 breached: a key whose first answer was an error may be used again',
        'IDEM-07 breached: a key of 255 characters is accepted',
        'IDEM-07 breached: a key of odd characters is accepted',
        'IDEM-07 breached: keys are still known after the longest wait tried',
      ]),
    );
    const weights = outcomes.flatMap(({ judgement }) =>
      judgement.kind === 'breached' ? judgement.breaches.map(({ weight }) => weight) : [],
    );
    expect(new Set(weights)).toEqual(new Set(['observation']));
  });

  it('within a budget looks whether keys of other accounts are kept, by the oldest request and where what is made can be removed', async () => {
    const stores = new Stores();
    const brief = all(undefined, { ...world, isBrief: true }).filter(({ operation }) => operation === STORES);
    const named = (name: string) => brief.filter(({ probe }) => probe === `idempotency/${name}`);
    const [replays, ofOthers] = [named('replays')[0]!, named('other-accounts')[0]!];
    expect(ofOthers.stands?.()).toBe(false);
    await performed(replays, stores.send);
    expect(ofOthers).toMatchObject({ cost: 3, clauses: ['IDEM-01'] });
    expect(ofOthers.stands?.()).toBe(true);
    const before = stores.plans.length;
    expect(inWords(await performed(ofOthers, stores.send))).toEqual(['IDEM-01 holds']);
    const sent = stores.plans.slice(before);
    expect(sent.map(({ method }) => method)).toEqual(['POST', 'POST', 'DELETE']);
    expect(sent.every((plan) => credentialOf(plan) !== MAIN_KEY.name)).toBe(true);
    const payments = all(undefined, { ...world, isBrief: true, lasts: () => true });
    expect(payments.filter(({ probe }) => probe === 'idempotency/other-accounts')).toEqual([]);
  });

  it('removes under the other account what that account made', async () => {
    const stores = new Stores();
    await judge(stores);
    const foreign = stores.plans.filter((plan) => credentialOf(plan) !== MAIN_KEY.name);
    // A store and a payment, each sent again under its key.
    expect(foreign.map(({ method }) => method).sort()).toEqual(['DELETE', 'POST', 'POST', 'POST', 'POST']);
  });
});
