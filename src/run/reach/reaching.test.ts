import { beforeAll, describe, expect, it, test } from 'vitest';
import { errorObject } from '../../../test/support/checks/exchanges.ts';
import { loadShop, SHOP_PATHS, worldWith } from '../../../test/support/probes/world.ts';
import { benchWith, type Script } from '../../../test/support/run/test-session.ts';
import type { Description } from '../../openapi/model/operation.ts';
import type { World } from '../../probes/world.ts';
import { isFinal, keyOf, newReaching, reachAll, reachBeyond, reachLast } from './reaching.ts';

const DROPPED = { kind: 'reset', message: 'the connection was closed', reusedSocket: false } as const;

let shop: Description;
beforeAll(async () => {
  shop = await loadShop();
});

async function reached(script: Script, world: World = worldWith(), description = shop) {
  const { session, catalogue, plans } = benchWith(description, script, { inRun: () => false });
  const into = newReaching();
  const ordinary = catalogue.operations.filter((described) => !isFinal(described, catalogue.operations, 'commerce'));
  await reachAll(session, world, ordinary, catalogue.operations, into);
  return { into, sent: plans.map(({ method, path }) => `${method} ${path}`) };
}

/** Lists one product, creates another, knows no other. */
const serving: Script = ({ method, path }, index) => {
  if (method === 'POST') return { status: 201, body: { id: `prd_${index}` } };
  if (method === 'DELETE') return { status: 204 };
  return { body: path.endsWith('/products') ? [{ id: 'prd_a' }] : { id: 'prd_a' } };
};

describe('the reach stage', () => {
  it('calls every operation, and deletes nothing but what it made for the purpose', async () => {
    const { into, sent } = await reached(serving);
    expect([...into.reached.values()].filter(({ proof }) => proof === null)).toEqual([]);
    expect([...into.reached.keys()].toSorted()).toEqual(
      shop.operations
        .map(({ key }) => `admin ${key}`)
        .filter((key) => !key.includes('sign-out'))
        .toSorted(),
    );
    expect(sent.filter((line) => line.startsWith('DELETE'))).toHaveLength(1);
    expect(sent).not.toContain('DELETE /api/v1/products/prd_a');
    expect(sent.at(-1)).toMatch(/^DELETE /);
  });

  it('guesses what a path takes where nothing shows it, by a description alone and to read', async () => {
    const path = (name: string, schema: object) => ({ name, in: 'path', required: true, schema });
    const answers = { responses: { 200: { description: 'Done' } } };
    const description = await loadShop({
      '/bytes/{n}': { parameters: [path('n', { type: 'integer', maximum: 9 })], get: answers, delete: answers },
      '/words/{word}': { parameters: [path('word', { type: 'string', pattern: '^[a-z]{3}$' })], get: answers },
      '/things/{id}': { parameters: [path('id', { type: 'string' })], get: answers },
    });
    const script: Script = ({ path: place }) =>
      place.startsWith('/things') ? { status: 404, body: { error: errorObject({ status: 404 }) } } : { body: {} };
    const { into, sent } = await reached(script, worldWith({ contract: 'openapi' }), description);
    expect(sent).toContain('GET /bytes/1');
    expect(sent.some((line) => /^GET \/words\/[a-z]{3}$/.test(line))).toBe(true);
    expect(into.unreached.get('admin GET /things/{id}')?.reason).toContain('set fixtures.id');
    expect(sent.filter((line) => line.startsWith('DELETE'))).toEqual([]);
    const bound = await reached(script, worldWith({}), description);
    expect(bound.sent).not.toContain('GET /bytes/1');
  });

  it('reads a list again that was empty, where things of that name are wanted: a call of another path may have filled it', async () => {
    const path = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });
    const answers = { responses: { 200: { description: 'Done' } } };
    const description = await loadShop({
      '/messages': { get: answers },
      '/notes': { get: answers },
      '/send': { post: answers },
      '/message/{id}': { parameters: [path('id')], get: answers },
      '/message/{id}/raw': { parameters: [path('id')], get: answers },
    });
    let isSent = false;
    const script: Script = ({ method, path: place }) => {
      if (method === 'POST') isSent = true;
      if (place === '/messages') return { body: isSent ? [{ id: 'aF3kQ9' }] : [] };
      if (place === '/notes') return { body: [] };
      return place.startsWith('/message/') && !place.includes('aF3kQ9') ? { status: 404 } : { body: { ok: true } };
    };
    const { into, sent } = await reached(script, worldWith({ contract: 'openapi' }), description);
    expect(into.unreached.size).toBe(0);
    expect(sent.filter((line) => line === 'GET /messages')).toHaveLength(2);
    expect(sent.filter((line) => line === 'GET /notes')).toHaveLength(1);
  });

  it('takes few requests', async () => {
    expect((await reached(serving)).sent.length).toBeLessThanOrEqual(shop.operations.length + 2);
  });

  it('asks again, once all is known, for what failed', async () => {
    const { sent } = await reached((plan, index) =>
      plan.path.endsWith('/register')
        ? { status: 409, body: { error: errorObject({ status: 409 }) } }
        : serving(plan, index),
    );
    expect(sent.filter((line) => line.endsWith('/register'))).toHaveLength(2);
  });

  it('does not ask again, round after round, for what fails or drops sound requests, unless something new is known', async () => {
    const answers = { 200: { description: 'Read' } };
    const reads = ['a', 'b', 'c', 'd', 'e'].map((name) => [`/api/v1/${name}`, { get: { responses: answers } }]);
    const description = await loadShop({ ...SHOP_PATHS, ...Object.fromEntries(reads) });
    const failing = ({ path }: { readonly path: string }): boolean => /^\/api\/v1\/[a-e]$/.test(path);
    const refusals = new Map<string, number>();
    const { into, sent } = await reached(
      (plan, index) => {
        if (failing(plan)) return plan.path.endsWith('e') ? DROPPED : { status: plan.path.endsWith('d') ? 501 : 500 };
        // Operations that take several rounds keep the stage at it.
        const times = refusals.get(`${plan.method} ${plan.path}`) ?? 0;
        refusals.set(`${plan.method} ${plan.path}`, times + 1);
        const late = plan.path.endsWith('/products') ? 1 : plan.path.endsWith('/register') ? 2 : 0;
        if (plan.method === 'POST' && times < late)
          return { status: 409, body: { error: errorObject({ status: 409 }) } };
        return serving(plan, index);
      },
      worldWith(),
      description,
    );
    expect(into.reached.get('admin POST /api/v1/auth/register')?.proof).not.toBeNull();
    expect(sent.filter((line) => /\/[a-e]$/.test(line))).toHaveLength(2 * reads.length);
  });

  it('asks what failed once more where a value became known that it was not called with', async () => {
    const { sent } = await reached((plan, index) => {
      if (plan.path.includes('/products/')) return { status: 500 };
      return plan.method === 'POST' && plan.path.endsWith('/products') && index < 20
        ? { status: 409 }
        : serving(plan, index);
    });
    expect(sent.filter((line) => line.startsWith('GET /api/v1/products/')).length).toBeGreaterThanOrEqual(2);
  });

  it('assumes unknown ids where none is known, and says which is missing', async () => {
    const { into } = await reached((plan, index) =>
      plan.method === 'POST' ? { status: 500 } : { ...serving(plan, index), body: [] },
    );
    const key = 'admin GET /api/v1/products/{productId}';
    expect(into.unreached.get(key)).toMatchObject({
      reasonCode: 'no-fixture',
      reason: expect.stringContaining('fixtures.productId'),
    });
    expect(into.reached.get(key)).toMatchObject({
      proof: null,
      recipe: { pathValues: { productId: expect.any(String) } },
    });
  });

  it('says of what it may not delete that others made it', async () => {
    const { into } = await reached((plan, index) =>
      plan.method === 'POST' ? { status: 400 } : { ...serving(plan, index), body: [{ id: 'prd_1' }] },
    );
    expect(into.unreached.get('admin DELETE /api/v1/products/{productId}')).toMatchObject({
      reasonCode: 'precondition',
      reason: expect.stringContaining('what others made is not deleted'),
    });
  });

  it('says of what it may not change that others made it', async () => {
    const parameters = [{ name: 'penId', in: 'path', required: true, schema: { type: 'string' } }];
    const responses = { 200: { description: 'Done' } };
    const pens = { '/pens': { get: { responses } }, '/pens/{penId}': { parameters, put: { responses } } };
    const world = worldWith({ contract: 'openapi', environment: 'staging' });
    const { into, sent } = await reached(
      ({ path }) => (path === '/pens' ? { body: [{ id: 'pen_1' }] } : { status: 404 }),
      world,
      await loadShop(pens),
    );
    expect(sent).not.toContain('PUT /pens/pen_1');
    expect(into.unreached.get('admin PUT /pens/{penId}')?.reason).toBe(
      'nothing that this run surely made is known for path parameter penId; what others made is not changed',
    );
  });

  it('says who refuses to list or create what is missing', async () => {
    const { into } = await reached(({ path }) => ({ status: path.endsWith('/products') ? 403 : 404 }));
    expect(into.unreached.get('admin GET /api/v1/products/{productId}')?.reason).toMatch(
      /path parameter productId: GET \/api\/v1\/products answers 403, POST \/api\/v1\/products answers 403; set/,
    );
  });

  it('says of a list that is empty, and of a create that fails, that they show none', async () => {
    const { into } = await reached(({ path, method }) =>
      path.endsWith('/products') ? (method === 'POST' ? { status: 500 } : { body: [] }) : { status: 404 },
    );
    expect(into.unreached.get('admin GET /api/v1/products/{productId}')?.reason).toMatch(
      /path parameter productId: GET \/api\/v1\/products shows none, POST \/api\/v1\/products answers 500; set/,
    );
  });

  it('says of what is refused for want of a key which scheme none is for', async () => {
    const key = { name: 'k', plan: 'any', account: null, scheme: 'another' };
    const world = worldWith({ contract: 'openapi', mainKey: key, keys: [key] });
    const { into } = await reached(() => ({ status: 401 }), world);
    expect(into.unreached.get('admin GET /api/v1/products')).toEqual({
      reasonCode: 'no-credential',
      reason: 'no key is for its security scheme bearer',
    });
  });

  it('sends nothing that changes something where mutations are denied', async () => {
    const { into, sent } = await reached(serving, worldWith({ mutations: false }));
    expect(sent.every((line) => line.startsWith('GET '))).toBe(true);
    expect(into.unreached.get('admin POST /api/v1/products')).toMatchObject({ reasonCode: 'mutations-denied' });
    expect(into.reached.has('admin POST /api/v1/products')).toBe(false);
  });
});

it('what ends the session, and a DELETE of what nothing creates, is final', async () => {
  const paths = {
    '/api/v1/products': { post: {} },
    '/api/v1/products/{id}': { delete: {} },
    '/api/v1/sessions/{id}': { delete: {} },
    '/api/v1/auth/sign-out': { post: {} },
    '/api/v1/auth/login': { post: {} },
  };
  const operations = Object.entries(paths).map(([path, item]) => [
    path,
    Object.fromEntries(Object.keys(item).map((method) => [method, { responses: { 200: { description: 'Done' } } }])),
  ]);
  const { catalogue } = benchWith(await loadShop(Object.fromEntries(operations)), () => ({}));
  const final = catalogue.operations.filter((described) => isFinal(described, catalogue.operations, 'commerce'));
  expect(final.map(({ operation }) => operation.key)).toEqual([
    'DELETE /api/v1/sessions/{id}',
    'POST /api/v1/auth/sign-out',
  ]);
});

it('a DELETE of a whole collection is called last, though others were served by what is in it', async () => {
  const answers = { responses: { 200: { description: 'Done' } } };
  const id = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
  const description = await loadShop({
    '/things': { get: answers, delete: answers },
    '/things/{id}': { get: { ...answers, parameters: id } },
  });
  const script: Script = ({ path }) => ({ body: path === '/things' ? [{ id: 'a' }] : { id: 'a' } });
  const { session, catalogue, plans } = benchWith(description, script, { inRun: () => false });
  const world = worldWith({ contract: 'openapi' });
  const into = newReaching();
  const [last, first] = ['DELETE', 'GET'].map((name) =>
    catalogue.operations.filter(({ operation }) => operation.method === name),
  );
  await reachAll(session, world, first!, catalogue.operations, into);
  await reachLast(session, world, last!, catalogue.operations, into);
  expect(plans.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /things',
    'GET /things/a',
    'DELETE /things',
  ]);
});

it('what requires input that cannot be made is not called, and says why', async () => {
  const impossible = {
    type: 'object',
    required: ['a'],
    properties: { a: { allOf: [{ type: 'string' }, { type: 'integer' }] } },
  };
  const responses = { 200: { description: 'Done' } };
  const body = { required: true, content: { 'application/json': { schema: impossible } } };
  const query = { name: 'q', in: 'query', schema: { type: 'string', minLength: 3, maxLength: 2 } };
  const description = await loadShop({
    '/bodies': {
      post: { requestBody: body, responses },
      put: { requestBody: { ...body, required: false }, responses },
    },
    '/queries': {
      get: { parameters: [{ ...query, required: true }], responses },
      head: { parameters: [query], responses },
    },
  });
  const { session, catalogue, plans } = benchWith(description, () => ({ body: {} }), { inRun: () => false });
  const into = newReaching();
  await reachAll(session, worldWith(), catalogue.operations, catalogue.operations, into);
  expect(plans.map(({ method, path, body: sent }) => `${method} ${path} ${sent.kind}`).toSorted()).toEqual([
    'HEAD /queries none',
    'PUT /bodies none',
  ]);
  expect([...into.unreached].map(([key, { reasonCode, reason }]) => `${key}: ${reasonCode}: ${reason}`).sort()).toEqual(
    [
      'admin GET /queries: precondition: cannot generate a value for the query parameter "q", because no string lies within all of its bounds',
      'admin POST /bodies: precondition: cannot generate a valid request body, because no value is possible for the required member "a": its parts admit no type in common',
    ],
  );
});

describe('operations that need what others make', () => {
  const need = (name: string) => ({
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { type: 'object', required: [name], properties: { [name]: { type: 'string', minLength: 1 } } },
        },
      },
    },
    responses: { 201: { description: 'Made' } },
  });

  it('are reached however long the chain, and in whatever order it is described', async () => {
    const description = await loadShop({
      '/refunds': { post: need('shipment_id') },
      '/shipments': { post: need('order_id') },
      '/orders': { post: need('customer_id') },
      '/customers': { post: need('name') },
    });
    const made = new Set<string>();
    const { session, catalogue } = benchWith(
      description,
      (plan, index) => {
        const body = plan.body.kind === 'json' ? (plan.body.value as Record<string, string>) : {};
        const [[name, value] = ['', '']] = Object.entries(body);
        if (name !== 'name' && !made.has(value)) return { status: 422, body: {} };
        made.add(`${plan.path.slice(1)}-${index}`);
        return { status: 201, body: { id: `${plan.path.slice(1)}-${index}` } };
      },
      { inRun: () => false },
    );
    const into = newReaching();
    const around = worldWith({ contract: 'openapi' });
    await reachAll(session, around, catalogue.operations, catalogue.operations, into);
    expect([...into.reached.values()].filter(({ proof }) => proof === null)).toEqual([]);
  });
});

const ITEM = 'admin GET /api/v1/products/{productId}';

/** The requests of a shard that owns the item's operation and `called` nothing else at first. */
async function sentBy(script: Script) {
  const world = worldWith();
  const isOwn = (spot: { readonly service: string | null; readonly operation: string | null }): boolean =>
    `${spot.service} ${spot.operation}` === ITEM;
  const { session, catalogue, plans } = benchWith(shop, script, { inRun: () => false, share: { performs: isOwn } });
  const selected = catalogue.operations.filter((one) => !isFinal(one, catalogue.operations, 'commerce'));
  const own = selected.filter((described) => keyOf(described) === ITEM);
  const share = { own, called: own, books: () => true, notes: () => true, performs: isOwn };
  const reaching = newReaching();
  await reachAll(session, world, own, selected, reaching);
  await reachBeyond({ session, world, scope: { selected, share }, reaching });
  return { reached: reaching.reached.get(ITEM), plans };
}

const listed: Script = ({ method, path }) => {
  if (method === 'POST') return { status: 201, body: { id: 'p2' } };
  return path.endsWith('/products') ? { body: [{ id: 'p1' }] } : { body: {} };
};

test('a shard whose operation lacks an id calls what may yield one, which others answer for', async () => {
  let isMade = false;
  const { reached, plans } = await sentBy((plan, index) => {
    isMade ||= plan.method === 'POST';
    return isMade ? listed(plan, index) : { body: [] };
  });
  expect(reached?.proof).not.toBeNull();
  const creates = plans.filter(({ operation }) => operation === 'POST /api/v1/products');
  expect(creates.map(({ elsewhere }) => elsewhere)).toEqual([true]);
  expect(plans.at(-1)).toMatchObject({ operation: 'GET /api/v1/products/{productId}' });
  expect(plans.at(-1)).not.toHaveProperty('elsewhere');
});

test.each([200, 500])('a shard whose operation answers %i calls nothing more', async (status) => {
  const { plans } = await sentBy((plan, index) =>
    plan.path.endsWith('/products') ? listed(plan, index) : { status, body: {} },
  );
  expect(plans.filter(({ elsewhere }) => elsewhere !== undefined)).toEqual([]);
});
