import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadFiles } from '../../openapi/testing/descriptions.ts';
import { configWith } from '../../run/testing/test-config.ts';
import { keyAnswers, otherBases } from './way-to-target.ts';

const GOOD = 'std-token-of-a-test-0001';
const PATH = '/api/v1/stores';
/** Serves the list of stores below /shop to one key; everything else is 401 without it and 404 with it. */
const server = createServer(({ url, headers }, response) => {
  const isKnown = headers.authorization === `Bearer ${GOOD}`;
  response.statusCode = !isKnown ? 401 : url?.startsWith(`/shop${PATH}`) ? 200 : 404;
  response.setHeader('content-type', 'application/json');
  response.end('[]');
});
let origin = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});

const description = await loadFiles({
  'shop.json': {
    openapi: '3.0.0',
    info: { title: 'Shop', version: '1.0.0' },
    security: [{ bearer: [] }],
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    paths: { [PATH]: { get: { responses: { 200: { description: 'Stores' } } } } },
  },
});
const keyed = (token: string) => ({ name: 'std-1', plan: 'standard', token, ...UNUSED });
const UNUSED = { tokenCommand: null, account: null, scheme: null };

async function answerAt(path: string, token = GOOD) {
  const target = { baseUrl: `${origin}${path}`, docsUrl: null, environment: 'local' as const };
  const [answer] = await keyAnswers(configWith({ target, keys: [keyed(token)] }), [description]);
  return answer;
}

describe('how the target answers a key', () => {
  it('succeeds at the right base address', async () => {
    expect(await answerAt('/shop')).toMatchObject({ operation: `GET ${PATH}`, status: 200, better: null });
  });

  it('tells a wrong path from a refused key, and finds the right path', async () => {
    expect(await answerAt('/shop/api/v1')).toMatchObject({ status: 404, better: `${origin}/shop` });
    expect(await answerAt('/shop', 'refused-token-of-a-test')).toMatchObject({ status: 401, better: null });
  });

  it('proposes no address where none succeeds', async () => {
    expect(await answerAt('/elsewhere')).toMatchObject({ status: 404, better: null });
  });
});

describe('other base addresses', () => {
  it('take away the beginning of the path that stands there already, or add it', () => {
    expect(otherBases('http://h:1/api/v1', PATH)).toEqual([
      'http://h:1',
      'http://h:1/api/v1/api',
      'http://h:1/api/v1/api/v1',
    ]);
    expect(otherBases('http://h:1', PATH)).toEqual(['http://h:1/api', 'http://h:1/api/v1']);
  });
});
