import { beforeAll, expect, it } from 'vitest';
import type { Description } from '../../openapi/model/operation.ts';
import { drive, inWords, loadShop, reachedWith, worldWith } from '../testing/world.ts';
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
    expect.stringMatching(/^\/a\/1\?q=…&size=.*&order=assay with tenant$/),
    expect.stringMatching(/^\/a\/1\?q=…&size=.* without tenant$/),
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

it('the contract commerce speaks of bodies only', () => {
  expect(sent('commerce', 200)).toEqual([]);
});
