import { beforeAll, describe, expect, it } from 'vitest';
import { errorObject } from '../checks/test-exchanges.ts';
import type { Description } from '../openapi/operation.ts';
import { authExperiments, authUntested } from './auth.ts';
import type { Experiment } from './probe.ts';
import { drive, inWords, loadShop, reachedWith, worldWith } from './test-world.ts';

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
  it('is asked without a token, with six invalid ones, an expired and a locked one', () => {
    expect(experiments().map(({ probe }) => probe)).toEqual([
      'auth/no-token',
      'auth/invalid/random',
      'auth/invalid/alg-none',
      'auth/invalid/empty',
      'auth/invalid/altered-signature',
      'auth/invalid/basic',
      'auth/invalid/query-only',
      'auth/expired',
      'auth/locked',
    ]);
  });

  it('has one invalid token in the lean pass, another at each turn', () => {
    const lean = [0, 1, 2, 3, 4, 5, 6].map((turn) =>
      experiments(LIST, turn)
        .filter(({ probe, stage }) => probe.startsWith('auth/invalid/') && stage === 'lean')
        .map(({ probe }) => probe),
    );
    expect(lean.map((probes) => probes.length)).toEqual([1, 1, 1, 1, 1, 1, 1]);
    expect(new Set(lean.flat()).size).toBe(6);
    expect(lean[6]).toEqual(lean[0]);
  });

  it.each([
    ['auth/no-token', 'AUTH-01', { kind: 'none' }],
    ['auth/invalid/basic', 'AUTH-02', { kind: 'invalid', how: 'basic' }],
    ['auth/invalid/query-only', 'AUTH-02', { kind: 'none' }],
    ['auth/expired', 'AUTH-03', { kind: 'expired' }],
  ])('%s judges %s', (probe, clause, credential) => {
    const experiment = named(experiments(), probe);
    const { plans, outcomes } = drive(experiment.run(), () => refused);
    expect(plans).toMatchObject([{ operation: LIST, retry: 'never', credential }]);
    expect(inWords(outcomes)).toEqual([`${clause} holds`]);
    expect(inWords(drive(experiment.run(), () => ({})).outcomes)[0]).toMatch(`${clause} breached: a request with`);
  });

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

  it('lacks what no credential is configured for', () => {
    const world = worldWith({ hasExpired: false, hasLocked: false });
    const reached = reachedWith(world, shop, LIST);
    expect(experiments(LIST, 0, world).map(({ clauses }) => clauses[0])).not.toContain('AUTH-03');
    expect(authUntested(world, reached)).toMatchObject([
      { clause: 'AUTH-03', operation: LIST, reasonCode: 'no-credential' },
      { clause: 'AUTH-04', operation: LIST, reasonCode: 'no-credential' },
    ]);
    expect(authUntested(worldWith(), reached)).toEqual([]);
  });
});

describe('a public operation', () => {
  const HEALTH = 'GET /api/health/live';

  it('is asked without a token, and with one only when that was answered 401', () => {
    const [experiment] = experiments(HEALTH);
    const served = drive(experiment!.run(), () => ({}));
    expect(served.plans.map(({ credential }) => credential.kind)).toEqual(['none']);
    expect(inWords(served.outcomes)).toEqual(['AUTH-06 holds']);
    const demanding = drive(experiment!.run(), ({ credential }) => (credential.kind === 'none' ? refused : {}));
    expect(demanding.plans.map(({ credential }) => credential.kind)).toEqual(['none', 'key']);
    expect(inWords(demanding.outcomes)).toContain('AUTH-06 breached: a public operation demands a token');
  });

  it('lacks nothing', () => {
    const world = worldWith({ hasExpired: false, hasLocked: false });
    expect(authUntested(world, reachedWith(world, shop, HEALTH))).toEqual([]);
  });
});
