import { describe, expect, it } from 'vitest';
import { documentWith, loadFiles, responseSchema } from '../../../test/support/openapi/descriptions.ts';
import type { Problem } from '../model/operation.ts';

async function problemsOf(document: unknown): Promise<string[]> {
  const { problems } = await loadFiles({ 'shop.json': document });
  return problems.map(brief);
}

function brief({ pointer, rule }: Problem): string {
  return `${rule} ${pointer}`;
}

function shop(version: string, paths: unknown, more: object = {}): object {
  return { openapi: version, info: { title: 'Shop', version: '1' }, paths, ...more };
}

const OK = { responses: { 200: { description: 'Done' } } };
const SCHEMA = '/components/schemas/A';

it('a schema of 3.1 that names another dialect is not held to 2020-12', async () => {
  const old = { type: 'number', minimum: 10, exclusiveMinimum: true };
  const draft4 = 'http://json-schema.org/draft-04/schema#';
  const named = documentWith('3.1.0', { A: { $schema: draft4, properties: { a: old } } });
  expect(await problemsOf(named)).toEqual([]);
  expect(await problemsOf({ ...documentWith('3.1.0', { A: old }), jsonSchemaDialect: draft4 })).toEqual([]);
  expect(await problemsOf(documentWith('3.1.0', { A: old }))).toEqual([`schema-keyword ${SCHEMA}/exclusiveMinimum`]);
});

describe('rules that no JSON Schema expresses', () => {
  it.each(['3.0.3', '3.1.0'])('are all checked in %s', async (version) => {
    const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
    const paths = {
      '/a/{id}': { parameters: [id], get: { operationId: 'one', ...OK }, put: { operationId: 'one', ...OK } },
      '/a/{key}': { get: { ...OK, parameters: [{ ...id, name: 'other' }] } },
      '/b/{x}/{x}': {
        get: {
          ...OK,
          parameters: [
            { ...id, name: 'x' },
            { ...id, name: 'x', description: 'again' },
          ],
        },
      },
      '/c/{x': { get: { ...OK, security: [{ oauth: [] }] } },
    };
    const found = await problemsOf(shop(version, paths, { security: [{ bearer: [] }], tags: [] }));
    expect(found.toSorted()).toEqual([
      'duplicate-operation-id /paths/~1a~1{id}/put/operationId',
      'duplicate-parameter /paths/~1b~1{x}~1{x}/get/parameters/1',
      'path-parameter-undeclared /paths/~1a~1{key}/get',
      'path-parameter-unused /paths/~1a~1{key}/get/parameters/0',
      'path-template /paths/~1c~1{x',
      'same-path /paths/~1a~1{key}',
      'undefined-security-scheme /paths/~1c~1{x/get/security/0/oauth',
      'undefined-security-scheme /security/0/bearer',
    ]);
  });

  it.each(['3.0.3', '3.1.0'])('hold links to operations that there are in %s', async (version) => {
    const links = { read: { operationId: 'readA' }, gone: { operationId: 'readB' }, called: { operationId: 'told' } };
    const answered = { responses: { 200: { $ref: '#/components/responses/Made' } } };
    const callbacks = { on: { '{$request.body#/url}': { post: { operationId: 'told', ...OK } } } };
    const paths = {
      '/a': { post: { ...answered, callbacks }, put: answered, get: { operationId: 'readA', ...OK } },
    };
    const components = { responses: { Made: { description: 'Made', links } } };
    expect(await problemsOf(shop(version, paths, { components }))).toEqual([
      'unknown-link-operation /components/responses/Made/links/gone/operationId',
    ]);
  });

  it.each(['3.0.3', '3.1.0'])(
    'take one media type of a parameter or header that is described by content in %s',
    async (version) => {
      const content = { 'application/json': {}, 'text/plain': {} };
      const parameters = [{ name: 'near', in: 'query', content }];
      const headers = { 'X-A': { content } };
      const paths = { '/a': { get: { parameters, responses: { 200: { description: 'Done', headers } } } } };
      const found = await problemsOf(shop(version, paths));
      expect(found.map((text) => text.split(' ')[1])).toEqual([
        '/paths/~1a/get/parameters/0/content',
        '/paths/~1a/get/responses/200/headers/X-A/content',
      ]);
    },
  );

  it('hold the default of a server variable to its values in 3.1, wherever servers stand', async () => {
    const servers = [
      { url: '/{a}/{b}', variables: { a: { default: 'x', enum: ['y'] }, b: { default: 'x', enum: ['x'] } } },
    ];
    const paths = { '/a': { servers, get: { ...OK, servers }, put: OK } };
    const found = (version: string) => problemsOf(shop(version, paths, { servers }));
    expect((await found('3.1.0')).toSorted()).toEqual([
      'server-variable-default /paths/~1a/get/servers/0/variables/a/default',
      'server-variable-default /paths/~1a/servers/0/variables/a/default',
      'server-variable-default /servers/0/variables/a/default',
    ]);
    expect(await found('3.0.3')).toEqual([]);
  });

  it.each(['3.0.3', '3.1.0'])('list each tag once in %s', async (version) => {
    const tags = [{ name: 'a' }, { name: 'A' }, { name: 'a' }];
    expect(await problemsOf(shop(version, {}, { tags }))).toEqual(['duplicate-tag /tags/2/name']);
  });

  it('let tags without a definition, extensions and optional parts be', async () => {
    const operation = { ...OK, tags: ['Anything'], 'x-internal': { $ref: 'nowhere' } };
    const described = {
      example: { $ref: '#/nowhere' },
      default: { $ref: '#/no' },
      properties: { $ref: { type: 'string' } },
    };
    const components = { schemas: { A: { type: 'object', ...described } } };
    for (const version of ['3.0.3', '3.1.0']) {
      expect(await problemsOf(shop(version, { '/a': { get: operation } }, { components }))).toEqual([]);
    }
  });
});

describe('the structure of a document', () => {
  it.each(['3.0.3', '3.1.0'])('is judged once per mistake in %s', async (version) => {
    const broken = {
      '/a': {
        get: { responses: { 200: { content: { 'application/json': { schema: { type: 'string' } } } } }, sumary: 'x' },
        post: {
          parameters: [
            { name: 'q', in: 'body', schema: {} },
            { name: 'r', in: 'query' },
          ],
          ...OK,
        },
      },
      b: { get: OK },
    };
    const found = await problemsOf(shop(version, broken, { info: { title: 1 }, contact: {} }));
    expect(found.toSorted()).toEqual([
      'field-type /info/title',
      'field-value /paths/~1a/post/parameters/0/in',
      'required-field /info',
      'required-field /paths/~1a/get/responses/200',
      'required-field /paths/~1a/post/parameters/1',
      'unknown-field /contact',
      'unknown-field /paths/b',
      'unknown-field /paths/~1a/get/sumary',
    ]);
  });

  it.each([
    ['3.0.3', { url: '/v1' }],
    ['3.1.0', { url: 'https://{host}/v1', variables: { host: { default: 'a', description: 'b' } } }],
  ])('takes what the text of %s allows though packaged schemas do not', async (version, server) => {
    const components = { securitySchemes: { bearer: { type: 'http', scheme: 'Bearer', bearerFormat: 'JWT' } } };
    const info = { title: 'Shop', version: '1', license: { name: 'MIT' } };
    const item = { $ref: '#/x-items/a' };
    const more = { components, info, servers: [server], 'x-items': { a: { get: OK } } };
    expect(await problemsOf(shop(version, { '/a': item }, more))).toEqual([]);
  });

  it('lets no property of 3.0 be for reading alone and for writing alone at once', async () => {
    const both = { type: 'string', readOnly: true, writeOnly: true };
    const A = { properties: { both, one: { ...both, readOnly: false } } };
    expect(await problemsOf(documentWith('3.0.3', { A }))).toEqual([`schema-keyword ${SCHEMA}/properties/both`]);
    expect(await problemsOf(documentWith('3.1.0', { A }))).toEqual([]);
  });

  it('is judged in a version that is written badly', async () => {
    expect(await problemsOf(shop('3.0', { '/a': { get: OK } }))).toEqual(['openapi-version /openapi']);
    expect(await problemsOf({ openapi: '3.1.0', info: { title: 'a', version: '1' } })).toEqual(['required-field ']);
  });
});

describe('schema objects', () => {
  it.each([
    ['3.1.0', { type: 'strin' }, '/type'],
    ['3.1.0', { type: ['string', 'nul'] }, '/type/1'],
    ['3.1.0', { properties: { a: { items: [{ type: 'string' }] } } }, '/properties/a/items'],
    ['3.1.0', { minimum: '3' }, '/minimum'],
    ['3.1.0', { exclusiveMinimum: true }, '/exclusiveMinimum'],
    ['3.1.0', { pattern: '(' }, '/pattern'],
    ['3.1.0', { required: ['a', 'a'] }, '/required'],
    ['3.1.0', { $defs: { deep: { anyOf: [{ type: 'int' }] } } }, '/$defs/deep/anyOf/0/type'],
    ['3.1.0', { discriminator: {} }, '/discriminator'],
    ['3.1.0', 'string', ''],
    ['3.0.3', { type: 'strin' }, '/type'],
    ['3.0.3', { type: ['string', 'null'] }, '/type'],
    ['3.0.3', { type: 'array' }, ''],
    ['3.0.3', { exclusiveMinimum: 3 }, '/exclusiveMinimum'],
    ['3.0.3', { properties: { a: { const: 1 } } }, '/properties/a/const'],
    ['3.0.3', { allOf: [{ additionalProperties: { type: 'null' } }] }, '/allOf/0/additionalProperties/type'],
    ['3.0.3', { nullable: 'yes' }, '/nullable'],
    ['3.0.3', { required: [] }, '/required'],
  ])('of %s are judged by their own dialect: %j', async (version, schema, place) => {
    const found = await problemsOf(shop(version, {}, { components: { schemas: { A: schema } } }));
    expect(found).toEqual([`schema-keyword ${SCHEMA}${place}`]);
  });

  it('may use every keyword of their dialect', async () => {
    const old = {
      type: 'number',
      minimum: 1,
      exclusiveMinimum: true,
      nullable: true,
      example: 2,
      xml: { name: 'a' },
      'x-a': 1,
    };
    const pattern = { type: 'string', pattern: '^[\\w\\-.]+$' };
    expect(await problemsOf(shop('3.0.3', {}, { components: { schemas: { A: old, B: pattern } } }))).toEqual([]);
    const modern = {
      type: ['number', 'null'],
      exclusiveMinimum: 1,
      const: 2,
      $defs: { b: true },
      if: {},
      else: {},
      anything: 1,
    };
    expect(
      await problemsOf(shop('3.1.0', {}, { components: { schemas: { A: modern, B: true, C: pattern } } })),
    ).toEqual([]);
  });
});

describe('references', () => {
  it('that lead nowhere are each a problem and end nothing', async () => {
    const document = documentWith('3.0.3', { A: { $ref: '#/components/schemas/No' }, B: { type: 'string' } });
    Object.assign(document.paths as object, {
      '/parameter': { get: { ...OK, parameters: [{ $ref: '#/components/parameters/No' }] } },
      '/response': { get: { responses: { 200: { $ref: '#/components/responses/No' } } } },
      '/body': { post: { ...OK, requestBody: { $ref: 'http://schemas.example.com/a.json' } } },
      '/needed': {
        post: {
          ...OK,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } },
          },
        },
      },
    });
    const description = await loadFiles({ 'shop.json': document });
    expect(description.problems.map(brief).toSorted()).toEqual([
      'unread-ref /paths/~1body/post/requestBody/$ref',
      'unresolved-ref /components/schemas/A/$ref',
      'unresolved-ref /paths/~1parameter/get/parameters/0/$ref',
      'unresolved-ref /paths/~1response/get/responses/200/$ref',
    ]);
    expect(description.problems.find(({ pointer }) => pointer.includes('body'))?.message).toContain('remoteRefs');
    expect(Object.fromEntries(description.operations.map(({ key, unsupported }) => [key, unsupported]))).toEqual({
      'GET /things': null,
      'POST /things': null,
      'GET /parameter': null,
      'GET /response': null,
      'POST /body': "the request body's reference does not resolve",
      'POST /needed': `a required input's schema refers to "#/components/schemas/A", which does not resolve`,
    });
    expect(description.validator(responseSchema(description), 'response')).toBeNull();
    expect(description.problems).toHaveLength(4);
  });

  it('are followed into files below the folder and no further', async () => {
    const description = await loadFiles({
      'shop.yaml': `
openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /a:
    $ref: paths/a.yaml
  /b:
    get:
      responses:
        200: { description: Out, content: { application/json: { schema: { $ref: ../outside.yaml } } } }
        201: { description: Gone, content: { application/json: { schema: { $ref: gone.yaml } } } }
`,
      'paths/a.yaml': `
get:
  responses:
    200:
      description: Found
      content: { application/json: { schema: { $ref: '../schemas/all.yaml#/Tree' } } }
`,
      'schemas/all.yaml': `
Tree:
  type: object
  required: [name]
  properties:
    name: { $ref: '#/Name' }
    children: { type: array, items: { $ref: 'all.yaml#/Tree' } }
    broken: { type: strin }
Name: { type: string }
`,
    });
    expect(description.operations.map(({ key }) => key)).toEqual(['GET /a', 'GET /b']);
    const [bad, out, gone] = description.problems.toSorted((a, b) => a.file.length - b.file.length);
    expect(bad).toMatchObject({ file: 'schemas/all.yaml', pointer: '/Tree/properties/broken/type', line: 8 });
    expect(out).toMatchObject({
      pointer: '/paths/~1b/get/responses/200/content/application~1json/schema/$ref',
      line: 10,
    });
    expect(out?.message).toContain("only files below the description's folder");
    expect(gone?.message).toContain('no such file');
  });

  it('know anchors, ids and percent-encoding', async () => {
    const description = await loadFiles({
      'shop.json': documentWith('3.1.0', {
        A: {
          properties: {
            a: { $ref: '#spot' },
            b: { $ref: 'https://x.test/own#/$defs/in' },
            c: { $ref: '#/components/schemas/B%20C' },
          },
        },
        'B C': { type: 'integer' },
        D: { $anchor: 'spot', type: 'integer' },
        E: { $id: 'https://x.test/own', $defs: { in: { $ref: '#/$defs/other' }, other: { type: 'integer' } } },
      }),
    });
    expect(description.problems.map(brief)).toEqual(['field-name /components/schemas/B C']);
    const validate = description.validator(responseSchema(description), 'response');
    expect(validate?.({ a: 'x', b: 'x', c: 'x' }).map(({ pointer }) => pointer)).toEqual(['/a', '/b', '/c']);
  });

  it('that go in a circle are a problem', async () => {
    const schemas = { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } };
    const found = await problemsOf(documentWith('3.0.3', schemas));
    expect(found).toEqual(['circular-ref /components/schemas/A/$ref', 'circular-ref /components/schemas/B/$ref']);
  });
});

it('problems tell the line of YAML and of JSON', async () => {
  const yaml =
    'openapi: 3.1.0\ninfo:\n  title: x\n  version: "1"\npaths: {}\ncomponents:\n  schemas:\n    A:\n      type: strin\n';
  expect((await loadFiles({ 'shop.yaml': yaml })).problems).toEqual([
    {
      file: expect.stringContaining('shop.yaml'),
      pointer: '/components/schemas/A/type',
      rule: 'schema-keyword',
      message: '"strin" stands here, expected array or boolean or integer or null or number or object or string',
      line: 9,
    },
  ]);
  const json = JSON.stringify(documentWith('3.0.3', { A: { type: 'strin' } }), null, 2);
  const [problem] = (await loadFiles({ 'shop.json': json })).problems;
  expect(problem?.line).toBe(json.split('\n').findIndex((line) => line.includes('strin')) + 1);
});
