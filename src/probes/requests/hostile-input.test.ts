import { beforeAll, describe, expect, it } from 'vitest';
import { errorObject, exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { drive, inWords, loadShop, reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import {
  HOSTILE_BODIES,
  HOSTILE_MEMBERS,
  HOSTILE_SEGMENTS,
  HOSTILE_TEXTS,
  UNREADABLE_BODIES,
} from '../../generate/hostile.ts';
import type { Description } from '../../openapi/model/operation.ts';
import type { Experiment } from '../probe.ts';
import { hostileExperiments } from './hostile-input.ts';

const world = worldWith();
let shop: Description;
beforeAll(async () => {
  shop = await loadShop();
});
const experiments = (key: string, turn = 0): readonly Experiment[] =>
  hostileExperiments(world, reachedWith(world, shop, key, { productId: 'prd_1' }), turn);
const DAY = {
  type: 'object',
  required: ['day', 'tags'],
  properties: { day: { type: 'string', format: 'date' }, tags: { type: 'array', items: { type: 'string' } } },
};
/** No request that holds many cases. */
const isAlone = ({ probe }: Experiment): boolean => !probe.startsWith('hostile/together');
const refused = { status: 400, body: { error: errorObject({ status: 400 }) } };

describe('hostile input', () => {
  it('is sent in members, whole bodies, query, path and headers, wherever the operation has them', () => {
    const places = (key: string): readonly string[] => [
      ...new Set(experiments(key).map(({ probe }) => probe.split('/')[1] ?? '')),
    ];
    expect(places('POST /api/v1/products')).toEqual(['together', 'member', 'body']);
    expect(places('PUT /api/v1/products/{productId}')).toEqual(['together', 'member', 'body', 'path']);
    expect(places('GET /api/v1/products')).toEqual(['together', 'query', 'header']);
    expect(places('GET /api/health/live')).toEqual(['together', 'query', 'header']);
    expect(places('GET /api/v1/products/{productId}')).toEqual(['together', 'query', 'path', 'header']);
  });

  it('is not sent where a stream without an end answers', () => {
    const reached = reachedWith(world, shop, 'GET /api/v1/products');
    const events = exchangeWith({ headers: [['content-type', 'text/event-stream']], response: { truncated: true } });
    expect(hostileExperiments(world, { ...reached, proof: { ...events, durationMs: 1000 } }, 0)).toEqual([]);
    expect(hostileExperiments(world, { ...reached, proof: { ...events, durationMs: 10 } }, 0)).not.toEqual([]);
  });

  it('has one request of many cases in the lean pass, with others at each turn', () => {
    const lean = [0, 1].map((turn) =>
      experiments('GET /api/v1/products', turn).filter(({ stage }) => stage === 'lean'),
    );
    expect(lean.map((cases) => cases.length)).toEqual([1, 1]);
    const [first, second] = lean.map(([one]) => drive(one!.run(), () => ({})).plans[0]?.query);
    expect(first).not.toBe(second);
  });

  it('creates nothing in the lean pass where little may be created and what is created stays', () => {
    const few = worldWith({ lasts: () => true });
    const reached = reachedWith(few, shop, 'POST /api/v1/products', {});
    const turns = Array.from({ length: 12 }, (_, turn) => turn);
    const makes = (turn: number): unknown => {
      const lean = hostileExperiments(few, reached, turn).find(({ stage }) => stage === 'lean');
      return lean === undefined ? null : drive(lean.run(), () => refused).plans[0]?.makes;
    };
    expect(turns.map(makes)).toEqual(turns.map(() => 'nothing'));
  });

  it('is sent once where it is answered, whatever the answer below 500', () => {
    for (const key of ['PUT /api/v1/products/{productId}', 'GET /api/v1/products']) {
      for (const experiment of experiments(key)) {
        for (const answer of [{}, refused]) {
          const { plans, outcomes } = drive(experiment.run(), () => answer);
          expect([plans.length, ...inWords(outcomes)]).toEqual([1, 'REQ-09 holds']);
          expect(plans[0]?.path).toMatch(/^[\x21-\x7e]+$/);
          expect(plans[0]?.query).toMatch(/^[\x21-\x7e]*$/);
        }
      }
    }
  });

  it('is sent three times where it is answered 5xx or not at all', () => {
    const experiment = experiments('POST /api/v1/products').find(isAlone);
    const failing = drive(experiment!.run(), () => ({ status: 500 }));
    expect([failing.plans.length, ...inWords(failing.outcomes)]).toEqual([
      3,
      'REQ-09 breached: hostile input (NUL character) is answered 5xx',
    ]);
    const dropping = drive(experiment!.run(), () => ({ response: null }));
    expect(inWords(dropping.outcomes)).toEqual(['REQ-09 breached: hostile input (NUL character) drops the connection']);
    const once = drive(experiment!.run(), (_plan, index) => (index === 0 ? { response: null } : {}));
    expect([once.plans.length, ...inWords(once.outcomes)]).toEqual([3, 'REQ-09 cannot tell']);
  });

  it('holds more than 100 kB in one request of an operation that takes a body, and in no other', () => {
    const alone = experiments('POST /api/v1/products').filter(isAlone);
    const lengths = alone.map((one) => {
      const [plan] = drive(one.run(), () => refused).plans;
      return plan?.body.kind === 'json' ? JSON.stringify(plan.body.value).length : 0;
    });
    expect(lengths.filter((length) => length > 100_000)).toHaveLength(1);
  });

  it('stands in each id of a path, in those above the last one as a number alone', async () => {
    const id = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });
    const get = { parameters: [id('a'), id('b')], responses: { 200: { description: 'Read' } } };
    const nested = await loadShop({ '/api/v1/a/{a}/b/{b}': { get } });
    const reached = reachedWith(world, nested, 'GET /api/v1/a/{a}/b/{b}', { a: 'one', b: 'two' });
    const paths = hostileExperiments(world, reached, 0)
      .filter(({ probe }) => probe.startsWith('hostile/path'))
      .map((one) => drive(one.run(), () => refused).plans[0]?.path);
    expect(paths.filter((path) => !path?.includes('/a/one/'))).toEqual([
      '/api/v1/a/99999999999999999999999999999999/b/two',
      '/api/v1/a/-1/b/two',
    ]);
    expect(paths.filter((path) => !path?.endsWith('/b/two'))).toHaveLength(HOSTILE_SEGMENTS.length);
    expect(paths).toContain('/api/v1/a/one/b/assay%2Fassay');
  });

  it('is a number beyond every range in all described numbers, and malformed percent-encoding after the query', async () => {
    const counted = {
      type: 'object',
      required: ['count', 'note'],
      properties: { count: { type: 'integer' }, note: { type: 'string' } },
    };
    const requestBody = { required: true, content: { 'application/json': { schema: counted } } };
    const paged = { name: 'page', in: 'query', required: true, schema: { type: 'integer' } };
    const described = await loadShop({
      '/counts': {
        get: { parameters: [paged], responses: { 200: { description: 'Read' } } },
        post: { requestBody, responses: { 201: { description: 'Made' } } },
      },
    });
    const sent = (key: string) =>
      new Map(
        hostileExperiments(world, reachedWith(world, described, key), 0)
          .filter(isAlone)
          .map((one) => [one.probe, drive(one.run(), () => refused).plans[0]]),
      );
    const body = sent('POST /counts').get('hostile/body/infinite')?.body;
    expect(body?.kind === 'raw' && body.text).toMatch(/^\{"count":1e400,"note":".+"\}$/);
    const queries = sent('GET /counts');
    expect(queries.get('hostile/query/malformed-percent')?.query).toMatch(/^page=-?\d+&assay=%ZZ$/);
    expect([...queries.values()].map((plan) => plan?.query)).toContain('page=');
    // No number, and no query.
    const neither = [...experiments('POST /api/v1/auth/register')].map(({ probe }) => probe);
    expect(neither.filter((probe) => /infinite|percent/.test(probe))).toEqual([]);
  });

  it('repeats a query parameter', () => {
    const twice = experiments('GET /api/v1/products').find(({ probe }) => probe === 'hostile/query/limit/twice');
    expect(drive(twice!.run(), () => ({})).plans[0]?.query).toBe('limit=1&limit=2');
  });

  it('tries numbers and days where parameters and members are such, nulls in lists and members that nobody names', async () => {
    const described = await loadShop({
      '/api/v1/days': {
        get: {
          parameters: [
            { name: 'least', in: 'query', schema: { type: 'number' } },
            { name: 'since', in: 'query', schema: { type: 'string', format: 'date' } },
            { name: 'q', in: 'query', schema: { type: 'string' } },
          ],
          responses: { 200: { description: 'Read' } },
        },
        post: {
          requestBody: { content: { 'application/json': { schema: DAY } } },
          responses: { 201: { description: 'Made' } },
        },
      },
    });
    const sent = (key: string, wanted: RegExp) =>
      hostileExperiments(world, reachedWith(world, described, key), 0)
        .filter(({ probe }) => wanted.test(probe))
        .flatMap((one) => drive(one.run(), () => refused).plans);
    expect(sent('GET /api/v1/days', /typed/).map(({ query }) => query)).toEqual([
      'least=NaN',
      'least=1e400',
      'least=0',
      'least=',
      'since=0000-01-01',
      'since=9999-12-31',
    ]);
    const inBytes = sent('GET /api/v1/days', /query/).flatMap(({ query }) =>
      /^\w+=assay%ED%A0%80$/.test(query) ? query : [],
    );
    expect(new Set(inBytes)).toEqual(new Set(['least', 'since', 'q'].map((name) => `${name}=assay%ED%A0%80`)));
    const bodies = sent('POST /api/v1/days', /date-|nulls|unknown/).map(({ body }) =>
      'value' in body ? body.value : null,
    );
    expect(bodies).toMatchObject([
      { day: '0000-01-01' },
      { day: '9999-12-31' },
      { tags: [null, null] },
      { assay: null, 'assay[0].$where': { $ne: 1 } },
    ]);
  });

  it('tries zero, less and several lines in members of a body that are numbers and texts', async () => {
    const schema = {
      type: 'object',
      required: ['n', 's'],
      properties: { n: { type: 'integer', minimum: 1 }, s: { type: 'string' } },
    };
    const described = await loadShop({
      '/api/v1/parts': {
        post: {
          requestBody: { content: { 'application/json': { schema } } },
          responses: { 201: { description: 'Made' } },
        },
      },
    });
    const plans = hostileExperiments(world, reachedWith(world, described, 'POST /api/v1/parts'), 0)
      .filter(({ probe }) => /(zero|negative-number|lines)$/.test(probe))
      .flatMap((one) => drive(one.run(), () => refused).plans);
    expect(plans.map(({ body }) => ('value' in body ? body.value : null))).toMatchObject([
      { n: 0 },
      { n: -1 },
      { s: expect.stringMatching(/\\\r\n/) },
    ]);
    expect(plans.map(({ makes }) => makes)).toEqual(['nothing', 'nothing', undefined]);
  });

  it('begins on each operation with another kind, so that a run that ends early has sent all of them somewhere', () => {
    const firstOf = (turn: number) => experiments('POST /api/v1/products', turn).find(isAlone)?.probe;
    expect(new Set([0, 1, 2, 3].map(firstOf)).size).toBe(4);
    const all = (turn: number) => new Set(experiments('POST /api/v1/products', turn).map(({ probe }) => probe));
    expect(all(1)).toEqual(all(0));
  });

  it('comes first once of each kind in each location, on different members and parameters', () => {
    const ranked = experiments('POST /api/v1/products').filter(({ rank }) => rank === 60);
    const kinds = ranked.map(({ probe }) => (probe.startsWith('hostile/member') ? probe.split('/').at(-1) : probe));
    expect(new Set(kinds).size).toBe(kinds.length);
    expect(kinds.length).toBe(HOSTILE_MEMBERS.length + 1 + HOSTILE_BODIES.length + UNREADABLE_BODIES.length);
    expect(new Set(ranked.map(({ probe }) => probe.split('/')[2])).size).toBeGreaterThan(3);
  });

  it('comes first where the description admits it', async () => {
    const described = await loadShop({
      '/api/v1/notes': {
        get: {
          parameters: [
            { name: 'page', in: 'query', schema: { type: 'integer' } },
            { name: 'state', in: 'query', schema: { enum: ['on', 'off'] } },
            { name: 'q', in: 'query', schema: { type: 'string' } },
          ],
          responses: { 200: { description: 'Read' } },
        },
        post: {
          requestBody: {
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['code', 'count', 'text'],
                  properties: {
                    code: { type: 'string', pattern: '^[A-Z]{2}$' },
                    count: { type: 'integer', minimum: 0, maximum: 9 },
                    text: { type: 'string' },
                  },
                },
              },
            },
          },
          responses: { 201: { description: 'Made' } },
        },
      },
    });
    const first = (of: typeof world, key: string) =>
      hostileExperiments(of, reachedWith(of, described, key), 0)
        .filter(({ rank }) => rank === 60)
        .map(({ probe }) => probe);
    const emoji = HOSTILE_MEMBERS.findIndex(({ code }) => code === 'emoji-right-to-left');
    expect(first(world, 'POST /api/v1/notes')).toContain(`hostile/member/text/${emoji}`);
    expect(first(world, 'GET /api/v1/notes').filter((probe) => probe.startsWith('hostile/query/q/'))).toHaveLength(
      HOSTILE_TEXTS.length,
    );
    const stays = worldWith({ lasts: () => true });
    expect(first(stays, 'POST /api/v1/notes')).not.toContain(`hostile/member/text/${emoji}`);
  });

  /** The name that members of maps have. */
  const MAP_NAME = 'oxaqrk';

  it('is sent last inside objects, as blanks, as equal items, and as an object without members', async () => {
    const schema = {
      type: 'object',
      required: ['name', 'tags', 'price'],
      properties: {
        name: { type: 'string' },
        tags: { type: 'array', minItems: 1, items: { type: 'string' } },
        price: {
          type: 'object',
          required: ['amount', 'currency'],
          properties: { amount: { type: 'number' }, currency: { type: 'string' } },
        },
        labels: { type: 'object', additionalProperties: { oneOf: [{ type: 'string' }, { type: 'array' }] } },
      },
    };
    const post = {
      requestBody: { content: { 'application/json': { schema } } },
      responses: { 201: { description: '' } },
    };
    const described = await loadShop({ '/api/v1/notes': { post } });
    const bodies = hostileExperiments(world, reachedWith(world, described, 'POST /api/v1/notes'), 0)
      .filter(({ stage }) => stage === 'depth')
      .map((one) => drive(one.run(), () => refused).plans[0]?.body)
      .flatMap((body) => (body?.kind === 'json' ? [Object(body.value)] : []));
    expect(bodies).toContainEqual({});
    expect(bodies).toContainEqual(expect.objectContaining({ name: '   ' }));
    expect(bodies.some(({ tags = [] }) => tags.length === 2 && tags[0] === tags[1])).toBe(true);
    const prices = bodies.map(({ price }) => price);
    expect(prices).toContainEqual({ amount: 1e308, currency: expect.any(String) });
    expect(prices).toContainEqual({ amount: expect.any(Number), currency: 'assay\ud800' });
    // The first of the inner members has every kind, the second those of its type.
    expect(prices.some((price) => Array.isArray(price?.amount))).toBe(true);
    expect(prices.some((price) => Array.isArray(price?.currency))).toBe(false);
    // Another one is a value of a map, which may be a list: a list is admitted.
    const inMaps = bodies.flatMap(({ labels }) => (Object(labels)[MAP_NAME] === undefined ? [] : [labels[MAP_NAME]]));
    expect(inMaps.some((value) => Array.isArray(value) && value.length > 100)).toBe(true);
    expect(inMaps.some((value) => typeof value === 'object' && !Array.isArray(value))).toBe(false);
  });

  it('comes first as many cases in one request', () => {
    for (const key of ['POST /api/v1/products', 'GET /api/v1/products', 'GET /api/v1/products/{productId}']) {
      const lean = experiments(key).filter(({ stage }) => stage === 'lean');
      expect(lean.map(({ probe }) => probe)).toEqual([expect.stringMatching(/^hostile\/together\//)]);
    }
  });

  it('is sent in described query parameters and headers of what writes, unless what is written stays', async () => {
    const described = await loadShop({
      '/api/v1/themes/{id}': {
        put: {
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
            { name: 'mode', in: 'query', schema: { type: 'string' } },
            { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
          ],
          responses: { 200: { description: 'Read' } },
        },
      },
    });
    const places = (of: typeof world) => {
      const reached = reachedWith(of, described, 'PUT /api/v1/themes/{id}', { id: 'thm_1' });
      return [...new Set(hostileExperiments(of, reached, 0).map(({ probe }) => probe.split('/')[1]))];
    };
    expect(places(world)).toEqual(['together', 'query', 'path', 'header']);
    expect(places(worldWith({ lasts: () => true }))).toEqual(['together', 'path']);
  });
});

it('a write says twice what it was served with, and never a small number that others may have for an id', async () => {
  const parameters = [
    { name: 'ids', in: 'query', required: true, schema: { type: 'integer' } },
    { name: 'page', in: 'query', schema: { type: 'integer' } },
  ];
  const things = await loadShop({
    '/things': { patch: { parameters, responses: { 200: { description: 'Changed' } } } },
  });
  const of = worldWith({});
  const reached = reachedWith(of, things, 'PATCH /things', {});
  const known = { ...reached, recipe: { ...reached.recipe, query: [['ids', '1917']] as const } };
  const twice = hostileExperiments(of, known, 0).filter(({ probe }) => probe.endsWith('/twice'));
  const queries = twice.map((one) => drive(one.run(), () => ({})).plans[0]?.query);
  expect(queries.toSorted()).toEqual(['ids=1917&ids=1917', 'ids=1917&page=-1&page=-1']);
});

it('hostile texts stand in paths in the style of the parameter, and in cookies that are no session', async () => {
  const parameters = [
    { name: 'shelf', in: 'path', required: true, style: 'label', schema: { type: 'integer' } },
    { name: 'basket', in: 'cookie', schema: { type: 'string' } },
    { name: 'sid', in: 'cookie', schema: { type: 'string' } },
  ];
  const shelves = await loadShop({
    '/shelves/{shelf}': { get: { parameters, responses: { 200: { description: 'x' } } } },
  });
  const reached = reachedWith(world, shelves, 'GET /shelves/{shelf}', { shelf: '1' });
  const plans = hostileExperiments(world, reached, 0).flatMap((one) => drive(one.run(), () => refused).plans);
  expect(plans.every(({ path }) => path.startsWith('/shelves/.'))).toBe(true);
  const cookies = plans.flatMap(({ headers }) => headers.flatMap(([name, text]) => (name === 'Cookie' ? [text] : [])));
  expect(cookies.length).toBeGreaterThan(0);
  expect(cookies.every((text) => text.startsWith('basket='))).toBe(true);
});

it('what paths do not name is asked for in another language, too', () => {
  const asked = experiments('GET /api/v1/products/{productId}')
    .filter(({ probe }) => probe.startsWith('hostile/path'))
    .flatMap((one) => drive(one.run(), () => refused).plans)
    .map(({ headers }) => headers.some(([name, text]) => name === 'Accept-Language' && text.startsWith('de')));
  expect(new Set(asked)).toEqual(new Set([true, false]));
});
