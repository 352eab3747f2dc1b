import { beforeAll, describe, expect, it } from 'vitest';
import { descriptionWith, operationWith } from '../../../test/support/checks/exchanges.ts';
import { loadShop, SHOP_PATHS, worldWith } from '../../../test/support/probes/world.ts';
import type { Companions } from '../../contract/report.ts';
import { takesAwayOne } from '../../facts/path-words.ts';
import { type Catalogue, createCatalogue, type Described } from '../../openapi/model/catalogue.ts';
import {
  comesLast,
  companionsOf,
  endsSession,
  inEndingOrder,
  inReachOrder,
  laneOf,
  lanesOf,
  locksOut,
  neverCalled,
  withProducers,
} from './order.ts';
import { reachesOthers, sweepOf } from './sweeps.ts';

const described = (key: string, operationId: string | null = null): Described => {
  const [method = '', path = ''] = key.split(' ');
  return { description: descriptionWith(), operation: operationWith({ method, path, operationId }) };
};
const ordered = (keys: readonly string[]): readonly string[] =>
  inReachOrder(keys.map((key) => described(key))).map(({ operation }) => operation.key);

it('lists come before creates, creates before what they make, parents before children', () => {
  const wanted = [
    'GET /api/v1/stores',
    'POST /api/v1/stores',
    'GET /api/v1/stores/{id}/domains',
    'GET /api/v1/stores/{id}',
    'POST /api/v1/stores/{id}/domains',
    'PATCH /api/v1/stores/{id}',
    'DELETE /api/v1/stores/{id}',
    'GET /api/v1/stores/{id}/domains/{name}',
  ];
  expect(ordered(wanted.toReversed())).toEqual(wanted);
});

it.each([
  ['GET /api/v1/stores/{id}/domains', 'admin stores'],
  ['GET /api/v1/auth/activity/logs', 'admin auth'],
  ['GET /api/health/live', 'admin health'],
  ['GET /', 'admin '],
])('%s belongs to the lane %j', (key, lane) => {
  expect(laneOf(described(key))).toBe(lane);
});

it.each([
  ['POST /api/v1/auth/logout', null, true],
  ['POST /api/v1/auth/sign-out', null, true],
  ['POST /auth/log_off', null, true],
  ['POST /session/end', null, true],
  ['POST /auth', 'destroySession', true],
  ['POST /tokens/invalidate', null, true],
  ['DELETE /sessions/current', null, true],
  ['POST /sessions', 'createSession', false],
  ['GET /weekend/sessions', null, false],
  ['DELETE /sessions/{id}', null, false],
  ['DELETE /api/v1/auth/sessions/{id}', 'revokeSession', true],
  ['POST /api/v1/account', 'deactivateAccount', true],
  ['POST /api/v1/auth/account/delete', null, true],
  ['POST /api/v1/account', 'deleteAccount', true],
  ['DELETE /api/v1/auth/account', null, true],
  ['DELETE /api/v1/me', null, true],
  ['DELETE /me/', null, true],
  ['DELETE /api/v1/accounts/{id}', null, false],
  ['GET /api/v1/auth/account', null, false],
  ['GET /api/v1/auth/activity/logs', null, false],
  ['POST /api/v1/auth/login', null, false],
])('%s (%s) ends the session: %s', (key, operationId, ends) => {
  expect(endsSession(described(key, operationId))).toBe(ends);
});

it.each<[string, boolean, string?]>([
  ['POST /admin/shutdown', true],
  ['POST /instances/{id}/restart', false],
  ['POST /shutdown/', true],
  ['POST /_shutdown', true],
  ['GET /shutdown', false],
  ['GET /admin/restart', true, 'Api_Restart_Server_admin_restart_get'],
  ['GET /restart', true, 'restartServer'],
  ['GET /restart', false, 'getRestart'],
  ['GET /restart', false, 'restart_status_get'],
  ['GET /jobs/{id}/restart', false, 'restartJob'],
  ['POST /shutdowns', false],
  ['PUT /stop', true],
  ['PUT /mockserver/stop', true],
  ['POST /admin/recordings/stop', false],
  ['POST /timers/{id}/stop', false],
  ['GET /books/{id}/delete', true],
  ['GET /books/delete-all', true],
  ['GET /books/deleted', false],
  ['GET /password/reset', false],
  ['GET /trash/restore', false],
  ['POST /factory_reset', true],
])(
  '%s is never called, for it ends the target or takes something away by a GET: %s',
  (key, ends, operationId: string | null = null) => {
    expect(neverCalled(described(key, operationId)) !== null).toBe(ends);
  },
);

it.each([
  ['DELETE /mappings', true],
  ['POST /mappings/reset', true],
  ['POST /__flush__', true],
  ['POST /indexes/$purge/', true],
  ['POST /__flushes__', false],
  ['POST /mappings/delete-all-events', true],
  ['DELETE /mappings/{id}', false],
  ['POST /mappings/delete', true],
  ['POST /mappings/bulk-delete', true],
  ['PUT /mappings:batchDelete', true],
  ['POST /mappings/_delete_by_query', true],
  ['POST /mappings/deleteByIds', true],
  ['POST /mappings/{id}/delete', false],
  ['POST /mappings/delete_mapping', false],
  ['POST /tables.truncate', true],
  ['POST /cart/remove', false],
  ['POST /deleted', false],
  ['POST /bulk', false],
  ['POST /admin/maintenance', true],
  ['POST /me/reset-token/', true],
  ['POST /views/reset/', true],
  ['POST /jwt/settings', true],
  ['PATCH /session-policy/', true],
  ['PATCH /orgs/{id}/auth/settings', false],
  ['POST /user/settings', false],
  ['POST /user/change-password', true],
  ['PUT /account/api-key/rotate', true],
  ['POST /projects/{id}/rotate-key', false],
  ['POST /admin/import', true],
  ['POST /projects/{id}/import', false],
  ['POST /databases/{id}/reset', true],
  ['GET /me/reset-token', false],
  ['POST /tokens', false],
  ['PUT /read-only', true],
  ['POST /jobs/{id}/suspend', false],
  ['GET /maintenance', false],
  ['POST /mappings', false],
])('%s comes last of all where only the description tells of the service: %s', (key, last) => {
  expect(comesLast(described(key), 'openapi')).toBe(last);
  expect(comesLast(described(key), 'commerce')).toBe(false);
});

it.each([
  ['POST /jwt/settings', true],
  ['PATCH /session-policy/', true],
  ['POST /me/reset-token/', true],
  ['POST /user/change-password', true],
  ['GET /jwt/settings', false],
  ['PATCH /orgs/{id}/auth/settings', false],
  ['POST /user/settings', false],
  ['POST /logout', false],
])('%s may lock out the caller: %s', (key, locks) => {
  expect(locksOut(described(key)) !== null).toBe(locks);
});

it.each([
  ['DELETE /mappings', true],
  ['POST /mappings/bulk-delete', true],
  ['POST /mappings/{id}/delete', false],
  ['POST /admin/maintenance', false],
])('%s takes away what others made: %s', (key, takes) => {
  expect(reachesOthers(described(key))).toBe(takes);
});

const changing = (key: string, body: unknown, others: readonly string[]): Described => {
  const [method = '', path = ''] = key.split(' ');
  const operations = [key, ...others].map((one) => described(one).operation);
  const media = { mediaType: 'application/json', schema: { value: body }, encoding: {}, examples: [] };
  const operation = operationWith({ method, path, requestBody: { required: true, content: [media] } as never });
  return { description: descriptionWith({ operations }), operation };
};
const NAME = { type: 'object', properties: { name: { type: 'string' } } };
const FLAG = { type: 'object', properties: { ids: { type: 'array' }, all: { type: 'boolean' } } };
const NUMBERED = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } };

it.each([
  ['PATCH /books', NAME, ['GET /books/{id}'], true],
  ['PATCH /books', NUMBERED, ['GET /books/{id}'], true],
  ['PATCH /books', { ...NUMBERED, required: ['id'] }, ['GET /books/{id}'], false],
  ['PATCH /books/', NAME, ['GET /books/{id}/'], true],
  ['PUT /books', { type: 'array', items: NAME }, ['POST /books', 'GET /books/{id}'], true],
  ['PUT /books', NAME, ['GET /books/{id}'], false],
  ['PUT /pet', NUMBERED, ['POST /pet', 'GET /pet/{petId}'], false],
  ['PATCH /groups', { ...NAME, required: ['name'] }, ['GET /groups/{name}'], false],
  ['PATCH /settings', NAME, [], false],
  ['PATCH /settings', NAME, ['GET /settings'], true],
  ['PUT /books', { type: 'array', items: NUMBERED }, ['GET /books', 'GET /books/{id}'], false],
  ['PATCH /shelves/{id}/books', NAME, ['GET /shelves/{id}/books/{book}'], false],
  ['POST /books/archive', FLAG, ['GET /books/{id}'], true],
  ['POST /books/archive', NAME, ['GET /books/{id}'], false],
  ['POST /books', FLAG, ['GET /books/{id}'], false],
  ['POST /books/archive', { type: 'object', properties: { recall: { type: 'boolean' } } }, ['GET /books/{id}'], false],
  ['POST /books/archive-all', NAME, ['GET /books/{id}'], false],
  ['POST /books/cancel-all', NAME, ['GET /books/{id}'], true],
])('%s with %j changes what others made, beside %j: %s', (key, body, others, takes) => {
  expect(reachesOthers(changing(key, body, others))).toBe(takes);
});

it.each([
  ['/settings', ['theme'], ['theme', 'version'], false],
  ['/settings', ['theme', 'motto'], ['theme'], true],
  ['/settings', ['theme', 'password'], ['theme', 'password'], true],
  ['/settings', [], ['theme'], true],
  ['/me', ['email'], ['email'], true],
])('a PUT of %s which sets %j, where reading shows %j, cannot be put back: %s', async (at, sent, shown, reaches) => {
  const json = (names: readonly string[]) => {
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
    return { content: { 'application/json': { schema: { type: 'object', properties } } } };
  };
  const responses = { 200: { description: 'as told', ...json(shown) } };
  const settings = await loadShop({ [at]: { get: { responses }, put: { requestBody: json(sent), responses } } });
  const put = createCatalogue([settings]).match('PUT', at);
  expect(put !== null && reachesOthers(put)).toBe(reaches);
});

it('a PUT of what reading must choose by its query changes no settings', async () => {
  const responses = { 200: { description: 'as told' } };
  const parameters = [{ name: 'key', in: 'query', required: true, schema: { type: 'string' } }];
  const store = await loadShop({ '/items': { get: { parameters, responses }, put: { responses } } });
  const put = createCatalogue([store]).match('PUT', '/items');
  expect(put !== null && reachesOthers(put)).toBe(false);
});

it.each([
  [['delete_tasks', 'next_task'], true],
  [['reset'], true],
  [['erase'], true],
  [['next_task', 'resettle', 'remover'], false],
])('an action of %j takes away what others made: %s', (actions, takes) => {
  const action = { name: 'id', in: 'query', required: true, schema: { value: { enum: actions } } };
  const operation = operationWith({ method: 'POST', path: '/actions', parameters: [action] as never });
  const one = { description: descriptionWith(), operation };
  expect([comesLast(one, 'openapi'), reachesOthers(one)]).toEqual([takes, takes]);
});

it.each([
  ['DELETE /shelves/{id}/books', ['GET /shelves/{id}/books/{book}'], '/shelves/{id}/books'],
  ['PATCH /shelves/{id}/books', ['GET /shelves/{id}/books/{book}'], '/shelves/{id}/books'],
  ['POST /shelves/{id}/books/purge', [], '/shelves/{id}/books'],
  ['POST /books/update-by-query', [], '/books'],
  ['POST /delete-all-books', [], '/books'],
  ['POST /volumes/prune', [], '/volumes'],
  ['POST /reset', [], null],
  ['DELETE /proxy/{service}/{run}', ['DELETE /proxy/{service}/{run}/{path}'], undefined],
  ['PATCH /proxy/{service}/{run}', ['DELETE /proxy/{service}/{run}/{path}'], undefined],
  ['DELETE /users/{id}/avatar', [], undefined],
  ['POST /databases/{id}/reset', [], undefined],
  ['POST /books/{id}/delete', [], undefined],
  ['GET /books/purge', [], undefined],
])('%s reaches, beside %j, all of a collection: %s', (key, others, collection) => {
  expect(sweepOf(changing(key, NAME, others))).toEqual(collection === undefined ? null : { collection });
});

it.each([
  ['DELETE /books/{id}', true],
  ['POST /books/{id}/delete', true],
  ['POST /databases/{id}/reset', true],
  ['POST /projects/{id}/delete_tasks', true],
  ['POST /jobs/{id}/stop', false],
  ['PATCH /books/{id}', false],
])('%s takes away the one thing that it names: %s', (key, takes) => {
  expect(takesAwayOne(described(key).operation)).toBe(takes);
});

it('what may take the key away comes after what needs it', () => {
  const wanted = ['POST /views/reset', 'POST /logout'];
  const groups = inEndingOrder(wanted.toReversed().map((key) => described(key)));
  expect(groups.map((group) => group.map(({ operation }) => operation.key))).toEqual(wanted.map((key) => [key]));
});

it('lanes of any description part where its paths do', () => {
  const paths = ['/v2/shop/pets', '/v2/shop/pets/{id}', '/v2/shop/orders'];
  const lane = lanesOf(paths.map((path) => described(`GET ${path}`)));
  expect(paths.map((path) => lane('admin', path))).toEqual(['admin pets', 'admin pets', 'admin orders']);
  expect(lane('admin', 'POST /v2/shop/orders')).toBe('admin orders');
});

const path = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });
const body = (properties: object) => ({
  requestBody: {
    required: true,
    content: { 'application/json': { schema: { type: 'object', required: Object.keys(properties), properties } } },
  },
});
const answers = { responses: { 200: { description: 'Fine' } } };

let catalogue: Catalogue;
beforeAll(async () => {
  const description = await loadShop({
    ...SHOP_PATHS,
    '/api/v1/stores': { get: answers, post: { ...answers, ...body({ name: { type: 'string' } }) } },
    '/api/v1/stores/{storeId}': { parameters: [path('storeId')], get: answers },
    '/api/v1/stores/{storeId}/reviews': { parameters: [path('storeId')], get: answers },
    '/api/v1/stores/{storeId}/reviews/{reviewId}': { parameters: [path('storeId'), path('reviewId')], get: answers },
    '/api/v1/stores/{storeId}/forwards/{forwardId}': { parameters: [path('storeId'), path('forwardId')], get: answers },
    '/api/v1/labels/{productId}': { parameters: [path('productId')], get: answers },
    '/api/v1/orders': {
      post: {
        ...answers,
        ...body({
          items: {
            type: 'array',
            minItems: 1,
            items: { type: 'object', required: ['product_id'], properties: { product_id: { type: 'string' } } },
          },
        }),
      },
    },
  });
  catalogue = createCatalogue([description]);
});

const inShop = (key: string): Described => catalogue.operation(key)!;
const keysOf = (operations: readonly Described[]): readonly string[] =>
  operations.map(({ operation }) => operation.key).toSorted();

describe('what an operation needs', () => {
  it.each([
    ['GET /api/v1/products', []],
    ['GET /api/v1/products/{productId}', ['GET /api/v1/products', 'POST /api/v1/products']],
    [
      'GET /api/v1/stores/{storeId}/reviews/{reviewId}',
      ['GET /api/v1/stores', 'POST /api/v1/stores', 'GET /api/v1/stores/{storeId}/reviews'],
    ],
    // No list of forwards: they may stand within the store.
    [
      'GET /api/v1/stores/{storeId}/forwards/{forwardId}',
      ['GET /api/v1/stores', 'POST /api/v1/stores', 'GET /api/v1/stores/{storeId}'],
    ],
    // A namesake elsewhere, for a path parameter and for a reference within the body.
    ['GET /api/v1/labels/{productId}', ['GET /api/v1/products', 'POST /api/v1/products']],
    ['POST /api/v1/orders', ['GET /api/v1/products', 'POST /api/v1/products']],
  ])('%s', (key, needed) => {
    const found = withProducers(worldWith(), catalogue, [inShop(key)]);
    expect(keysOf(found)).toEqual([key, ...needed].toSorted());
  });

  it('comes in the order of the descriptions', () => {
    const keys = withProducers(worldWith(), catalogue, [inShop('POST /api/v1/orders')]).map(
      ({ operation }) => operation.key,
    );
    expect(keys).toEqual(
      catalogue.operations.map(({ operation }) => operation.key).filter((key) => keys.includes(key)),
    );
  });
});

describe('companions', () => {
  it('of idempotency are the list, its items, and whatever else takes keys', () => {
    const found = companionsOf(catalogue, 'keyed', inShop('POST /api/v1/stores'));
    expect(keysOf([...new Set(found)])).toEqual([
      'GET /api/v1/stores',
      'GET /api/v1/stores/{storeId}',
      'POST /api/v1/stores',
    ]);
  });

  it('of what is changed and deleted between two sends are the operations that do it, too', () => {
    const found = keysOf(companionsOf(catalogue, 'item', inShop('POST /api/v1/products')));
    const more = found.filter(
      (key) => !keysOf(companionsOf(catalogue, 'keyed', inShop('POST /api/v1/products'))).includes(key),
    );
    expect(more.toSorted()).toEqual(['DELETE /api/v1/products/{productId}', 'PUT /api/v1/products/{productId}']);
  });

  it('of a list that is walked is what creates its items; of most probes there is none', () => {
    expect(keysOf(companionsOf(catalogue, 'siblings', inShop('GET /api/v1/products')))).toContain(
      'POST /api/v1/products',
    );
    expect(companionsOf(catalogue, 'none', inShop('GET /api/v1/products'))).toEqual([]);
  });

  it('of an experiment in a report that does not name them are all that any experiment has', () => {
    const of = (companions: Companions | undefined): readonly string[] =>
      keysOf([...new Set(companionsOf(catalogue, companions, inShop('POST /api/v1/products')))]);
    expect(of(undefined)).toEqual(of('item'));
    for (const companions of ['siblings', 'keyed'] as const)
      expect(of(undefined)).toEqual(expect.arrayContaining([...of(companions)]));
  });
});
