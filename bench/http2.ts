// Whether HTTP/2 would make a run faster: the same requests over TLS by HTTP/1.1 connections, one request at a time each, as Assay
// sends, and as streams of one HTTP/2 connection. The server is one process of Node that speaks both. Prints one JSON line
// for each number of requests at a time and each delay of the server, with the ratio of the rates.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { type Dispatcher, Pool } from 'undici';
import { newAuthority } from '../test/networks/authority.ts';

const REQUESTS = 3000;
const ROUNDS = 5;
const AT_ONCE = [1, 4, 16];
const DELAYS_MS = [0, 20];
const BODY = JSON.stringify({ data: Array.from({ length: 20 }, (_, id) => ({ id, name: `product ${id}` })), meta: {} });

interface Started {
  readonly port: number;
  readonly ca: string;
}

if (process.argv[2] === 'serve') await serve();
else await compare();

async function serve(): Promise<void> {
  const authority = await newAuthority();
  const issued = await authority.issue({ names: ['127.0.0.1'] });
  const server = createSecureServer({ ...issued, allowHTTP1: true }, (request, response) => {
    const answer = () => response.writeHead(200, { 'content-type': 'application/json' }).end(BODY);
    const delayMs = Number(request.headers['x-delay'] ?? 0);
    if (delayMs > 0) setTimeout(answer, delayMs);
    else answer();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send?.({ port: (server.address() as AddressInfo).port, ca: authority.ca } satisfies Started);
}

async function compare(): Promise<void> {
  const server = fork(import.meta.filename, ['serve']);
  const [{ port, ca }] = (await once(server, 'message')) as [Started];
  const origin = `https://127.0.0.1:${port}`;
  for (const delayMs of DELAYS_MS)
    for (const atOnce of AT_ONCE) {
      const one = new Pool(origin, { connections: atOnce, pipelining: 1, allowH2: false, connect: { ca } });
      const two = new Pool(origin, { connections: 1, pipelining: atOnce, allowH2: true, connect: { ca } });
      const ratios: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const oneRate = await rate(one, atOnce, delayMs);
        ratios.push((await rate(two, atOnce, delayMs)) / oneRate);
      }
      await Promise.all([one.close(), two.close()]);
      const sorted = ratios.toSorted((a, b) => a - b);
      const [least, median, most] = [sorted[0], sorted[ROUNDS >> 1], sorted.at(-1)].map((x) => Number(x?.toFixed(2)));
      console.log(JSON.stringify({ atOnce, delayMs, http2OverHttp1: { least, median, most } }));
    }
  server.kill();
}

/** Requests/s, so many at a time. */
async function rate(pool: Dispatcher, atOnce: number, delayMs: number): Promise<number> {
  let left = delayMs === 0 ? REQUESTS : Math.min(REQUESTS, atOnce * 50);
  const requests = left;
  const send = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const { statusCode, body } = await pool.request({
        path: '/',
        method: 'GET',
        headers: { 'x-delay': `${delayMs}` },
      });
      await body.text();
      if (statusCode !== 200) throw new Error(`the server answered ${statusCode}`);
    }
  };
  const startMs = performance.now();
  await Promise.all(Array.from({ length: atOnce }, send));
  return (requests / (performance.now() - startMs)) * 1000;
}
