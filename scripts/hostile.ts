// `npm run hostile`: runs of Assay against a server that answers as badly as a server can.
//   --modes [NAME…]       each mode (or those named) alone: on every answer, after a sound beginning, and now and then
//   --when WHEN           of these only those variants: always, later, sometimes (repeatable)
//   --rounds N            N rounds of several modes drawn at random (the default: 20)
//   --seed N              the first round's seed; the seed of a round shows it again with --rounds 1
// A line for each run; ends 1 where something did not hold.
import { availableParallelism } from 'node:os';
import { type Case, modeCases, roundOf, VARIANTS } from '../test/hostile/cases.ts';
import { allModes } from '../test/hostile/modes/all.ts';
import { hostileRun, inWords } from '../test/hostile/run.ts';
import { readArguments } from './command-line.ts';

const { values, positionals } = readArguments(
  'npm run hostile -- [--modes [NAME…]] [--when WHEN…] [--rounds 20] [--seed N] [--beside N]',
  {
    options: {
      modes: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '20' },
      seed: { type: 'string' },
      when: { type: 'string', multiple: true, default: [] },
      beside: { type: 'string' },
    },
    allowPositionals: true,
  },
);

const seed = values.seed === undefined ? Math.floor(Math.random() * 1e9) : Number(values.seed);
const cases: readonly Case[] = values.modes
  ? modeCases(positionals, values.when)
  : Array.from({ length: Number(values.rounds) }, (_, at) => roundOf(seed + at));
const unknown = positionals.filter((name) => !allModes().some((mode) => mode.name === name));
const unmeant = values.when.filter((when) => !VARIANTS.some((variant) => variant.when === when));
if (unknown.length + unmeant.length > 0 || cases.length === 0) {
  console.error(`nothing is called so: ${[...unknown, ...unmeant].join(', ')}; --modes without names runs all of them`);
  process.exit(2);
}
const queue = cases.values();
let broken = 0;

async function work(): Promise<void> {
  for (const { name, meddling, limits, seed: own, ends } of queue) {
    const run = await hostileRun(meddling(), limits, own, ends);
    if (run.breaches.length > 0) broken += 1;
    console.log(`${run.breaches.length > 0 ? 'BROKEN' : 'held  '} ${name}: ${inWords(run)}`);
    for (const breach of run.breaches) console.log(`         ${breach}`);
  }
}

console.log(values.modes ? `${cases.length} runs` : `${cases.length} rounds from seed ${seed}`);
await Promise.all(Array.from({ length: Number(values.beside ?? availableParallelism()) }, work));
console.log(broken === 0 ? 'All held.' : `${broken} of ${cases.length} did not hold.`);
process.exitCode = broken === 0 ? 0 : 1;
