// No payment is ever sent again without its key, by no part of the program: seen at the socket, on a target whose
// payments fail in every way after they were executed.
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { loadDescriptions } from '../src/cli/conform/descriptions.ts';
import { systemClock } from '../src/clock/system.ts';
import { loadConfig } from '../src/config/load.ts';
import { PAYMENT_OPERATION } from '../src/platform/facts.ts';
import { startPlatform } from '../src/platform/start.ts';
import { conform } from '../src/run/perform/conform.ts';
import { type SeenRequest, scriptedServer } from './support/client/scripted-server.ts';

const PATH = '/api/v1/stores/process-payment';
const DROPPED = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-encoding']);

/** Hands the request on to the platform; of payments one in nine fails each way, though they were executed. */
async function handOn(to: string, response: ServerResponse, request: SeenRequest, index: number): Promise<void> {
  const { method, url, headers, body } = request;
  const sent = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && name !== 'host' && !DROPPED.has(name) ? [[name, value] as [string, string]] : [],
  );
  const answer = await fetch(to + url, { method, headers: sent, redirect: 'manual', ...(body === '' ? {} : { body }) });
  const text = await answer.text();
  const fails = url === PATH && method === 'POST' && answer.ok ? index % 9 : -1;
  if (fails === 0) response.destroy();
  else if (fails === 1) response.writeHead(500).end();
  else if (fails === 2) response.writeHead(503, { 'retry-after': '0' }).end();
  else response.writeHead(answer.status, [...answer.headers].filter(([name]) => !DROPPED.has(name)).flat()).end(text);
}

test('a payment without its key is sent once, and never with the body of another payment', async () => {
  const platform = await startPlatform();
  const server = await scriptedServer((response, request, index) => {
    handOn(platform.baseUrl, response, request, index).catch(() => response.destroy());
  });
  try {
    const config = await loadConfig({ file: platform.config, baseUrl: server.baseUrl, env: {}, cwd: process.cwd() });
    if (config === null) throw new Error('the platform offers no configuration');
    const options = {
      out: null,
      services: ['admin'],
      clauses: [],
      seed: 1,
      runId: null,
      budget: null,
      timeLimitSeconds: null,
    };
    await conform({
      clock: systemClock,
      config,
      options: { ...options, operations: [PAYMENT_OPERATION, 'POST /api/v1/stores', 'GET /api/v1/stores'] },
      descriptions: await loadDescriptions(config),
      stop: new AbortController().signal,
    });
  } finally {
    await server.close();
    await platform.stop();
  }
  const payments = server.seen.filter(({ method, url }) => method === 'POST' && url.startsWith(PATH));
  const keyless = payments.filter(({ headers }) => headers['idempotency-key'] === undefined);
  const keyed = new Set(payments.filter((one) => !keyless.includes(one)).map(({ body }) => body));
  expect(payments.length).toBeGreaterThan(100);
  expect(keyless.length).toBeGreaterThan(0);
  expect(keyless.map(({ body }) => body)).toEqual([...new Set(keyless.map(({ body }) => body))]);
  expect(keyless.filter(({ body }) => keyed.has(body))).toEqual([]);
});
