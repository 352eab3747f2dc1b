// `assay load capacity` while every core is busy with something else: ten runs against a server of a known limit (8 slots, 10 ms
// exponential each). A run is right where its bracket overlaps the true one or where it ends 3 with bounds that hold the truth.
//   node bench/burning.ts [RUNS]
// The truth is what bench/capacity.ts finds on a quiet machine; a bracket below it is what a busy machine makes of a sound server.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTarget } from './target.ts';

/** Where a p99 of 100 ms is missed by eight slots of 10 ms: no more than 800/s can be served, and the queue grows from 740/s on. */
const TRUTH = { minRatePerSecond: 740, maxRatePerSecond: 800 };
/** A bracket may lie beside the truth by this share. */
const maxShareBeside = 0.05;
const maxBurningMs = 300_000;
const [runs = 10] = process.argv.slice(2).map(Number);

const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Slots', version: '1' },
  paths: {
    '/a': { get: { responses: { 200: { description: 'Served', content: { 'application/json': { schema: true } } } } } },
  },
};

interface Told {
  readonly code: number;
  readonly atLeastRps: number | null;
  readonly belowRps: number | null;
  readonly why: string;
}

/** One process for each core that does nothing but reckon, and ends by itself. */
function burn(): readonly ChildProcess[] {
  const work = `const end = Date.now() + ${maxBurningMs}; while (Date.now() < end) {}`;
  return Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', work], { stdio: 'ignore' }),
  );
}

function configFor(baseUrl: string): object {
  return {
    contract: 'openapi',
    target: { baseUrl },
    services: { shop: { spec: 'slots.json' } },
    load: {
      objectives: { p99Ms: 100, errorRate: 0.01 },
      capacity: { startRate: 100, stepSeconds: 4, repeats: 3, width: 0.05, mostSeconds: 80 },
    },
  };
}

/** Runs the command once with the cores burning, and reads what it tells. */
async function measure(folder: string, index: number): Promise<Told> {
  const out = join(folder, `run-${index}`);
  const burners = burn();
  try {
    const command = [
      join(import.meta.dirname, '..', 'bin', 'assay.js'),
      'load',
      'capacity',
      '--config',
      'assay.config.json',
    ];
    const child = spawn(process.execPath, [...command, '--out', out], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = await once(child, 'close');
    const report = JSON.parse(await readFile(join(out, 'report.json'), 'utf8'));
    const { capacity } = report.load ?? {};
    return {
      code,
      atLeastRps: capacity?.atLeastRps ?? capacity?.kneeRps ?? null,
      belowRps: capacity?.belowRps ?? null,
      why: capacity?.reason ?? '',
    };
  } finally {
    for (const burner of burners) burner.kill();
  }
}

/** The bounds hold the truth, whether they are settled or not. */
function isRight({ code, atLeastRps, belowRps }: Told): boolean {
  if (code !== 0 && code !== 3) return false;
  const holdsLow = atLeastRps === null || atLeastRps <= TRUTH.maxRatePerSecond * (1 + maxShareBeside);
  const holdsHigh = belowRps === null || belowRps >= TRUTH.minRatePerSecond * (1 - maxShareBeside);
  return holdsLow && holdsHigh;
}

const folder = await mkdtemp(join(tmpdir(), 'assay-bench-burning-'));
const target = await startTarget('capacity-target.ts', '8', '10', '1');
try {
  await writeFile(join(folder, 'slots.json'), JSON.stringify(DESCRIPTION));
  await writeFile(join(folder, 'assay.config.json'), JSON.stringify(configFor(target.baseUrl)));
  let wrong = 0;
  for (let index = 1; index <= runs; index += 1) {
    const told = await measure(folder, index);
    const right = isRight(told);
    if (!right) wrong += 1;
    console.log(
      `run ${index}: exit ${told.code}, at least ${told.atLeastRps ?? '-'}/s, below ${told.belowRps ?? '-'}/s ${told.why}: ${right ? 'right' : 'WRONG'}`,
    );
  }
  console.log(`${runs - wrong} of ${runs} right`);
  if (wrong > 0) process.exitCode = 1;
} finally {
  target.stop();
  await rm(folder, { recursive: true });
}
