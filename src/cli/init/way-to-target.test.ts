import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadFiles } from '../../../test/support/openapi/descriptions.ts';
import { configWith } from '../../../test/support/run/test-config.ts';
import { keyAnswers, liveness } from './way-to-target.ts';

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

describe('whether the target serves what is described alone', () => {
  const asked: string[] = [];
  const pets = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.statusCode = url.startsWith('/down') ? 503 : url === '/pets' ? 401 : 404;
    response.end();
  });
  let base = '';
  beforeAll(async () => {
    pets.listen(0, '127.0.0.1');
    await once(pets, 'listening');
    base = `http://127.0.0.1:${(pets.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    pets.close();
  });
  const alive = async (path: string, ...described: readonly string[]) => {
    asked.length = 0;
    const target = { baseUrl: `${base}${path}`, docsUrl: null, environment: 'local' as const };
    const responses = { 200: { description: 'As told' } };
    const paths = Object.fromEntries(described.map((one) => [one, { get: { responses } }]));
    const shop = await loadFiles({ 'pets.json': { openapi: '3.0.0', info: { title: 'Pets', version: '1' }, paths } });
    return liveness(configWith({ target, contract: 'openapi' }), [shop]);
  };

  it('is told by the first described GET that is not answered 404, whatever its answer, and not by a liveness path', async () => {
    expect(await alive('', '/gone', '/pets')).toMatchObject({
      alive: true,
      serves: 'yes',
      found: 'answers 401 to /pets',
    });
    expect(asked).toEqual(['/gone', '/pets']);
  });

  it('is denied where three of them are answered 404, and where what stands before it answers for it', async () => {
    const found = 'serves none of /pets, /cats, /dogs (404)';
    expect(await alive('/v1', '/pets', '/cats', '/dogs')).toMatchObject({ alive: true, serves: 'no', found });
    expect(await alive('/down', '/pets')).toMatchObject({ alive: true, serves: 'no', found: 'answers 503 to /pets' });
  });

  it('is denied where another base address serves one of them, with what to set', async () => {
    const setting = `target.baseUrl to ${base} and services.admin.basePath to /`;
    expect(await alive('/v1', '/pets')).toMatchObject({ serves: 'no', setting });
  });

  it('is unknown where fewer are described, and where no GET can be asked for without values', async () => {
    expect(await alive('/v1', '/cats')).toMatchObject({ serves: 'unknown' });
    expect(await alive('', '/pets/{id}')).toMatchObject({ serves: 'unknown', found: 'answers 404 to /' });
  });
});
