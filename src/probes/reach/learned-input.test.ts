import { beforeAll, describe, expect, it } from 'vitest';
import type { Changes } from '../../../test/support/checks/exchanges.ts';
import { drive, loadShop, operationOf, SHOP_PATHS, sentJson, worldWith } from '../../../test/support/probes/world.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import type { Description } from '../../openapi/model/operation.ts';
import type { Reached, World } from '../world.ts';
import { reach } from './reach.ts';

const [LIST, CREATE, PRODUCTS] = ['GET /api/v1/products', 'POST /api/v1/products', '/api/v1/products'];
const open = () => worldWith({ contract: 'openapi' });

let shop: Description;
beforeAll(async () => {
  const owner = { type: 'object', required: ['userId'], properties: { userId: { type: 'string' } } };
  const plan = { type: 'object', properties: { owner, title: { type: 'string' }, orderId: { type: 'string' } } };
  const requestBody = { required: true, content: { 'application/json': { schema: plan } } };
  shop = await loadShop({
    ...SHOP_PATHS,
    '/api/v1/plans': { post: { requestBody, responses: { 201: { description: 'Created' } } } },
  });
});

function reaching(key: string, world: World, answering: (plan: RequestPlan, index: number) => Changes) {
  const arrivals: Reached[] = [];
  const course = reach(
    world,
    shop,
    operationOf(shop, key),
    (reached) => arrivals.push(reached),
    () => {},
  );
  return { ...drive(course, answering), arrivals };
}

const reachingAt = async (
  method: string,
  requestBody: object,
  answering: (plan: RequestPlan, index: number) => Changes,
) => {
  const described = await loadShop({
    '/things': { [method]: { ...requestBody, responses: { 201: { description: 'Made' } } } },
  });
  const operation = operationOf(described, `${method.toUpperCase()} /things`);
  const course = reach(
    open(),
    described,
    operation,
    () => {},
    () => {},
  );
  return drive(course, answering).plans;
};
const refusing = (message: string): Changes => ({ status: 400, body: { message } });

describe('a refusal', () => {
  const until = { type: 'string', format: 'date-time' };
  const schema = { type: 'object', required: ['until'], properties: { until, since: until } };
  const example = { until: '2023-04-19T08:15:14.000Z', since: '2020-02-29T00:00:00Z' };
  const requestBody = { requestBody: { required: true, content: { 'application/json': { schema, example } } } };
  const sentFor = async (message: string): Promise<unknown> =>
    (await reachingAt('post', requestBody, (_plan, index) => (index === 0 ? refusing(message) : { status: 201 }))).map(
      sentJson,
    )[1];

  it.each(['The expiry date should be in future.', 'until must not be in the past', 'the time has already passed'])(
    'that asks for a time to come is met by one: %s',
    async (message) => {
      expect(await sentFor(message)).toEqual({ until: '2036-04-19T08:15:14.000Z', since: '2036-02-29T00:00:00Z' });
    },
  );

  it.each(['It must be in the past', 'since cannot be in the future'])('and no other: %s', async (message) => {
    expect(JSON.stringify(await sentFor(message))).not.toContain('2036');
  });

  it('of the media type is met by an empty object where no body is described', async () => {
    const plans = await reachingAt('put', {}, ({ body }) => ({ status: body.kind === 'json' ? 201 : 415 }));
    expect(plans.map(({ body }) => body)).toEqual([{ kind: 'none' }, { kind: 'json', value: {} }]);
    expect(await reachingAt('put', {}, () => ({ status: 415 }))).toHaveLength(2);
    expect(await reachingAt('get', {}, () => ({ status: 415 }))).toHaveLength(1);
  });
});

describe('a thing that is there already', () => {
  it('is made under another title where the refusal speaks of that', async () => {
    const properties = { title: { type: 'string' }, note: { type: 'string' } };
    const content = {
      'application/json': { schema: { type: 'object', properties }, example: { title: 'first', note: 'as is' } },
    };
    const sent = await reachingAt('post', { requestBody: { required: true, content } }, (plan) =>
      (sentJson(plan) as { title: string }).title === 'first'
        ? { status: 409, body: { message: 'Title already exists' } }
        : { status: 201 },
    );
    expect(sent.map(sentJson)).toEqual([
      { title: 'first', note: 'as is' },
      { title: expect.stringContaining('run-7'), note: 'as is' },
    ]);
  });

  it('is made under another name', async () => {
    const schema = {
      type: 'object',
      required: ['thingId'],
      properties: { thingId: { type: 'string' }, note: { type: 'string' } },
    };
    const content = { 'application/json': { schema, example: { thingId: 'thing', note: 'as is' } } };
    const described = await loadShop({
      '/things': { post: { requestBody: { required: true, content }, responses: { 201: { description: 'Made' } } } },
    });
    const arrivals: Reached[] = [];
    const post = operationOf(described, 'POST /things');
    const course = reach(
      open(),
      described,
      post,
      (one) => arrivals.push(one),
      () => {},
    );
    const { plans } = drive(course, (plan) => ({
      status: (sentJson(plan) as { thingId: string }).thingId === 'thing' ? 409 : 201,
    }));
    expect(plans.map(sentJson)).toEqual([
      { thingId: 'thing', note: 'as is' },
      { thingId: expect.stringContaining('run-7'), note: 'as is' },
    ]);
    expect(arrivals[0]?.proof).not.toBeNull();
  });

  it('is followed by the next one that is known where it does not admit the change', () => {
    const world = open();
    world.knowledge.noteListed(PRODUCTS, [{ id: 'locked' }, { id: 'free' }]);
    const { arrivals } = reaching('PUT /api/v1/products/{productId}', world, ({ path }) => ({
      status: path.endsWith('free') ? 200 : 409,
    }));
    expect(arrivals).toMatchObject([{ recipe: { pathValues: { productId: 'free' } } }]);
  });
});

describe('a refusal that says what it wants', () => {
  const reported = (loc: readonly string[], msg: string): Changes => ({
    status: 422,
    body: { detail: [{ loc, msg }] },
  });
  const plansOf = (answering: (body: Record<string, unknown>, plan: RequestPlan) => Changes | null, world = open()) =>
    reaching(
      'POST /api/v1/plans',
      world,
      (plan) => answering(sentJson(plan) as Record<string, unknown>, plan) ?? { status: 201 },
    );
  it('is followed: the next request has one of the values that it lists, and a later one begins there', () => {
    const listing = ({ title }: Record<string, unknown>) =>
      title === 'gold' ? null : reported(['body', 'title'], "Input should be 'gold'");
    const world = open();
    const { plans, arrivals } = plansOf(listing, world);
    expect(plans).toHaveLength(2);
    expect(arrivals).toMatchObject([{ proof: { id: 'ex-2' } }]);
    expect(plansOf(listing, world).plans).toHaveLength(1);
  });

  it('tries another of several listed values where the first is refused as well', () => {
    const { arrivals } = plansOf(({ title }) =>
      title === 'c' ? null : reported(['body', 'title'], 'must be one of: a, b, c'),
    );
    expect(arrivals[0]?.proof).not.toBeNull();
  });

  it('takes a listed value in the member that the refusal repeats, where it blames the whole object', () => {
    const { arrivals } = plansOf(({ owner }) => {
      if (owner === undefined) return { status: 400, body: { message: "missing required field 'owner'" } };
      const { userId } = owner as { userId: string };
      return userId === 'b' ? null : reported(['body', 'owner'], `Invalid user '${userId}'. Allowed users: ['b', 'c']`);
    });
    expect(arrivals[0]?.proof).not.toBeNull();
  });

  it('adds what is missing beyond the description below the member that the refusal names, and nowhere else', async () => {
    const data = { type: 'object', required: ['password'], properties: { password: { type: 'string' } } };
    const schema = { type: 'object', required: ['data'], properties: { data } };
    const content = { 'application/json': { schema } };
    const described = await loadShop({
      '/accounts': { post: { requestBody: { required: true, content }, responses: { 201: { description: 'Made' } } } },
    });
    const tried = (place: string) => {
      const details = [{ location: 'body', name: place, description: `${place} in body: Required` }];
      const course = reach(
        open(),
        described,
        operationOf(described, 'POST /accounts'),
        () => {},
        () => {},
      );
      return drive(course, (plan) => {
        const body = sentJson(plan) as { data: Record<string, unknown> };
        return 'id' in body.data ? { status: 201 } : { status: 400, body: { details } };
      }).plans.map(sentJson);
    };
    expect(tried('data.id').at(-1)).toEqual({ data: { password: expect.any(String), id: expect.anything() } });
    for (const body of tried('profile.id')) expect(body).toEqual({ data: { password: expect.any(String) } });
  });

  it('adds what is missing beyond the description, deep down as well, and leaves out what is not known', () => {
    const { arrivals } = plansOf((body) => {
      if (!('region' in body)) return { status: 400, body: { message: "missing required field 'region'" } };
      if (body.owner !== undefined && !('mail' in (body.owner as object)))
        return reported(['body', 'owner', 'mail'], 'Field required');
      return 'orderId' in body ? { status: 400, body: { message: "unknown field 'orderId'" } } : null;
    });
    expect(arrivals[0]?.proof).not.toBeNull();
  });

  it('leaves out the one member whose text a refusal repeats, and none where it repeats all', () => {
    const second = (text: (body: Record<string, unknown>) => string) => {
      const { plans } = plansOf((body) => ('title' in body ? { status: 422, body: { message: text(body) } } : null));
      return Object.keys(sentJson(plans[1]) as object);
    };
    expect(second(({ title }) => `${title} is no stage`)).toEqual(['owner', 'orderId']);
    expect(
      second((body) =>
        Object.values(body)
          .map((value) => JSON.stringify(value))
          .join(' '),
      ),
    ).toEqual([]);
  });

  it('takes a listed value that the refusal mentions as a word of its own', () => {
    const { arrivals } = reaching(CREATE, open(), (plan) =>
      (sentJson(plan) as { status?: string }).status === 'active'
        ? { status: 201 }
        : { status: 422, body: { message: 'A product begins in the active state.' } },
    );
    expect(arrivals[0]?.proof).not.toBeNull();
  });

  it('sends a parameter that is asked for', () => {
    const { plans, arrivals } = reaching(LIST, open(), ({ query }) =>
      /limit=[1-5]$/.test(query ?? '') ? {} : reported(['query', 'limit'], 'must be between 1 and 5'),
    );
    expect(plans).toHaveLength(2);
    expect(arrivals[0]?.proof).not.toBeNull();
  });

  it('is not followed beyond what the description admits, nor for ever', () => {
    const { plans } = reaching(CREATE, open(), () => reported(['body', 'status'], "Input should be 'gone'"));
    for (const plan of plans)
      expect(['draft', 'active', undefined]).toContain((sentJson(plan) as { status?: string }).status);
    let turn = 0;
    expect(
      plansOf(() => reported(['body', 'title'], `must have at least ${++turn} characters`)).plans.length,
    ).toBeLessThan(16);
  });
});

describe('a refusal that repeats items of a list', () => {
  const content = (example?: unknown) => ({
    'application/json': {
      schema: {
        type: 'object',
        required: ['urls'],
        properties: { urls: { type: 'array', items: { type: 'string' } } },
      },
      ...(example === undefined ? {} : { example }),
    },
  });
  const bodiesOf = async (example?: unknown) => {
    const put = {
      requestBody: { required: true, content: content(example) },
      responses: { 200: { description: 'Put' } },
    };
    const described = await loadShop({ '/urls': { put } });
    const course = reach(
      open(),
      described,
      operationOf(described, 'PUT /urls'),
      () => {},
      () => {},
    );
    return drive(course, (plan) => {
      const wrong = (sentJson(plan) as { urls: string[] }).urls.find((url) => url !== 'good://one');
      return wrong === undefined ? {} : { status: 400, body: `'${wrong}' is not wanted` };
    }).plans.map(sentJson);
  };

  it('is followed by those that it does not repeat, and by none where it repeats all', async () => {
    expect(await bodiesOf({ urls: ['bad://one', 'good://one'] })).toEqual([
      { urls: ['bad://one', 'good://one'] },
      { urls: ['good://one'] },
    ]);
    expect((await bodiesOf()).at(-1)).toEqual({ urls: [] });
  });
});

describe('a refusal that blames a name', () => {
  const answersTo = async (form: RegExp, detail: string) => {
    const text = { type: 'string' };
    const schema = { type: 'object', required: ['username', 'note'], properties: { username: text, note: text } };
    const requestBody = { required: true, content: { 'application/json': { schema } } };
    const described = await loadShop({ '/users': { post: { requestBody, responses: { 201: { description: 'x' } } } } });
    const nothing = (): void => {};
    const course = reach(open(), described, operationOf(described, 'POST /users'), nothing, nothing);
    const nameIn = (plan: RequestPlan): string => (sentJson(plan) as { username: string }).username;
    const { plans, exchanges } = drive(course, (plan) =>
      form.test(nameIn(plan)) ? { status: 201 } : { status: 400, body: { detail } },
    );
    return { names: plans.map(nameIn), statuses: exchanges.map(({ response }) => response?.status) };
  };

  it('is followed by a plain one', async () => {
    const { statuses } = await answersTo(/^[a-zA-Z0-9._]{2,20}$/, 'Invalid username.');
    expect(statuses).toEqual([400, 201]);
  });

  it('is followed by no other where it blames something else', async () => {
    const { names } = await answersTo(/^$/, 'The note is too dull.');
    for (const name of names) expect(name).toMatch(/^assay-/);
  });
});

describe('a refusal that does not say what it wants', () => {
  it('is followed by the other listed values and branches, each once', async () => {
    const branch = (kind: string, member: string) => ({
      type: 'object',
      required: ['kind', member],
      properties: { kind: { enum: [kind] }, [member]: { type: 'string' } },
    });
    const schema = { oneOf: [branch('one', 'a'), branch('two', 'b'), branch('three', 'c')] };
    const described = await loadShop({
      '/things': {
        post: {
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: { 201: { description: 'Made' } },
        },
      },
    });
    const arrivals: Reached[] = [];
    const course = reach(
      worldWith({ contract: 'openapi' }),
      described,
      operationOf(described, 'POST /things'),
      (one) => arrivals.push(one),
      () => {},
    );
    const { plans } = drive(course, (plan) => ({
      status: (sentJson(plan) as { kind: string }).kind === 'three' ? 201 : 400,
    }));
    expect(arrivals[0]?.proof).not.toBeNull();
    expect(plans.length).toBeLessThanOrEqual(5);
  });
});
