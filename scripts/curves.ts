// `npm run curves`: how large a deviation of a limiter must be until its clause blames it, in worlds with and without other users of
// its keys. Prints a table for each curve; docs/rate-limits.md tells what they come to.
//   npm run curves -- [--curve ID…] [--world NAME…] [--seeds 10] [--first 1] [--jobs N] [--reasons]
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { WORLD_NAMES, type WorldName } from '../src/simulation/worlds.ts';
import { readArguments, refuse, wholeNumber } from './command-line.ts';
import { CURVES, type Curve, type Measured, type Point } from './simulation/curves.ts';
import { inThreads } from './threads.ts';

const USUAL_WORLDS: readonly WorldName[] = ['calm', 'distant', 'others-1', 'others-10', 'others-50'];

const { values: flags } = readArguments(
  'npm run curves -- [--curve ID…] [--world NAME…] [--seeds 10] [--first 1] [--jobs N] [--reasons]',
  {
    options: {
      curve: { type: 'string', multiple: true, default: CURVES.map(({ id }) => id) },
      world: { type: 'string', multiple: true, default: [...USUAL_WORLDS] },
      seeds: { type: 'string', default: '10' },
      first: { type: 'string', default: '1' },
      jobs: { type: 'string', default: String(availableParallelism()) },
      /** Why the clause was not tested, each reason once. */
      reasons: { type: 'boolean', default: false },
    },
  },
);
const seeds = wholeNumber('--seeds', flags.seeds);
const first = wholeNumber('--first', flags.first);
const curves = flags.curve.map(
  (id) => CURVES.find((one) => one.id === id) ?? refuse(`no curve "${id}": ${CURVES.map((one) => one.id).join(', ')}`),
);
const worlds = flags.world.map(
  (name) => WORLD_NAMES.find((one) => one === name) ?? refuse(`no world "${name}": ${WORLD_NAMES.join(', ')}`),
);

const measured = await measureAll(wholeNumber('--jobs', flags.jobs));
for (const curve of curves) console.log(tableOf(curve));

function* points(): Generator<Point> {
  for (let seed = first; seed < first + seeds; seed += 1)
    for (const { id, sizes } of curves)
      for (const size of sizes) for (const world of worlds) yield { curve: id, size, world, seed };
}

async function measureAll(jobs: number): Promise<readonly Measured[]> {
  const all: Measured[] = [];
  const file = join(import.meta.dirname, 'simulation', 'curve-worker.ts');
  await inThreads(file, points(), jobs, (one: Measured) => all.push(one));
  return all;
}

/** A row for each size, a column for each world: how many runs blamed, passed, and did not tell. */
function tableOf(curve: Curve): string {
  const rows = curve.sizes.map((size) => {
    const cells = worlds.map((world) => cellOf(measured.filter((one) => isAt(one, curve, size, world))));
    return `| ${size}${curve.isAllowed(size) ? ' (allowed)' : ''} | ${cells.join(' | ')} |`;
  });
  const head = [`| ${curve.of} | ${worlds.join(' | ')} |`, `| --- |${' --- |'.repeat(worlds.length)}`];
  return [`\n### ${curve.clause}: ${curve.id}\n`, ...head, ...rows, ...reasonsOf(curve)].join('\n');
}

function isAt(one: Measured, curve: Curve, size: number, world: WorldName): boolean {
  return one.curve === curve.id && one.size === size && one.world === world;
}

/** `8 / 1 / 1`: blamed, passed, not told; behind it, what other clauses blamed. */
function cellOf(runs: readonly Measured[]): string {
  const count = (outcome: Measured['outcome']): number => runs.filter((one) => one.outcome === outcome).length;
  const others = [...new Set(runs.flatMap((one) => one.others))].sort();
  const beside = others.length === 0 ? '' : ` (${others.join(', ')})`;
  return `${count('blamed')} / ${count('passed')} / ${count('not told')}${beside}`;
}

function reasonsOf({ id }: Curve): readonly string[] {
  if (!flags.reasons) return [];
  return [...new Set(measured.filter(({ curve, reason }) => curve === id && reason !== '').map((one) => one.reason))];
}
