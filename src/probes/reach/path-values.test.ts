import { beforeAll, describe, expect, it } from 'vitest';
import { loadFiles } from '../../../test/support/openapi/descriptions.ts';
import { loadShop, operationOf, shopDocument, worldWith } from '../../../test/support/probes/world.ts';
import type { Description } from '../../openapi/model/operation.ts';
import type { World } from '../world.ts';
import { candidatePathValues } from './path-values.ts';

const ok = { responses: { 200: { description: 'Yes' } } };
const id = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string', example: 'ord_example' } });
const PATHS = {
  '/api/v1/orders': { get: ok, post: ok },
  '/api/v1/orders/{orderId}': { parameters: [id('orderId')], get: ok, put: ok, patch: ok, delete: ok },
  '/api/v1/orders/{orderId}/cancel': { parameters: [id('orderId')], post: ok },
  '/api/v1/orders/{orderId}/notes': { parameters: [id('orderId')], get: ok, post: ok },
  '/api/v1/orders/{orderId}/logo': { parameters: [id('orderId')], put: ok, delete: ok },
};
const ORDER = '/api/v1/orders/{orderId}';
const CHANGING = [`PUT ${ORDER}`, `PATCH ${ORDER}`, `POST ${ORDER}/cancel`, `PUT ${ORDER}/logo`];
const DELETING = [`DELETE ${ORDER}`, `DELETE ${ORDER}/logo`];
const HARMLESS = [`GET ${ORDER}`, `GET ${ORDER}/notes`, `POST ${ORDER}/notes`];

let shop: Description;
beforeAll(async () => {
  shop = await loadShop(PATHS);
});

/** The ids that the operation may be called on, where a list showed a foreign order, one of this run's and one of an earlier. */
function offered(key: string, changes: Partial<World>, own = true): readonly (string | undefined)[] {
  const world = worldWith(changes);
  world.knowledge.noteListed('/api/v1/orders', [{ id: 'theirs', note: 'x' }]);
  if (own)
    world.knowledge.noteListed('/api/v1/orders', [{ id: 'earlier', name: 'assay-20260131-120000-9f3a2b-abcdef' }]);
  if (own) world.knowledge.noteCreated('/api/v1/orders', { id: 'ours' });
  return candidatePathValues(world, shop, operationOf(shop, key)).candidates.map(({ orderId }) => orderId);
}

describe.each(['commerce', 'openapi'] as const)('by contract %s', (contract) => {
  it.each(['staging', 'production'] as const)(
    'what others made is neither changed nor acted on in %s',
    (environment) => {
      for (const key of [...CHANGING, ...DELETING])
        expect([key, offered(key, { contract, environment })]).toEqual([key, ['ours', 'earlier']]);
      for (const key of [...CHANGING, ...DELETING])
        expect([key, offered(key, { contract, environment }, false)]).toEqual([key, []]);
      for (const key of HARMLESS) expect(offered(key, { contract, environment })).toContain('theirs');
    },
  );

  it('what others made is deleted nowhere', () => {
    for (const key of DELETING) {
      expect(offered(key, { contract })).toEqual(['ours', 'earlier']);
      expect(offered(key, { contract, fixtures: { orderId: 'fixed' } }, false)).toEqual([]);
    }
  });

  it('what a fixture names may be changed, wherever', () => {
    for (const key of CHANGING)
      expect(offered(key, { contract, environment: 'staging', fixtures: { orderId: 'fixed' } }, false)).toEqual([
        'fixed',
      ]);
  });

  it('what others made may be changed on a local target, after what this run made', () => {
    for (const key of CHANGING) expect(offered(key, { contract })).toEqual(['ours', 'theirs', 'earlier']);
  });
});

it('what a path lists is offered value by value, for not all of it need be there', async () => {
  const parameters = [
    { name: 'family', in: 'path', required: true, schema: { type: 'string', enum: ['gull', 'tern'] } },
    { name: 'tier', in: 'path', required: true, schema: { type: 'integer', minimum: 1, maximum: 3 } },
  ];
  const models = await loadShop({ '/models/{family}/{tier}': { get: { ...ok, parameters } } });
  const { candidates } = candidatePathValues(worldWith(), models, operationOf(models, 'GET /models/{family}/{tier}'));
  const offers = candidates.map(({ family, tier }) => `${family} ${tier}`);
  expect(new Set(offers).size).toBe(4);
  expect(new Set(candidates.map(({ tier }) => tier))).toEqual(new Set(['1', '2', '3']));
});

it('a day in a path is made up, an id is not', async () => {
  const named = (name: string, schema: unknown) => ({ name, in: 'path', required: true, schema });
  const reports = await loadShop({
    '/reports/{day}': { get: { ...ok, parameters: [named('day', { type: 'string', format: 'date' })] } },
    '/invoices/{id}': { get: { ...ok, parameters: [named('id', { type: 'string', format: 'uuid' })] } },
  });
  const offered = (key: string) => candidatePathValues(worldWith(), reports, operationOf(reports, key)).candidates;
  expect(offered('GET /reports/{day}')).toEqual([{ day: expect.stringMatching(/^20\d\d-\d\d-\d\d$/) }]);
  expect(offered('GET /invoices/{id}')).toEqual([]);
});

describe('what is made below something else, and has a place of its own', () => {
  const DISH = { $ref: '#/components/schemas/Dish' };
  const answering = (status: number, schema: unknown) => ({
    responses: { [status]: { description: 'Yes', content: { 'application/json': { schema } } } },
  });
  const named = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });
  const MADE = '/api/v1/menus/4/dishes';

  /** The ids that PUT and DELETE of a dish are offered, where a menu made one and lists another. */
  async function dishes(made: unknown, contract: World['contract']): Promise<readonly (readonly unknown[])[]> {
    const menus = await loadFiles({
      'shop.json': {
        ...shopDocument({
          '/api/v1/menus/{menuId}/dishes': { parameters: [named('menuId')], post: answering(201, made) },
          '/api/v1/dishes/{dishId}': { parameters: [named('dishId')], put: answering(200, DISH), delete: ok },
        }),
        components: { schemas: { Dish: { type: 'object', properties: { id: { type: 'string' } } } } },
      },
    });
    const world = worldWith({ contract, environment: 'staging' });
    world.knowledge.noteListed(MADE, [{ id: 'theirs' }]);
    world.knowledge.noteCreated(MADE, { id: 'ours' });
    return ['PUT', 'DELETE'].map((method) =>
      candidatePathValues(world, menus, operationOf(menus, `${method} /api/v1/dishes/{dishId}`)).candidates.map(
        ({ dishId }) => dishId,
      ),
    );
  }

  it.each(['commerce', 'openapi'] as const)('is changed and deleted there by contract %s', async (contract) => {
    expect(await dishes(DISH, contract)).toEqual([['ours'], ['ours']]);
  });

  it('is left alone where only the paths end alike', async () => {
    expect(await dishes({ type: 'object', properties: { dish: DISH } }, 'commerce')).toEqual([[], []]);
  });
});

it('ids that the description admits come in place of names that it does not, and names where there is no id', async () => {
  const described = await loadShop({
    '/runs': { get: ok },
    '/runs/{runId}': { parameters: [{ ...id('runId'), schema: { type: 'string', format: 'uuid' } }], get: ok },
  });
  const world = worldWith({ contract: 'openapi' });
  const runs = () => candidatePathValues(world, described, operationOf(described, 'GET /runs/{runId}')).candidates;
  world.knowledge.noteCreated('/runs', { name: 'mine' });
  expect(runs()).toEqual([{ runId: 'mine' }]);
  const uuid = 'ee411bc1-2814-43ea-8dc1-30d895ce4608';
  world.knowledge.noteListed('/runs', [{ id: uuid, name: 'theirs' }]);
  expect(runs()).toEqual([{ runId: uuid }]);
});

it('what has the noun of the parameter is no candidate where the description rules it out', async () => {
  const contentId = { name: 'contentId', in: 'path', required: true, schema: { type: 'integer' } };
  const described = await loadShop({
    '/versions': { get: ok },
    '/versions/{v}/content': { parameters: [id('v')], get: ok },
    '/ids/{contentId}': { parameters: [contentId], get: ok },
  });
  const world = worldWith({ contract: 'openapi' });
  world.knowledge.noteListed('/versions/1/content', [{ name: 'foo' }]);
  world.knowledge.noteListed('/versions', [{ version: '1', contentId: 7 }]);
  world.knowledge.share();
  const { candidates } = candidatePathValues(world, described, operationOf(described, 'GET /ids/{contentId}'));
  expect(candidates).toEqual([{ contentId: '7' }]);
});

it('what this run made below one thing is deleted below no other by a name that others may have there', async () => {
  const named = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });
  const described = await loadShop({
    '/groups': { get: ok },
    '/groups/{groupId}/rules': { parameters: [named('groupId')], get: ok, post: ok },
    '/groups/{groupId}/rules/{ruleId}': { parameters: [named('groupId'), named('ruleId')], get: ok, delete: ok },
  });
  const offers = (made: string, method = 'DELETE') => {
    const world = worldWith({ contract: 'openapi' });
    world.knowledge.noteListed('/groups', [{ id: 'theirs' }]);
    world.knowledge.noteCreated('/groups/ours/rules', { id: made });
    world.knowledge.share();
    const operation = operationOf(described, `${method} /groups/{groupId}/rules/{ruleId}`);
    return candidatePathValues(world, described, operation).candidates;
  };
  for (const name of ['VALIDITY', '7', '1.0.1', 'latest']) {
    expect([name, offers(name)]).toEqual([name, []]);
    expect(offers(name, 'GET')).toEqual([{ groupId: 'theirs', ruleId: name }]);
  }
  for (const id of ['622f47d7-d522-4d04-8c93-75119f277dc2', 'assay-20260131-120000-9f3a2b-abcdef'])
    expect(offers(id)).toEqual([{ groupId: 'theirs', ruleId: id }]);
});
