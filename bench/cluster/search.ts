// One search for capacity from this machine and one on the cluster that `cluster` started, against the same target of a known
// limit: the reference platform behind two slots of 10 ms each, which bear less than 200 requests a second.
// `KUBECONFIG=… node bench/cluster/search.ts [cluster | machine | both]`; docs/cluster.md tells what came of it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadPart } from '../../src/contract/load-part.ts';
import type { Report } from '../../src/contract/report.ts';
import { startPlatform } from '../../src/platform/start.ts';

const [SLOTS, SERVICE_MS, INSTANCES] = [2, 10, 3];
const SETTINGS = `
load:
  objectives: { p99Ms: 500, errorRate: 0.01 }
  capacity: { startRate: 50, stepSeconds: 8, repeats: 1, width: 0.25, mostSeconds: 200 }
  mix: { "GET /api/v1/stores": 1 }
`;
const [what = 'both'] = process.argv.slice(2);

/** Hands requests on to the platform, so many at once, each held for so long; the others wait. */
async function slotted(baseUrl: string): Promise<{ readonly baseUrl: string; close(): void }> {
  const waiting: (() => void)[] = [];
  let free = SLOTS;
  const server = createServer(async (incoming, answer) => {
    if (free === 0) await new Promise<void>((next) => waiting.push(next));
    else free -= 1;
    const { method, headers, url } = incoming;
    await sleep(SERVICE_MS);
    const outgoing = request(`${baseUrl}${url}`, { method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    incoming.pipe(outgoing);
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, close: () => server.close() };
}

async function searched(config: string, home: string, name: string, ...more: readonly string[]): Promise<void> {
  const out = join(home, name);
  const bin = join(import.meta.dirname, '..', '..', 'bin', 'assay.js');
  const args = [bin, 'load', 'capacity', '--config', config, '--out', out, ...more];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let told = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (told += text));
  const [code] = await once(child, 'close');
  const report: Report | null = await readFile(join(out, 'report.json'), 'utf8').then(JSON.parse, () => null);
  console.log(`\n${name}: exit ${code}`);
  if (report === null) return console.log(told);
  const { capacity } = report.load as LoadPart;
  if (capacity === undefined) return console.log(`  ${report.run.note}`);
  for (const { rps, seconds, answers, dropped, p50Ms, p99Ms, lateP99Ms, why } of capacity.steps)
    console.log(
      `  ${rps}/s for ${seconds} s: ${answers} answers, ${dropped} dropped, p50 ${p50Ms.toFixed(1)}, p99 ${p99Ms.toFixed(1)} ms, sent at most ${lateP99Ms.toFixed(1)} ms late: ${why}`,
    );
  console.log(`  met ${capacity.met}, missed ${capacity.missed}; ${capacity.confidence}`);
}

const platform = await startPlatform();
const target = await slotted(platform.baseUrl);
const home = await mkdtemp(join(tmpdir(), 'assay-bench-cluster-'));
try {
  await cp(dirname(platform.config), join(home, 'target'), { recursive: true });
  const config = join(home, 'target', basename(platform.config));
  const text = (await readFile(config, 'utf8')).replaceAll(platform.baseUrl, target.baseUrl);
  await writeFile(config, text + SETTINGS);
  if (what !== 'cluster') await searched(config, home, 'one machine');
  if (what !== 'machine') {
    const place = ['--cluster', 'proof', '--instances', String(INSTANCES)];
    await searched(config, home, `${INSTANCES} instances on the cluster`, ...place);
  }
} finally {
  target.close();
  await platform.stop();
  await rm(home, { recursive: true, force: true });
}
