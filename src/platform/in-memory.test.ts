// In memory the platform answers as it does on a socket: both are asked the same.
import { type IncomingMessage, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { simulatedClock } from '../clock/simulated.ts';
import { createApp } from './http/app.ts';
import type { Answer } from './http/call.ts';
import { DOCS_URL } from './http/publish.ts';
import { type InMemoryAnswer, type InMemoryPlatform, type InMemoryRequest, openInMemory } from './in-memory.ts';
import type { PlatformOptions } from './platform.ts';
import { readModel } from './schema/model.ts';
import { KEYS } from './tokens.ts';

const JSON_TYPE = ['content-type', 'application/json'];
const STORES = '/api/v1/stores';

const clock = simulatedClock();
let served: Awaited<ReturnType<typeof createApp>>;
let port = 0;
let inMemory: InMemoryPlatform;
let token: readonly string[];

beforeAll(async () => {
  const documents = await readModel({});
  const common = { documents, deviations: [], docsUrl: DOCS_URL, seed: 1, limits: {}, clock };
  const options: PlatformOptions = { ...common, instance: 'test' };
  served = await createApp(options);
  await served.server.listen({ host: '127.0.0.1', port: 0 });
  port = (served.server.server.address() as AddressInfo).port;
  inMemory = await openInMemory(options);
  const [key] = KEYS;
  if (key === undefined) throw new Error('the platform has no key');
  token = ['authorization', `Bearer ${inMemory.platform.tokens.mint(key)}`];
});
afterAll(() => served.server.close());

function asked(request: InMemoryRequest): Promise<InMemoryAnswer | null> {
  return new Promise((resolve) => inMemory.receive(request, resolve));
}

async function askedOnSocket({ method, url, headers, body }: InMemoryRequest): Promise<InMemoryAnswer> {
  const sent = send({ host: '127.0.0.1', port, method, path: url, agent: false });
  for (let at = 0; at + 1 < headers.length; at += 2) sent.appendHeader(headers[at] ?? '', headers[at + 1] ?? '');
  sent.setHeader('connection', 'keep-alive');
  sent.end(body ?? undefined);
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve).on('error', reject);
  });
  const body_: Buffer[] = [];
  for await (const chunk of message) body_.push(chunk as Buffer);
  sent.destroy();
  return { status: message.statusCode ?? 0, headers: message.rawHeaders, body: Buffer.concat(body_) };
}

it('tells of an answer that breaks off what came of it', async () => {
  const deviation = { id: 'x', clause: 'ERR-01', description: '', hooks: () => ({ answer: breakingOff }) };
  const documents = await readModel({});
  const common = { documents, docsUrl: DOCS_URL, seed: 1, limits: {}, clock, instance: 'test' };
  const { receive } = await openInMemory({ ...common, deviations: [deviation] });
  const answer = await new Promise<InMemoryAnswer | null>((resolve) =>
    receive({ method: 'GET', url: '/api/v1/none', headers: [], body: null }, resolve),
  );
  expect(answer).toMatchObject({ status: 401, breaksOff: true });
  const length = Number(answer?.headers[answer.headers.indexOf('content-length') + 1]);
  expect(answer?.body.length).toBe(Math.floor(length / 2));
});

function breakingOff(_call: unknown, answer: Answer): Answer {
  return { ...answer, delivery: { breakOff: true } };
}

/** Sorted; the time of a real socket's answer is real. */
function headersOf({ headers }: InMemoryAnswer): readonly string[] {
  const pairs: string[] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at]?.toLowerCase() ?? '';
    pairs.push(name === 'date' ? name : `${name}: ${headers[at + 1]}`);
  }
  return pairs.sort();
}

const NO_BODY = { headers: [], body: null };
const withBody = (body: string, headers: readonly string[] = JSON_TYPE) => ({
  ...{ method: 'POST', url: STORES, body },
  headers: [...headers, 'content-length', String(Buffer.byteLength(body))],
});

describe.each<[string, InMemoryRequest, number]>([
  ['a list', { ...NO_BODY, method: 'GET', url: '/api/v1/customers?limit=3' }, 200],
  ['HEAD of an operation that is only read', { ...NO_BODY, method: 'HEAD', url: STORES }, 405],
  ['an unknown path', { ...NO_BODY, method: 'GET', url: '/api/v1/nowhere' }, 404],
  ['a method that the path does not take', { ...NO_BODY, method: 'PUT', url: STORES }, 405],
  ['a path that cannot be decoded', { ...NO_BODY, method: 'GET', url: '/api/v1/stores/%zz' }, 400],
  ['a store without all that it needs', withBody('{"name":"A shop"}'), 400],
  ['a body that is no JSON', withBody('{"name": '), 400],
  ['a body of another type', withBody('name=x', ['content-type', 'text/plain']), 415],
  ['a body without a type', withBody('{}', []), 415],
  ['a POST without a body', { method: 'POST', url: STORES, headers: ['content-length', '0'], body: null }, 400],
  ['a body that is too large', withBody(`{"name":"${'x'.repeat(5 * 1024 * 1024)}"}`), 413],
  ['a liveness check without a token', { ...NO_BODY, method: 'GET', url: '/api/health/live' }, 200],
])('%s', (_what, request, status) => {
  it('is answered in memory as on a socket', async () => {
    const whole = {
      ...request,
      headers: [...request.headers, ...token, 'host', 'localhost', 'cookie', 'a=1', 'cookie', 'b=2'],
    };
    const answer = await asked(whole);
    const onSocket = await askedOnSocket(whole);
    expect(answer?.status).toBe(status);
    expect(onSocket.status).toBe(status);
    expect(answer?.body.toString()).toBe(onSocket.body.toString());
    expect(headersOf(answer ?? onSocket)).toEqual(headersOf(onSocket));
  });
});
