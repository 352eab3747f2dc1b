// What a rehearsal tells of creations where answers show no ids, and things are called by the names that clients give them.
import { expect, it } from 'vitest';
import { documentWith, loadFiles } from '../../test/support/openapi/descriptions.ts';
import { configWith, optionsWith } from '../../test/support/run/test-config.ts';
import { rehearse } from './rehearsal.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const answer = (schema: object) => ({ responses: { 200: { description: 'Done', ...json(schema) } } });
const named = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
const creating = { requestBody: { required: true, ...json(named) }, ...answer({ type: 'object' }) };
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });

it('counts what is made below a thing that is known by its name alone', async () => {
  const paths = {
    '/tenants': { post: creating },
    '/tenants/{tenant_name}': { parameters: [inPath('tenant_name')], get: answer(named) },
    '/tenants/{tenant}/databases': {
      parameters: [inPath('tenant')],
      get: answer({ type: 'array', items: named }),
      post: creating,
    },
    '/tenants/{tenant}/databases/{database}': {
      parameters: [inPath('tenant'), inPath('database')],
      get: answer(named),
      delete: answer({ type: 'object' }),
    },
  };
  const description = await loadFiles({ 'api.json': { ...documentWith('3.1.0', {}), paths } });
  const { report } = await rehearse({
    config: configWith({ contract: 'openapi' }),
    options: optionsWith({ budget: 100 }),
    descriptions: [description],
    startMs: 0,
    stop: new AbortController().signal,
  });
  const makers = report.created?.operations.filter(({ made }) => made > 0).map(({ operation }) => operation);
  expect(makers).toEqual(['POST /tenants', 'POST /tenants/{tenant}/databases']);
  expect(report.operations.filter(({ succeeded }) => !succeeded)).toEqual([]);
});
