import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { documentWith, loadFiles, responseSchema } from '../../../test/support/openapi/descriptions.ts';
import type { Description } from '../model/operation.ts';
import { loadDescription } from './load.ts';
import { DescriptionUnreadable } from './unreadable.ts';

async function refusal(name: string, text: string): Promise<DescriptionUnreadable> {
  const error = await loadFiles({ [name]: text }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DescriptionUnreadable);
  return error as DescriptionUnreadable;
}

function aliasBomb(): string {
  const levels = Array.from(
    { length: 9 },
    (_, level) => `  l${level + 1}: &l${level + 1} [${Array(10).fill(`*l${level}`)}]`,
  );
  return `openapi: 3.0.0\npaths: {}\nx-bomb:\n  l0: &l0 [a]\n${levels.join('\n')}\n`;
}

describe('what is no OpenAPI document', () => {
  it.each([
    ['an empty file', 'a.yaml', '', 'is empty', null],
    ['an HTML page', 'a.yaml', '<!doctype html><p>hi', 'HTML', 1],
    ['a Swagger 1.2 file', 'a.json', '{"swaggerVersion":"1.2","apis":[]}', 'no `openapi` field', null],
    ['a version in the field of another', 'a.json', '{"openapi":"2.0","paths":{}}', '"2.0" is not supported', null],
    ['YAML indented by tabs', 'a.yaml', 'openapi: 3.0.0\ninfo:\n\ttitle: x\n', 'tab characters', 3],
    ['broken JSON', 'a.json', '{"openapi": "3.0.0",\n"info": }', 'no JSON', 2],
    ['cut-off JSON', 'a.json', '{"openapi": "3.0.0",\n"info": {', 'no JSON', 2],
    ['a repeated key', 'a.yaml', 'openapi: 3.0.0\nopenapi: 3.0.1\n', 'duplicated mapping key', 2],
    ['an OpenAPI 4 document', 'a.json', '{"openapi":"4.0.0","paths":{}}', '"4.0.0" is not supported', null],
    ['a list', 'a.json', '[1]', 'a list', null],
    ['plain text', 'a.txt', 'hello there', 'text', null],
    ['a scalar', 'a.json', '12', 'a single value', null],
    ['some other object', 'a.yaml', 'name: x', 'no `openapi` field', null],
    ['an alias bomb', 'a.yaml', aliasBomb(), 'aliases', null],
    ['an alias of itself', 'a.yaml', 'openapi: 3.0.0\nx-a: &a\n  b: *a\n', 'aliases', null],
    ['endless nesting', 'a.json', `{"openapi":"3.0.0","paths":${'['.repeat(5000)}${']'.repeat(5000)}}`, 'nested', null],
  ])('%s is unreadable', async (_, name, text, reason, line) => {
    const error = await refusal(name, text);
    expect(error.message).toContain(reason);
    expect(error.message).toContain(error.file);
    expect(error.line).toBe(line);
    expect(error.hint).not.toBe('');
  });

  it('a missing file and a folder are unreadable', async () => {
    const load = (file: string) => loadDescription({ service: 'admin', file, remoteRefs: [] });
    await expect(load('no/such.yaml')).rejects.toThrow('no/such.yaml: cannot be read: there is no such file');
    await expect(load('.')).rejects.toThrow('this is a folder');
  });
});

describe('a description', () => {
  it('has its operations with the base path of servers, parameters, bodies, responses and security', async () => {
    const description = await loadFiles({ 'shop.yaml': SHOP });
    expect(description).toMatchObject({
      openapi: '3.0.0',
      dialect: '3.0',
      title: 'Shop',
      version: '1.0',
      problems: [],
    });
    expect(description.securitySchemes).toEqual([
      { name: 'bearer', type: 'http', scheme: 'bearer', bearerFormat: 'JWT', in: null, parameter: null },
    ]);
    const [list, replace, live] = description.operations;
    expect(description.operations.map(({ key }) => key)).toEqual([
      'GET /api/v1/stores/{storeId}',
      'PUT /api/v1/stores/{storeId}',
      'GET /api/health/live',
    ]);
    expect(list).toMatchObject({
      operationId: 'getStore',
      tags: ['Stores'],
      deprecated: true,
      pointer: '/paths/~1stores~1{storeId}/get',
      security: [['bearer'], []],
      unsupported: null,
    });
    expect(list?.parameters).toEqual([
      {
        name: 'storeId',
        in: 'path',
        required: true,
        style: 'simple',
        explode: false,
        schema: { pointer: '/components/parameters/storeId/schema', value: { type: 'string', example: 's2' } },
        examples: ['s1', 's2'],
      },
      {
        name: 'limit',
        in: 'query',
        required: false,
        style: 'form',
        explode: true,
        schema: { pointer: '/paths/~1stores~1{storeId}/get/parameters/0/schema', value: { type: 'integer' } },
        examples: [],
      },
    ]);
    expect(list?.responses.map(({ status }) => status)).toEqual(['200', '4XX', 'default']);
    expect(list?.responses[0]?.content[0]?.mediaType).toBe('application/json');
    expect(list?.responses[0]?.headers).toMatchObject([{ name: 'X-Count', required: true }]);
    expect(replace?.requestBody).toMatchObject({ required: true, content: [{ examples: [{ name: 'a' }] }] });
    expect(live?.security).toEqual([]);
  });

  it('has paths below relative servers as those are relative to where it was read', async () => {
    const pathOf = (url: string) => ({
      [`/${url.replaceAll(/\W/g, '_')}`]: { servers: [{ url }], get: { responses: {} } },
    });
    const urls = ['../v1', './v2/', 'v3', '.', '/v4', '//b.example/v5', '../../../v6/../v7'];
    const document = { ...documentWith('3.0.3', { A: {} }), paths: Object.assign({}, ...urls.map(pathOf)) };
    const keysOf = ({ operations }: Description) => operations.map(({ path }) => path.replace(/\/[^/]*$/, ''));
    expect(keysOf(await loadFiles({ 'shop.json': document }))).toEqual(['/v1', '/v2', '/v3', '', '/v4', '/v5', '/v7']);
    const server = createServer((_, response) => response.end(JSON.stringify(document)));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    try {
      const file = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a/docs/shop.json`;
      const read = await loadDescription({ service: 'x', file, remoteRefs: [] });
      expect(keysOf(read)).toEqual(['/a/v1', '/a/docs/v2', '/a/docs/v3', '/a/docs', '/v4', '/v5', '/v7']);
    } finally {
      server.close();
    }
  });

  it('comes from a URL coded as the answer says, and no larger than others once it is decoded', async () => {
    const texts = { '/shop.json': JSON.stringify(documentWith('3.1.0', { A: {} })), '/bomb.json': ' '.repeat(2 ** 27) };
    const server = createServer((request, response) => {
      response.setHeader('content-encoding', 'gzip').end(gzipSync(texts[request.url as keyof typeof texts]));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const load = (path: string) => loadDescription({ service: 'x', file: `${base}${path}`, remoteRefs: [] });
    try {
      expect((await load('/shop.json')).problems).toEqual([]);
      await expect(load('/bomb.json')).rejects.toThrow('larger than 64 MiB');
    } finally {
      server.close();
    }
  });

  it('comes from a URL too, and its own folder and the hosts of remoteRefs may be referred to', async () => {
    const files: Record<string, unknown> = {
      '/docs/shop.json': documentWith('3.1.0', { A: { $ref: 'more.json#/A' } }),
      '/docs/more.json': { A: { type: 'integer' } },
    };
    const server = createServer((request, response) => {
      const file = files[request.url ?? ''];
      response.statusCode = file === undefined ? 404 : 200;
      response.end(JSON.stringify(file ?? {}));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const description = await loadDescription({ service: 'x', file: `${base}/docs/shop.json`, remoteRefs: [] });
      expect(description.problems).toEqual([]);
      expect(description.validator(responseSchema(description), 'response')?.('a')).toHaveLength(1);
      const local = { 'shop.json': documentWith('3.0.3', { A: { $ref: `${base}/docs/more.json#/A` } }) };
      expect((await loadFiles(local, ['127.0.0.1'])).problems).toEqual([]);
      expect((await loadFiles(local, ['example.com'])).problems).toMatchObject([{ rule: 'unread-ref' }]);
      await expect(loadDescription({ service: 'x', file: `${base}/none`, remoteRefs: [] })).rejects.toThrow(
        'answers 404',
      );
    } finally {
      server.close();
    }
  });
});

const SHOP = `
openapi: 3.0.0
info: { title: Shop, version: "1.0" }
servers:
  - url: https://{region}.example.com/api/{version}/
    variables: { region: { default: eu }, version: { default: v1 } }
security: [{ bearer: [] }, {}]
paths:
  /stores/{storeId}:
    parameters:
      - $ref: '#/components/parameters/storeId'
    get:
      operationId: getStore
      tags: [Stores]
      deprecated: true
      parameters:
        - { name: limit, in: query, schema: { type: integer } }
        - { name: Authorization, in: header, schema: { type: string } }
        - { name: content-length, in: header, required: true, schema: { type: integer } }
      responses:
        200:
          description: Found
          headers: { X-Count: { required: true, schema: { type: integer } } }
          content: { "Application/JSON; charset=utf-8": { schema: { type: object } } }
        4XX: { $ref: '#/components/responses/Failed' }
        default: { description: Other }
    put:
      requestBody:
        required: true
        content: { application/json: { schema: { type: object }, examples: { one: { value: { name: a } } } } }
      responses: { 200: { description: Replaced } }
  /live:
    servers: [{ url: /api/health }]
    get:
      security: []
      responses: { 200: { description: Alive } }
components:
  parameters:
    storeId: { name: storeId, in: path, required: true, example: s1, schema: { type: string, example: s2 } }
  responses:
    Failed: { description: Failed }
  securitySchemes:
    bearer: { type: http, scheme: bearer, bearerFormat: JWT }
`;
