// Assay by a description alone beside Schemathesis' deterministic phase: the same description, the same server, turn about in
// one run. Told of each: requests (counted by the server), requests per second, processor time, peak memory, and which
// of the planted defects it found; then the ratios.
// `node bench/beside-schemathesis.ts [--schemathesis st] [--rounds 1]`; goal: requests per second ≥ 5 times theirs.
// Without Schemathesis (PyPI, 4.32) nothing is compared: that is told and counted as skipped, and the exit code is 0.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '../scripts/command-line.ts';
import type { Report } from '../src/contract/report.ts';
import { DEFECTS } from '../test/planted/defects.ts';
import { KEY_HEADER } from '../test/planted/description.ts';
import { writePlanted } from '../test/planted/run.ts';
import { PLANTED_KEY, PLANTED_NAMES, SOUND, startPlanted } from '../test/planted/server.ts';
import { type Consumed, consumption } from './consumption.ts';

const GOAL = 5;
const ASSAY = new URL('../bin/assay.js', import.meta.url).pathname;

const { values: flags } = readArguments('npm run bench:beside -- [--schemathesis st] [--rounds 1]', {
  options: { schemathesis: { type: 'string', default: 'st' }, rounds: { type: 'string', default: '1' } },
});
const rounds = Math.max(1, Math.trunc(Number(flags.rounds)) || 1);

interface Turn extends Consumed {
  readonly requests: number;
  /** Names of resources on which it found anything. */
  readonly blamed: ReadonlySet<string>;
}

interface Tool {
  readonly name: string;
  command(folder: string, config: string, baseUrl: string): readonly string[];
  /** The operations on which it found anything, from what it wrote into the folder. */
  found(folder: string): Promise<readonly string[]>;
}

const assay: Tool = {
  name: 'assay',
  command: (folder, config) => [process.execPath, ASSAY, 'conform', '--config', config, '--out', join(folder, 'out')],
  async found(folder) {
    const report = JSON.parse(await readFile(join(folder, 'out', 'report.json'), 'utf8')) as Report;
    return report.findings.flatMap(({ kind, operation }) => (kind === 'observation' ? [] : (operation ?? [])));
  },
};

const schemathesis: Tool = {
  name: 'schemathesis',
  command: (folder, _config, baseUrl) => [
    ...[flags.schemathesis, 'run', join(folder, 'planted.json'), '--url', baseUrl],
    ...['-H', `${KEY_HEADER}: ${PLANTED_KEY}`, '--phases', 'coverage', '--seed', '1', '--no-color'],
    ...['--report', 'json', '--report-dir', join(folder, 'out')],
  ],
  async found(folder) {
    const [file = ''] = await readdir(join(folder, 'out'));
    const { failures } = JSON.parse(await readFile(join(folder, 'out', file), 'utf8')) as {
      failures: readonly { operations: readonly string[] }[];
    };
    return failures.flatMap(({ operations }) => operations);
  },
};

const version = spawnSync(flags.schemathesis, ['--version'], { encoding: 'utf8' });
if (version.status !== 0) {
  console.log(`0 compared, 1 skipped: ${flags.schemathesis} does not run; name it with --schemathesis PATH`);
} else {
  console.log(`beside ${version.stdout.trim()}, ${PLANTED_NAMES.length * 5} operations`);
  const turns = new Map<Tool, Turn[]>([assay, schemathesis].map((tool) => [tool, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [tool, own] of turns) {
      const turn = await take(tool);
      own.push(turn);
      console.log(line(tool, turn));
    }
  }
  conclude(turns.get(assay) ?? [], turns.get(schemathesis) ?? []);
}

/** One run of the tool against a server of its own. */
async function take(tool: Tool): Promise<Turn> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-beside-'));
  const api = await startPlanted();
  try {
    const config = await writePlanted(folder, PLANTED_NAMES, api.baseUrl);
    const consumed = await ran(tool.command(folder, config, api.baseUrl), folder);
    return { ...consumed, requests: api.requests(), blamed: new Set((await tool.found(folder)).map(resourceOf)) };
  } finally {
    await api.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** In the folder: what a tool leaves beside its report goes away with it. */
async function ran([file = '', ...args]: readonly string[], folder: string): Promise<Consumed> {
  const child = spawn(file, args, { stdio: 'ignore', cwd: folder });
  const measured = consumption(child.pid ?? 0);
  const [code] = await once(child, 'exit');
  const consumed = measured();
  // 1: something was found, as it must.
  if (code !== 1) throw new Error(`${file} ${args[0]} ended with ${code}`);
  return consumed;
}

/** `GET /open/{id}` → `open`. */
function resourceOf(operation: string): string {
  return operation.split('/', 2)[1] ?? '';
}

function line({ name }: Tool, { requests, seconds, cpuSeconds, peakMegabytes, blamed }: Turn): string {
  const defects = Object.keys(DEFECTS);
  const found = defects.filter((defect) => blamed.has(defect)).length;
  const cost = `cpu ${cpuSeconds.toFixed(1)} s, peak ${peakMegabytes.toFixed(0)} MB`;
  const faults = `${found} of ${defects.length} defects, ${blamed.has(SOUND) ? 'blames' : 'passes'} what is sound`;
  return `${name.padEnd(13)} ${requests} requests in ${seconds.toFixed(1)} s: ${(requests / seconds).toFixed(0)}/s, ${cost}; ${faults}`;
}

function conclude(ours: readonly Turn[], theirs: readonly Turn[]): void {
  const total = (turns: readonly Turn[], of: (turn: Turn) => number) => turns.reduce((sum, turn) => sum + of(turn), 0);
  const over = (of: (turn: Turn) => number) => total(ours, of) / total(theirs, of);
  const requests = over((turn) => turn.requests);
  const perSecond = requests / over((turn) => turn.seconds);
  const parts = [
    `requests per second ${perSecond.toFixed(1)} times theirs (goal ≥ ${GOAL})`,
    `per processor second ${(requests / over((turn) => turn.cpuSeconds)).toFixed(1)} times`,
    `time ${over((turn) => turn.seconds).toFixed(2)}, requests ${requests.toFixed(1)}, memory ${over((turn) => turn.peakMegabytes).toFixed(1)} times`,
  ];
  console.log(`${parts.join('; ')}; over ${rounds} ${rounds === 1 ? 'round' : 'rounds'}`);
  if (perSecond < GOAL) process.exitCode = 1;
}
