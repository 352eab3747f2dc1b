import { describe, expect, it } from 'vitest';
import { loadFiles } from '../../../test/support/openapi/descriptions.ts';
import { createCatalogue } from './catalogue.ts';
import type { Description } from './operation.ts';

const OK = { responses: { 200: { description: 'Done' } } };

async function described(
  paths: Record<string, readonly string[]>,
  base = '/api/v1',
  service = 'admin',
): Promise<Description> {
  const items = Object.entries(paths).map(([path, methods]) => {
    const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
      return { name, in: 'path', required: true, schema: { type: 'string' } };
    });
    return [path, { parameters, ...Object.fromEntries(methods.map((method) => [method, OK])) }];
  });
  const document = {
    openapi: '3.0.3',
    info: { title: service, version: '1' },
    servers: [{ url: base }],
    paths: Object.fromEntries(items),
  };
  const description = await loadFiles({ 'shop.json': document });
  return {
    ...description,
    service,
    operations: description.operations.map((operation) => ({ ...operation, service })),
  };
}

const PATHS = {
  '/stores': ['get', 'post'],
  '/stores/{id}': ['get', 'put'],
  '/stores/mine': ['get'],
  '/stores/{id}/orders/{order}': ['get'],
  '/stores/mine/{thing}': ['delete'],
  '/files/{name}.json': ['get'],
  '/files/{name}': ['get'],
  '/jobs/{id}:cancel': ['post'],
  '/caf%C3%A9/{a}-{b}': ['get'],
};

describe('match', () => {
  it.each([
    ['GET', '/api/v1/stores', 'GET /api/v1/stores'],
    ['get', '/api/v1/stores/12', 'GET /api/v1/stores/{id}'],
    ['GET', '/api/v1/stores/mine', 'GET /api/v1/stores/mine'],
    ['PUT', '/api/v1/stores/mine', 'PUT /api/v1/stores/{id}'],
    ['GET', '/api/v1/stores/mine/orders/3', 'GET /api/v1/stores/{id}/orders/{order}'],
    ['GET', '/api/v1/stores/a%2Fb', 'GET /api/v1/stores/{id}'],
    ['GET', '/api/v1/files/a.json', 'GET /api/v1/files/{name}.json'],
    ['GET', '/api/v1/files/a.xml', 'GET /api/v1/files/{name}'],
    ['POST', '/api/v1/jobs/7:cancel', 'POST /api/v1/jobs/{id}:cancel'],
    ['GET', '/api/v1/caf%c3%a9/x-y', 'GET /api/v1/caf%C3%A9/{a}-{b}'],
    ['GET', '/api/v1/stores/%zz', 'GET /api/v1/stores/{id}'],
  ])('%s %s is %s', async (method, path, key) => {
    const catalogue = createCatalogue([await described(PATHS)]);
    expect(catalogue.match(method, path)?.operation.key).toBe(key);
  });

  it.each([
    ['GET', '/stores'],
    ['DELETE', '/api/v1/stores'],
    ['GET', '/api/v1/stores/'],
    ['GET', '/api/v1/Stores'],
    ['GET', '/api/v1/stores/1/orders'],
    ['GET', '/'],
    ['GET', ''],
  ])('%s %s is nothing described', async (method, path) => {
    expect(createCatalogue([await described(PATHS)]).match(method, path)).toBeNull();
  });
});

it('a known path tells the methods described there', async () => {
  const catalogue = createCatalogue([await described(PATHS)]);
  expect(catalogue.pathKnown('/api/v1/stores/1').toSorted()).toEqual(['GET', 'PUT']);
  expect(catalogue.pathKnown('/api/v1/stores/mine').toSorted()).toEqual(['GET', 'PUT']);
  expect(catalogue.pathKnown('/api/v1/none')).toEqual([]);
});

it('services keep their own base paths, and the same key is told apart by service', async () => {
  const admin = await described({ '/a': ['get'], '/same': ['get'] }, 'https://x.test/admin', 'admin');
  const store = await described({ '/a': ['get'] }, '/store', 'store');
  const other = await described({ '/same': ['get'] }, '/admin', 'ai');
  const catalogue = createCatalogue([admin, store, other]);
  expect(catalogue.match('GET', '/store/a')?.description.service).toBe('store');
  expect(catalogue.match('GET', '/admin/same')?.operation.service).toBe('admin');
  expect(catalogue.operation('GET /admin/same')?.description.service).toBe('admin');
  expect(catalogue.operation('GET /store/a', 'admin')).toBeNull();
  expect(catalogue.operations).toHaveLength(4);
});
