// Tries the words of a rehearsal on creations: where answers show no ids, and things are called by the names that
// clients give them; and where the description asks for a key that nobody has configured.
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

it.each([
  ['/notes/', '/notes/{id}', 'id'],
  ['/notes/', '/notes/{id}/', 'id'],
  ['/notes', '/notes/{note-id}', 'note-id'],
  ['/notes', '/notes/{note.id}', 'note.id'],
])('reaches things of %s at %s', async (collection, item, name) => {
  const note = { ...named, properties: { ...named.properties, id: { type: 'integer' } } };
  const parameters = [{ ...inPath(name), schema: { type: 'integer' } }];
  const paths = {
    [collection]: { get: answer({ type: 'array', items: note }), post: { ...creating, ...answer(note) } },
    [item]: { parameters, get: answer(note), delete: answer({ type: 'object' }) },
    [`${item.replace(/\/$/, '')}:print`]: { parameters, post: answer({ type: 'object' }) },
    [`${item.replace(/\/$/, '')}:send`]: { parameters, post: answer({ type: 'object' }) },
    '/health#now': { get: answer({ type: 'object' }) },
    '/health#then': { get: answer({ type: 'object' }) },
  };
  const { report } = await rehearse({
    config: configWith({ contract: 'openapi' }),
    options: optionsWith({ budget: 100 }),
    descriptions: [await loadFiles({ 'api.json': { ...documentWith('3.1.0', {}), paths } })],
    startMs: 0,
    stop: new AbortController().signal,
  });
  expect(report.operations.filter(({ succeeded }) => !succeeded)).toEqual([]);
});

it('rehearses who has no key against a platform that asks for none', async () => {
  const paths = {
    '/notes': { post: creating },
    '/notes/{note_name}': { parameters: [inPath('note_name')], get: answer(named), delete: answer({ type: 'object' }) },
  };
  const securitySchemes = { token: { type: 'apiKey', in: 'header', name: 'x-token' } };
  const secured = { ...documentWith('3.1.0', {}), paths, components: { securitySchemes }, security: [{ token: [] }] };
  const rehearsed = async (keys: object) =>
    rehearse({
      config: configWith({ contract: 'openapi', ...keys }),
      options: optionsWith({ budget: 100 }),
      descriptions: [await loadFiles({ 'api.json': secured })],
      startMs: 0,
      stop: new AbortController().signal,
    });
  const without = await rehearsed({ keys: [] });
  expect(without.isOpened).toBe(true);
  expect(without.report.created?.made).toBeGreaterThan(0);
  const key = { name: 'ours', plan: 'any', token: 'x', account: null, scheme: null, tokenCommand: null };
  const withOne = await rehearsed({ keys: [key] });
  expect(withOne.isOpened).toBeUndefined();
  expect(withOne.report.clauses.find(({ id }) => id === 'AUTH-01')?.status).not.toBe('fail');
});
