// Requests per second of a conformance run with all checks on, over those of a bare undici loop that sends exactly the
// same requests, at the same concurrency, to a fresh platform of the same seed. Turn about, in one process; the platform
// is a process of its own for both, so that each side pays for what it does itself: the run for reading descriptions,
// drawing, sending, judging and its report, the loop for sending and reading. The run has stages and lanes, where one
// request waits for another, and pauses that limits and laws ask for; the loop has none.
// `node bench/conform.ts [rounds] [--scale-model]`; goal: ratio ≥ 0.5. `--scale-model`: over all 1,674 operations instead
// of the embedded platform's. The first round reads the descriptions, the others find them kept (docs/descriptions.md).

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '../scripts/command-line.ts';
import { loadDescriptions } from '../src/cli/conform/descriptions.ts';
import { descriptionCache } from '../src/cli/process/description-cache.ts';
import { systemClock } from '../src/clock/system.ts';
import type { Config, RunOptions } from '../src/config/config.ts';
import { loadConfig } from '../src/config/load.ts';
import type { Description } from '../src/openapi/model/operation.ts';
import { type StartedPlatform, startPlatform } from '../src/platform/start.ts';
import { conform } from '../src/run/perform/conform.ts';
import type { RunEvents } from '../src/run/perform/events.ts';
import { bareLoop } from './bare-loop.ts';
import { Phases } from './phases.ts';
import { type Pair, pairLine, ratio, type Timed, timed } from './rates.ts';
import { recorded, type SentRequest, translated } from './requests.ts';
import { writeScaleModel } from './scale-model/scale-model.ts';

const { values: flags, positionals } = readArguments('node bench/conform.ts [ROUNDS] [--scale-model]', {
  allowPositionals: true,
  options: { 'scale-model': { type: 'boolean', default: false } },
});
const ROUNDS = Number(positionals[0] ?? 3);
const CONNECTIONS = 16;
const OPTIONS: RunOptions = {
  out: null,
  services: [],
  operations: [],
  clauses: [],
  seed: 1,
  runId: 'bench',
  budget: null,
  timeLimitSeconds: null,
  concurrency: CONNECTIONS,
};

interface Run {
  readonly timed: Timed;
  readonly requests: readonly SentRequest[];
  readonly tokens: readonly string[];
  readonly statuses: ReadonlyMap<string, number>;
}

const kept = await mkdtemp(join(tmpdir(), 'assay-kept-'));
const cache = descriptionCache({ ASSAY_CACHE: kept });
const folder = flags['scale-model'] ? await mkdtemp(join(tmpdir(), 'assay-scale-')) : null;
if (folder !== null) await writeScaleModel(folder, OPTIONS.seed);
const pairs: Pair[] = [];
for (let round = 1; round <= ROUNDS; round += 1) {
  const run = await withPlatform(conformOnce);
  const bare = await withPlatform((platform, config) => {
    const tokens = new Map(tokensOf(config).map((token, index) => [run.tokens[index] ?? '', token]));
    return bareLoop(platform.baseUrl, translated(run.requests, tokens), CONNECTIONS);
  });
  const pair = { ours: run.timed, bare: bare.timed };
  pairs.push(pair);
  console.log(pairLine(`assay conform, ${round === 1 ? 'cold' : 'warm'}`, round, pair));
  console.log(`         answered alike: ${(likeness(run.statuses, bare.statuses) * 100).toFixed(1)} %`);
}
console.log(`ratio ${ratio(pairs).toFixed(2)} over ${ROUNDS} rounds (goal ≥ 0.5)`);
const { maxRSS } = process.resourceUsage();
console.log(`peak memory ${(maxRSS / 1024).toFixed(0)} MB, what the bench itself keeps included`);
if (folder !== null) await rm(folder, { recursive: true });
await rm(kept, { recursive: true });

async function withPlatform<T>(work: (platform: StartedPlatform, config: Config) => Promise<T>): Promise<T> {
  const platform = await startPlatform({ seed: OPTIONS.seed, ...(folder === null ? {} : { folder }) });
  try {
    const config = await loadConfig({ file: platform.config, baseUrl: null, env: process.env, cwd: process.cwd() });
    if (config === null) throw new Error('the platform offers no configuration');
    return await work(platform, config);
  } finally {
    await platform.stop();
  }
}

async function conformOnce(_platform: StartedPlatform, config: Config): Promise<Run> {
  const statuses = new Map<string, number>();
  let descriptions: readonly Description[] = [];
  let requests: readonly SentRequest[] = [];
  const phases = new Phases();
  const took = await timed(async () => {
    descriptions = await loadDescriptions(config, cache);
    const listen = (events: RunEvents): void => events.on('progress', ({ progress }) => phases.tell(progress));
    const stop = new AbortController().signal;
    const input = { config, options: OPTIONS, descriptions, clock: systemClock, listen, stop };
    const { result: report, requests: sent } = await recorded(() => conform(input));
    requests = sent;
    const counts = report.operations.flatMap((row) => Object.entries(row.statuses));
    for (const [status, count] of counts) statuses.set(status, (statuses.get(status) ?? 0) + count);
    return sent.length;
  });
  phases.next(null);
  return { timed: took, requests, tokens: tokensOf(config), statuses };
}

function tokensOf({ keys, credentials }: Config): readonly string[] {
  return [...keys.map(({ token }) => token), credentials.locked, credentials.expired].filter((token) => token !== null);
}

/** Share of answers that both sides got with the same status, requests to no operation left out. */
function likeness(ours: ReadonlyMap<string, number>, bare: ReadonlyMap<string, number>): number {
  const counts = [...ours];
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  return counts.reduce((sum, [status, count]) => sum + Math.min(count, bare.get(status) ?? 0), 0) / all;
}
