import { beforeAll, describe, expect, it } from 'vitest';
import { type Changes, errorObject, exchangeWith, validationError } from '../../../test/support/checks/exchanges.ts';
import { drive, inWords, loadShop, reachedWith, sentJson, worldWith } from '../../../test/support/probes/world.ts';
import { COMMERCE_TERMS } from '../../contract/shipped.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { planOf } from '../reach/recipe.ts';
import { drawFor } from '../world.ts';
import { registrationExperiment } from './registration.ts';

const REGISTER = 'POST /api/v1/auth/register';

let shop: Description;
beforeAll(async () => {
  shop = await loadShop();
});

/** A registry that keeps the contract. */
function registry(): (plan: RequestPlan) => Changes {
  const known = new Set<unknown>();
  return (plan) => {
    const { email, password } = sentJson(plan) as Record<string, unknown>;
    const missing = email === undefined ? 'email' : password === undefined ? 'password' : null;
    if (missing !== null) {
      const errors = [{ field: missing, code: 'required', message: 'Required' }];
      return { status: 400, body: { error: validationError({ param: missing, errors }) } };
    }
    if (known.has(email)) return { status: 409, body: { error: errorObject({ status: 409, code: 'email_taken' }) } };
    known.add(email);
    return { status: 201, body: { email } };
  };
}

const stated = COMMERCE_TERMS.registration!;
const experiment = (round = 0, nonce = 'run-7') => {
  const world = worldWith({ nonce });
  return registrationExperiment(world, reachedWith(world, shop, REGISTER), stated, round);
};
const emails = (plans: readonly RequestPlan[]): readonly unknown[] =>
  plans.map((plan) => (sentJson(plan) as { email?: string }).email);

describe('REQ-07', () => {
  it('holds for a registry that keeps the contract, in four requests', () => {
    const { plans, outcomes } = drive(experiment().run(), registry());
    expect(plans.map(({ probe }) => probe)).toEqual([
      'registration/first',
      'registration/again',
      'registration/without-email',
      'registration/without-password',
    ]);
    expect(inWords(outcomes)).toEqual(Array(4).fill('REQ-07 holds'));
    expect(experiment().cost).toBe(4);
  });

  it('sends one email twice, and the others never again, in no other round or run', () => {
    const all = [experiment(0), experiment(1), experiment(0, 'run-8')].map((one) => drive(one.run(), registry()).plans);
    for (const plans of all) expect(emails(plans)[0]).toBe(emails(plans)[1]);
    const distinct = new Set(all.flatMap(emails));
    expect(distinct.size).toBe(3 * 2 + 1);
  });

  it('is breached by a second 201, and by each missing field that is accepted', () => {
    const { outcomes } = drive(experiment().run(), () => ({ status: 201, body: {} }));
    expect(inWords(outcomes)).toEqual([
      'REQ-07 holds',
      'REQ-07 breached: a second registration of one email is not answered 409',
      'REQ-07 breached: a registration without email is accepted',
      'REQ-07 breached: a registration without password is accepted',
    ]);
  });

  it('goes on from the first call of the run where little may be made', () => {
    const world = worldWith({ lasts: () => true });
    const reached = reachedWith(world, shop, REGISTER);
    const answering = registry();
    const plan = planOf(reached.recipe, 'reach', drawFor(world, 'a0'));
    const proof = exchangeWith({ ...answering(plan), plan });
    const { plans, outcomes } = drive(registrationExperiment(world, { ...reached, proof }, stated, 0).run(), answering);
    expect(plans.map(({ probe }) => probe)).toEqual([
      'registration/again',
      'registration/without-email',
      'registration/without-password',
    ]);
    expect(inWords(outcomes)).toEqual(Array(4).fill('REQ-07 holds'));
  });

  it('does not judge the second registration where the first failed', () => {
    const { outcomes } = drive(experiment().run(), () => ({ status: 429, body: {} }));
    expect(inWords(outcomes)).toEqual(Array(3).fill('REQ-07 cannot tell'));
  });

  it('sends a password that the schema admits', async () => {
    const password = { type: 'string', minLength: 8, maxLength: 12 };
    const schema = {
      type: 'object',
      required: ['email', 'password'],
      properties: { email: { type: 'string' }, password },
    };
    const body = { content: { 'application/json': { schema } } };
    const strict = await loadShop({
      '/api/v1/auth/register': {
        post: { security: [], requestBody: body, responses: { 201: { description: 'Yes' } } },
      },
    });
    const world = worldWith();
    const [plan] = drive(
      registrationExperiment(world, reachedWith(world, strict, REGISTER), stated, 0).run(),
      registry(),
    ).plans;
    const { length } = (sentJson(plan) as { password: string }).password;
    expect([length >= 8, length <= 12]).toEqual([true, true]);
  });
});
