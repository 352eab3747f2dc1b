// Which operations make, show and delete one kind of things.
import { expect, it } from 'vitest';
import { loadFiles } from '../../../test/support/openapi/descriptions.ts';
import { shopDocument } from '../../../test/support/probes/world.ts';
import { lifecyclesAmong } from './lifecycle.ts';

const Store = { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } };
const content = { 'application/json': { schema: { $ref: '#/components/schemas/Store' } } };
const id = [{ name: 'store_id', in: 'path', required: true, schema: { type: 'string' } }];
const read = { parameters: id, responses: { 200: { description: 'One', content } } };
const create = { requestBody: { content }, responses: { 201: { description: 'Made', content } } };
const gone = { parameters: id, responses: { 204: { description: 'Gone' } } };

async function readersOf(paths: Readonly<Record<string, unknown>>, isUsable = true) {
  const document = { ...shopDocument(paths), components: { schemas: { Store } }, security: [] };
  const description = await loadFiles({ 'stores.json': document });
  const described = description.operations.map((operation) => ({ description, operation }));
  const cycles = lifecyclesAmong(described, { byNoun: true }, () => isUsable);
  return cycles.filter(({ creator }) => creator.operation.path in paths).map(({ reader }) => reader?.operation.path);
}

it('a thing is read in its collection, whatever else bears its name and is described before', async () => {
  const settings = { '/.well-known/settings/{store_id}': { get: read } };
  const store = { '/stores': { post: create }, '/stores/{store_id}': { get: read, delete: gone } };
  expect(await readersOf({ ...settings, ...store })).toEqual(['/stores/{store_id}']);
});

it('a thing that cannot be read in its collection is read where it can be', async () => {
  const elsewhere = { '/store/by-id/{store_id}': { get: read } };
  const store = { '/stores': { post: create }, '/stores/{store_id}': { delete: gone } };
  expect(await readersOf({ ...elsewhere, ...store })).toEqual(['/store/by-id/{store_id}']);
  // Nothing tells that it reads such things where it was never served.
  expect(await readersOf({ ...elsewhere, ...store }, false)).toEqual([undefined]);
});
