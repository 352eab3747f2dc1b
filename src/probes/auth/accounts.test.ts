import { beforeAll, describe, expect, it } from 'vitest';
import { type Changes, errorObject, exchangeWith, refusal } from '../../../test/support/checks/exchanges.ts';
import {
  drive,
  inWords,
  loadShop,
  MAIN_KEY,
  OTHER_KEY,
  reachedWith,
  worldWith,
} from '../../../test/support/probes/world.ts';
import type { Description } from '../../openapi/model/operation.ts';
import type { World } from '../world.ts';
import {
  isolatedDeleteExperiment,
  isolatedListExperiments,
  isolationExperiments,
  openDeleteExperiment,
  otherKeyExperiments,
  strangerExperiment,
} from './accounts.ts';

const LIST = 'GET /api/v1/products';
const READ = 'GET /api/v1/products/{productId}';
const PUT = 'PUT /api/v1/products/{productId}';
const DELETE = 'DELETE /api/v1/products/{productId}';
const CREATE = 'POST /api/v1/products';
const OWN = { productId: 'prd_own_0001' };

let shop: Description;
beforeAll(async () => {
  shop = await loadShop();
});

describe('a DELETE without a token', () => {
  const world = worldWith({ contract: 'openapi' });
  const experiment = (changes: Parameters<typeof reachedWith>[4] = {}) =>
    openDeleteExperiment(world, reachedWith(world, shop, DELETE, OWN, changes), reachedWith(world, shop, CREATE));
  const made = ({ method }: { readonly method: string }, status: number): Changes =>
    method === 'POST' ? { status: 201, body: { id: 'prd_v' } } : { status };

  it('is tried on an object that was made for it', () => {
    const { plans, outcomes } = drive(experiment()!.run(), (plan) => made(plan, 204));
    expect(plans.map(({ method, path, credential }) => `${method} ${path} ${credential.kind}`)).toEqual([
      'POST /api/v1/products key',
      'DELETE /api/v1/products/prd_v none',
    ]);
    expect(inWords(outcomes)).toEqual(['AUTH-01 breached: a DELETE with no token is carried out']);
  });

  it.each([
    [401, 'AUTH-01 holds'],
    [403, 'AUTH-01 holds'],
    [404, 'AUTH-01 cannot tell'],
  ])('that is answered %i takes nothing away', (status, words) => {
    expect(inWords(drive(experiment()!.run(), (plan) => made(plan, status)).outcomes)).toEqual([words]);
  });

  it('is known where the first call went without one', () => {
    const proof = exchangeWith({ plan: { method: 'DELETE', credential: { kind: 'none' } }, status: 204 });
    const { plans, outcomes } = drive(experiment({ proof })!.run(), () => ({}));
    expect(plans).toEqual([]);
    expect(inWords(outcomes)).toEqual(['AUTH-01 breached: a DELETE with no token is carried out']);
  });

  it('is left to the experiments of the platform under its own contract', () => {
    const commerce = worldWith();
    const reached = reachedWith(commerce, shop, DELETE, OWN);
    expect(openDeleteExperiment(commerce, reached, reachedWith(commerce, shop, CREATE))).toBeNull();
  });
});

describe('other keys', () => {
  it('read what the main key reads', () => {
    const world = worldWith();
    const [experiment, ...more] = otherKeyExperiments(world, reachedWith(world, shop, LIST), { first: true });
    expect(more).toEqual([]);
    const { plans, outcomes } = drive(experiment!.run(), () => refusal(401, 'auth_token_invalid'));
    expect(plans[0]?.credential).toEqual({ kind: 'key', name: OTHER_KEY.name });
    expect(inWords(outcomes)).toEqual(['AUTH-05 breached: a valid key is refused']);
    expect(inWords(drive(experiment!.run(), () => refusal(403, 'scope')).outcomes)).toEqual(['AUTH-05 cannot tell']);
  });

  it('are not tried on a public operation', () => {
    const world = worldWith();
    expect(otherKeyExperiments(world, reachedWith(world, shop, 'GET /api/health/live', OWN), { first: true })).toEqual(
      [],
    );
  });

  it('ask in vain for what changes something: an unknown id, and a body that is no JSON', () => {
    const world = worldWith();
    const sentOn = (key: string) => {
      const [experiment] = otherKeyExperiments(world, reachedWith(world, shop, key, OWN), { first: true });
      // Without a token nobody gets so far.
      return drive(experiment!.run(), ({ credential }) => ({ status: credential.kind === 'none' ? 401 : 404 })).plans;
    };
    for (const key of [PUT, DELETE]) {
      const [plan, ...more] = sentOn(key);
      expect(more.map(({ credential }) => credential.kind)).toEqual(key === PUT ? ['none'] : []);
      expect(plan).toMatchObject({ credential: { name: OTHER_KEY.name }, intent: 'invalid', makes: 'nothing' });
      expect(plan?.path).not.toContain(OWN.productId);
    }
    for (const key of [PUT, CREATE]) {
      const body = sentOn(key)[0]?.body;
      expect(() => JSON.parse(body?.kind === 'raw' ? body.text : '{}')).toThrow();
    }
  });

  it('are refused a change that the main key gets as far as to be told what is wrong', () => {
    const world = worldWith();
    const [experiment] = otherKeyExperiments(world, reachedWith(world, shop, PUT, OWN), { first: true });
    const told = (main: Changes) =>
      inWords(drive(experiment!.run(), (_plan, index) => [refusal(401, 'auth_token_invalid'), main][index]!).outcomes);
    expect(told(refusal(404, 'resource_not_found'))).toEqual(['AUTH-05 breached: a valid key is refused']);
    expect(told(refusal(401, 'auth_token_invalid'))).toEqual(['AUTH-05 cannot tell']);
  });
});

describe('other keys of a target that looks at bodies first', () => {
  /** A broken body is told to everybody, and a sound one is answered so. */
  const told = (on: string, refusedKeys: boolean) => {
    const world = worldWith();
    const [experiment] = otherKeyExperiments(world, reachedWith(world, shop, on, OWN), { first: true });
    const { plans, outcomes } = drive(experiment!.run(), ({ body, credential }) => {
      if (body.kind === 'raw') return refusal(400, 'malformed_json');
      const isMain = credential.kind === 'key' && credential.name === MAIN_KEY.name;
      const isRefused = credential.kind === 'none' || (refusedKeys && !isMain);
      return isRefused ? refusal(401, 'auth_token_invalid') : refusal(404, 'resource_not_found');
    });
    return { words: inWords(outcomes), sent: plans.length };
  };

  it('are tried with a sound body on an id that names nothing', () => {
    expect(told(PUT, true).words).toEqual(['AUTH-05 breached: a valid key is refused']);
    expect(told(PUT, false)).toEqual({ words: ['AUTH-05 holds'], sent: 4 });
  });

  it('act in vain on an id that names nothing, where an action takes no body', async () => {
    const parameters = [{ name: 'productId', in: 'path', required: true, schema: { type: 'string' } }];
    const post = { parameters, responses: { 200: { description: 'Published' } } };
    const acting = await loadShop({ '/api/v1/products/{productId}/publish': { post } });
    const world = worldWith();
    const publish = reachedWith(world, acting, 'POST /api/v1/products/{productId}/publish', OWN);
    const [experiment] = otherKeyExperiments(world, publish, { first: true });
    const { plans, outcomes } = drive(experiment!.run(), (_plan, index) =>
      index === 0 ? refusal(401, 'auth_token_invalid') : refusal(404, 'resource_not_found'),
    );
    expect(plans.map(({ path }) => path).some((path) => path.includes(OWN.productId))).toBe(false);
    expect(inWords(outcomes)).toEqual(['AUTH-05 breached: a valid key is refused']);
  });

  it('are not told of where a sound body would make something', () => {
    expect(told(CREATE, true).words).toEqual(['AUTH-05 cannot tell']);
  });
});

describe('a stranger', () => {
  const told = (existing: Changes, absent: Changes) => {
    const world = worldWith();
    const experiment = strangerExperiment(world, reachedWith(world, shop, READ, OWN), { first: true });
    return drive(experiment!.run(), (_plan, index) => (index === 0 ? existing : absent));
  };

  it('asks for what exists and for what does not, without a token', () => {
    const { plans } = told(refusal(401, 'a'), refusal(401, 'a'));
    expect(plans.map(({ credential }) => credential.kind)).toEqual(['none', 'none']);
    expect(plans[0]?.path).not.toBe(plans[1]?.path);
  });

  it('is told apart by words as well, but for those that name what was asked for', () => {
    const saying = (message: string): Changes => ({
      status: 401,
      body: { error: { ...errorObject({ status: 401, code: 'auth_token_invalid' }), message } },
    });
    const cause = (existing: string, missing: string) => inWords(told(saying(existing), saying(missing)).outcomes)[0];
    expect(cause('This product needs a token.', 'No such product.')).toBe(
      'AUTH-07 breached: a stranger can tell whether a resource exists',
    );
    expect(cause(`No token for ${OWN.productId}, request 4711.`, 'No token for prd_zzz_9999, request 12.')).toBe(
      'AUTH-07 breached: a stranger cannot tell whether a resource exists',
    );
  });

  it('is told apart or not: observed, never judged', () => {
    const [same] = told(refusal(401, 'a'), refusal(401, 'a')).outcomes;
    const [other] = told(refusal(401, 'a'), refusal(404, 'b')).outcomes;
    expect([same, other].map((one) => one?.judgement)).toMatchObject([
      { breaches: [{ weight: 'observation', cause: 'a stranger cannot tell whether a resource exists' }] },
      { breaches: [{ weight: 'observation', cause: 'a stranger can tell whether a resource exists' }] },
    ]);
  });
});

describe('isolation', () => {
  const created = (changes: Partial<World> = {}): World => {
    const world = worldWith(changes);
    world.knowledge.noteCreated('/api/v1/products', { id: OWN.productId });
    return world;
  };
  const probes = (world: World, key: string, values = OWN): number =>
    isolationExperiments(world, reachedWith(world, shop, key, values)).length;

  it('is asked of what this run created, by the key of another account', () => {
    const world = created();
    for (const key of [READ, PUT]) {
      const [experiment] = isolationExperiments(world, reachedWith(world, shop, key, OWN));
      const { plans, outcomes } = drive(experiment!.run(), () => ({}));
      expect(plans[0]).toMatchObject({
        credential: { kind: 'key', name: OTHER_KEY.name },
        path: `/api/v1/products/${OWN.productId}`,
      });
      expect(inWords(outcomes)[0]).toContain('AUTH-08 breached: another account can');
      const isolated = drive(experiment!.run(), () => refusal(404, 'resource_not_found'));
      expect(inWords(isolated.outcomes)[0]).toBe('AUTH-08 holds');
    }
  });

  it('shows whether another account is told that what it may not read exists', () => {
    const world = created();
    const [experiment] = isolationExperiments(world, reachedWith(world, shop, READ, OWN));
    const told = (existing: Changes, missing: Changes) => {
      const { plans, outcomes } = drive(experiment!.run(), (_plan, index) => (index === 0 ? existing : missing));
      expect(plans[1]?.path).not.toContain(OWN.productId);
      return inWords(outcomes).at(-1);
    };
    const gone = refusal(404, 'resource_not_found');
    expect(told(refusal(403, 'not_yours'), gone)).toBe(
      'AUTH-07 breached: another account can tell whether a resource exists that is not its own',
    );
    expect(told(gone, gone)).toBe(
      'AUTH-07 breached: another account cannot tell whether a resource exists that is not its own',
    );
  });

  it('is not asked of what others made, by one account alone, or of accounts that nobody states', () => {
    expect(probes(created(), READ, { productId: 'prd_old' })).toBe(0);
    expect(probes(created({ keys: [MAIN_KEY, { ...OTHER_KEY, account: 'one' }] }), READ)).toBe(0);
    expect(probes(created({ keys: [MAIN_KEY, { ...OTHER_KEY, account: null }] }), READ)).toBe(0);
    expect(probes(created(), 'DELETE /api/v1/products/{productId}')).toBe(0);
    expect(probes(created(), LIST)).toBe(0);
  });

  it('shows in no list of another account what this run created', () => {
    const world = created();
    const [experiment] = isolatedListExperiments(world, reachedWith(world, shop, LIST));
    const leaking = drive(experiment!.run(), () => ({ body: [{ id: OWN.productId }] }));
    expect(leaking.plans[0]).toMatchObject({ credential: { kind: 'key', name: OTHER_KEY.name }, query: 'limit=100' });
    expect(inWords(leaking.outcomes)).toEqual([
      'AUTH-08 breached: another account sees in a list what an account created',
    ]);
    expect(inWords(drive(experiment!.run(), () => ({ body: [{ id: 'theirs' }] })).outcomes)).toEqual(['AUTH-08 holds']);
    const untouched = worldWith();
    expect(isolatedListExperiments(untouched, reachedWith(untouched, shop, LIST))).toEqual([]);
  });

  it('lets another account delete nothing, tried on an object made for the purpose', () => {
    const world = created();
    const [remove, create] = ['DELETE /api/v1/products/{productId}', 'POST /api/v1/products'].map((key) =>
      reachedWith(world, shop, key, key.startsWith('DELETE') ? OWN : {}),
    );
    const answering = (deleted: Changes) => (plan: { method: string }) =>
      plan.method === 'POST' ? { status: 201, body: { id: 'prd_victim' } } : deleted;
    const experiment = isolatedDeleteExperiment(world, remove!, create!);
    const { plans, outcomes } = drive(experiment!.run(), answering({ status: 204 }));
    expect(plans).toMatchObject([
      { method: 'POST', credential: { name: MAIN_KEY.name } },
      { method: 'DELETE', path: '/api/v1/products/prd_victim', credential: { name: OTHER_KEY.name } },
    ]);
    expect(inWords(outcomes)).toEqual(['AUTH-08 breached: another account can delete what an account created']);
    const kept = drive(experiment!.run(), answering(refusal(404, 'resource_not_found')));
    expect(inWords(kept.outcomes)).toEqual(['AUTH-08 holds']);
    expect(drive(experiment!.run(), () => refusal(500, 'internal'))).toMatchObject({ plans: [{}], outcomes: [] });
    expect(isolatedDeleteExperiment(world, remove!, null)).toBeNull();
  });
});
