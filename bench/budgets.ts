// What a budget buys: of the faults that a run without a budget catches on the embedded platform, the share that runs within
// budgets catch, by family of clauses, and the faults that each budget misses. All runs take place in virtual time.
//   npm run bench:budgets -- [--budget N|none…] [--case ID…] [--every N] [--model platform|shop] [--seed 1] [--jobs N]
//                            [--each] [--results FILE]
// ID may be the beginning of several. A fault that a smaller budget caught is not looked for again with a larger one; --each looks
// all the same. --every 5 takes every fifth fault. --results keeps all rows in a file, and the curve is drawn over all that are in
// it: portions of the measurement make one curve.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { readArguments, refuse, wholeNumber } from '../scripts/command-line.ts';
import { inThreads } from '../scripts/threads.ts';
import { BUDGETS, curveOf } from './budgets/curve.ts';
import { MODELS, type ModelName } from './budgets/models.ts';
import { FAULT_CASES, type Notice } from './budgets/notice.ts';
import type { Task, Told } from './budgets/worker.ts';

const { values: flags } = readArguments(
  'npm run bench:budgets -- [--budget N|none…] [--case ID…] [--every N] [--model platform|shop] [--seed 1] [--jobs N] [--each] [--results FILE]',
  {
    options: {
      budget: { type: 'string', multiple: true, default: [] },
      case: { type: 'string', multiple: true, default: [] },
      every: { type: 'string', default: '1' },
      model: { type: 'string', default: 'platform' },
      seed: { type: 'string', default: '1' },
      jobs: { type: 'string', default: String(availableParallelism()) },
      each: { type: 'boolean', default: false },
      results: { type: 'string' },
    },
  },
);
const budgets = flags.budget.length === 0 ? BUDGETS : flags.budget.map(budgetNamed);
const seed = wholeNumber('--seed', flags.seed);
const jobs = wholeNumber('--jobs', flags.jobs);
const every = wholeNumber('--every', flags.every);
const model = MODELS.find((one) => one === flags.model) ?? refuse(`there is no model "${flags.model}"`);
const faults = FAULT_CASES.map(({ id }) => id)
  .filter((id) => flags.case.length === 0 || flags.case.some((start) => id.startsWith(start)))
  .filter((_, index) => index % every === 0);
if (faults.length === 0) refuse(`no fault begins with ${flags.case.join(' or ')}`);

const known = new Map<string, Notice>(earlier().map((one) => [nameOf(one), one]));
for (const budget of budgets) await look(budget, model);
console.log(curveOf([...known.values()]));

/** Looks for each fault that no smaller budget has caught. */
async function look(budget: number | null, on: ModelName): Promise<void> {
  const isOpen = (fault: string): boolean =>
    !known.has(nameOf({ fault, budget })) && (flags.each || !isCaughtBefore(fault, budget));
  const waiting = faults.filter(isOpen);
  const tasks = waiting.map((fault): Task => ({ fault, budget, model: on, seed })).values();
  const file = join(import.meta.dirname, 'budgets', 'worker.ts');
  await inThreads(file, tasks, Math.min(jobs, waiting.length), (told: Told) => {
    if (told !== null) keep(told);
  });
}

function isCaughtBefore(fault: string, budget: number | null): boolean {
  return [...known.values()].some(
    (one) => one.fault === fault && one.caught && one.budget !== null && one.budget < (budget ?? Number.MAX_VALUE),
  );
}

/** At once: a long measurement may be stopped, and goes on from there. */
function keep(notice: Notice): void {
  known.set(nameOf(notice), notice);
  if (flags.results !== undefined) appendFileSync(flags.results, `${JSON.stringify(notice)}\n`);
}

function earlier(): readonly Notice[] {
  if (flags.results === undefined || !existsSync(flags.results)) return [];
  const lines = readFileSync(flags.results, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Notice);
}

function nameOf({ fault, budget }: Pick<Notice, 'fault' | 'budget'>): string {
  return `${budget ?? 'none'} ${fault}`;
}

function budgetNamed(text: string): number | null {
  return text === 'none' ? null : wholeNumber('--budget', text);
}
