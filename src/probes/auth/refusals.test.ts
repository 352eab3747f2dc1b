import { beforeAll, describe, expect, it } from 'vitest';
import { errorObject, exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { drive, inWords, loadShop, MAIN_KEY, reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import type { Description } from '../../openapi/model/operation.ts';
import type { Experiment } from '../probe.ts';
import { authExperiments, authUntested } from './refusals.ts';

let shop: Description;
beforeAll(async () => {
  shop = await loadShop();
});

const LIST = 'GET /api/v1/products';
const PUT = 'PUT /api/v1/products/{productId}';
const refused = { status: 401, body: { error: errorObject({ status: 401, code: 'auth_token_invalid' }) } };
const locked = { status: 403, body: { error: errorObject({ status: 403, code: 'account_locked' }) } };

const experiments = (key = LIST, turn = 0, world = worldWith()): readonly Experiment[] =>
  authExperiments(world, reachedWith(world, shop, key, { productId: 'prd_00000001' }), turn);
const named = (all: readonly Experiment[], probe: string): Experiment => {
  const found = all.find((experiment) => experiment.probe === probe);
  if (found === undefined) throw new Error(`no ${probe}`);
  return found;
};

describe('an operation that requires a token', () => {
  it('is asked without a token, with nine invalid ones, an expired and a locked one', () => {
    expect(experiments().map(({ probe }) => probe)).toEqual([
      'auth/no-token',
      'auth/invalid/random',
      'auth/invalid/alg-none',
      'auth/invalid/empty',
      'auth/invalid/altered-signature',
      'auth/invalid/altered-end',
      'auth/invalid/extended',
      'auth/invalid/basic',
      'auth/invalid/basic-user',
      'auth/invalid/query-only',
      'auth/expired',
      'auth/locked',
    ]);
  });

  it('has one invalid token in the lean pass, another at each turn', () => {
    const lean = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((turn) =>
      experiments(LIST, turn)
        .filter(({ probe, stage }) => probe.startsWith('auth/invalid/') && stage === 'lean')
        .map(({ probe }) => probe),
    );
    expect(lean.map((probes) => probes.length)).toEqual(Array(10).fill(1));
    expect(new Set(lean.flat()).size).toBe(9);
    expect(lean[9]).toEqual(lean[0]);
  });

  it.each([
    ['auth/no-token', 'AUTH-01', { kind: 'none' }],
    ['auth/invalid/basic', 'AUTH-02', { kind: 'invalid', how: 'basic' }],
    ['auth/expired', 'AUTH-03', { kind: 'expired' }],
  ])('%s judges %s', (probe, clause, credential) => {
    const experiment = named(experiments(), probe);
    const { plans, outcomes } = drive(experiment.run(), () => refused);
    expect(plans).toMatchObject([{ operation: LIST, retry: 'never', credential }]);
    expect(inWords(outcomes)).toEqual([`${clause} holds`]);
    expect(inWords(drive(experiment.run(), () => ({})).outcomes)[0]).toMatch(`${clause} breached: a request with`);
  });

  it.each([
    ['auth/invalid/empty', { kind: 'invalid', how: 'empty' }],
    ['auth/invalid/query-only', { kind: 'none' }],
  ])('%s judges AUTH-02 beside a request without any token', (probe, credential) => {
    const experiment = named(experiments(), probe);
    const kept = drive(experiment.run(), () => refused);
    expect(kept.plans).toMatchObject([{ operation: LIST, retry: 'never', credential }]);
    expect(inWords(kept.outcomes)).toEqual(['AUTH-02 holds']);
    const open = drive(experiment.run(), () => ({}));
    expect(open.plans[1]).toMatchObject({ probe: 'auth/no-token', credential: { kind: 'none' } });
    expect(open.plans[1]?.query).not.toContain('token');
    expect(inWords(open.outcomes)).toEqual(['AUTH-02 cannot tell']);
    const served = drive(experiment.run(), (_plan, index) => (index === 0 ? {} : refused));
    expect(inWords(served.outcomes)).toEqual([
      expect.stringMatching('AUTH-02 breached: a request with .* is accepted'),
    ]);
  });

  it('is asked without a token for an empty body, too, where it takes a body', () => {
    const experiment = named(experiments(PUT), 'auth/no-token/empty-body');
    const { plans, outcomes } = drive(experiment.run(), () => refused);
    expect(plans).toMatchObject([{ credential: { kind: 'none' }, body: { kind: 'json', value: {} } }]);
    expect(inWords(outcomes)).toEqual(['AUTH-01 holds']);
    const validated = { status: 400, body: { error: errorObject({ status: 400, code: 'validation_failed' }) } };
    expect(inWords(drive(experiment.run(), () => validated).outcomes)).toEqual([
      'AUTH-01 breached: a request with no token is not answered 401',
    ]);
  });

  it.each([404, null])(
    'tells nothing by a 404 where no call with a key succeeded, the first answered %s',
    (firstStatus) => {
      const world = worldWith();
      const reached = { ...reachedWith(world, shop, LIST), proof: null, firstStatus };
      const absent = { status: 404, body: { error: errorObject({ status: 404, code: 'resource_not_found' }) } };
      for (const probe of ['auth/no-token', 'auth/expired', 'auth/locked']) {
        const { outcomes } = drive(named(authExperiments(world, reached, 0), probe).run(), () => absent);
        expect(inWords(outcomes)).toEqual([expect.stringMatching('cannot tell')]);
      }
    },
  );

  it('auth/locked judges AUTH-04', () => {
    const experiment = named(experiments(), 'auth/locked');
    expect(inWords(drive(experiment.run(), () => locked).outcomes)).toEqual(['AUTH-04 holds']);
    expect(inWords(drive(experiment.run(), () => ({})).outcomes)).toEqual([
      'AUTH-04 breached: a locked account is served',
    ]);
  });

  it('carries the token in the query only where that is the probe', () => {
    const queries = experiments().map((experiment) => drive(experiment.run(), () => refused).plans[0]?.query ?? '');
    expect(queries.filter((query) => query.includes('token-of-ent-1'))).toHaveLength(1);
  });

  it('names nothing that exists where it would change something', () => {
    const [plan] = drive(named(experiments(PUT), 'auth/no-token').run(), () => refused).plans;
    expect(plan?.path).toMatch(/^\/api\/v1\/products\/prd_[0-9a-f]{8}$/);
    expect(plan?.path).not.toBe('/api/v1/products/prd_00000001');
  });

  it('is asked with those invalid tokens alone that the configuration names', () => {
    const world = worldWith({ invalidTokens: ['basic', 'random'] });
    const sent = experiments(LIST, 3, world).filter(({ clauses }) => clauses.includes('AUTH-02'));
    expect(sent.map(({ probe, stage }) => `${stage} ${probe}`)).toEqual([
      'depth auth/invalid/random',
      'lean auth/invalid/basic',
    ]);
  });

  it('lacks AUTH-02 where none of the named tokens fits', () => {
    const world = worldWith({ invalidTokens: ['altered'] });
    expect(experiments(LIST, 0, world).flatMap(({ clauses }) => clauses)).not.toContain('AUTH-02');
    expect(authUntested(world, reachedWith(world, shop, LIST))).toMatchObject([
      { clause: 'AUTH-02', reasonCode: 'no-credential', reason: expect.stringContaining('invalidTokens') },
    ]);
  });

  it('lacks what no credential is configured for', () => {
    const world = worldWith({ hasToken: { expired: false, locked: false } });
    const reached = reachedWith(world, shop, LIST);
    expect(experiments(LIST, 0, world).map(({ clauses }) => clauses[0])).not.toContain('AUTH-03');
    expect(authUntested(world, reached)).toMatchObject([
      { clause: 'AUTH-03', operation: LIST, reasonCode: 'no-credential' },
      { clause: 'AUTH-04', operation: LIST, reasonCode: 'no-credential' },
    ]);
    expect(authUntested(worldWith(), reached)).toEqual([]);
  });
});

describe('a stranger who meets 404', () => {
  const [UNPROVEN, missing] = [{ proof: null, firstStatus: 404 }, { status: 404 }];
  const judged = (answering: Parameters<typeof drive>[1], probe = 'auth/no-token', hasLocked = true) => {
    const world = worldWith({ hasToken: { expired: true, locked: hasLocked } });
    const reached = reachedWith(world, shop, PUT, { productId: 'prd_00000001' }, UNPROVEN);
    return drive(named(authExperiments(world, reached, 0), probe).run(), answering);
  };
  const isBeside = ({ path }: { readonly path: string }): boolean => path.includes('/assay-');

  it('is to be answered 401 where the operation is seen to be served', () => {
    const byLock = judged((plan) => (plan.credential.kind === 'locked' && !isBeside(plan) ? locked : missing));
    expect(inWords(byLock.outcomes)).toEqual(['AUTH-01 breached: a request with no token is not answered 401']);
    expect(byLock.outcomes[0]?.evidence).toHaveLength(2);
    const random = judged(
      (plan) => (plan.credential.kind === 'invalid' && !isBeside(plan) ? refused : missing),
      'auth/locked',
    );
    expect(inWords(random.outcomes)).toEqual(['AUTH-04 breached: a locked account is not answered 403']);
  });

  it('tells nothing where nothing shows that, or credentials are looked at everywhere', () => {
    expect(inWords(judged(() => missing).outcomes)).toEqual(['AUTH-01 cannot tell']);
    const everywhere = judged(({ credential }) => (credential.kind === 'none' ? missing : locked));
    expect(inWords(everywhere.outcomes)).toEqual(['AUTH-01 cannot tell']);
  });
});

describe('a public operation', () => {
  const HEALTH = 'GET /api/health/live';
  const REGISTER = 'POST /api/v1/auth/register';

  it('is asked without a token, and with one only when that was answered 401 or 403', () => {
    const [experiment] = experiments(HEALTH);
    const served = drive(experiment!.run(), () => ({}));
    expect(served.plans.map(({ credential }) => credential.kind)).toEqual(['none']);
    expect(inWords(served.outcomes)).toEqual(['AUTH-06 holds']);
    const demanding = drive(experiment!.run(), ({ credential }) => (credential.kind === 'none' ? refused : {}));
    expect(demanding.plans.map(({ credential }) => credential.kind)).toEqual(['none', 'key']);
    expect(inWords(demanding.outcomes)).toContain('AUTH-06 breached: a public operation demands a token');
    const forbidding = drive(experiment!.run(), ({ credential }) => (credential.kind === 'none' ? locked : {}));
    expect(inWords(forbidding.outcomes)).toContain('AUTH-06 breached: a public operation demands a token');
  });

  it('is not accused where a key does not help either', () => {
    const [experiment] = experiments(HEALTH);
    expect(inWords(drive(experiment!.run(), () => refused).outcomes)).toEqual(['AUTH-06 cannot tell']);
    const [keyless] = experiments(HEALTH, 0, worldWith({ mainKey: null, keys: [] }));
    expect(inWords(drive(keyless!.run(), () => refused).outcomes)).toEqual(['AUTH-06 cannot tell']);
  });

  it('is tried with a key of each security scheme, and not accused where credentials of the body are meant', () => {
    const of = (name: string, scheme: string) => ({ ...MAIN_KEY, name, scheme });
    const keys = [of('a', 'user'), of('b', 'app'), of('c', 'app')];
    const [experiment] = experiments(HEALTH, 0, worldWith({ contract: 'openapi', keys, mainKey: of('a', 'user') }));
    const asked = (serving: string | null) =>
      drive(experiment!.run(), ({ credential }) =>
        credential.kind === 'key' && credential.name === serving ? {} : { status: 401, body: {} },
      );
    expect(asked('b').plans.map(({ credential }) => ('name' in credential ? credential.name : ''))).toEqual([
      '',
      'a',
      'b',
    ]);
    expect(inWords(asked('b').outcomes)).toContain('AUTH-06 breached: a public operation demands a token');
    expect(inWords(asked(null).outcomes)).toEqual(['AUTH-06 cannot tell']);
  });

  it('is judged by its first call where a budget bounds the run and it reads', () => {
    const world = worldWith({ isBrief: true });
    const called = (key: string): readonly Experiment[] => {
      const reached = reachedWith(world, shop, key);
      const { plan } = exchangeWith({});
      const proof = exchangeWith({ plan: { ...plan, credential: { kind: 'none' } } });
      return authExperiments(world, { ...reached, proof }, 0);
    };
    const [reading] = called(HEALTH);
    const { plans, outcomes } = drive(reading!.run(), () => refused);
    expect(plans).toEqual([]);
    expect(inWords(outcomes)).toEqual(['AUTH-06 holds']);
    const [registration] = called(REGISTER);
    expect(drive(registration!.run(), () => ({ status: 201 })).plans).toHaveLength(1);
  });

  it('lacks nothing', () => {
    const world = worldWith({ hasToken: { expired: false, locked: false } });
    expect(authUntested(world, reachedWith(world, shop, HEALTH))).toEqual([]);
  });
});

it('a wrong password of a real user is sent on the first operation that reads alone', () => {
  const basic = shop.securitySchemes.map((one) => ({ ...one, scheme: 'basic' }));
  const description = { ...shop, securitySchemes: basic };
  const world = worldWith({ contract: 'openapi' });
  const sentOn = ({ key }: { readonly key: string }): boolean =>
    authExperiments(world, reachedWith(world, description, key, { productId: 'prd_00000001' }), 0).some(
      ({ probe }) => probe === 'auth/invalid/altered',
    );
  const first = description.operations.find(({ method, security }) => method === 'GET' && security.length > 0);
  expect(description.operations.filter(sentOn)).toEqual([first]);
});
