import { beforeAll, describe, expect, it } from 'vitest';
import type { Companions } from '../../contract/report.ts';
import { type Catalogue, createCatalogue, type Described } from '../../openapi/model/catalogue.ts';
import { loadShop, SHOP_PATHS, worldWith } from '../../probes/testing/world.ts';
import { companionsOf, withProducers } from './needs.ts';

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

const described = (key: string): Described => catalogue.operation(key)!;
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
    const found = withProducers(worldWith(), catalogue, [described(key)]);
    expect(keysOf(found)).toEqual([key, ...needed].toSorted());
  });

  it('comes in the order of the descriptions', () => {
    const keys = withProducers(worldWith(), catalogue, [described('POST /api/v1/orders')]).map(
      ({ operation }) => operation.key,
    );
    expect(keys).toEqual(
      catalogue.operations.map(({ operation }) => operation.key).filter((key) => keys.includes(key)),
    );
  });
});

describe('companions', () => {
  it('of idempotency are the list, its items, and whatever else takes keys', () => {
    const found = companionsOf(catalogue, 'keyed', described('POST /api/v1/stores'));
    expect(keysOf([...new Set(found)])).toEqual([
      'GET /api/v1/stores',
      'GET /api/v1/stores/{storeId}',
      'POST /api/v1/stores',
    ]);
  });

  it('of what is changed and deleted between two sends are the operations that do it, too', () => {
    const found = keysOf(companionsOf(catalogue, 'item', described('POST /api/v1/products')));
    const more = found.filter(
      (key) => !keysOf(companionsOf(catalogue, 'keyed', described('POST /api/v1/products'))).includes(key),
    );
    expect(more.toSorted()).toEqual(['DELETE /api/v1/products/{productId}', 'PUT /api/v1/products/{productId}']);
  });

  it('of a list that is walked is what creates its items; of most probes there is none', () => {
    expect(keysOf(companionsOf(catalogue, 'siblings', described('GET /api/v1/products')))).toContain(
      'POST /api/v1/products',
    );
    expect(companionsOf(catalogue, 'none', described('GET /api/v1/products'))).toEqual([]);
  });

  it('of an experiment in a report that does not name them are all that any experiment has', () => {
    const of = (companions: Companions | undefined): readonly string[] =>
      keysOf([...new Set(companionsOf(catalogue, companions, described('POST /api/v1/products')))]);
    expect(of(undefined)).toEqual(of('item'));
    for (const companions of ['siblings', 'keyed'] as const)
      expect(of(undefined)).toEqual(expect.arrayContaining([...of(companions)]));
  });
});
