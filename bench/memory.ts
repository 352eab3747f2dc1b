// Peak memory of `assay conform` over the scale model's 1,674 operations, with some number of requests, with twice as many,
// and without a budget: the whole command, reports and suites included, every schema compiled anew, without the platform,
// which is a process of its own. `node bench/memory.ts [requests]`; goals: at most 1 GiB, and twice the requests take no
// more memory.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPlatform } from '../src/platform/start.ts';
import { writeScaleModel } from './scale-model/scale-model.ts';

const GOAL_MB = 1024;
/** Peaks of equal runs differ by as much: on a machine that others use, too, garbage is collected later. */
const NOISE = 0.1;
const requests = Number(process.argv[2] ?? 30_000);
const ASSAY = join(import.meta.dirname, '../bin/assay.js');
/** Loaded into the command: leaves its peak behind, kB. */
const WATCH = `import { writeFileSync } from 'node:fs';
process.on('exit', () => writeFileSync(process.env.ASSAY_BENCH_PEAK, String(process.resourceUsage().maxRSS)));`;

const folder = await mkdtemp(join(tmpdir(), 'assay-memory-'));
try {
  await writeScaleModel(folder, 1);
  const single = await peak(requests);
  const twice = await peak(2 * requests);
  const whole = await peak(null);
  const growth = twice.megabytes / single.megabytes;
  console.log(`twice the requests: ${growth.toFixed(2)} times the memory (goal: no more, give or take ${NOISE})`);
  if (Math.max(single.megabytes, twice.megabytes, whole.megabytes) > GOAL_MB || growth > 1 + NOISE)
    process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true });
}

interface Peak {
  readonly sent: number;
  readonly megabytes: number;
}

/** Of a run with this budget; null: without one. */
async function peak(budget: number | null): Promise<Peak> {
  const platform = await startPlatform({ seed: 1, folder });
  const [watch, left, out] = ['watch.mjs', 'peak', 'out'].map((name) => join(folder, name)) as [string, string, string];
  await writeFile(watch, WATCH);
  try {
    const limit = budget === null ? [] : ['--budget', String(budget)];
    const args = ['--config', platform.config, ...limit, '--out', out, '--quiet', '--json'];
    const child = spawn(process.execPath, ['--import', watch, ASSAY, 'conform', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, ASSAY_BENCH_PEAK: left, ASSAY_CACHE: join(out, 'cache') },
    });
    const [code] = await once(child, 'exit');
    const { counts } = JSON.parse(await readFile(join(out, 'report.json'), 'utf8'));
    const megabytes = Number(await readFile(left, 'utf8')) / 1024;
    const { requests: sent, operationsTested, operations } = counts;
    console.log(
      `${sent} requests: peak ${megabytes.toFixed(0)} MB (goal ≤ ${GOAL_MB}); ${operationsTested} of ${operations} operations tested, exit ${code}`,
    );
    return { sent, megabytes };
  } finally {
    await platform.stop();
    await rm(out, { recursive: true, force: true });
  }
}
