import { beforeAll, describe, expect, it } from 'vitest';
import { errorObject, validationError } from '../../../test/support/checks/exchanges.ts';
import {
  drive,
  inWords,
  loadShop,
  reachedWith,
  SHOP_PATHS,
  sentJson,
  worldWith,
} from '../../../test/support/probes/world.ts';
import { computeAtOnce } from '../../clock/pieces.ts';
import type { Description } from '../../openapi/model/operation.ts';
import type { Experiment } from '../probe.ts';
import type { Reached } from '../world.ts';
import { spoiledBodyExperiments as spoilBody } from './bad-requests.ts';
import { malformedExperiments, mediaTypeExperiments, methodExperiments } from './not-understood.ts';
import { unknownIdExperiments, unknownReferenceExperiments } from './unknown-ids.ts';

const CREATE = 'POST /api/v1/products';
const READ = 'GET /api/v1/products/{productId}';
const PUT = 'PUT /api/v1/products/{productId}';
const KNOWN = { productId: 'prd_00000001' };
const world = worldWith();
const notFound = { status: 404, body: { error: errorObject() } };

let shop: Description;
beforeAll(async () => {
  const nested = { '/api/v1/products/{productId}/variants/{variantId}': variantPath() };
  shop = await loadShop({ ...SHOP_PATHS, ...nested });
});

function variantPath(): Record<string, unknown> {
  const parameter = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });
  const put = {
    requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
    responses: { 201: { description: 'Created' } },
  };
  return { parameters: [parameter('productId'), parameter('variantId')], put };
}

const reached = (key: string, changes: Partial<Reached> = {}): Reached => reachedWith(world, shop, key, KNOWN, changes);
const rejecting = (field: string) => ({
  status: 400,
  body: { error: validationError({ param: field, errors: [{ field, code: 'wrong', message: 'Wrong' }] }) },
});
const probes = (experiments: readonly Experiment[]): readonly string[] => experiments.map(({ probe }) => probe);

const spoiledBodyExperiments = (...given: Parameters<typeof spoilBody>): readonly Experiment[] =>
  computeAtOnce(spoilBody(...given));

describe('an unknown id', () => {
  it('stands for each path parameter in turn, the last one first and in the lean pass', () => {
    const key = 'PUT /api/v1/products/{productId}/variants/{variantId}';
    const known = { productId: 'prd_00000001', variantId: 'var_00000001' };
    const experiments = unknownIdExperiments(world, reachedWith(world, shop, key, known));
    expect(experiments.map(({ probe, stage }) => `${probe} ${stage}`)).toEqual([
      'request/unknown-id/variantId lean',
      'request/unknown-id/productId depth',
    ]);
    const paths = experiments.map((experiment) => drive(experiment.run(), () => notFound).plans[0]?.path);
    expect(paths[0]).toMatch(/^\/api\/v1\/products\/prd_00000001\/variants\/var_(?!00000001)[0-9a-f]{8}$/);
    expect(paths[1]).toMatch(/^\/api\/v1\/products\/prd_(?!00000001)[0-9a-f]{8}\/variants\/var_00000001$/);
  });

  it('is judged by REQ-02', () => {
    const [experiment] = unknownIdExperiments(world, reached(READ));
    expect(inWords(drive(experiment!.run(), () => notFound).outcomes)).toEqual(['REQ-02 holds']);
    expect(inWords(drive(experiment!.run(), () => ({})).outcomes)[0]).toContain('REQ-02 breached');
  });

  it('may be created by a PUT that declares 201', () => {
    const created = { status: 201, body: {} };
    const variant = reachedWith(world, shop, 'PUT /api/v1/products/{productId}/variants/{variantId}', KNOWN);
    const [declares] = unknownIdExperiments(world, variant);
    const [doesNot] = unknownIdExperiments(world, reached(PUT));
    expect(inWords(drive(declares!.run(), () => created).outcomes)).toEqual(['REQ-02 holds']);
    expect(inWords(drive(doesNot!.run(), () => created).outcomes)[0]).toContain('REQ-02 breached');
  });
});

describe('an unknown id, more closely', () => {
  it('is not sent where few values are possible, so that it may exist', async () => {
    const country = { name: 'code', in: 'path', required: true, schema: { type: 'string', enum: ['US', 'FR'] } };
    const get = { parameters: [country], responses: { 200: { description: 'Read' } } };
    const countries = await loadShop({ '/api/v1/countries/{code}': { get } });
    const known = reachedWith(world, countries, 'GET /api/v1/countries/{code}', { code: 'US' });
    expect(unknownIdExperiments(world, known)).toEqual([]);
  });

  it('is judged for a 400 where the body is proven and the id well formed', () => {
    const [proven] = unknownIdExperiments(world, reached(PUT));
    const [unproven] = unknownIdExperiments(world, reached(PUT, { proof: null }));
    expect(inWords(drive(proven!.run(), () => rejecting('name')).outcomes)[0]).toContain('REQ-02 breached');
    expect(inWords(drive(unproven!.run(), () => rejecting('name')).outcomes)).toEqual(['REQ-02 cannot tell']);
  });
});

describe('an unknown reference in an export request', () => {
  const EXPORT = 'POST /api/v1/auth/activity/export';
  const exporting = async (properties: unknown) => {
    const requestBody = { content: { 'application/json': { schema: { type: 'object', properties } } } };
    const post = { requestBody, responses: { 202: { description: 'Begun' } } };
    return reachedWith(world, await loadShop({ '/api/v1/auth/activity/export': { post } }), EXPORT);
  };
  const sent = (experiment: Experiment | undefined): unknown =>
    sentJson(drive(experiment!.run(), () => notFound).plans[0]);

  it('stands for each id of the body, of the type that the schema asks for', async () => {
    const properties = {
      store_id: { type: 'string', format: 'uuid' },
      userId: { type: 'integer' },
      kind: { type: 'string' },
    };
    const [store, user, ...more] = unknownReferenceExperiments(world, await exporting(properties));
    expect(more).toEqual([]);
    expect(sent(store)).toMatchObject({ store_id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(sent(user)).toMatchObject({ userId: expect.any(Number) });
    expect(inWords(drive(store!.run(), () => notFound).outcomes)).toEqual(['REQ-02 holds']);
    expect(inWords(drive(store!.run(), () => ({ status: 202 })).outcomes)).toEqual([
      'REQ-02 breached: an unknown id in body field store_id is not answered 404',
    ]);
  });

  it('is not sent where it may exist, nor in any other request', async () => {
    const listed = await exporting({ region_id: { type: 'string', enum: ['eu', 'us'] } });
    expect(unknownReferenceExperiments(world, listed)).toEqual([]);
    expect(unknownReferenceExperiments(world, reached(CREATE))).toEqual([]);
  });
});

describe('a spoiled body', () => {
  it('answered 409 is judged only where the unspoiled request succeeds at the same time', () => {
    const conflict = { status: 409, body: { error: errorObject({ status: 409, code: 'conflict' }) } };
    const [missing] = spoiledBodyExperiments(world, reached(CREATE));
    const blamed = drive(missing!.run(), (_plan, index) => (index === 0 ? conflict : { status: 201 }));
    expect(blamed.plans.map(({ probe }) => probe)).toEqual([missing!.probe, 'request/control']);
    expect(inWords(blamed.outcomes)).toContain('REQ-03 breached: a missing required field is not answered 400');
    const excused = drive(missing!.run(), () => conflict);
    expect(inWords(excused.outcomes)).toEqual(['REQ-03 cannot tell', 'ERR-10 cannot tell']);
  });

  it('opens each clause in the lean pass once', () => {
    const lean = spoiledBodyExperiments(world, reached(CREATE)).filter(({ stage }) => stage === 'lean');
    expect(lean.map(({ clauses }) => clauses[0]).toSorted()).toEqual(['REQ-03', 'REQ-04', 'REQ-08']);
    // The last of the members that the body itself requires is left out: the first is known to every check.
    expect(lean.map(({ probe }) => probe)).toContain('request/missing/price');
  });

  it('is judged by its clause and by ERR-10', () => {
    const named = spoiledBodyExperiments(world, reached(CREATE)).filter(({ clauses }) => clauses.includes('ERR-10'));
    expect(named.length).toBeGreaterThan(20);
    for (const experiment of named) {
      const [clause] = experiment.clauses;
      const field = experiment.probe.split('/')[2] ?? '';
      expect(inWords(drive(experiment.run(), () => rejecting(field)).outcomes)).toEqual([
        `${clause} holds`,
        'ERR-10 holds',
      ]);
      // An operation that was not seen to be served is accused once it is served without the fault.
      const { outcomes } = drive(experiment.run(), (_plan, index) =>
        index === 0 ? rejecting('other') : { status: 201 },
      );
      expect(inWords(outcomes)).toEqual([
        expect.stringMatching(`${clause} breached: .* errors\\[\\] does not name it`),
        'ERR-10 breached: error.param is not the field that was spoiled',
      ]);
    }
  });

  it('covers required members at every depth', () => {
    const missing = probes(spoiledBodyExperiments(world, reached(CREATE))).filter((probe) => probe.includes('missing'));
    expect(missing).toEqual(['request/missing/name', 'request/missing/price', 'request/missing/dimensions/width']);
  });

  it('sends the other members, made new for each', () => {
    const experiments = spoiledBodyExperiments(world, reached(CREATE)).filter(({ probe }) => probe.endsWith('/price'));
    const bodies = experiments.map((experiment) =>
      sentJson(drive(experiment.run(), () => rejecting('price')).plans[0]),
    );
    const names = bodies.map((body) => (body as { name: string }).name);
    expect(new Set(names).size).toBe(names.length);
    expect(bodies[0]).toMatchObject({ status: expect.any(String), dimensions: expect.any(Object) });
    expect(bodies[0]).not.toHaveProperty('price');
  });

  it('is not offered for an operation without a body', () => {
    expect(spoiledBodyExperiments(world, reached(READ))).toEqual([]);
  });

  it('reaches a member beside one that contains more than goes in', async () => {
    const text = { type: 'string' };
    const pattern = (at: number) => ({
      type: 'object',
      required: [`is${at}`],
      properties: Object.fromEntries(['is', 'and', 'or', 'not', 'from', 'to'].map((name) => [`${name}${at}`, text])),
    });
    const patterns = {
      type: 'object',
      additionalProperties: { oneOf: Array.from({ length: 24 }, (_, at) => pattern(at)) },
    };
    const login = { type: 'object', required: ['user', 'password'], properties: { user: text, password: text } };
    const schema = { type: 'object', properties: { name: text, headers: patterns, query: patterns, login } };
    const post = {
      requestBody: { content: { 'application/json': { schema, example: { name: 'a' } } } },
      responses: { 201: { description: 'Made' } },
    };
    const description = await loadShop({ '/api/v1/stubs': { post } });
    const found = probes(spoiledBodyExperiments(world, reachedWith(world, description, 'POST /api/v1/stubs')));
    expect(found).toContain('request/missing/login/password');
    expect(found.some((probe) => probe.startsWith('request/missing/headers/'))).toBe(true);
  });

  it('accuses nobody where no valid request succeeded', () => {
    for (const experiment of spoiledBodyExperiments(world, reached(CREATE, { proof: null }))) {
      expect(inWords(drive(experiment.run(), () => rejecting('other')).outcomes).join()).not.toContain('breached');
    }
  });
});

describe('a body that is not the served one', () => {
  const PAYMENT = {
    oneOf: [
      { type: 'object', required: ['card'], properties: { card: { type: 'string', minLength: 12 } } },
      { type: 'object', required: ['iban'], properties: { iban: { type: 'string', pattern: '^[A-Z]{2}' } } },
    ],
  };
  const ORDER = {
    type: 'object',
    required: ['name', 'payment'],
    properties: {
      name: { type: 'string' },
      payment: PAYMENT,
      count: { type: 'integer', maximum: 9 },
      parcel: { type: 'object', required: ['weight'], properties: { weight: { type: 'number', minimum: 1 } } },
    },
    example: { name: 'Lamp', payment: { card: '424242424242' } },
  };
  const CREATE_ORDER = 'POST /api/v1/orders';
  const ordering = async (schema: unknown = ORDER): Promise<Reached> => {
    const requestBody = { required: true, content: { 'application/json': { schema } } };
    const post = { requestBody, responses: { 201: { description: 'Created' } } };
    return reachedWith(world, await loadShop({ '/api/v1/orders': { post } }), CREATE_ORDER);
  };
  const clean = (order: Reached): readonly Experiment[] =>
    spoiledBodyExperiments(world, order).filter(({ stands }) => stands?.() !== false);

  it('is spoiled where it has members and branches that the example leaves out', async () => {
    const names = probes(clean(await ordering()));
    expect(names).toEqual(
      expect.arrayContaining([
        'request/missing/payment/card',
        'request/constraint/payment/iban',
        'request/constraint/count',
        'request/wrong-type/parcel',
        'request/missing/parcel/weight',
        'request/constraint/parcel/weight',
      ]),
    );
    expect(names.filter((name) => name === 'request/missing/name')).toHaveLength(1);
  });

  it('has an object and a text in place of a list that the example leaves out', async () => {
    const order = await ordering({
      ...ORDER,
      properties: { ...ORDER.properties, tags: { type: 'array', items: { type: 'string' } } },
    });
    const sent = clean(order)
      .filter(({ probe }) => probe === 'request/wrong-type/tags')
      .map((one) => (sentJson(drive(one.run(), () => rejecting('tags')).plans[0]) as { tags: unknown }).tags);
    expect(sent.map((tags) => typeof tags)).toEqual(['object', 'string']);
  });

  it('is spoiled in the second item of a list, and in the first once for each kind', async () => {
    const line = {
      type: 'object',
      required: ['sku', 'count'],
      properties: { sku: { type: 'string', maxLength: 40 }, count: { type: 'integer', minimum: 1 } },
    };
    const lines = { type: 'array', items: line };
    const single = { type: 'array', maxItems: 1, items: { type: 'object', required: ['at'], properties: { at: {} } } };
    const names = probes(clean(await ordering({ type: 'object', properties: { lines, single } })));
    const inLines = names.filter((name) => name.includes('/lines/'));
    expect(inLines).toEqual(
      expect.arrayContaining([
        'request/missing/lines/1/sku',
        'request/missing/lines/1/count',
        'request/wrong-type/lines/1',
        'request/wrong-type/lines/1/count',
        'request/constraint/lines/1/sku',
        'request/constraint/lines/1/count',
      ]),
    );
    const kinds = inLines.filter((name) => name.includes('/lines/0')).map((name) => name.split('/')[1]);
    expect(kinds.toSorted()).toEqual(['constraint', 'missing', 'wrong-scalar', 'wrong-type']);
    expect(names).toContain('request/missing/single/0/at');
    expect(names.some((name) => name.includes('/single/1'))).toBe(false);
  });

  it('has two valid items before one of them is spoiled', async () => {
    const item = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
    const order = await ordering({ type: 'object', properties: { tags: { type: 'array', items: item } } });
    const experiment = clean(order).find(({ probe }) => probe === 'request/missing/tags/1/name');
    const { plans } = drive(experiment!.run(), () => rejecting('other'));
    const { tags: first } = sentJson(plans[1]) as { tags: readonly { name: string }[] };
    expect(new Set(first.map(({ name }) => name)).size).toBe(2);
    expect(sentJson(plans[0])).toEqual({ tags: [first[0], {}] });
  });

  it('keeps to the branch that is spoiled where the body itself is a union', async () => {
    const pick = (kind: string, member: unknown) => ({
      type: 'object',
      required: ['kind', 'amount'],
      properties: { kind: { const: kind }, amount: member },
      additionalProperties: false,
    });
    const schema = {
      oneOf: [pick('fixed', { type: 'integer', minimum: 1 }), pick('share', { type: 'string', maxLength: 4 })],
    };
    const bodies = clean(await ordering(schema)).map((experiment) =>
      sentJson(drive(experiment.run(), () => rejecting('amount')).plans[0]),
    );
    expect(bodies).toContainEqual({ kind: 'fixed', amount: 0 });
    expect(bodies).toContainEqual({ kind: 'share', amount: 'aaaaa' });
  });

  it('accuses nobody where the same body without the fault is refused as well', async () => {
    const experiment = clean(await ordering()).find(({ probe }) => probe === 'request/missing/parcel/weight');
    const excused = drive(experiment!.run(), () => rejecting('other'));
    expect(inWords(excused.outcomes)).toEqual(['REQ-03 cannot tell', 'ERR-10 cannot tell']);
    expect(sentJson(excused.plans[1])).toMatchObject({ parcel: { weight: expect.any(Number) } });
    const blamed = drive(experiment!.run(), (_plan, index) => (index === 0 ? rejecting('other') : { status: 201 }));
    expect(inWords(blamed.outcomes)[0]).toContain('REQ-03 breached');
    const accepted = drive(experiment!.run(), () => ({ status: 201 }));
    expect(inWords(accepted.outcomes)[0]).toContain('REQ-03 breached: a missing required field is accepted');
    expect(accepted.plans).toHaveLength(1);
  });
});

describe('malformed JSON', () => {
  it('is text that does not parse, under application/json', () => {
    for (const experiment of malformedExperiments(world, reached(CREATE))) {
      const { plans, outcomes } = drive(experiment.run(), () => rejecting('body'));
      expect(plans[0]?.body).toMatchObject({ kind: 'raw', contentType: 'application/json' });
      const text = plans[0]?.body.kind === 'raw' ? plans[0].body.text : '{}';
      expect(() => JSON.parse(text)).toThrow();
      expect(inWords(outcomes)).toEqual(['REQ-05 holds']);
      expect(inWords(drive(experiment.run(), () => ({})).outcomes)).toEqual([
        'REQ-05 breached: malformed JSON is accepted',
      ]);
    }
  });

  it('is not sent to an operation that takes no JSON', () => {
    expect(malformedExperiments(world, reached(READ))).toEqual([]);
  });
});

describe('an unsupported media type', () => {
  it('comes with a body that is not JSON', () => {
    const [experiment] = mediaTypeExperiments(world, reached(CREATE));
    const { plans, outcomes } = drive(experiment!.run(), () => ({
      status: 415,
      body: { error: errorObject({ status: 415 }) },
    }));
    expect(plans[0]?.body).toMatchObject({ kind: 'raw', contentType: 'text/plain' });
    expect(inWords(outcomes)).toEqual(['REQ-06 holds']);
    expect(inWords(drive(experiment!.run(), () => ({ status: 201 })).outcomes)).toEqual([
      'REQ-06 breached: an unsupported media type is accepted',
    ]);
    expect(mediaTypeExperiments(world, reached(READ))).toEqual([]);
  });
});

describe('an undescribed method', () => {
  it('only reads: GET where none is described, else PROPFIND', () => {
    const methods = (described: readonly string[]) =>
      methodExperiments(world, reached(PUT), described).map(
        (experiment) => drive(experiment.run(), () => notFound).plans[0]?.method,
      );
    expect(methods(['PUT'])).toEqual(['GET', 'PROPFIND']);
    expect(methods(['GET', 'PUT'])).toEqual(['PROPFIND', 'HEAD']);
    expect(methods(['GET', 'HEAD'])).toEqual(['PROPFIND']);
  });

  it('belongs to no operation, its judgement to the one whose path it is', () => {
    const [experiment] = methodExperiments(world, reached(CREATE), ['POST']);
    const { plans, outcomes } = drive(experiment!.run(), () => ({}));
    expect(plans[0]).toMatchObject({ operation: null, path: '/api/v1/products', query: '', body: { kind: 'none' } });
    expect(outcomes).toMatchObject([{ clause: 'REQ-06', service: 'admin', operation: CREATE }]);
    expect(inWords(outcomes)).toEqual(['REQ-06 breached: the undescribed method GET is accepted']);
  });
});

describe('another language', () => {
  const languageOf = (experiment: Experiment | undefined): string | undefined =>
    drive(experiment!.run(), () => rejecting('name')).plans[0]?.headers.find(
      ([name]) => name === 'Accept-Language',
    )?.[1];

  it('is asked for in some refused requests, and in others not', () => {
    const spoiled = spoiledBodyExperiments(world, reached(CREATE));
    const of = (kind: string) => spoiled.find(({ probe }) => probe.startsWith(`request/${kind}/`));
    expect(languageOf(of('wrong-type'))).toMatch(/^de/);
    expect(languageOf(of('missing'))).toBeUndefined();
    expect(languageOf(unknownIdExperiments(world, reached(PUT))[0])).toMatch(/^de/);
    expect(languageOf(unknownIdExperiments(world, reached(READ))[0])).toBeUndefined();
  });

  it('is left alone where the operation describes the header', async () => {
    const parameters = [{ name: 'accept-language', in: 'header', schema: { enum: ['en', 'fr'] } }];
    const requestBody = {
      content: { 'application/json': { schema: { type: 'object', properties: { a: { type: 'string' } } } } },
    };
    const post = { parameters, requestBody, responses: { 201: { description: 'Made' } } };
    const described = reachedWith(world, await loadShop({ '/api/v1/notes': { post } }), 'POST /api/v1/notes');
    const spoiled = spoiledBodyExperiments(world, described).find(({ probe }) => probe === 'request/wrong-type/a');
    expect(languageOf(spoiled)).toBeUndefined();
  });
});

describe('what is spoiled first', () => {
  const around = worldWith();
  const first = () => {
    const experiments = spoiledBodyExperiments(around, reachedWith(around, shop, CREATE, KNOWN));
    return experiments.filter(({ stage }) => stage === 'lean');
  };
  const naming = (...fields: readonly string[]) => ({
    status: 400,
    body: {
      error: validationError({
        param: fields[0],
        errors: fields.map((field) => ({ field, code: 'wrong', message: 'Wrong' })),
      }),
    },
  });
  const fieldOf = ({ probe }: Experiment) => probe.split('/')[2]!;
  const standing = (experiments: readonly Experiment[]) =>
    probes(experiments.filter((one) => one.stands?.() !== false));

  it('stands in one body, each in a member of its own, and an answer that names all of it tells all', () => {
    const experiments = first();
    const apart = experiments.filter((one, at) => experiments.findIndex((e) => fieldOf(e) === fieldOf(one)) === at);
    expect(apart.length).toBeGreaterThan(1);
    const { plans, outcomes } = drive(experiments[0]!.run(), () => naming(...apart.map(fieldOf)));
    expect(plans).toHaveLength(1);
    const judged = ['ERR-10 holds', ...apart.map(({ clauses }) => `${clauses[0]} holds`)];
    expect(inWords(outcomes).toSorted()).toEqual(judged.toSorted());
    expect(standing(experiments)).toEqual(probes(experiments.filter((one) => !apart.includes(one))));
  });

  it('is spoiled by itself where the answer does not name it', () => {
    const experiments = first();
    const [one, other] = [experiments[0]!, experiments.find((next) => fieldOf(next) !== fieldOf(experiments[0]!))!];
    const { plans, outcomes } = drive(one.run(), (_plan, index) => (index === 0 ? naming(fieldOf(other)) : {}));
    expect(plans).toHaveLength(2);
    expect(inWords(outcomes)).toContain(`${other.clauses[0]} holds`);
    expect(inWords(outcomes).some((told) => told.startsWith(`${one.clauses[0]} breached`))).toBe(true);
    expect(standing(experiments)).not.toContain(other.probe);
  });

  it.each([
    ['names none of it', naming('other')],
    ['is no 400', { status: 409, body: { error: errorObject({ status: 409, code: 'incomplete' }) } }],
    ['has another code', { status: 400, body: { error: validationError({ code: 'invalid_body' }) } }],
    ['accepts it', { status: 201 }],
  ])('is spoiled by itself where the answer %s, and no breach is told of several', (_how, answer) => {
    const experiments = first();
    const [one] = experiments;
    const { plans, outcomes } = drive(one!.run(), (_plan, index) => (index === 0 ? answer : rejecting(fieldOf(one!))));
    expect(plans).toHaveLength(2);
    expect(inWords(outcomes)).toEqual(one!.clauses.map((clause) => `${clause} holds`));
    expect(standing(experiments)).toEqual(probes(experiments.slice(1)));
  });

  it('is spoiled by itself without a budget', () => {
    const [one, ...others] = spoiledBodyExperiments(world, reached(CREATE)).filter(({ stage }) => stage === 'lean');
    expect(drive(one!.run(), () => rejecting(fieldOf(one!))).plans).toHaveLength(1);
    expect(standing(others)).toEqual(probes(others));
  });
});

it('of a form, no number is sent in place of a text, though its id breaks what the description says of it', async () => {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string', pattern: '^[a-z]$' } };
  const properties = { name: { type: 'string' }, size: { type: 'integer' } };
  const schema = { type: 'object', properties, required: ['name', 'size'] };
  const requestBody = { content: { 'application/x-www-form-urlencoded': { schema } } };
  const put = { parameters: [id], requestBody, responses: { 200: { description: 'x' } } };
  const forms = await loadShop({ '/a/{id}': { put } });
  const own = worldWith({ contract: 'openapi' });
  const sent = spoiledBodyExperiments(own, reachedWith(own, forms, 'PUT /a/{id}', { id: '12' })).filter(
    ({ stands }) => stands?.() !== false,
  );
  expect(probes(sent).filter((probe) => probe.endsWith('/name'))).toEqual(['request/missing/name']);
  expect(probes(sent)).toContain('request/wrong-scalar/size');
});

it('a body is spoiled as the target serves it: with what it refuses beside the fault a refusal would tell nothing', async () => {
  const properties = { name: { type: 'string', maxLength: 99 }, expand: { type: 'string' } };
  const schema = { type: 'object', properties, required: ['name'] };
  const requestBody = { required: true, content: { 'application/json': { schema } } };
  const things = await loadShop({ '/a': { post: { requestBody, responses: { 200: { description: 'x' } } } } });
  const own = worldWith({ contract: 'openapi' });
  const full = reachedWith(own, things, 'POST /a');
  const asked = (reached: Reached, ending: string) =>
    spoiledBodyExperiments(own, reached)
      .filter(({ probe }) => probe.endsWith(ending))
      .map((one) => Object.keys(sentJson(drive(one.run(), () => ({ status: 400 })).plans[0]!) ?? {}));
  const least: Reached = { ...full, recipe: { ...full.recipe, fullness: 'required' } };
  expect(new Set(asked(full, '/name').flat())).toEqual(new Set(['name', 'expand']));
  expect(new Set(asked(least, '/name').flat())).toEqual(new Set(['name']));
  expect(asked(least, '/expand').length).toBeGreaterThan(0);
});

it('of a form, a member that leaves no trace is not spoiled, though the sound form reads otherwise than it was written', async () => {
  const cell = { type: 'object', required: ['on'], properties: { on: { type: 'boolean' } } };
  // A text that spells JSON is read as that, and an empty list as none.
  const properties = {
    cell,
    note: { type: 'string' },
    none: { type: 'array', maxItems: 0, items: { type: 'string' } },
  };
  const schema = { type: 'object', properties, required: ['note', 'none'] };
  const encoding = { cell: { style: 'deepObject', explode: true } };
  const requestBody = { content: { 'application/x-www-form-urlencoded': { schema, encoding } } };
  const forms = await loadShop({ '/a': { post: { requestBody, responses: { 200: { description: 'x' } } } } });
  const own = worldWith({ contract: 'openapi' });
  const sent = spoiledBodyExperiments(own, reachedWith(own, forms, 'POST /a')).filter(
    ({ stands }) => stands?.() !== false,
  );
  expect(probes(sent)).not.toContain('request/missing/cell/on');
  expect(probes(sent)).toContain('request/missing/note');
});

it.each([
  ['application/x-www-form-urlencoded', {}],
  ['multipart/form-data', { format: 'binary' }],
])(
  'of %s, a text or a file that is too long is of no other type, and a number that is a text is',
  async (type, form) => {
    const properties = { note: { type: 'string', maxLength: 9, ...form }, size: { type: 'integer' } };
    const schema = { type: 'object', properties, required: ['note', 'size'] };
    const requestBody = { content: { [type]: { schema } } };
    const forms = await loadShop({ '/a': { post: { requestBody, responses: { 200: { description: 'x' } } } } });
    const own = worldWith({ contract: 'openapi' });
    const sent = probes(
      spoiledBodyExperiments(own, reachedWith(own, forms, 'POST /a')).filter(({ stands }) => stands?.() !== false),
    );
    expect(sent.filter((probe) => /wrong-.*note/.test(probe))).toEqual([]);
    expect(sent.filter((probe) => /constraint.*note/.test(probe))).toHaveLength(1);
    expect(sent).toContain('request/wrong-type/size');
  },
);
