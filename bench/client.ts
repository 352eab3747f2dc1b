// Requests per second of our client (pace, budget, redaction, record), over those of a bare undici loop, on a server that
// does next to nothing. Turn about, in one process; the server has its own. `node bench/client.ts [rounds] [requests]`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createTokens } from '../src/client/tokens.ts';
import { createClient } from '../src/client/undici-client.ts';
import { systemClock } from '../src/clock/system.ts';
import type { RequestPlan } from '../src/exchange/exchange.ts';
import { createRedactor } from '../src/exchange/redaction.ts';
import { bareLoop } from './bare-loop.ts';
import { type Pair, pairLine, ratio, type Timed, timed } from './rates.ts';
import type { SentRequest } from './requests.ts';

const ROUNDS = Number(process.argv[2] ?? 5);
const REQUESTS = Number(process.argv[3] ?? 20_000);
const CONNECTIONS = 16;
const TOKEN = `bench.${'x'.repeat(120)}.signature`;
const PLAN: RequestPlan = {
  service: null,
  operation: null,
  probe: 'bench',
  method: 'GET',
  path: '/api/v1/stores/store_1',
  query: '',
  headers: [],
  body: { kind: 'none' },
  credential: { kind: 'key', name: 'bench' },
  retry: 'contract',
};
const SENT: SentRequest = {
  method: PLAN.method,
  path: PLAN.path,
  headers: ['User-Agent', 'assay', 'Authorization', `Bearer ${TOKEN}`, 'Content-Type', 'application/json'],
  body: null,
};

/** Answers every request alike: a small JSON body with the platform's headers. */
const SERVER = `
  const body = JSON.stringify({ id: 'store_1', name: 'Bench', items: Array.from({ length: 20 }, (_, id) => ({ id, on: true })) });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), 'x-ratelimit-limit': '1000000', 'x-ratelimit-remaining': '999999' };
  const server = require('node:http').createServer((request, response) => response.writeHead(200, headers).end(body));
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
  process.stdin.resume().on('end', () => process.exit());
`;

const server = spawn(process.execPath, ['--eval', SERVER], { stdio: ['pipe', 'pipe', 'inherit'] });
const [port] = (await once(server.stdout, 'data')) as [Buffer];
const origin = `http://127.0.0.1:${Number(port)}`;
const pairs: Pair[] = [];
// The first round warms up and is not counted.
for (let round = 0; round <= ROUNDS; round += 1) {
  const ours = await throughClient();
  const bare = await bareLoop(
    origin,
    Array.from({ length: REQUESTS }, () => SENT),
    CONNECTIONS,
  );
  const pair = { ours, bare: bare.timed };
  if (round === 0) continue;
  pairs.push(pair);
  console.log(pairLine('assay client', round, pair));
}
console.log(`ratio ${ratio(pairs).toFixed(2)} over ${ROUNDS} rounds`);
server.stdin.end();

async function throughClient(): Promise<Timed> {
  const redactor = createRedactor();
  const keys = [{ name: 'bench', plan: 'standard', token: TOKEN, tokenCommand: null, account: null }];
  const credentials = { locked: null, expired: null };
  const tokens = createTokens({ keys, credentials, redactor, clock: systemClock });
  let seen = 0;
  const onExchange = () => {
    seen += 1;
  };
  const client = createClient({
    baseUrl: origin,
    clock: systemClock,
    tokens,
    redactor,
    onExchange,
    concurrency: CONNECTIONS,
  });
  let left = REQUESTS;
  const worker = async () => {
    while (left-- > 0) await client.send(PLAN);
  };
  const took = await timed(async () => {
    await Promise.all(Array.from({ length: CONNECTIONS }, worker));
    return seen;
  });
  await client.close();
  return took;
}
