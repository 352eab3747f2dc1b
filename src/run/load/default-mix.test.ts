import { expect, test } from 'vitest';
import { loadFiles } from '../../../test/support/openapi/descriptions.ts';
import { readsToSend } from './arrivals.ts';

const served = { responses: { 200: { description: 'Served' } } };
const KEYED = { security: [{ key: [] }] };
const path = (name: string) => ({ parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }] });

/** The reads chosen of a description with these operations, each a GET. */
async function chosen(paths: Record<string, object>, hasKeys: boolean): Promise<readonly string[]> {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    paths: Object.fromEntries(Object.entries(paths).map(([at, own]) => [at, { get: { ...served, ...own } }])),
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  };
  const description = await loadFiles({ 'shop.json': document });
  const operations = description.operations.map((operation) => ({ operation, description }));
  return readsToSend(operations, { hasKeys }).map(({ operation }) => operation.path);
}

test('reads that take a key are sent where one is configured, and those that take none where none is', async () => {
  const paths = { '/items': KEYED, '/news': {} };
  expect(await chosen(paths, true)).toEqual(['/items']);
  expect(await chosen(paths, false)).toEqual(['/news']);
});

test('an API without security is sent its reads, with a key or without', async () => {
  expect(await chosen({ '/news': {} }, false)).toEqual(['/news']);
  expect(await chosen({ '/news': {} }, true)).toEqual(['/news']);
});

test('reads of single items are sent only where no other read is there', async () => {
  expect(await chosen({ '/items/{id}': path('id'), '/items': {} }, false)).toEqual(['/items']);
  expect(await chosen({ '/items/{id}': path('id') }, false)).toEqual(['/items/{id}']);
});
