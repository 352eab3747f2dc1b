import { beforeAll, describe, expect, it } from 'vitest';
import { type Changes, exchangeWith } from '../../../test/support/checks/exchanges.ts';
import { loadFiles } from '../../../test/support/openapi/descriptions.ts';
import { drive, operationOf, shopDocument, worldWith } from '../../../test/support/probes/world.ts';
import { locatedId } from '../../facts/created.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { drawFor, type Reached, type World } from '../world.ts';
import { note } from './noting.ts';
import { candidatePathValues, fixtureName } from './path-values.ts';
import { reach } from './reach.ts';
import { firstRecipe } from './recipe.ts';

const flow = { $ref: '#/components/schemas/FlowResponse' };
const json = (schema: unknown) => ({ description: 'x', content: { 'application/json': { schema } } });
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const links = { run: { operationId: 'readRun', parameters: { id: '$response.body#/run' } } };

let description: Description;
beforeAll(async () => {
  const paths = {
    '/flows/': { post: { responses: { 201: { ...json(flow), links } } } },
    '/flows/{id}': {
      parameters: [id],
      get: { responses: { 200: json(flow) } },
      delete: { responses: { 204: { description: 'x' } } },
    },
    '/search': { post: { responses: { 200: json({ type: 'array', items: flow }) } } },
    '/runs/{id}': { parameters: [id], get: { operationId: 'readRun', responses: { 200: json({}) } } },
    '/roles/': { get: { responses: { 200: json({}) } }, post: { responses: { 201: json({}) } } },
    '/roles/{id}/permissions': {
      parameters: [id],
      get: { responses: { 200: json({}) } },
      put: { responses: { 200: json({}) } },
    },
    '/roles/{id}/notes': { parameters: [id], post: { responses: { 201: json({}) } } },
    '/groups': { get: { responses: { 200: json({}) } } },
    '/groups/{name}': {
      parameters: [{ ...id, name: 'name' }],
      get: { responses: { 200: json({}) } },
      post: { responses: { 201: json({}) } },
      delete: { responses: { 204: { description: 'x' } } },
    },
    '/zones': {
      get: { responses: { 200: json({ type: 'object', additionalProperties: { type: 'object' } }) } },
    },
    '/zones/{zone}': { parameters: [{ ...id, name: 'zone' }], get: { responses: { 200: json({}) } } },
    '/totals': { get: { responses: { 200: json({ type: 'object', additionalProperties: { type: 'object' } }) } } },
    '/files/{id}': { parameters: [id], get: { responses: { 200: json({}) } }, put: { responses: { 200: json({}) } } },
  };
  const document = {
    ...shopDocument(paths),
    components: { schemas: { FlowResponse: { type: 'object' } } },
    security: [],
  };
  description = await loadFiles({ 'd.json': document });
});

const openWorld = (): World => {
  const world = worldWith({ contract: 'openapi' });
  world.knowledge.share();
  return world;
};
function learn(
  world: World,
  key: string,
  { sentAt = 0, ...answer }: Changes & { readonly sentAt?: number },
  pathValues: Record<string, string> = {},
): void {
  const recipe = firstRecipe(
    description,
    operationOf(description, key),
    pathValues,
    { kind: 'none' },
    drawFor(world, 'n'),
  );
  note(world, recipe, { ...exchangeWith(answer), sentAt });
}
const offered = (world: World, key: string) =>
  candidatePathValues(world, description, operationOf(description, key)).candidates.map(
    (values) => values.id ?? values.name,
  );

it('a fixture may be meant for one collection alone', () => {
  const world = { ...openWorld(), fixtures: { id: 'any', 'files.id': '7' } };
  expect([offered(world, 'GET /files/{id}'), offered(world, 'GET /runs/{id}')]).toEqual([['7'], ['any']]);
  const asked = (key: string, parameter: string) => fixtureName(description, operationOf(description, key), parameter);
  expect(asked('GET /files/{id}', 'id')).toBe('files.id');
});

it.each([
  ['$response.body#/run', ['r9']],
  ['{$response.body#/run}', ['r9']],
  ['run-{$response.body#/run}.{$request.query.kind}', ['run-r9.big']],
  ['$request.body#/name', ['n1']],
  ['$response.header.X-Run', ['h1']],
  ['latest', ['latest']],
  ['{$response.body#/absent}', []],
  ['$statusCode', []],
])('the expression %s of a link leads to %j', async (expression, expected) => {
  const run = { run: { operationId: 'readRun', parameters: { 'path.id': expression } } };
  const linked = await loadFiles({
    'd.json': shopDocument({
      '/jobs': { post: { responses: { 201: { ...json({}), links: run } } } },
      '/runs/{id}': { parameters: [id], get: { operationId: 'readRun', responses: { 200: json({}) } } },
    }),
  });
  const world = openWorld();
  const recipe = firstRecipe(linked, operationOf(linked, 'POST /jobs'), {}, { kind: 'none' }, drawFor(world, 'n'));
  const plan = { query: 'kind=big', body: { kind: 'json', value: { name: 'n1' } } } as const;
  note(world, recipe, exchangeWith({ status: 201, plan, headers: [['x-run', 'h1']], body: { run: 'r9' } }));
  expect(world.knowledge.linked('/runs/{id}', 'id')).toEqual(expected);
});

describe('an id is known', () => {
  it('from a create on a path that ends with a slash', () => {
    const world = openWorld();
    learn(world, 'POST /flows/', { status: 201, body: { id: 'f1' } });
    expect([offered(world, 'GET /flows/{id}'), offered(world, 'DELETE /flows/{id}')]).toEqual([['f1'], ['f1']]);
  });

  it('from a create that answers the object beside a flag', () => {
    const world = openWorld();
    learn(world, 'POST /flows/', { status: 201, body: [{ id: 'f1' }, true] });
    expect(offered(world, 'DELETE /flows/{id}')).toEqual(['f1']);
  });

  it('from a create that answers the object under its name, with lists of what else was made', () => {
    const world = openWorld();
    learn(world, 'POST /flows/', { status: 201, body: { flow: { id: 'f1', team_id: 't1', steps: [{ id: 's1' }] } } });
    expect(offered(world, 'GET /flows/{id}')).toEqual(['f1']);
    expect(offered(world, 'DELETE /flows/{id}')).toEqual(['f1']);
  });

  it('from a search that answers what it finds beside an object', () => {
    const world = openWorld();
    learn(world, 'POST /search', { body: { flow: { id: 'f0' }, flows: [{ id: 'f2' }] } });
    expect(offered(world, 'GET /flows/{id}')).toEqual(['f2']);
  });

  it('not from a call below an object that answers the object itself', () => {
    const world = openWorld();
    learn(world, 'POST /roles/{id}/notes', { status: 201, body: { role: { id: 'r1', notes: [] } } }, { id: 'r1' });
    expect(world.knowledge.idsAt('/roles/r1/notes', 'id')).toEqual([]);
  });

  it.each([
    [201, { id: 1 }, ['1']],
    [201, { role: { id: 1 } }, []],
    [200, { id: 1 }, []],
  ])('from a create below what has the same number, as answered %i with %j', (status, body, ids) => {
    const world = openWorld();
    learn(world, 'POST /roles/{id}/notes', { status, body }, { id: '1' });
    expect(world.knowledge.idsAt('/roles/1/notes', 'id').map(({ value }) => value)).toEqual(ids);
  });

  it('from a create that answers a 64-bit integer, to its last digit', () => {
    const world = openWorld();
    learn(world, 'POST /flows/', { status: 201, body: '{"id":1189274612837461231}' });
    expect(offered(world, 'GET /flows/{id}')).toEqual(['1189274612837461231']);
  });

  it('from a search whose schema names what it finds, which is never deleted', () => {
    const world = openWorld();
    learn(world, 'POST /search', { body: [{ id: 'f2' }] });
    expect([offered(world, 'GET /flows/{id}'), offered(world, 'DELETE /flows/{id}')]).toEqual([['f2'], []]);
  });

  it('from Location where the body shows none', () => {
    const world = openWorld();
    learn(world, 'POST /flows/', { status: 201, headers: [['location', 'http://127.0.0.1/flows/f%203']] });
    expect(offered(world, 'GET /flows/{id}')).toEqual(['f 3']);
  });

  it('by the keys of a map, where the description says so and has things below it', () => {
    const world = openWorld();
    const zones = { body: { 'eu west': { size: 1 }, us: { id: 'us-1' }, size: 5 } };
    learn(world, 'GET /zones', zones);
    learn(world, 'GET /totals', zones);
    const { candidates } = candidatePathValues(world, description, operationOf(description, 'GET /zones/{zone}'));
    expect(candidates.map(({ zone }) => zone)).toEqual(['eu west', 'us-1', 'size']);
    expect(world.knowledge.idsAt('/totals', 'id')).toEqual([]);
  });

  it('by a list of names or numbers alone, but by none within a thing', () => {
    const world = openWorld();
    learn(world, 'GET /groups', { body: ['news', '', null, 7] });
    expect(offered(world, 'GET /groups/{name}')).toEqual(['news', '7']);
    learn(world, 'GET /roles/', { body: { id: 1, tags: ['a'] } });
    expect(world.knowledge.idsAt('/roles/tags', 'id')).toEqual([]);
  });

  it('from a link', () => {
    const world = openWorld();
    learn(world, 'POST /flows/', { status: 201, body: { id: 'f1', run: 'r9' } });
    expect(offered(world, 'GET /runs/{id}')).toEqual(['r9']);
  });

  it('from a PUT that was answered with success to a new one', () => {
    const world = openWorld();
    const arrivals: Reached[] = [];
    const put = operationOf(description, 'PUT /files/{id}');
    const course = reach(
      world,
      description,
      put,
      (reached) => arrivals.push(reached),
      () => {},
    );
    drive(course, () => ({ body: {} }));
    const made = arrivals[0]?.recipe.pathValues.id;
    expect(made).toBeDefined();
    expect(offered(world, 'GET /files/{id}')).toEqual([made]);
  });

  it('from a POST to a name, though it answers with another id', () => {
    const world = openWorld();
    const arrivals: Reached[] = [];
    learn(world, 'GET /groups', { body: [{ id: 5, name: 'staff' }] });
    const course = reach(
      world,
      description,
      operationOf(description, 'POST /groups/{name}'),
      (reached) => arrivals.push(reached),
      () => {},
    );
    const { plans } = drive(course, ({ path }) =>
      path === '/groups/staff' ? { status: 409 } : { status: 201, body: { id: 6, name: path.split('/')[2] } },
    );
    const made = arrivals[0]?.recipe.pathValues.name;
    expect(plans.map(({ path }) => path)).toEqual(['/groups/staff', `/groups/${made}`]);
    expect(offered(world, 'GET /groups/{name}')).toEqual([made, 'staff']);
    expect(offered(world, 'DELETE /groups/{name}')).toEqual([made]);
  });

  it('from a name that another run does not make', () => {
    const madeIn = (nonce: string): string => {
      const paths: string[] = [];
      const course = reach(
        { ...openWorld(), nonce },
        description,
        operationOf(description, 'POST /groups/{name}'),
        () => {},
        () => {},
      );
      drive(course, ({ path }) => {
        paths.push(path);
        return { status: 201 };
      });
      return paths.join();
    };
    expect(madeIn('run-1')).not.toBe(madeIn('run-2'));
    expect(madeIn('run-1')).toBe(madeIn('run-1'));
  });

  it('from what a create sent, where its answer shows nothing', () => {
    const world = openWorld();
    const recipe = firstRecipe(
      description,
      operationOf(description, 'POST /flows/'),
      {},
      { kind: 'none' },
      drawFor(world, 'n'),
    );
    const sent = { body: { kind: 'json', value: { name: 'nightly', steps: [] } } } as const;
    for (const body of [{}, { created: true }]) note(world, recipe, exchangeWith({ body, plan: sent }));
    expect(offered(world, 'GET /flows/{id}')[0]).toBe('nightly');
    const search = firstRecipe(
      description,
      operationOf(description, 'POST /search'),
      {},
      { kind: 'none' },
      drawFor(world, 'n'),
    );
    note(world, search, exchangeWith({ body: {}, plan: { body: { kind: 'json', value: { name: 'other' } } } }));
    expect(world.knowledge.isCreated('other')).toBe(false);
  });

  it('of a POST to a name that is not found nothing is known', () => {
    const world = openWorld();
    const missing: string[] = [];
    const course = reach(
      world,
      description,
      operationOf(description, 'POST /groups/{name}'),
      () => {},
      (name) => missing.push(name),
    );
    drive(course, () => ({ status: 404 }));
    expect(missing).toEqual(['name']);
    expect(offered(world, 'GET /groups/{name}')).toEqual([]);
  });

  it('but not as created where a list had shown it before', () => {
    const world = openWorld();
    learn(world, 'POST /search', { body: [{ id: 'f4' }] });
    learn(world, 'POST /flows/', { status: 200, body: { id: 'f4' }, sentAt: 5 });
    expect(offered(world, 'DELETE /flows/{id}')).toEqual([]);
    learn(world, 'POST /search', { body: [{ id: 'f5' }], sentAt: 9 });
    learn(world, 'POST /flows/', { status: 200, body: { id: 'f5' }, sentAt: 9 });
    expect(offered(world, 'DELETE /flows/{id}')).toEqual(['f5']);
  });

  it('of what others live by, where its rights are written, only if the run made it', () => {
    const world = openWorld();
    const asked = () => ['PUT /roles/{id}/permissions', 'GET /roles/{id}/permissions', 'POST /roles/{id}/notes'];
    learn(world, 'GET /roles/', { body: [{ id: 1 }] });
    expect(asked().map((key) => offered(world, key))).toEqual([[], ['1'], ['1']]);
    learn(world, 'POST /roles/', { status: 201, body: { id: 7 } });
    expect(asked().map((key) => offered(world, key))).toEqual([['7'], ['7', '1'], ['7', '1']]);
  });

  it('as created where only other collections, which count from 1 as well, show its number', () => {
    const world = openWorld();
    learn(world, 'POST /search', { body: [{ id: 6 }] });
    learn(world, 'POST /flows/', { status: 201, body: { id: 6 } });
    expect(offered(world, 'DELETE /flows/{id}')).toEqual(['6']);
  });
});

it.each([
  ['/flows/9', '/flows/', '9'],
  ['https://example.com/base/flows/9?x=1', '/flows', '9'],
  ['/elsewhere/9', '/flows', null],
  ['', '/flows', null],
])('Location %s below %s shows %s', (location, path, expected) => {
  expect(locatedId(exchangeWith({ headers: [['location', location]] }), path)).toBe(expected);
});
