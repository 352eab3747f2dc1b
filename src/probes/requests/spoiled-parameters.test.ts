import { beforeAll, expect, it } from 'vitest';
import { drive, inWords, loadShop, reachedWith, worldWith } from '../../../test/support/probes/world.ts';
import { exercisedBy } from '../../generate/targets/exercised.ts';
import { inputsOf } from '../../generate/targets/operation-inputs.ts';
import { targetKey } from '../../generate/targets/target.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { spoiledParameterExperiments } from './spoiled-parameters.ts';

const parameter = (name: string, place: string, schema: unknown, required = false) => ({
  name,
  in: place,
  required: required || place === 'path',
  schema,
});
let shop: Description;
beforeAll(async () => {
  const parameters = [
    parameter('id', 'path', { type: 'integer' }),
    parameter('q', 'query', { type: 'string' }, true),
    parameter('size', 'query', { type: 'integer', default: 5 }, true),
    parameter('order', 'query', { type: 'string', enum: ['up', 'down'] }),
    parameter('X-Tenant', 'header', { type: 'string' }, true),
  ];
  shop = await loadShop({ '/a/{id}': { get: { parameters, responses: { 200: { description: 'x' } } } } });
});

function sent(contract: 'commerce' | 'openapi', status: number) {
  const world = worldWith({ contract });
  const reached = reachedWith(world, shop, 'GET /a/{id}', { id: '1' });
  return spoiledParameterExperiments(world, reached).map((experiment) => {
    const { plans, outcomes } = drive(experiment.run(), () => ({ status }));
    const [plan] = plans;
    const tenant = plan?.headers.some(([name]) => name === 'X-Tenant') ? 'with tenant' : 'without tenant';
    return { asked: `${plan?.path}?${plan?.query.replace(/q=[a-z]+/, 'q=…')} ${tenant}`, said: inWords(outcomes) };
  });
}

it('each parameter is spoiled alone, in what can be told of it', () => {
  expect(sent('openapi', 400).map(({ asked }) => asked)).toEqual([
    expect.stringMatching(/^\/a\/assay\?q=…&size=.* with tenant$/),
    expect.stringMatching(/^\/a\/1\?size=.* with tenant$/),
    expect.stringMatching(/^\/a\/1\?q=…&size=assay with tenant$/),
    expect.stringMatching(/^\/a\/1\?q=…&size=.*&order=assay-not-listed with tenant$/),
    expect.stringMatching(/^\/a\/1\?q=…&size=.* without tenant$/),
  ]);
});

it('parameters of one name are told apart by their places', async () => {
  const parameters = [
    parameter('v', 'query', { type: 'string' }, true),
    parameter('v', 'header', { type: 'string' }, true),
    parameter('w', 'query', { type: 'string' }, true),
  ];
  const own = await loadShop({ '/b': { get: { parameters, responses: { 200: { description: 'x' } } } } });
  const world = worldWith({ contract: 'openapi' });
  const experiments = spoiledParameterExperiments(world, reachedWith(world, own, 'GET /b'));
  expect(experiments.map(({ probe }) => probe)).toEqual([
    'request/parameter/query v left out',
    'request/parameter/header v left out',
    'request/parameter/w left out',
  ]);
});

it('a 4xx holds, what is accepted breaches', () => {
  expect(sent('openapi', 422).flatMap(({ said }) => said)).toEqual([
    'REQ-04 holds',
    'REQ-03 holds',
    'REQ-04 holds',
    'REQ-08 holds',
    'REQ-03 holds',
  ]);
  expect(sent('openapi', 200).flatMap(({ said }) => said)).toContain(
    'REQ-03 breached: a missing required parameter is accepted',
  );
});

it('the contract commerce speaks of bodies: what it accepts in a parameter is an advisory, and paging is left to PAG-12', async () => {
  expect(sent('commerce', 400).flatMap(({ said }) => said)).toHaveLength(5);
  const world = worldWith();
  const weights = spoiledParameterExperiments(world, reachedWith(world, shop, 'GET /a/{id}', { id: '1' })).flatMap(
    (experiment) =>
      drive(experiment.run(), () => ({ status: 200 })).outcomes.flatMap(({ judgement }) =>
        judgement.kind === 'breached' ? judgement.breaches.map(({ weight }) => weight) : [],
      ),
  );
  expect(weights).toEqual(['advisory', 'advisory', 'advisory', 'advisory', 'advisory']);
  expect(spoiledParameterExperiments(world, reachedWith(world, await loadShop(), 'GET /api/v1/products'))).toEqual([]);
});

it('each branch of a parameter is broken, and not only the one that is sent as a rule', async () => {
  const size = parameter('size', 'query', {
    anyOf: [
      { type: 'string', enum: ['all'] },
      { type: 'integer', minimum: 2, maximum: 9 },
    ],
  });
  const things = await loadShop({ '/a': { get: { parameters: [size], responses: { 200: { description: 'x' } } } } });
  const world = worldWith({ contract: 'openapi' });
  const queries = spoiledParameterExperiments(world, reachedWith(world, things, 'GET /a')).map(
    (experiment) => drive(experiment.run(), () => ({ status: 400 })).plans[0]?.query,
  );
  expect(queries).toEqual(['size=assay-not-listed', 'size=1', 'size=10']);
});

it('each keyword of a query parameter and header is broken once', async () => {
  const parameters = [
    parameter('size', 'query', { type: 'integer', minimum: 1, maximum: 9, multipleOf: 2 }),
    parameter('code', 'query', { type: 'string', minLength: 2, maxLength: 4, pattern: '^[a-z]+$' }),
    parameter('since', 'query', { type: 'string', format: 'date' }),
    parameter('ids', 'query', { type: 'array', items: { type: 'string' }, maxItems: 2, uniqueItems: true }),
    parameter('X-Level', 'header', { type: 'integer', minimum: 3 }),
    parameter('X-Mode', 'header', { type: 'string', enum: ['fast', 'slow'] }),
  ];
  const things = await loadShop({ '/a': { get: { parameters, responses: { 200: { description: 'x' } } } } });
  const world = worldWith({ contract: 'openapi' });
  const reached = reachedWith(world, things, 'GET /a');
  const inputs = inputsOf(reached.description, reached.operation);
  const broken = spoiledParameterExperiments(world, reached).flatMap((experiment) => {
    const [plan] = drive(experiment.run(), () => ({ status: 400 })).plans;
    const { sort, targets } = exercisedBy(inputs, plan!);
    expect(sort).toBe('invalid');
    return targets.map(targetKey);
  });
  const wanted = inputs.targets.map(targetKey).filter((key) => key.includes(' breaks '));
  expect(broken.toSorted()).toEqual(wanted.toSorted());
  expect(wanted).toContain('/header/X-Level breaks minimum');
});

it('numbers in a path are sent outside their bounds, and texts there are not', async () => {
  const parameters = [
    parameter('number', 'path', { type: 'integer', minimum: 1, maximum: 9 }),
    parameter('name', 'path', { type: 'string', maxLength: 4 }),
  ];
  const path = '/a/{number}/{name}';
  const things = await loadShop({ [path]: { get: { parameters, responses: { 200: { description: 'x' } } } } });
  const world = worldWith();
  const reached = reachedWith(world, things, `GET ${path}`, { number: '2', name: 'b' });
  const paths = spoiledParameterExperiments(world, reached).map(
    (experiment) => drive(experiment.run(), () => ({ status: 404 })).plans[0]?.path,
  );
  expect(paths).toEqual(['/a/assay/b', '/a/0/b', '/a/10/b']);
});

it('a cookie is spoiled beside those that are sent, one of a session is not, and of a path its list is left', async () => {
  const cookie = (name: string, schema: object, required = false) => ({ name, in: 'cookie', required, schema });
  const parameters = [
    parameter('size', 'path', { type: 'string', enum: ['s', 'm'] }),
    cookie('basket', { type: 'string', pattern: '^[a-z]{4}$' }),
    cookie('lang', { type: 'string', enum: ['de'] }, true),
    cookie('session_id', { type: 'string', pattern: '^[a-z]{4}$' }),
  ];
  const things = await loadShop({ '/a/{size}': { get: { parameters, responses: { 200: { description: 'x' } } } } });
  const world = worldWith();
  const reached = reachedWith(world, things, 'GET /a/{size}', { size: 's' });
  const asked = spoiledParameterExperiments(world, reached).map((experiment) => {
    const [plan] = drive(experiment.run(), () => ({ status: 404 })).plans;
    return `${plan?.path} ${plan?.headers.find(([name]) => name === 'Cookie')?.[1]}`;
  });
  expect(asked).toEqual([
    '/a/assay-not-listed lang=de',
    expect.stringMatching(/^\/a\/s lang=de; basket=(?![a-z]{4}$)/),
    '/a/s undefined',
    '/a/s lang=assay-not-listed',
  ]);
});

it.each([
  ['form', true, ['', 'a=assay', 'a=1.5', 'a=0', 'a=10']],
  ['form', false, ['', 'v=', 'v=a,assay', 'v=a,1.5', 'v=a,0', 'v=a,10']],
  ['deepObject', true, ['', 'v[a]=assay', 'v[a]=1.5', 'v[a]=0', 'v[a]=10']],
])('the members of an object in style %s, taken apart: %s, are spoiled one by one', async (style, explode, queries) => {
  const a = { type: 'integer', minimum: 1, maximum: 9 };
  const schema = { type: 'object', properties: { a }, required: ['a'], additionalProperties: false };
  const parameters = [{ name: 'v', in: 'query', required: true, schema, style, explode }];
  const things = await loadShop({ '/c': { get: { parameters, responses: { 200: { description: 'x' } } } } });
  const world = worldWith({ contract: 'openapi' });
  const asked = spoiledParameterExperiments(world, reachedWith(world, things, 'GET /c')).flatMap((one) =>
    drive(one.run(), () => ({ status: 400 })).plans.map(({ query }) => decodeURIComponent(query)),
  );
  expect(asked).toEqual(queries);
});

it('a parameter that is JSON is text in place of an object, and in place of a list', async () => {
  const content = (name: string, type: string) => ({
    name,
    in: 'query',
    content: { 'application/json': { schema: { type } } },
  });
  const parameters = [content('filter', 'object'), content('ids', 'array'), content('text', 'string')];
  const lists = await loadShop({ '/b': { get: { parameters, responses: { 200: { description: 'x' } } } } });
  const world = worldWith({ contract: 'openapi' });
  const queries = spoiledParameterExperiments(world, reachedWith(world, lists, 'GET /b')).flatMap((one) =>
    drive(one.run(), () => ({ status: 400 })).plans.map(({ query }) => query),
  );
  const asText = queries.map((query) => /(\w+)=%22assay%22/.exec(query)?.[1]);
  expect(asText).toEqual(['filter', 'ids']);
});

it('of a list below an id in the path, a number in place of a text is a text on the wire, and one in place of a number is not', async () => {
  const list = (name: string, type: string) => parameter(name, 'query', { type: 'array', items: { type } });
  const parameters = [parameter('id', 'path', { type: 'string' }), list('names', 'string'), list('sizes', 'integer')];
  const path = '/a/{id}/items';
  const things = await loadShop({ [path]: { get: { parameters, responses: { 200: { description: 'x' } } } } });
  const world = worldWith({ contract: 'openapi' });
  const reached = reachedWith(world, things, `GET ${path}`, { id: 'b' });
  const queries = spoiledParameterExperiments(world, reached).map(
    (experiment) => drive(experiment.run(), () => ({ status: 400 })).plans[0]?.query,
  );
  expect(queries).toContain('sizes=assay');
  expect(queries.filter((query) => query?.startsWith('names='))).toEqual([]);
});

it('an operation that no sound call reached is asked, too: its refusals are answers like others, and tell nothing of the fault', () => {
  const world = worldWith({ contract: 'openapi' });
  const unproven = reachedWith(world, shop, 'GET /a/{id}', { id: '1' }, { proof: null });
  const said = (status: number) =>
    spoiledParameterExperiments(world, unproven).flatMap((one) =>
      inWords(drive(one.run(), () => ({ status })).outcomes),
    );
  expect(new Set(said(422))).toEqual(new Set(['REQ-03 cannot tell', 'REQ-04 cannot tell', 'REQ-08 cannot tell']));
  expect(said(200)).toContain('REQ-03 breached: a missing required parameter is accepted');
});
