// Swagger 2.0 documents, read as what they mean in OpenAPI 3.0.
import { expect, it } from 'vitest';
import { loadFiles } from '../../../test/support/openapi/descriptions.ts';
import type { Operation } from '../model/operation.ts';
import { placeInSwagger } from './swagger-places.ts';

const OK = { 200: { description: 'Done' } };

function shop(paths: unknown, more: object = {}): object {
  return { swagger: '2.0', info: { title: 'Shop', version: '1' }, paths, ...more };
}

async function only(paths: unknown, more: object = {}): Promise<Operation> {
  const { operations, problems } = await loadFiles({ 'shop.json': shop(paths, more) });
  expect(problems).toEqual([]);
  return operations[0] as Operation;
}

const types = ({ requestBody }: Operation): unknown => requestBody?.content.map(({ mediaType }) => mediaType);

it('keeps the version that is written, and the base path', async () => {
  const file = { 'shop.json': shop({ '/a': { get: { responses: OK } } }, { host: 'a.example', basePath: '/v1' }) };
  const { openapi, dialect, operations } = await loadFiles(file);
  expect({ openapi, dialect, keys: operations.map(({ key }) => key) }).toEqual({
    openapi: '2.0',
    dialect: '3.0',
    keys: ['GET /v1/a'],
  });
});

it('follows references to parameters, bodies and responses, and shares those of a path', async () => {
  const more = {
    parameters: {
      Limit: { name: 'limit', in: 'query', type: 'integer', maximum: 10 },
      Thing: { name: 'thing', in: 'body', required: true, schema: { $ref: '#/definitions/Thing' } },
    },
    responses: { Made: { description: 'Made', schema: { $ref: '#/definitions/Thing' } } },
    definitions: { Thing: { type: 'object' } },
    produces: ['application/json'],
  };
  const named = [{ $ref: '#/parameters/Limit' }, { $ref: '#/parameters/Thing' }];
  const id = { name: 'id', in: 'path', required: true, type: 'string' };
  const responses = { 201: { $ref: '#/responses/Made' } };
  const found = await only({ '/a/{id}': { post: { parameters: named, responses }, parameters: [id] } }, more);
  expect(found.parameters.map((one) => [one.name, one.in, one.schema?.value])).toEqual([
    ['id', 'path', { type: 'string' }],
    ['limit', 'query', { type: 'integer', maximum: 10 }],
  ]);
  expect(found.requestBody).toMatchObject({ required: true, content: [{ mediaType: 'application/json' }] });
  expect(found.responses).toMatchObject([{ status: '201', content: [{ mediaType: 'application/json' }] }]);
});

it.each([
  ['both kinds of form', [{ name: 'a', in: 'formData', type: 'string', required: true }], true, 2],
  ['a form of parts where a file is in it', [{ name: 'a', in: 'formData', type: 'file' }], false, 1],
])('sends %s, whatever is stated for all operations', async (_, parameters, required, count) => {
  const found = await only({ '/a': { post: { parameters, responses: OK } } }, { consumes: ['application/json'] });
  expect(types(found)).toHaveLength(count);
  expect(types(found)).toContain('multipart/form-data');
  expect(found.requestBody?.required).toBe(required);
});

it('takes any media type of an answer where none is stated', async () => {
  const responses = { 200: { description: 'Done', schema: { type: 'object' }, examples: { 'text/plain': 'a' } } };
  const { responses: found } = await only({ '/a': { get: { responses } } });
  expect(found[0]?.content.map(({ mediaType }) => mediaType)).toEqual(['*/*']);
});

it('separates lists as their collection format says, by commas where none is said', async () => {
  const list = (place: string, collectionFormat?: string) => ({
    ...{ name: `${place} ${collectionFormat}`, in: place, type: 'array', items: { type: 'string' }, collectionFormat },
  });
  const parameters = [
    ...[undefined, 'csv', 'ssv', 'tsv', 'pipes', 'multi'].map((format) => list('query', format)),
    { ...list('path', 'pipes'), name: 'id', required: true },
    list('header', 'ssv'),
    ...[undefined, 'multi', 'tsv'].map((format) => list('formData', format)),
    { name: 'plain', in: 'formData', type: 'string' },
  ];
  const headers = {
    'X-List': { type: 'array', items: { type: 'string' }, collectionFormat: 'pipes' },
    'X-Plain': { type: 'integer' },
  };
  const responses = { 200: { description: 'Done', headers } };
  const operation = await only({
    '/a/{id}': { post: { parameters: JSON.parse(JSON.stringify(parameters)), responses } },
  });
  expect(operation.parameters.map(({ style, explode }) => `${style} ${explode}`)).toEqual([
    'form false',
    'form false',
    'spaceDelimited false',
    'tabDelimited false',
    'pipeDelimited false',
    'form true',
    'pipeDelimited false',
    'spaceDelimited false',
  ]);
  const form = operation.requestBody?.content.find(({ mediaType }) => mediaType.endsWith('urlencoded'));
  expect(form?.encoding).toEqual({
    'formData undefined': { explode: false },
    'formData multi': { style: 'form', explode: true },
    'formData tsv': { style: 'tabDelimited', explode: false },
  });
  const styles = operation.responses[0]?.headers.map(({ name, style }) => [name, style]) ?? [];
  expect(Object.fromEntries(styles)).toEqual({ 'X-List': 'pipeDelimited', 'X-Plain': undefined });
});

it('judges values by what is written in it and in further files', async () => {
  const answer = { 200: { description: 'Done', schema: { $ref: '#/definitions/Thing' } } };
  const Thing = { type: 'object', properties: { note: { type: 'string', 'x-nullable': true }, owner: {} } };
  Thing.properties.owner = { $ref: 'people.json#/definitions/Person' };
  const Person = { type: 'object', properties: { age: { $ref: '#/definitions/Age' } } };
  const description = await loadFiles({
    'shop.json': shop({ '/a': { get: { responses: answer } } }, { definitions: { Thing } }),
    'people.json': { definitions: { Person, Age: { type: 'integer', 'x-nullable': true } } },
  });
  const schema = description.operations[0]?.responses[0]?.content[0]?.schema;
  const validate = schema == null ? null : description.validator(schema, 'response');
  expect(validate?.({ note: null, owner: { age: null } })).toEqual([]);
  expect(validate?.({ note: 1, owner: { age: 'old' } }).map(({ pointer }) => pointer)).toEqual(['/note', '/owner/age']);
});

it('judges by schemas that stand in answers and bodies where others refer to them, as bundled descriptions do', async () => {
  const inAnswer = '#/paths/~1trees~1{id}/get/responses/200/schema';
  const inBody = '#/paths/~1trees~1{id}/post/parameters/0/schema/properties/height';
  const tree = {
    type: 'object',
    required: ['name'],
    properties: { name: { $ref: '#/definitions/Name' }, height: { $ref: inBody }, child: { $ref: inAnswer } },
  };
  const thing = { name: 'tree', in: 'body', schema: { properties: { height: { type: 'integer' } } } };
  const others = { 200: { description: 'All', schema: { type: 'array', items: { $ref: inAnswer } } } };
  const id = { name: 'id', in: 'path', required: true, type: 'string' };
  const paths = {
    '/trees': { get: { responses: others } },
    '/trees/{id}': {
      post: { parameters: [thing], responses: OK },
      get: { responses: { 200: { description: 'Tree', schema: tree } } },
      parameters: [id],
    },
  };
  const { operations, problems, validator } = await loadFiles({
    'shop.json': shop(paths, { definitions: { Name: { type: 'string' } } }),
  });
  const schema = operations[0]?.responses[0]?.content[0]?.schema;
  const validate = schema == null ? null : validator(schema, 'response');
  const values = [
    { name: 'oak', child: { name: 'twig', height: 1 } },
    { name: 'oak', child: { height: 'low' } },
  ];
  expect(validate?.(values).map(({ pointer }) => pointer)).toEqual(['/1/child/name', '/1/child/height']);
  expect(problems).toEqual([]);
});

it.each([
  ['/components/schemas/Thing/properties/a', '/definitions/Thing/properties/a'],
  [
    '/components/schemas/~1paths~1~01trees~1get~1responses~1200~1schema/properties/a',
    '/paths/~1trees/get/responses/200/schema/properties/a',
  ],
])('knows where %s is written', (pointer, place) => {
  expect(placeInSwagger(pointer)).toBe(place);
});

it.each([
  ['media types that are no list', { produces: true, consumes: 7 }, {}],
  ['a field of a path that is no operation', {}, { get: null, 'x-note': null }],
  ['a parameter of no place', {}, { parameters: [{ name: 'a', in: '' }, null, { $ref: 1 }] }],
  ['a security scheme that is none', { securityDefinitions: { key: null } }, {}],
])('reads the rest of a document with %s', async (_, more, item) => {
  const paths = { '/a': { ...item, post: { responses: OK } }, '/b': { get: { responses: OK } } };
  const { operations, problems } = await loadFiles({ 'shop.json': shop(paths, more) });
  expect(operations.map(({ key }) => key)).toEqual(['POST /a', 'GET /b']);
  expect(problems).not.toEqual([]);
});

const [body, form] = ['body', 'formData'].map((place) => ({
  ...{ name: place, in: place, ...(place === 'body' ? { schema: {} } : { type: 'string' }) },
}));
it.each([
  [[body, { ...body, name: 'second' }], 'field-value /paths/~1a/post/parameters: '],
  [[body, form], 'exclusive-fields /paths/~1a/post/parameters: the places "body" and "formData" exclude each other'],
  [
    [{ name: 'q', in: 'query', type: 'array' }],
    'required-field /paths/~1a/post/parameters/0: the field "items" is missing',
  ],
])('knows the rules that the specification has in words', async (parameters, expected) => {
  const { problems } = await loadFiles({ 'shop.json': shop({ '/a': { post: { parameters, responses: OK } } }) });
  const told = problems.map(({ rule, pointer, message }) => `${rule} ${pointer}: ${message}`);
  expect(told).toEqual([expect.stringContaining(expected)]);
});

it('lets a form have several fields, and a list tell its items', async () => {
  const list = { name: 'q', in: 'query', type: 'array', items: { type: 'string' } };
  await only({ '/a': { post: { parameters: [form, { ...form, name: 'other' }, list], responses: OK } } });
  await only({ '/a': { post: { parameters: [body, list], responses: OK } } });
});

it('tells its problems where they are written', async () => {
  const text = [
    'swagger: "2.0"',
    'info: { title: Shop, version: "1" }',
    'paths:',
    '  /a/{id}:',
    '    get:',
    '      responses: { 200: { description: Done, schema: { $ref: "#/definitions/Gone" } } }',
    'definitions:',
    '  Thing:',
    '    type: thing',
    'securityDefinitions: { all: { type: basic } }',
    'security: [{ none: [] }]',
  ].join('\n');
  const { problems } = await loadFiles({ 'shop.yaml': text });
  expect(problems.map(({ line, rule, pointer }) => `${line} ${rule} ${pointer}`)).toEqual([
    '5 path-parameter-undeclared /paths/~1a~1{id}/get',
    '6 unresolved-ref /paths/~1a~1{id}/get/responses/200/schema/$ref',
    '9 schema-keyword /definitions/Thing/type',
    '11 undefined-security-scheme /security/0/none',
  ]);
});

it.each([
  ['/components/schemas/Pet/properties/a', '/definitions/Pet/properties/a'],
  ['/components/securitySchemes/key', '/securityDefinitions/key'],
  ['/paths/~1a/get/requestBody/content/application~1json/schema/type', '/paths/~1a/get/parameters'],
  ['/paths/~1a/get/responses/200/content/*~1*/schema/type', '/paths/~1a/get/responses/200/schema/type'],
  ['/components/responses/Made/content/*~1*/schema', '/responses/Made/schema'],
  ['/x-bundled/a.json/definitions/A', '/x-bundled/a.json/definitions/A'],
])('finds %s at %s', (meant, written) => {
  expect(placeInSwagger(meant)).toBe(written);
});
