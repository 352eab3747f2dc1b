// Where little may be made: the whole family with a handful of payments, and what it still finds.
import { beforeAll, describe, expect, it } from 'vitest';
import {
  breachesOf,
  loadStores,
  PAYMENT,
  performed,
  refusal,
  STORES,
  Stores,
  type Ways,
} from '../../../test/support/probes/idempotency/stores.ts';
import { reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { type Conversation, type Experiment, NotSent, type Outcome, type Send } from '../probe.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor, type Reached } from '../world.ts';
import { idempotencyExperiments } from './family.ts';

const MOST = 5;
const STAGES = ['lean', 'quiet', 'last'];

let description: Description;
beforeAll(async () => {
  description = await loadStores();
});

const world = worldWith({ lasts: ({ key }) => key === PAYMENT });
const PAYMENTS = { world, subject: PAYMENT, prefix: 'pay' };
/** Stores that nothing deletes, and that a list shows. */
const LASTING_STORES = { world: worldWith({ lasts: ({ key }) => key === STORES }), subject: STORES, prefix: 'store' };
const keyOfPlan = ({ headers }: RequestPlan): string => headers.find(([name]) => name === 'Idempotency-Key')?.[1] ?? '';
const isPayment = ({ path }: RequestPlan): boolean => path.endsWith('process-payment');

/** Everything on payments, or another operation, after a first one, no more than `most` made; one less before the stage `last`. */
async function judge(
  ways: Ways = {},
  most = MOST,
  { world, subject, prefix } = PAYMENTS,
): Promise<{ outcomes: readonly Outcome[]; stores: Stores; made: number }> {
  const stores = new Stores(ways);
  const made = (): number => stores.made.filter(({ id }) => id.startsWith(prefix)).length;
  let isLast = false;
  const send: Send = async (plan) => {
    const allowed = plan.makes === 'nothing' || isLast ? most : most - 1;
    const isSubject = `${plan.method} ${plan.path}` === subject.replace('{storeId}', 'store_1');
    if (isSubject && made() >= allowed) throw new NotSent('precondition', 'limits.created is reached');
    return stores.send(plan);
  };
  const reached: Reached[] = [];
  for (const { key } of description.operations) {
    const one = reachedWith(world, description, key, { storeId: 'store_1' });
    const proof: Exchange | null =
      key === subject ? (await send(planOf(one.recipe, 'reach', drawFor(world, 'a0')))).last : one.proof;
    reached.push({ ...one, proof });
  }
  const all = idempotencyExperiments(world, reached)
    .filter(({ operation }) => operation === subject)
    .toSorted((a, b) => STAGES.indexOf(a.stage) - STAGES.indexOf(b.stage) || a.rank - b.rank);
  const outcomes: Outcome[] = [];
  for (const one of all) {
    isLast = one.stage === 'last';
    outcomes.push(...(await attempted(one, send)));
  }
  return { outcomes, stores, made: made() };
}

/** As the run does: what may not be made ends the experiment. */
async function attempted(one: Experiment | Conversation, send: Send): Promise<readonly Outcome[]> {
  try {
    return await performed(one, send);
  } catch (error) {
    if (!(error instanceof NotSent)) throw error;
    return [];
  }
}

describe('with five payments', () => {
  it('every clause holds, and no key is sent with two bodies but to see what that does', async () => {
    const { outcomes, made } = await judge();
    expect(made).toBe(MOST);
    expect(breachesOf(outcomes)).toEqual([]);
    const held = new Set(
      outcomes.filter(({ judgement }) => judgement.kind !== 'cannot-tell').map(({ clause }) => clause),
    );
    // No list shows payments: how many there are, the answers alone tell.
    expect([...held].sort()).toEqual(['IDEM-01', 'IDEM-04', 'IDEM-05', 'IDEM-07']);
  });

  it('one is sent again after sixty other calls and at the very end', async () => {
    const { stores } = await judge();
    const keys = stores.plans.filter(isPayment).map(keyOfPlan);
    const first = keys[0];
    const at = stores.plans.flatMap((plan, index) => (isPayment(plan) && keyOfPlan(plan) === first ? [index] : []));
    expect(Math.max(...at.map((index, turn) => index - (at[turn - 1] ?? index)))).toBeGreaterThan(50);
  });

  it('one is sent again after a rest before any other send of the stage may make what is left', () => {
    const reached = description.operations.map(({ key }) =>
      reachedWith(world, description, key, { storeId: 'store_1' }),
    );
    const quiet = idempotencyExperiments(world, reached).filter(
      ({ stage, operation }) => stage === 'quiet' && operation?.endsWith('process-payment'),
    );
    const [first] = quiet.toSorted((left, right) => left.rank - right.rank);
    expect(first?.probe).toBe('idempotency/late');
  });

  it('stores, which can be deleted, are tried as ever beside them, and pay for nothing', async () => {
    const stores = new Stores();
    const reached = description.operations.map(({ key }) =>
      reachedWith(world, description, key, { storeId: 'store_1' }),
    );
    for (const one of idempotencyExperiments(world, reached))
      if (one.operation === STORES) await performed(one, stores.send);
    expect(stores.made.filter(({ id }) => id.startsWith('pay'))).toEqual([]);
    expect(stores.made.length).toBeGreaterThan(60);
  });

  const paying = (change: (key: string) => string): Ways => ({ keyAs: change });
  const resent = (times: number): Ways => ({
    replayAs: (reply, resend, again) => (resend === times ? again() : reply),
  });
  it.each<[string, Ways, string]>([
    ['keys are told apart by 32 characters', paying((key) => key.slice(0, 32)), 'IDEM-04'],
    ['every resend is executed', resent(1), 'IDEM-05 a payment is executed again under its key'],
    ['a replay is refused', { replayAs: () => refusal(409, 'used') }, 'IDEM-01 a replay is refused'],
  ])('it is found that %s, and no more is made', async (_what, ways, cause) => {
    const { outcomes, made } = await judge(ways);
    expect(breachesOf(outcomes)).toContainEqual(expect.stringContaining(cause));
    expect(made).toBeLessThanOrEqual(MOST);
  });

  it.each<[string, Ways]>([
    ['refuses equal bodies', { first: refusingEqual() }],
    [
      'refuses keys of more than 64 characters',
      { first: (plan) => (keyOfPlan(plan).length > 64 ? refusal(400, 'too_long') : null) },
    ],
    [
      'refuses keys of more than 100 characters',
      { first: (plan) => (keyOfPlan(plan).length > 100 ? refusal(400, 'too_long') : null) },
    ],
    ['refuses sends at once', { meanwhile: refusal(409, 'in_progress') }],
  ])('nothing is said of a target that %s', async (_what, ways) => {
    const { outcomes, made } = await judge(ways);
    expect(breachesOf(outcomes)).toEqual([]);
    expect(made).toBeLessThanOrEqual(MOST);
    expect(outcomes.filter(({ clause }) => clause === 'IDEM-03').length).toBeGreaterThan(0);
  });
});

describe('with five of what a list shows', () => {
  it('equal bodies under different keys are no second effect of one key', async () => {
    const { outcomes } = await judge({}, MOST, LASTING_STORES);
    expect(breachesOf(outcomes)).toEqual([]);
    const held = outcomes.filter(({ judgement }) => judgement.kind === 'holds').map(({ clause }) => clause);
    expect(held).toEqual(expect.arrayContaining(['IDEM-01', 'IDEM-02', 'IDEM-03', 'IDEM-04']));
  });

  it('it is found that sends at once, or again, are executed each', async () => {
    const twice = await judge({ meanwhile: null }, MOST, LASTING_STORES);
    expect(breachesOf(twice.outcomes)).toContainEqual(expect.stringContaining('IDEM-03 sends at once have more'));
    const silent: Ways = {
      replayAs: (reply, resend, again) => {
        if (resend === 1) again();
        return reply;
      },
    };
    const again = await judge(silent, MOST, LASTING_STORES);
    expect(breachesOf(again.outcomes)).toContainEqual(expect.stringContaining('IDEM-02 a list shows two effects'));
  });
});

/** A body that another key brought is refused. */
function refusingEqual(): NonNullable<Ways['first']> {
  const keys = new Map<string, string>();
  return (plan) => {
    if (!isPayment(plan) || plan.body.kind !== 'json') return null;
    const sent = JSON.stringify(plan.body.value);
    const known = keys.get(sent);
    if (known !== undefined && known !== keyOfPlan(plan)) return refusal(409, 'duplicate');
    keys.set(sent, keyOfPlan(plan));
    return null;
  };
}
