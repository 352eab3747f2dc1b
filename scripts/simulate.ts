// `npm run simulate`: whole runs in virtual time, every case under many seeds and worlds, on all cores. Tells for each clause and
// world what was missed and what was blamed wrongly, and how each wrong verdict is had again.
//   npm run simulate -- [--seeds 1] [--first 1] [--case ID…] [--world NAME…] [--whole] [--family] [--jobs N]
//                       [--wrong FILE] [--out FILE]
// ID may be the beginning of several. One case, one world and one seed also tell the violations of the report.
// --family judges each case by the clauses of its own family alone, in about a fifth of the time.
// Ends with 1 where a verdict was wrong.
import { appendFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { CASES, clausesOfFamily, judgeCase } from '../src/simulation/cases.ts';
import { WORLD_NAMES, WORLDS, type WorldName } from '../src/simulation/worlds.ts';
import { readArguments, refuse, wholeNumber } from './command-line.ts';
import type { Judged, Task } from './simulation/worker.ts';
import { inThreads } from './threads.ts';

const { values: flags } = readArguments(
  'npm run simulate -- [--seeds 1] [--first 1] [--case ID…] [--world NAME…] [--whole] [--family] [--jobs N] [--wrong FILE] [--out FILE]',
  {
    options: {
      seeds: { type: 'string', default: '1' },
      first: { type: 'string', default: '1' },
      case: { type: 'string', multiple: true, default: [] },
      world: { type: 'string', multiple: true, default: ['calm'] },
      jobs: { type: 'string', default: String(availableParallelism()) },
      /** With depth, which is left out otherwise where a fault is caught before. */
      whole: { type: 'boolean', default: false },
      /** Clauses of other families are not judged: many more seeds can be looked at. */
      family: { type: 'boolean', default: false },
      /** Where every wrong verdict is written, one JSON line each. */
      wrong: { type: 'string' },
      /** Where the report of a single run is written. */
      out: { type: 'string' },
    },
  },
);
const seeds = wholeNumber('--seeds', flags.seeds);
const first = wholeNumber('--first', flags.first);
const jobs = wholeNumber('--jobs', flags.jobs);
const worlds = flags.world.includes('all') ? WORLD_NAMES : flags.world.map(worldNamed);
const exact = CASES.filter(({ id }) => flags.case.includes(id));
const begun = CASES.filter(({ id }) => flags.case.length === 0 || flags.case.some((start) => id.startsWith(start)));
const cases = exact.length > 0 && exact.length === flags.case.length ? exact : begun;
if (cases.length === 0) refuse(`no case begins with ${flags.case.join(' or ')}`);

const [onlyCase] = cases;
const [onlyWorld] = worlds;
if (cases.length * worlds.length * seeds === 1 && onlyCase !== undefined && onlyWorld !== undefined)
  await showOne(onlyCase, onlyWorld);
else await showAll();

async function showOne(one: (typeof CASES)[number], world: WorldName): Promise<void> {
  const clauses = flags.family ? clausesOfFamily(one) : [];
  const look = { world: WORLDS[world], seed: first, whole: flags.whole, clauses };
  const { report, missed, falseAlarms } = await judgeCase(one, look);
  if (flags.out !== undefined) writeFileSync(flags.out, `${JSON.stringify(report, null, 1)}\n`);
  for (const { kind, clause, operation, message, experiments, exchanges } of report.findings) {
    if (kind !== 'violation') continue;
    console.log(`${clause} on ${operation ?? 'no operation'}: ${message}`);
    console.log(`  by ${experiments?.map(({ probe }) => probe).join(', ')}; exchanges ${exchanges.join(', ')}`);
  }
  const wrong = [...(missed ? ['missed'] : []), ...falseAlarms.map((clause) => `${clause} blamed wrongly`)];
  const seconds = (report.run.durationMs / 1000).toFixed(1);
  console.log(`${one.id}: ${report.verdict} after ${report.counts.requests} requests in ${seconds} s of virtual time`);
  console.log(wrong.length === 0 ? 'right' : wrong.join(', '));
  process.exitCode = wrong.length === 0 ? 0 : 1;
}

async function showAll(): Promise<void> {
  if (flags.wrong !== undefined) writeFileSync(flags.wrong, '');
  const judged = await judgeAll();
  const wrong = judged.filter(isWrong);
  console.log(tableOf(judged));
  const seconds = judged.reduce((sum, one) => sum + one.seconds, 0);
  const mean = (seconds / Math.max(1, judged.length)).toFixed(2);
  console.log(`${judged.length} runs, ${wrong.length} wrong; ${mean} s of processor time a run`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}

/** Seed by seed, so that what is stopped early has seen every case. */
function* tasks(): Generator<Task> {
  for (let seed = first; seed < first + seeds; seed += 1)
    for (const world of worlds)
      for (const { id } of cases) yield { id, world, seed, whole: flags.whole, family: flags.family };
}

async function judgeAll(): Promise<readonly Judged[]> {
  const all = cases.length * worlds.length * seeds;
  const judged: Judged[] = [];
  let wrong = 0;
  await inThreads(join(import.meta.dirname, 'simulation', 'worker.ts'), tasks(), jobs, (one: Judged) => {
    judged.push(one);
    wrong += Number(isWrong(one));
    if (isWrong(one)) tellWrong(one);
    if (process.stderr.isTTY) process.stderr.write(`\r${judged.length}/${all} runs, ${wrong} wrong `);
    else if (judged.length % 20 === 0) process.stderr.write(`${judged.length}/${all} runs, ${wrong} wrong\n`);
  });
  return judged;
}

/** At once: a long run may be stopped. */
function tellWrong(one: Judged): void {
  if (process.stderr.isTTY) process.stderr.write('\r');
  console.log(inWords(one));
  if (flags.wrong !== undefined) appendFileSync(flags.wrong, `${JSON.stringify(one)}\n`);
}

function isWrong({ missed, falseAlarms }: Judged): boolean {
  return missed || falseAlarms.length > 0;
}

function inWords({ id, world, seed, missed, status, falseAlarms, clause, error }: Judged): string {
  const what =
    error ??
    [...(missed ? [`${clause} missed (${status})`] : []), ...falseAlarms.map((one) => `${one} blamed`)].join(', ');
  return `${what}: npm run simulate -- --case ${id} --world ${world} --first ${seed}${flags.whole ? ' --whole' : ''}${flags.family ? ' --family' : ''}`;
}

/** A row for each clause with a wrong verdict: of each world, of how many faults it passed, or was not told, and was blamed wrongly. */
function tableOf(judged: readonly Judged[]): string {
  const clauses = new Set(
    judged.filter(isWrong).flatMap((one) => [...(one.missed ? [one.clause ?? '-'] : []), ...one.falseAlarms]),
  );
  const head = ['clause', ...worlds].map((name, column) => name.padEnd(column === 0 ? 14 : 16)).join('');
  const rows = [...clauses].sort().map((clause) => {
    const cells = worlds.map((world) => {
      const there = judged.filter((one) => one.world === world);
      const missed = there.filter((one) => one.missed && one.clause === clause);
      const passed = missed.filter(({ status }) => status === 'pass').length;
      const faults = there.filter((one) => one.clause === clause).length;
      const alarms = there.filter((one) => one.falseAlarms.includes(clause)).length;
      return `${passed}+${missed.length - passed}/${faults} !${alarms}`.padEnd(16);
    });
    return [clause.padEnd(14), ...cells].join('');
  });
  return rows.length === 0
    ? 'every verdict is right'
    : [`${head}  (of its faults passed + not told, ! blamed wrongly)`, ...rows].join('\n');
}

function worldNamed(name: string): WorldName {
  const found = WORLD_NAMES.find((one) => one === name);
  return found ?? refuse(`there is no world "${name}": ${WORLD_NAMES.join(', ')}, or all`);
}
