// What a million requests cost to record and report: `assay load capacity`, whole, against a plain fast server that is a
// process of its own. Peak memory of k6 and Node together, and the run's folder. `node bench/load-memory.ts [requests a second]
// [seconds]`; goals: at most 500 MB and 200 MB for 1,000,000 requests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTarget } from './target.ts';

const [GOAL_MB, GOAL_DISK_MB] = [500, 200];
const EVERY_MS = 100;
const [rate = 7000, seconds = 145] = process.argv.slice(2).map(Number);
const ASSAY = join(import.meta.dirname, '../bin/assay.js');

const DESCRIPTION = {
  openapi: '3.0.3',
  info: { title: 'fast', version: '1' },
  components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  security: [{ bearer: [] }],
  paths: {
    '/products': {
      get: {
        tags: ['products'],
        responses: { 200: { description: 'all', content: { 'application/json': { schema: { type: 'object' } } } } },
      },
    },
  },
};

/** One step at this rate, as long as wanted: the search ends where it may send no faster. */
function configFor(baseUrl: string): object {
  return {
    target: { baseUrl, environment: 'local' },
    contract: 'openapi',
    services: { fast: { spec: 'openapi.json' } },
    keys: [{ name: 'main', plan: 'any', token: 'token-of-main' }],
    load: {
      // As many senders as arrive within it: they take memory, not requests.
      objectives: { p99Ms: 20 },
      caps: { ratePerSecond: rate, requests: 3_000_000, seconds: 3600 },
      capacity: { startRate: rate, stepSeconds: seconds, mostSeconds: seconds + 1, repeats: 1 },
    },
  };
}

/** Highest memory so far, MB: of the process, and of any child that it has had. */
function watched(pid: number): { readonly own: () => number; readonly children: () => number; end(): void } {
  let [own, children] = [0, 0];
  const look = (): void => {
    own = Math.max(own, peakOf(pid));
    children = Math.max(children, ...childrenOf(pid).map(peakOf));
  };
  const timer = setInterval(look, EVERY_MS);
  return { own: () => own, children: () => children, end: () => clearInterval(timer) };
}

function peakOf(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
}

function childrenOf(pid: number): readonly number[] {
  const tasks = readdirSync(`/proc/${pid}/task`, { encoding: 'utf8' });
  return tasks.flatMap((task) => textOf(`/proc/${pid}/task/${task}/children`).split(' ').map(Number).filter(Boolean));
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

const folder = await mkdtemp(join(tmpdir(), 'assay-load-memory-'));
const target = await startTarget();
try {
  const [config, out] = [join(folder, 'assay.config.json'), join(folder, 'out')];
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(DESCRIPTION));
  await writeFile(config, JSON.stringify(configFor(`${target.baseUrl}`)));
  const args = [ASSAY, 'load', 'capacity', '--config', config, '--out', out, '--quiet', '--json'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const peaks = watched(child.pid ?? 0);
  const [code] = await once(child, 'exit');
  peaks.end();
  const { load } = JSON.parse(await readFile(join(out, 'report.json'), 'utf8'));
  const { requests, steps } = load.capacity;
  const disk = (await bytesIn(out)) / 1e6;
  const memory = peaks.own() + peaks.children();
  console.log(`${requests} requests recorded and reported in ${seconds} s (exit ${code}; ${steps[0]?.why})`);
  console.log(
    `peak memory: k6 ${peaks.children().toFixed(0)} MB and Node ${peaks.own().toFixed(0)} MB, ${memory.toFixed(0)} MB together (goal ≤ ${GOAL_MB})`,
  );
  console.log(
    `${disk.toFixed(1)} MB on disk, ${((1e6 * disk) / requests).toFixed(1)} MB a million (goal ≤ ${GOAL_DISK_MB})`,
  );
  if (memory > GOAL_MB || (1e6 * disk) / requests > GOAL_DISK_MB) process.exitCode = 1;
} finally {
  target.stop();
  await rm(folder, { recursive: true });
}
