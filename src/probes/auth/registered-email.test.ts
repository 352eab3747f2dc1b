import { beforeAll, describe, expect, it } from 'vitest';
import { exchangeWith, refusal } from '../../../test/support/checks/exchanges.ts';
import { drive, loadShop, reachedWith, sentJson, worldWith } from '../../../test/support/probes/world.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import { REGISTER_OPERATION } from '../../platform/facts.ts';
import { registeredEmailExperiment } from './registered-email.ts';

let shop: Description;
beforeAll(async () => {
  shop = await loadShop();
});

const EMAIL = 'assay-7@example.com';

function signIn(path = '/api/v1/auth/sign-in', proof = true) {
  const world = worldWith();
  const body = { kind: 'json', value: { email: EMAIL, password: 'x' } } as const;
  const sent = exchangeWith({ status: 201, plan: { body } });
  const registration = reachedWith(world, shop, REGISTER_OPERATION, {}, { proof: proof ? sent : null });
  const operation: Operation = { ...registration.operation, key: `POST ${path}`, path };
  const reached = { ...registration, operation, recipe: { ...registration.recipe, operation }, proof: null };
  return registeredEmailExperiment(world, reached, registration);
}

describe('a registered email', () => {
  it('is tried at the sign-in beside one that nobody registered, without a token', () => {
    const { plans, outcomes } = drive(signIn()!.run(), (_plan, index) =>
      index === 0 ? refusal(401, 'wrong_password') : refusal(404, 'account_unknown'),
    );
    expect(plans.map((plan) => (sentJson(plan) as { email: string }).email === EMAIL)).toEqual([true, false]);
    expect(plans.map(({ credential, makes }) => [credential.kind, makes])).toEqual(Array(2).fill(['none', 'nothing']));
    expect(outcomes[0]?.judgement.observed).toMatchObject([
      { value: 'told apart: 401 wrong_password, 404 account_unknown' },
    ]);
  });

  it('is told as alike where both are answered the same', () => {
    const { outcomes } = drive(signIn('/api/v1/auth/password/reset')!.run(), () => refusal(401, 'invalid_credentials'));
    expect(outcomes[0]?.judgement.observed).toMatchObject([{ value: 'alike: 401 invalid_credentials' }]);
  });

  it('is not tried where none is known, and not elsewhere', () => {
    expect(signIn('/api/v1/auth/sign-in', false)).toBeNull();
    expect(signIn('/api/v1/newsletter')).toBeNull();
  });
});
