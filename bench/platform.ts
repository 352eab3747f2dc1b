// How fast the reference platform answers a simple GET, against a bare node:http server in the same run.
// Prints one JSON line; exits 1 when the ratio is below the goal.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Pool } from 'undici';
import { parse } from 'yaml';
import { startPlatform } from '../src/platform/start.ts';

const GOAL = 0.5;
const CONCURRENCY = 32;
const ROUND_MS = 600;
const ROUNDS = 11;
const BARE = `const body = process.env.BODY;
require('node:http').createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;

interface Target {
  readonly pool: Pool;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Requests per second over one round; every answer must be a 200. */
async function ratePerSecond({ pool, path, headers }: Target): Promise<number> {
  const end = performance.now() + ROUND_MS;
  let done = 0;
  const loop = async () => {
    while (performance.now() < end) {
      const { statusCode, body } = await pool.request({ path, method: 'GET', headers: { ...headers } });
      if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
      await body.dump();
      done++;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, loop));
  return (done * 1000) / ROUND_MS;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function bench(bare: Target, platform: Target): Promise<number> {
  await ratePerSecond(bare);
  await ratePerSecond(platform);
  const pairs: { bare: number; platform: number }[] = [];
  for (let round = 0; round < ROUNDS; round++)
    pairs.push({ bare: await ratePerSecond(bare), platform: await ratePerSecond(platform) });
  const ratio = median(pairs.map((pair) => pair.platform / pair.bare));
  const [bareRate, platformRate] = [median(pairs.map((pair) => pair.bare)), median(pairs.map((pair) => pair.platform))];
  process.stdout.write(
    `${JSON.stringify({ bench: 'platform', bareRatePerSecond: Math.round(bareRate), platformRatePerSecond: Math.round(platformRate), ratio: Number(ratio.toFixed(2)), goal: GOAL })}\n`,
  );
  return ratio;
}

const started = await startPlatform({ limits: { standard: { calls: 100_000_000, seconds: 3600 } } });
const { keys } = parse(await readFile(started.config, 'utf8')) as { keys: { token: string }[] };
const path = '/api/v1/auth/profile';
const headers = { authorization: `Bearer ${keys[0]?.token}` };
// Both answer the same bytes of body.
const body = await (await fetch(started.baseUrl + path, { headers })).text();
const env = { ...process.env, BODY: body };
const child = spawn(process.execPath, ['-e', BARE], { stdio: ['ignore', 'pipe', 'inherit'], env });
const [port] = await once(createInterface(child.stdout), 'line');
const bare: Target = {
  pool: new Pool(`http://127.0.0.1:${port}`, { connections: CONCURRENCY }),
  path: '/',
  headers: {},
};
const platform: Target = { pool: new Pool(started.baseUrl, { connections: CONCURRENCY }), path, headers };
try {
  if ((await bench(bare, platform)) < GOAL) process.exitCode = 1;
} finally {
  await Promise.all([bare.pool.close(), platform.pool.close(), started.stop()]);
  child.kill();
}
