// Tries the parts of operations that OpenAPI 3.2 adds to descriptions.
import { expect, it } from 'vitest';
import { loadFiles } from '../../../test/support/openapi/descriptions.ts';

const OK = { responses: { 200: { description: 'Done' } } };

function shop(paths: unknown, more: object = {}): object {
  return { openapi: '3.2.0', info: { title: 'Shop', version: '1' }, paths, ...more };
}

it('reads QUERY and further methods', async () => {
  const paths = { '/a': { query: OK, additionalOperations: { COPY: { ...OK, operationId: 'copy' } } } };
  const { operations, problems, openapi } = await loadFiles({ 'shop.json': shop(paths) });
  expect(problems).toEqual([]);
  expect(openapi).toBe('3.2.0');
  expect(operations.map(({ key, pointer }) => `${key} at ${pointer}`)).toEqual([
    'QUERY /a at /paths/~1a/query',
    'COPY /a at /paths/~1a/additionalOperations/COPY',
  ]);
});

it('reads the properties of a whole query string as parameters', async () => {
  const schema = { type: 'object', properties: { q: { type: 'string' }, page: { type: 'integer' } }, required: ['q'] };
  const content = { 'application/x-www-form-urlencoded': { schema } };
  const parameters = [{ name: 'all', in: 'querystring', content }];
  const { operations } = await loadFiles({ 'shop.json': shop({ '/a': { get: { ...OK, parameters } } }) });
  expect(operations[0]?.parameters.map((one) => `${one.in} ${one.name} ${one.required}`)).toEqual([
    'query q true',
    'query page false',
  ]);
});

it('leaves an operation alone whose whole query string must be of another kind', async () => {
  const content = { 'text/csv': { schema: { type: 'string' } } };
  const parameters = [{ name: 'all', in: 'querystring', required: true, content }];
  const { operations } = await loadFiles({ 'shop.json': shop({ '/a': { get: { ...OK, parameters } } }) });
  expect(operations[0]?.unsupported).toBe('its query string must be text/csv; only forms and JSON can be made');
});

it('reads a whole query string of JSON as one parameter without a name', async () => {
  const schema = { type: 'object', properties: { page: { type: 'integer', maximum: 9 } }, required: ['page'] };
  const content = { 'application/json': { schema } };
  const parameters = [{ name: 'all', in: 'querystring', required: true, content }];
  const description = await loadFiles({ 'shop.json': shop({ '/a': { get: { ...OK, parameters } } }) });
  const [operation] = description.operations;
  const [parameter] = operation?.parameters ?? [];
  expect(operation?.unsupported).toBeNull();
  expect(parameter).toMatchObject({ in: 'query', name: '', required: true, contentType: 'application/json' });
});

it('takes lists in cookies for exploded where nothing is said', async () => {
  const cookie = (style: string) => ({ name: style, in: 'cookie', style, schema: { type: 'array', items: {} } });
  const parameters = [cookie('cookie'), cookie('form')];
  const { operations } = await loadFiles({ 'shop.json': shop({ '/a': { get: { ...OK, parameters } } }) });
  expect(operations[0]?.parameters.map(({ style, explode }) => ({ style, explode }))).toEqual([
    { style: 'cookie', explode: true },
    { style: 'form', explode: true },
  ]);
});

it('reads media types by reference, schemas of items and examples as data', async () => {
  const media = { itemSchema: { type: 'object' }, examples: { one: { dataValue: { id: 1 } } } };
  const content = { 'application/jsonl': { $ref: '#/components/mediaTypes/Lines' } };
  const paths = { '/a': { get: { responses: { 200: { description: 'Done', content } } } } };
  const more = { components: { mediaTypes: { Lines: media } } };
  const { operations, problems } = await loadFiles({ 'shop.json': shop(paths, more) });
  expect(problems).toEqual([]);
  expect(operations[0]?.responses[0]?.content).toMatchObject([
    { mediaType: 'application/jsonl', itemSchema: { value: { type: 'object' } }, examples: [{ id: 1 }] },
  ]);
});

it('reads a request of JSON lines as a list of the items that are described, and examples as what they spell', async () => {
  const media = { itemSchema: { type: 'object' }, example: '{"id":1}\n{"id":2}\n' };
  const post = { ...OK, requestBody: { content: { 'application/jsonl': media, 'text/event-stream': media } } };
  const { operations } = await loadFiles({ 'shop.json': shop({ '/a': { post } }) });
  const schema = { value: { type: 'array', minItems: 1, items: { type: 'object' } } };
  expect(operations[0]?.requestBody?.content).toMatchObject([
    { mediaType: 'application/jsonl', schema, examples: [[{ id: 1 }, { id: 2 }]] },
    { mediaType: 'text/event-stream', schema: null, examples: [media.example] },
  ]);
});

it('tells what 3.2 does not allow, and takes what 3.1 does not', async () => {
  const more = {
    $self: 'https://shop.example/openapi.json',
    tags: [{ name: 'a', parent: 'b', kind: 'nav' }, { name: 'b' }],
  };
  expect((await loadFiles({ 'shop.json': shop({}, more) })).problems).toEqual([]);
  const wrong = { '/a': { additionalOperations: { GET: OK } } };
  const { problems } = await loadFiles({ 'shop.json': shop(wrong) });
  expect(problems.map(({ rule }) => rule)).toEqual(['field-name']);
  const older = { ...shop({ '/a': { query: OK } }), openapi: '3.1.0' };
  const { problems: unknown } = await loadFiles({ 'shop.json': older });
  expect(unknown.map(({ rule, pointer }) => `${rule} ${pointer}`)).toEqual(['unknown-field /paths/~1a/query']);
});

it('takes the URI that a description gives itself for its own', async () => {
  const schema = (name: string) => ({ $ref: `${name}#/components/schemas/Pet` });
  const body = (name: string) => ({ content: { 'application/json': { schema: schema(name) } } });
  const answers = (name: string) => ({ responses: { 200: { description: 'Done', ...body(name) } } });
  const paths = {
    '/a': { get: answers('https://shop.example/v1/shop'), put: answers('shop'), post: answers('pets.json') },
  };
  const more = { $self: 'https://shop.example/v1/shop', components: { schemas: { Pet: { type: 'object' } } } };
  const pets = { $self: 'https://shop.example/v1/pets', components: { schemas: { Pet: { type: 'array' } } } };
  const { operations, problems, deref } = await loadFiles({ 'shop.json': shop(paths, more), 'pets.json': pets });
  expect(problems).toEqual([]);
  const shown = operations.map(({ responses }) => deref(responses[0]?.content[0]?.schema?.value));
  expect(shown).toEqual([{ type: 'object' }, { type: 'object' }, { type: 'array' }]);
});

it('tells of parents of tags that are no tags, and of tags below themselves', async () => {
  const tags = [
    ...[
      { name: 'a', parent: 'none' },
      { name: 'b', parent: 'c' },
      { name: 'c', parent: 'b' },
    ],
    ...[
      { name: 'd', parent: 'b' },
      { name: 'e', parent: 'e' },
    ],
  ];
  const { problems } = await loadFiles({ 'shop.json': shop({}, { tags }) });
  expect(problems.map(({ rule, pointer }) => `${rule} ${pointer}`)).toEqual([
    'unknown-parent-tag /tags/0/parent',
    'circular-parent-tag /tags/1/parent',
    'circular-parent-tag /tags/2/parent',
    'circular-parent-tag /tags/4/parent',
  ]);
});
