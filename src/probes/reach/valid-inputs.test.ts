import { describe, expect, it } from 'vitest';
import { exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { drive, inWords, loadShop, reachedWith, sentJson, worldWith } from '../../../test/support/probes/world.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { keyIn } from '../../exchange/idempotency-key.ts';
import { silentExperiment } from '../idempotency/silent-header.ts';
import type { World } from '../world.ts';
import { bodyExperiments } from './depth.ts';
import { pairedInputExperiment } from './paired-inputs.ts';
import { smallestInputExperiment } from './smallest-input.ts';
import { validInputExperiment, variedInput, variedPlan } from './valid-inputs.ts';

const THING = {
  type: 'object',
  required: ['pay'],
  properties: {
    pay: {
      oneOf: [
        { type: 'object', required: ['card'], properties: { card: { type: 'string', maxLength: 9 } } },
        { type: 'object', required: ['iban'], properties: { iban: { type: 'string', minLength: 8, maxLength: 34 } } },
      ],
    },
    amount: { type: 'integer', minimum: 1, maximum: 50 },
  },
};

async function made(lasts: boolean, isBrief = false) {
  const requestBody = { required: true, content: { 'application/json': { schema: THING } } };
  const things = await loadShop({ '/things': { post: { requestBody, responses: { 201: { description: 'Made' } } } } });
  const world = worldWith({ lasts: () => lasts, isBrief });
  return { world, reached: reachedWith(world, things, 'POST /things', {}, { proof: exchangeWith({ status: 201 }) }) };
}

it('gives each round of what stays other input: bounds, and the other branch', async () => {
  const { world, reached } = await made(true);
  const bodies = [0, 1, 2].map((round) => sentJson(variedPlan(world, reached, round, 'test')!)) as {
    pay: object;
    amount?: number;
  }[];
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(3);
  expect(bodies.some(({ pay }) => 'iban' in pay)).toBe(true);
  expect(bodies.some(({ amount }) => amount === 1 || amount === 50)).toBe(true);
  expect(variedPlan(world, reached, 99, 'test')).toBeNull();
});

it('varies nothing where what is made can be deleted', async () => {
  const { world, reached } = await made(false);
  expect(variedPlan(world, reached, 0, 'test')).toBeNull();
});

it('varies what can be deleted, too, where a budget pays for few calls', async () => {
  const { world, reached } = await made(false, true);
  expect(sentJson(variedPlan(world, reached, 0, 'test')!)).not.toEqual(
    sentJson(variedPlan(world, reached, 1, 'test')!),
  );
});

const ALONE = { creator: null, keyed: null };

it('changes back what other input has changed, within a budget', async () => {
  const requestBody = { required: true, content: { 'application/json': { schema: THING } } };
  const things = await loadShop({ '/things': { put: { requestBody, responses: { 200: { description: 'Put' } } } } });
  const proof = exchangeWith({ status: 200 });
  const told = [true, false].map((isBrief) => {
    const world = worldWith({ isBrief });
    const experiment = silentExperiment(world, reachedWith(world, things, 'PUT /things', {}, { proof }), ALONE)!;
    const { plans } = drive(experiment.run(), () => ({ status: 200 }));
    expect(plans).toHaveLength(experiment.cost);
    return plans.map(({ probe, headers }) => [probe, keyIn(headers) !== null]);
  });
  expect(told).toEqual([
    [
      ['idempotency/silent', true],
      ['idempotency/silent/restored', false],
    ],
    [
      ['idempotency/silent', true],
      ['idempotency/silent', true],
    ],
  ]);
});

it('lays a failure of other input to no header: the plain call with it decides', async () => {
  const { world, reached } = await made(true);
  const experiment = silentExperiment(world, reached, ALONE)!;
  const { plans, outcomes } = drive(experiment.run(), (_plan, index) => ({ status: index === 0 ? 500 : 201 }));
  expect(plans.map(({ headers }) => keyIn(headers) !== null)).toEqual([true, true]);
  expect(outcomes.map(({ judgement }) => judgement.kind)).toEqual(['holds']);
  const served = drive(silentExperiment(world, reached, ALONE)!.run(), () => ({ status: 201 }));
  expect(served.plans).toHaveLength(1);
});

const PAIR = {
  type: 'object',
  required: ['count', 'color'],
  properties: { count: { type: 'integer', minimum: 0, maximum: 9 }, color: { enum: ['red', 'green'] } },
};

async function experimentOn(method: string, path: string, world: World = worldWith()) {
  const parameters = [...path.matchAll(/\{(.*?)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: {},
  }));
  const requestBody = { required: true, content: { 'application/json': { schema: PAIR } } };
  const operation = { parameters, requestBody, responses: { 200: { description: 'Done' } } };
  const things = await loadShop({ [path]: { [method]: operation } });
  return pairedInputExperiment(world, reachedWith(world, things, `${method.toUpperCase()} ${path}`, { id: '1' }));
}

it('sends each pair of bounds and listed values in one request', async () => {
  const experiment = await experimentOn('post', '/a');
  const { plans } = drive(experiment!.run(), () => ({ status: 200 }));
  const pairs = plans.map(sentJson).map((body) => JSON.stringify(body));
  // The body of the plain request is one of the four, and was sent before.
  expect(new Set(pairs).size).toBe(pairs.length);
  expect(pairs.length).toBeGreaterThanOrEqual(3);
  expect(plans.every(({ intent }) => intent === undefined)).toBe(true);
});

it('sets back what an update changed', async () => {
  const experiment = await experimentOn('put', '/a/{id}');
  expect(drive(experiment!.run(), () => ({ status: 200 })).plans.at(-1)?.probe).toBe('depth/pairs/restored');
});

it('ends where all of it is refused', async () => {
  const experiment = await experimentOn('put', '/a/{id}');
  const { plans } = drive(experiment!.run(), () => ({ status: 422 }));
  expect(plans.length).toBeLessThanOrEqual(4);
  expect(plans.at(-1)?.probe).toBe('depth/pairs');
});

it('is left out where what is made stays, where money moves, and where wrong credentials may lock', async () => {
  expect(await experimentOn('post', '/a', worldWith({ lasts: () => true }))).toBeNull();
  expect(await experimentOn('post', '/a', worldWith({ isPayment: () => true }))).toBeNull();
  expect(await experimentOn('post', '/login')).toBeNull();
});

it('takes what cookies admit, beside those that the recipe sends', async () => {
  const cookie = (name: string, required: boolean) => ({
    name,
    in: 'cookie',
    required,
    schema: { type: 'string', enum: ['a', 'b'] },
  });
  const parameters = [cookie('basket', false), cookie('shop', true)];
  const things = await loadShop({ '/things': { get: { parameters, responses: { 200: { description: 'All' } } } } });
  const world = worldWith();
  const experiment = validInputExperiment(world, reachedWith(world, things, 'GET /things'));
  const plans = experiment === null ? [] : drive(experiment.run(), () => ({})).plans;
  const sent = plans.map(({ headers }) => headers.find(([name]) => name === 'Cookie')?.[1] ?? '');
  for (const value of ['basket=a', 'basket=b']) expect(sent.some((text) => text.includes(value))).toBe(true);
  expect(sent.every((text) => /shop=[ab]/.test(text))).toBe(true);
});

it('varies what a PUT changes though it may make what stays, without references that name nothing', async () => {
  const properties = { size: { type: 'string', enum: ['s', 'm', 'l'] }, orderId: { type: 'string' } };
  const requestBody = { required: true, content: { 'application/json': { schema: { type: 'object', properties } } } };
  const responses = { 200: { description: 'Changed' }, 201: { description: 'Made' } };
  const things = await loadShop({ '/things': { put: { requestBody, responses } } });
  const world = worldWith({ lasts: () => true });
  const sizes = [200, 201].map((status) => {
    const changes = { proof: exchangeWith({ status }) };
    const reached = reachedWith(world, things, 'PUT /things', {}, changes);
    const bare = { ...reached, recipe: { ...reached.recipe, omitted: ['orderId'] } };
    const { plans } = drive(validInputExperiment(world, bare)!.run(), () => ({ status }));
    const bodies = plans.map((plan) => sentJson(plan) as { size?: string; orderId?: string });
    expect(new Set(bodies.map(({ orderId = '' }) => orderId))).toEqual(new Set(['']));
    return new Set(bodies.flatMap(({ size = [] }) => size)).size;
  });
  expect(sizes).toEqual([3, 1]);
});

it('varies the ids of a query where they are read, and not where what they name is changed', async () => {
  const schema = { type: 'array', minItems: 1, items: { type: 'integer', minimum: 1 } };
  const parameters = [{ name: 'ids', in: 'query', required: true, schema }];
  const responses = { 200: { description: 'Done' } };
  const things = await loadShop({ '/things': { get: { parameters, responses }, patch: { parameters, responses } } });
  const [read, changed] = ['GET /things', 'PATCH /things'].map((key) => {
    const reached = reachedWith(worldWith({}), things, key, {}, { proof: exchangeWith({ status: 200 }) });
    const experiment = validInputExperiment(worldWith({}), reached);
    const plans = experiment === null ? [] : drive(experiment.run(), () => ({ status: 200 })).plans;
    return plans.some(({ query }) => /ids=1(&|$)/.test(String(query)));
  });
  expect([read, changed]).toEqual([true, false]);
});

it('makes each thing under a name and a number of its own: one that was made before may have taken them', async () => {
  const properties = {
    sku: { type: 'string', pattern: '^[A-Z0-9]{3,20}$' },
    name: { type: 'string', maxLength: 90 },
    amount: { type: 'integer', minimum: 1, maximum: 50 },
    isOpen: { type: 'boolean' },
    kind: { type: 'string', enum: ['book', 'game', 'tool'] },
  };
  const schema = { type: 'object', required: ['sku', 'name'], properties };
  const requestBody = { required: true, content: { 'application/json': { schema } } };
  const made = { requestBody, responses: { 201: { description: 'Made' } } };
  const things = await loadShop({ '/things': { post: made, put: made } });
  const world = worldWith({ lasts: () => false });
  const sent = (method: string): readonly { sku: string; kind: string }[] => {
    const proof = exchangeWith({ status: 201 });
    const experiment = validInputExperiment(world, reachedWith(world, things, `${method} /things`, {}, { proof }));
    return drive(experiment!.run(), () => ({ status: 201 })).plans.map(
      (plan) => sentJson(plan) as { sku: string; kind: string },
    );
  };
  const skus = sent('POST').map(({ sku }) => sku);
  expect(skus.length).toBeGreaterThan(2);
  expect(new Set(skus).size).toBe(skus.length);
  // A replaced object keeps its names and numbers, and listed values are those of the round.
  expect(new Set(sent('PUT').map(({ sku }) => sku)).size).toBeLessThan(skus.length);
  expect(new Set(sent('POST').map(({ kind }) => kind))).toContain('book');
});

describe('what is looked at beside valid input', () => {
  const CANCEL = 'POST /api/v1/orders/{orderId}/cancel';
  const ok = (status: number) => ({ responses: { [status]: { description: 'As told' } } });
  const NOTICE = { type: 'object', properties: { notify: { type: 'boolean' } } };
  const noticed = { requestBody: { content: { 'application/json': { schema: NOTICE } } }, ...ok(200) };

  async function orders(changes: Partial<World> = {}) {
    const parameters = [{ name: 'orderId', in: 'path', required: true, schema: { type: 'string' } }];
    const shop = await loadShop({
      '/api/v1/orders': { post: ok(201) },
      '/api/v1/orders/{orderId}': { parameters, get: ok(200), put: noticed },
      '/api/v1/orders/{orderId}/cancel': { parameters, post: noticed },
    });
    const world = worldWith(changes);
    const at = (key: string) => reachedWith(world, shop, key, key.includes('{') ? { orderId: 'o_0' } : {});
    const beside = { reader: at('GET /api/v1/orders/{orderId}'), maker: at('POST /api/v1/orders') };
    return { world, at, beside };
  }

  /** An order can be cancelled once. */
  function cancelling() {
    const cancelled = new Set(['/api/v1/orders/o_0/cancel']);
    let made = 0;
    return ({ method, path }: { method: string; path: string }) => {
      if (path === '/api/v1/orders') {
        made += 1;
        return { status: 201, body: { id: `o_${made}` } };
      }
      if (method === 'GET') return { body: { id: path } };
      const isNew = !cancelled.has(path);
      cancelled.add(path);
      return { status: isNew ? 200 : 409, body: {} };
    };
  }

  it('does an action to a new thing each time, and reads the thing then', async () => {
    const { world, at, beside } = await orders();
    const { plans, exchanges } = drive(validInputExperiment(world, at(CANCEL), beside)!.run(), cancelling());
    const statuses = exchanges.map(({ response }) => response?.status);
    expect(statuses).not.toContain(409);
    const done = plans.filter(({ path }) => path.endsWith('/cancel'));
    expect(new Set(done.map(({ path }) => path)).size).toBe(done.length);
    expect(done.map(({ body }) => body.kind)).toContain('none');
    for (const { path } of done) expect(plans.map((plan) => plan.path)).toContain(path.replace('/cancel', ''));
  });

  it('reads what a replacement has left', async () => {
    const { world, at, beside } = await orders();
    const put = at('PUT /api/v1/orders/{orderId}');
    const { plans } = drive(validInputExperiment(world, put, { ...beside, maker: null })!.run(), () => ({}));
    const methods = plans.map(({ method }) => method);
    expect(methods.slice(0, 2)).toEqual(['PUT', 'GET']);
    expect(plans.every(({ path }) => path.endsWith('/o_0'))).toBe(true);
  });

  it('does neither within a budget', async () => {
    const { world, at, beside } = await orders({ isBrief: true });
    const { plans } = drive(validInputExperiment(world, at(CANCEL), beside)!.run(), cancelling());
    expect(plans.every(({ path }) => path.endsWith('/o_0/cancel'))).toBe(true);
  });
});

const DROPPED = { response: null };
/** Labels of which a list ends the connection. */
const LABELS = { type: 'object', additionalProperties: { oneOf: [{ type: 'string' }, { type: 'array' }] } };

async function labelled(required: readonly string[]) {
  const properties = { email: { type: 'string', format: 'email' }, labels: LABELS, mode: { enum: ['on'] } };
  const schema = { type: 'object', required, properties };
  const requestBody = { required: true, content: { 'application/json': { schema } } };
  const things = await loadShop({ '/things': { post: { requestBody, responses: { 201: { description: 'Made' } } } } });
  const world = worldWith({ contract: 'openapi' });
  const reached = reachedWith(world, things, 'POST /things', {}, { proof: exchangeWith({ status: 201 }) });
  return { world, reached: { ...reached, recipe: { ...reached.recipe, fullness: 'required' as const } } };
}

type Labelled = { readonly email?: string; readonly mode?: string; readonly labels?: Record<string, unknown> };
const hasList = (plan: RequestPlan): boolean =>
  Object.values((sentJson(plan) as Labelled).labels ?? {}).some(Array.isArray);

it('tells of sound input that drops the connection each time, with names of its own each time (REQ-09)', async () => {
  const { world, reached } = await labelled(['email']);
  const hasLabel = (plan: RequestPlan): boolean => Object.keys((sentJson(plan) as Labelled).labels ?? {}).length > 0;
  const rounds = [
    [validInputExperiment(world, reached)!, hasList],
    [smallestInputExperiment(world, reached)!, hasLabel],
  ] as const;
  for (const [experiment, ends] of rounds) {
    const { plans, outcomes } = drive(experiment.run(), (plan) => (ends(plan) ? DROPPED : { status: 201 }));
    const dropped = plans.filter(ends).map((plan) => (sentJson(plan) as Labelled).email);
    expect(new Set(dropped.slice(0, 3)).size).toBe(3);
    expect(inWords(outcomes)).toEqual(['REQ-09 breached: a request drops the connection']);
    // The way loses one connection, and the target none.
    let lost = 0;
    const once = drive(experiment.run(), (plan) => (ends(plan) && lost++ === 0 ? DROPPED : { status: 201 }));
    expect(lost).toBeGreaterThan(1);
    expect(once.outcomes).toEqual([]);
  }
});

it('sends the very request again that is answered 5xx: what shows each time does not waver', async () => {
  const { world, reached } = await labelled(['email']);
  const experiment = validInputExperiment(world, reached)!;
  const { plans } = drive(experiment.run(), (plan) => ({ status: hasList(plan) ? 501 : 201 }));
  const bodies = plans.filter(hasList).map((plan) => JSON.stringify(sentJson(plan)));
  expect(bodies[1]).toBe(bodies[0]);
  expect(bodies.filter((body) => body === bodies[0])).toHaveLength(2);
});

it('changes what is served where the body with all members is refused', async () => {
  const { world, reached } = await labelled(['email']);
  const [, full] = bodyExperiments(world, reached);
  const isSent = (): boolean => {
    const { plans } = drive(validInputExperiment(world, reached)!.run(), (plan) => ({
      status: 'mode' in (sentJson(plan) as object) ? 422 : 201,
    }));
    return plans.some((plan) => hasList(plan) && !('mode' in (sentJson(plan) as object)));
  };
  expect(full?.probe).toBe('depth/body/full');
  drive(full!.run(), () => ({ status: 409 }));
  const before = JSON.stringify([
    ...variedInput(world, reached).base.keys(),
    variedInput(world, reached).base.get('body'),
  ]);
  expect(before).toContain('"mode"');
  drive(full!.run(), () => ({ status: 422 }));
  expect(JSON.stringify(variedInput(world, reached).base.get('body'))).not.toContain('"mode"');
  expect(isSent()).toBe(true);
});
