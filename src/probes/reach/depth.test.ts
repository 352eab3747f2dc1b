import { beforeAll, describe, expect, it } from 'vitest';
import { errorObject, exchangeWith } from '../../../test/support/checks/exchanges.ts';
import {
  drive,
  inWords,
  loadShop,
  reachedWith,
  SHOP_PATHS,
  sentJson,
  worldWith,
} from '../../../test/support/probes/world.ts';
import type { Description } from '../../openapi/model/operation.ts';
import {
  acceptExperiments,
  bodyExperiments,
  noteTurned,
  parameterExperiments,
  repeatExperiment,
  secondPageExperiments,
  visitExperiment,
  walkExperiments,
} from './depth.ts';

const LIST = 'GET /api/v1/products';
const CREATE = 'POST /api/v1/products';
const READ = 'GET /api/v1/products/{productId}';
const FEED = 'GET /api/v1/feed';

const LISTED = [
  { name: 'plan', in: 'path', required: true, schema: { type: 'string', enum: ['free', 'paid'] } },
  { name: 'month', in: 'path', required: true, style: 'label', schema: { type: 'integer', minimum: 1, maximum: 12 } },
];

let shop: Description;
beforeAll(async () => {
  const parameters = [
    { name: 'limit', in: 'query', schema: { type: 'string' } },
    { name: 'offset', in: 'query', schema: { type: 'string' } },
    { name: 'status', in: 'query', schema: { type: 'string', enum: ['draft', 'active'] } },
    { name: 'archived', in: 'query', schema: { type: 'boolean' } },
  ];
  shop = await loadShop({
    ...SHOP_PATHS,
    '/api/v1/feed': { get: { parameters, responses: { 200: { description: 'Feed' } } } },
    '/api/v1/plans/{plan}/{month}': { get: { parameters: LISTED, responses: { 200: { description: 'Plan' } } } },
  });
});

describe('a repetition', () => {
  it('sends the recipe again; a create with a body of its own', () => {
    const world = worldWith();
    const names = [0, 1, 2].map((round) => {
      const { plans } = drive(repeatExperiment(world, reachedWith(world, shop, CREATE), round).run(), () => ({
        status: 201,
        body: { id: `p${round}` },
      }));
      return (sentJson(plans[0]) as { name: string }).name;
    });
    expect(new Set(names).size).toBe(3);
    expect(world.knowledge.isCreated('p2')).toBe(true);
  });

  it('finds a key that is refused all of a sudden, and says nothing of a public operation', () => {
    const world = worldWith();
    const refused = { status: 401, body: { error: errorObject({ status: 401, code: 'auth_token_invalid' }) } };
    const listed = drive(repeatExperiment(world, reachedWith(world, shop, LIST), 0).run(), () => refused);
    expect(inWords(listed.outcomes)).toEqual(['AUTH-05 breached: a valid key is refused']);
    const live = drive(
      repeatExperiment(world, reachedWith(world, shop, 'GET /api/health/live'), 0).run(),
      () => refused,
    );
    expect(live.outcomes).toEqual([]);
  });
});

describe('a walk', () => {
  const queries = (key: string, pages: number): readonly (readonly string[])[] => {
    const world = worldWith();
    return walkExperiments(world, reachedWith(world, shop, key)).map((walk) =>
      drive(walk.run(), (_plan, index) => ({ body: index < pages ? [{ id: `i${index}` }] : [] })).plans.map(
        ({ query }) => query,
      ),
    );
  };

  it('turns large and small pages to the empty one, by number or by offset', () => {
    expect(queries(LIST, 2)).toEqual([
      ['limit=100&page=1', 'limit=100&page=2', 'limit=100&page=3'],
      ['limit=20&page=1', 'limit=20&page=2', 'limit=20&page=3'],
    ]);
    expect(queries(FEED, 1)).toEqual([
      ['limit=100&offset=0', 'limit=100&offset=1'],
      ['limit=20&offset=0', 'limit=20&offset=1'],
    ]);
  });

  it('goes on after what was shown, where the list has a smaller maximum', () => {
    const world = worldWith();
    const [walk] = walkExperiments(world, reachedWith(world, shop, FEED));
    const cut = (query: string): readonly object[] => {
      const from = Number(new URLSearchParams(query).get('offset'));
      return Array.from({ length: Math.min(50, 120 - from) }, (_, at) => ({ id: `i${from + at}` }));
    };
    const { plans } = drive(walk!.run(), ({ query }) => ({ body: cut(query) }));
    expect(plans.map(({ query }) => query.replace('limit=100&', ''))).toEqual(
      [0, 50, 100, 120].map((offset) => `offset=${offset}`),
    );
  });

  it('ends though the list does not, and at the first refusal', () => {
    for (const walked of queries(LIST, Number.POSITIVE_INFINITY)) expect(walked.length).toBeLessThan(50);
    const world = worldWith();
    const [walk] = walkExperiments(world, reachedWith(world, shop, LIST));
    expect(drive(walk!.run(), () => ({ status: 400 })).plans).toHaveLength(1);
  });

  it('is not offered where there is no limit, or where the list was never read', () => {
    const world = worldWith();
    expect(walkExperiments(world, reachedWith(world, shop, READ))).toEqual([]);
    expect(walkExperiments(world, reachedWith(world, shop, LIST, {}, { proof: null }))).toEqual([]);
  });
});

it('a visit reads every object that the collection showed', () => {
  const world = worldWith();
  world.knowledge.noteListed(
    '/api/v1/products',
    ['a', 'b', 'c'].map((id) => ({ id })),
  );
  const visit = visitExperiment(world, reachedWith(world, shop, READ, { productId: 'a' }));
  expect(drive(visit!.run(), () => ({})).plans.map(({ path }) => path.at(-1))).toEqual(['a', 'b', 'c']);
});

it('parameters are sent one at a time, with every value that is enumerated', () => {
  const world = worldWith();
  const experiments = parameterExperiments(world, reachedWith(world, shop, FEED));
  const queries = experiments.map((experiment) => drive(experiment.run(), () => ({})).plans[0]?.query);
  expect(queries).toEqual(['status=draft', 'status=active', 'archived=true', 'archived=false']);
});

it('each value that a path lists is asked for, some of many and the last among them', () => {
  const world = worldWith();
  const reached = reachedWith(world, shop, 'GET /api/v1/plans/{plan}/{month}', { plan: 'free', month: '2' });
  const paths = parameterExperiments(world, reached).map(
    (experiment) => drive(experiment.run(), () => ({})).plans[0]?.path,
  );
  const months = [12, 1, 3, 4, 5, 6, 7, 8].map((month) => `/api/v1/plans/free/.${month}`);
  expect(paths).toEqual(['/api/v1/plans/paid/.2', ...months]);
});

it('bodies are sent with what is required alone, and full', () => {
  const world = worldWith();
  const members = bodyExperiments(world, reachedWith(world, shop, CREATE)).map((experiment) =>
    Object.keys(sentJson(drive(experiment.run(), () => ({ status: 201 })).plans[0]) as object),
  );
  expect(members).toEqual([
    ['name', 'price'],
    ['name', 'price', 'status', 'tags', 'dimensions'],
  ]);
});

describe('the second page of a list', () => {
  const queries = (key: string) => {
    const world = worldWith();
    const experiments = secondPageExperiments(world, reachedWith(world, shop, key));
    return experiments.flatMap((one) => drive(one.run(), () => ({})).plans.map(({ query }) => query));
  };

  it('is asked for by its number, or by where it begins', () => {
    expect(queries(LIST)).toEqual(['limit=5&page=2']);
    expect(queries(FEED)).toEqual(['limit=5&offset=5']);
  });

  it('is not asked for by itself once pages of the list were turned', () => {
    const world = worldWith();
    const [list, feed] = [LIST, FEED].map((key) => reachedWith(world, shop, key));
    const standing = () =>
      [list!, feed!].map((one) => secondPageExperiments(world, one).map(({ stands }) => stands?.()));
    expect(standing()).toEqual([[true], [true]]);
    noteTurned(world, list!);
    expect(standing()).toEqual([[false], [true]]);
  });

  it('is not asked for where there is none', () => {
    expect(queries(READ)).toEqual([]);
  });
});

describe('the further media types of a success', () => {
  const content = { 'application/json': {}, 'text/csv': {}, 'text/*': {}, 'application/xml': {} };
  const answering = (status: number) => ({ responses: { [status]: { description: 'As told', content } } });

  /** The types that the operation is asked for, where its first call was answered like this. */
  async function asked(key: string, body: unknown, status = 200): Promise<readonly (string | undefined)[]> {
    const described = await loadShop({
      '/quotes': { get: answering(200), post: answering(status), put: answering(200) },
    });
    const world = worldWith();
    const proof = exchangeWith({ status, plan: { method: key.split(' ')[0] ?? '' }, body });
    return acceptExperiments(world, reachedWith(world, described, key, {}, { proof })).map((one) => {
      const { plans } = drive(one.run(), () => ({}));
      return plans[0]?.headers.find(([name]) => name === 'Accept')?.[1];
    });
  }

  it('are asked for where something is read, or nothing with an id is made', async () => {
    expect(await asked('GET /quotes', { id: 'q_1' })).toEqual(['text/csv', 'application/xml']);
    expect(await asked('POST /quotes', { total: 4 })).toEqual(['text/csv', 'application/xml']);
  });

  it('are not asked for where something is made or changed', async () => {
    expect(await asked('POST /quotes', { id: 'q_1' }, 201)).toEqual([]);
    expect(await asked('PUT /quotes', { total: 4 })).toEqual([]);
  });
});
