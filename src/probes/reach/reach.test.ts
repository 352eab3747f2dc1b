import { beforeAll, describe, expect, it } from 'vitest';
import { type Changes, errorObject, validationError } from '../../../test/support/checks/exchanges.ts';
import { drive, loadShop, operationOf, SHOP_PATHS, sentJson, worldWith } from '../../../test/support/probes/world.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';
import { ordinaryCredential, type Reached, type World } from '../world.ts';
import { reach } from './reach.ts';

const LIST = 'GET /api/v1/products';
const CREATE = 'POST /api/v1/products';
const READ = 'GET /api/v1/products/{productId}';
const VARIANTS = 'GET /api/v1/products/{productId}/variants';
const VARIANT = 'GET /api/v1/products/{productId}/variants/{variantId}';
const PRODUCTS = '/api/v1/products';

let shop: Description;
beforeAll(async () => {
  const order = { type: 'object', required: ['productId'], properties: { productId: { type: 'string' } } };
  const owner = { type: 'object', required: ['userId'], properties: { userId: { type: 'string' } } };
  const plan = { type: 'object', properties: { owner, title: { type: 'string' }, orderId: { type: 'string' } } };
  const body = { required: true, content: { 'application/json': { schema: order } } };
  const responses = { 201: { description: 'Created' } };
  const parameter = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });
  const get = { responses: { 200: { description: 'Read' } } };
  shop = await loadShop({
    ...SHOP_PATHS,
    '/api/v1/orders': { post: { requestBody: body, responses } },
    '/api/v1/plans': {
      post: { requestBody: { required: true, content: { 'application/json': { schema: plan } } }, responses },
    },
    '/api/v1/channels/{channel}': {
      parameters: [{ ...parameter('channel'), schema: { type: 'string', enum: ['web', 'shop'] } }],
      get,
    },
    '/api/v1/products/{productId}/variants': {
      parameters: [parameter('productId'), { name: 'limit', in: 'query', schema: { type: 'integer' } }],
      get,
    },
    '/api/v1/products/{productId}/variants/{variantId}': {
      parameters: [parameter('productId'), parameter('variantId')],
      get,
    },
  });
});

function reaching(key: string, world: World, answering: (plan: RequestPlan, index: number) => Changes) {
  const arrivals: Reached[] = [];
  const missing: string[] = [];
  const course = reach(
    world,
    shop,
    operationOf(shop, key),
    (reached) => arrivals.push(reached),
    (parameter) => missing.push(parameter),
  );
  return { ...drive(course, answering), arrivals, missing };
}

const notFound = { status: 404, body: { error: errorObject() } };
const wants = (...fields: string[]): Changes => ({
  status: 400,
  body: {
    error: validationError({ errors: fields.map((field) => ({ field, code: 'required', message: 'Required' })) }),
  },
});

describe('reaching an operation', () => {
  it('takes one request that succeeds, and remembers what a list shows', () => {
    const world = worldWith();
    const { plans, arrivals } = reaching(LIST, world, () => ({ body: [{ id: 'prd_1' }] }));
    expect(plans).toMatchObject([{ probe: 'reach', operation: LIST, retry: 'contract', credential: { kind: 'key' } }]);
    expect(arrivals).toMatchObject([{ proof: { id: 'ex-1' } }]);
    expect(world.knowledge.idsAt(PRODUCTS, 'productId')).toEqual([{ value: 'prd_1', created: false, own: false }]);
  });

  it('remembers what a create answers', () => {
    const world = worldWith();
    reaching(CREATE, world, () => ({ status: 201, body: { id: 'prd_2' } }));
    expect(world.knowledge.isCreated('prd_2')).toBe(true);
  });

  it('looks for the value of a path parameter in its collection, and names it where none shows one', () => {
    const { plans, arrivals, missing } = reaching(READ, worldWith(), () => ({ body: [] }));
    expect(plans.map(({ method, path }) => `${method} ${path}`)).toEqual([`GET ${PRODUCTS}`]);
    expect([arrivals, missing]).toEqual([[], ['productId']]);
    const found = reaching(READ, worldWith(), ({ path }) => ({ body: path === PRODUCTS ? [{ id: 'prd_3' }] : {} }));
    expect(found.plans.map(({ path }) => path)).toEqual([PRODUCTS, `${PRODUCTS}/prd_3`]);
    expect(found.arrivals).toMatchObject([{ operation: { key: READ }, proof: { id: 'ex-2' } }]);
  });

  it('reads the collection under one parent after another, until one shows an item', () => {
    const world = worldWith();
    world.knowledge.noteListed(
      PRODUCTS,
      ['a', 'b', 'c'].map((id) => ({ id })),
    );
    const { plans, arrivals } = reaching(VARIANT, world, ({ path }) => ({
      body: path === `${PRODUCTS}/b/variants` ? [{ id: 'v1' }] : [],
    }));
    expect(plans.map(({ path }) => path)).toEqual([
      `${PRODUCTS}/a/variants`,
      `${PRODUCTS}/b/variants`,
      `${PRODUCTS}/b/variants/v1`,
    ]);
    expect(arrivals).toMatchObject([{ recipe: { pathValues: { productId: 'b', variantId: 'v1' } } }]);
  });

  it.each([
    ['openapi', 500],
    ['commerce', 400],
  ] as const)(
    'goes without all that may be left out, references included, where the whole body fails (%s)',
    (contract, refusal) => {
      const world = worldWith({ contract });
      world.knowledge.noteListed('/api/v1/users', [{ id: 'u1' }]);
      world.knowledge.noteListed('/api/v1/orders', [{ id: 'o1' }]);
      world.knowledge.share();
      const { plans, arrivals } = reaching('POST /api/v1/plans', world, (_plan, index) => ({
        status: index === 0 ? refusal : 201,
      }));
      expect(plans.map(sentJson)).toEqual([{ owner: { userId: 'u1' }, title: expect.any(String), orderId: 'o1' }, {}]);
      expect(arrivals).toMatchObject([{ proof: { id: 'ex-2' }, recipe: { fullness: 'required' } }]);
    },
  );

  it('takes for an enumerated parameter only values that are enumerated, whatever was listed there', () => {
    const world = worldWith();
    world.knowledge.noteListed('/api/v1/channels', [{ id: 'chn_1' }]);
    expect(reaching('GET /api/v1/channels/{channel}', world, () => ({})).plans[0]?.path).toMatch(
      /channels\/(web|shop)$/,
    );
    world.knowledge.noteListed('/api/v1/channels', [{ id: 'shop' }]);
    expect(reaching('GET /api/v1/channels/{channel}', world, () => ({})).plans[0]?.path).toMatch(/channels\/shop$/);
  });

  it('takes fixtures where nothing was listed', () => {
    const world = worldWith({ fixtures: { productId: 'prd fixed/1' } });
    expect(reaching(READ, world, () => ({})).plans[0]?.path).toBe('/api/v1/products/prd%20fixed%2F1');
  });

  it('tries the next id after a 404 or 403, at most four, and no other after a 500', () => {
    const known = (): World => {
      const world = worldWith({ fixtures: { productId: 'fixed' } });
      world.knowledge.noteListed(
        PRODUCTS,
        ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id })),
      );
      return world;
    };
    const second = reaching(READ, known(), (_plan, index) => (index === 0 ? notFound : {}));
    expect(second.plans.map(({ path }) => path)).toEqual(['/api/v1/products/fixed', '/api/v1/products/a']);
    const none = reaching(READ, known(), () => notFound);
    expect(none.plans.length).toBeLessThanOrEqual(4);
    expect(none.arrivals).toMatchObject([{ proof: null }]);
    expect(reaching(READ, known(), () => ({ status: 500 })).plans).toHaveLength(1);
  });

  describe('what is not known by its id', () => {
    const MADE = { id: 'c0ffee', name: 'assay-20261126-000001-aaaaaa', number: 7 };
    const knowing = (contract: World['contract'] = 'openapi'): World => {
      const world = worldWith({ contract });
      world.knowledge.noteCreated(PRODUCTS, MADE);
      return world;
    };
    const byName = ({ path }: RequestPlan): Changes => (path === `${PRODUCTS}/${MADE.name}` ? {} : notFound);

    it('is asked for by its name, which is remembered for the operation', () => {
      const world = knowing();
      const { plans, arrivals } = reaching(READ, world, byName);
      expect(plans.map(({ path }) => path)).toEqual([`${PRODUCTS}/c0ffee`, `${PRODUCTS}/${MADE.name}`]);
      expect(arrivals).toMatchObject([{ proof: { id: 'ex-2' }, recipe: { pathValues: { productId: MADE.name } } }]);
      expect(reaching(READ, world, byName).plans).toHaveLength(1);
    });

    it('is asked for by its name where the id is refused as wrong, and a body is not refused for that', () => {
      const wrong = (text: string) => (plan: RequestPlan) =>
        plan.path === `${PRODUCTS}/${MADE.name}` ? {} : { status: 400, body: { message: text } };
      expect(reaching(READ, knowing(), wrong('cannot parse c0ffee')).arrivals).toMatchObject([
        { proof: { id: 'ex-2' } },
      ]);
      expect(reaching(READ, knowing(), wrong('the body is wrong')).plans).toHaveLength(1);
    });

    it('is asked for by no number, which may be that of another, and by nothing else where nothing else is known', () => {
      expect(reaching(READ, knowing(), () => notFound).plans).toHaveLength(2);
      const world = worldWith({ contract: 'openapi' });
      world.knowledge.noteCreated(PRODUCTS, { id: 'c0ffee', number: 7 });
      expect(reaching(READ, world, () => notFound).plans).toHaveLength(1);
    });

    it('is asked for by its id alone where the contract says so', () => {
      expect(reaching(READ, knowing('commerce'), () => notFound).plans).toHaveLength(1);
    });
  });

  it('takes the parent whose list shows the most items', () => {
    const world = worldWith({ fixtures: { productId: 'fixed' } });
    world.knowledge.noteListed(PRODUCTS, [{ id: 'a' }, { id: 'b' }]);
    const sizes = { fixed: 0, a: 7, b: 2 };
    const answer = ({ path }: RequestPlan): Changes => {
      const items = sizes[path.split('/')[4] as keyof typeof sizes];
      return { body: Array.from({ length: items }, (_, at) => ({ id: `v${at}` })) };
    };
    const { plans, arrivals } = reaching(VARIANTS, world, answer);
    expect(plans).toHaveLength(3);
    expect(arrivals).toMatchObject([{ recipe: { pathValues: { productId: 'a' } } }]);
  });

  it('asks no further parent where the first list fills a usual page', () => {
    const plansFor = (items: number): number => {
      const world = worldWith({ fixtures: { productId: 'fixed' } });
      world.knowledge.noteListed(PRODUCTS, [{ id: 'a' }]);
      const body = Array.from({ length: items }, (_, at) => ({ id: `v${at}` }));
      return reaching(VARIANTS, world, () => ({ body })).plans.length;
    };
    expect([plansFor(20), plansFor(19)]).toEqual([1, 2]);
  });

  it('learns from a 400 which members the target wants beyond its description', () => {
    const answer = (plan: RequestPlan): Changes =>
      'handle' in (sentJson(plan) as object) ? { status: 201, body: { id: 'ord_1' } } : wants('handle');
    const { plans, arrivals } = reaching('POST /api/v1/orders', worldWith(), answer);
    expect(plans).toHaveLength(2);
    expect(sentJson(plans[1])).toMatchObject({ handle: expect.stringContaining('assay') });
    expect(arrivals).toMatchObject([{ proof: { id: 'ex-2' } }]);
  });

  it('guesses a number where its text was not wanted', () => {
    const answer = (plan: RequestPlan): Changes =>
      typeof (sentJson(plan) as { quantity?: unknown }).quantity === 'number' ? { status: 201 } : wants('quantity');
    expect(reaching('POST /api/v1/orders', worldWith(), answer).arrivals).toMatchObject([{ proof: { id: 'ex-3' } }]);
  });

  it('points to what exists where a member refers to it', () => {
    const world = worldWith();
    world.knowledge.noteListed(PRODUCTS, [{ id: 'prd_9' }]);
    world.knowledge.share();
    const { plans } = reaching('POST /api/v1/orders', world, () => ({ status: 201 }));
    expect(sentJson(plans[0])).toMatchObject({ productId: 'prd_9' });
  });

  it('leaves out members that name something where that may not be there: what is answered 404', () => {
    const { plans, arrivals } = reaching('POST /api/v1/plans', worldWith(), (plan) =>
      Object.keys(sentJson(plan) as object).includes('orderId') ? notFound : { status: 201, body: { id: 'p1' } },
    );
    expect(plans.map((plan) => Object.keys(sentJson(plan) as object))).toEqual([
      ['owner', 'title', 'orderId'],
      ['owner', 'title'],
    ]);
    expect(arrivals.map(({ firstStatus }) => firstStatus)).toEqual([201]);
  });

  it('gives up on what cannot be learnt, within a few requests', () => {
    for (const answer of [wants('name'), { status: 400, body: 'no' }, { status: 409 }, { response: null }]) {
      const { plans, arrivals } = reaching(CREATE, worldWith(), () => answer);
      expect(plans.length).toBeLessThanOrEqual(4);
      expect(arrivals).toMatchObject([{ proof: null }]);
    }
  });
});

describe('a key that is forbidden', () => {
  const key = (name: string, account: string | null = null, scheme: string | null = 'bearer') => ({
    ...{ name, plan: 'any', account, scheme },
  });
  const keys = [key('reader'), key('stranger', 'two'), key('other', null, 'basic'), key('writer'), key('spare')];
  const openapi = () => worldWith({ contract: 'openapi', keys, mainKey: keys[0] ?? null });
  const nameOf = ({ credential }: RequestPlan) => (credential.kind === 'key' ? credential.name : credential.kind);
  const servedTo = (name: string) => (plan: RequestPlan) => ({ status: nameOf(plan) === name ? 200 : 403 });

  it('is followed by others of its scheme and account until one is served, which the operation is then called with', () => {
    const world = openapi();
    const { plans, arrivals } = reaching(LIST, world, servedTo('writer'));
    expect(plans.map(nameOf)).toEqual(['reader', 'writer']);
    expect(arrivals).toMatchObject([{ recipe: { credential: { name: 'writer' } }, firstStatus: 200 }]);
    expect(ordinaryCredential(world, operationOf(shop, LIST))).toEqual({ kind: 'key', name: 'writer' });
    expect(ordinaryCredential(world, operationOf(shop, CREATE))).toEqual({ kind: 'key', name: 'reader' });
  });

  it('is told where no other key is served, and where it is not known at all', () => {
    for (const [status, sent] of [
      [403, ['reader', 'writer', 'spare']],
      [401, ['reader']],
    ] as const) {
      const { plans, arrivals } = reaching(LIST, openapi(), () => ({ status }));
      expect(plans.map(nameOf)).toEqual(sent);
      expect(arrivals).toMatchObject([
        { recipe: { credential: { name: 'reader' } }, proof: null, firstStatus: status },
      ]);
    }
  });

  it('is the only one where the configuration names it for the operation', () => {
    const operation = {
      ...operationOf(shop, LIST),
      fixed: { key: 'reader', parameters: {}, body: undefined },
    } as unknown as Operation;
    const { plans } = drive(
      reach(
        openapi(),
        shop,
        operation,
        () => {},
        () => {},
      ),
      () => ({ status: 403 }),
    );
    expect(plans.map(nameOf)).toEqual(['reader']);
  });
});

it('makes a thing of its own by PUT, rather than change what others have, where nothing else makes such things', async () => {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  const ok = { description: 'x' };
  const shelf = await loadShop({
    '/shelf': { get: { responses: { 200: ok } } },
    '/shelf/{id}': { parameters: [id], get: { responses: { 200: ok } }, put: { responses: { 200: ok, 201: ok } } },
  });
  const world = worldWith({ contract: 'openapi' });
  world.knowledge.noteListed('/shelf', [{ id: 'theirs' }]);
  const sentFor = (answering: (plan: RequestPlan) => Changes): readonly string[] => {
    const operation = operationOf(shelf, 'PUT /shelf/{id}');
    const nothing = (): void => {};
    return drive(reach(world, shelf, operation, nothing, nothing), answering).plans.map(({ path }) => path);
  };
  expect(sentFor(() => ({ status: 201, body: {} }))).toEqual([expect.not.stringContaining('theirs')]);
  // Where it makes nothing after all, what is there is changed, as on any target of one's own.
  expect(sentFor(({ path }) => (path === '/shelf/theirs' ? {} : notFound)).at(-1)).toBe('/shelf/theirs');
});
