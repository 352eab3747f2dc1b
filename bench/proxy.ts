// What `assay proxy` adds to a call at the median, against the same call without it in the same run; what passes is judged meanwhile.
// Prints one JSON line; exits 1 when it adds more than the goal.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'undici';
import { startPlatform } from '../src/platform/start.ts';

const GOAL_MS = 2;
const CALLS = 1500;
const WARM_UP = 200;
const PATH = '/api/v1/auth/activity/logs?limit=20';

/** How long one call took. ms. */
async function call(client: Client): Promise<number> {
  const begun = performance.now();
  const { statusCode, body } = await client.request({ method: 'GET', path: PATH });
  await body.dump();
  if (statusCode !== 401) throw new Error(`answered ${statusCode}`);
  return performance.now() - begun;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

const folder = await mkdtemp(join(tmpdir(), 'assay-bench-'));
const platform = await startPlatform();
const bin = join(import.meta.dirname, '..', 'bin', 'assay.js');
const args = [bin, 'proxy', '--config', platform.config, '--out', folder, '--quiet'];
const proxy = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const [line] = await once(createInterface(proxy.stdout), 'line');
  const direct = new Client(platform.baseUrl);
  const through = new Client(JSON.parse(line).baseUrl);
  const times: { direct: number; through: number }[] = [];
  for (let index = 0; index < WARM_UP + CALLS; index += 1) {
    const both = { direct: await call(direct), through: await call(through) };
    if (index >= WARM_UP) times.push(both);
  }
  const [directMs, throughMs] = [median(times.map((one) => one.direct)), median(times.map((one) => one.through))];
  const addedMs = median(times.map((one) => one.through - one.direct));
  const rounded = (value: number): number => Number(value.toFixed(2));
  const told = { directMs: rounded(directMs), throughMs: rounded(throughMs), addedMs: rounded(addedMs) };
  process.stdout.write(
    `${JSON.stringify({ bench: 'proxy', ...told, ratio: rounded(throughMs / directMs), goalMs: GOAL_MS })}\n`,
  );
  if (addedMs > GOAL_MS) process.exitCode = 1;
  await Promise.all([direct.close(), through.close()]);
} finally {
  proxy.kill('SIGINT');
  await once(proxy, 'close');
  await platform.stop();
  await rm(folder, { recursive: true });
}
