// Whether a verdict stands still: conformance runs in a row against the embedded platform, as it is and under each
// tolerance case, each on a platform started afresh. One line a case; beneath it every clause that differed.
// `node bench/steady.ts [CASE…] [--rounds 20] [--jobs 1] [--whole]`; CASE is an id, or its beginning: `rate-`, `pag-06`.
// Ends with 1 when a run did not pass, or a clause did not have the same status in all rounds of its case.
import { readArguments, refuse, wholeNumber } from '../scripts/command-line.ts';
import { newRunId } from '../src/cli/conform/run-id.ts';
import type { Report } from '../src/contract/report.ts';
import { TOLERANCES } from '../src/platform/tolerances/all.ts';
import { clausesFor, judgePlatform } from '../test/mutant.ts';
import { reducedDocuments } from '../test/reduced-documents.ts';
import { type Difference, differences } from './sameness.ts';

interface Case {
  /** Of the tolerance case, or `conformant`. */
  readonly id: string;
  readonly tolerances: readonly string[];
  /** Clauses to judge; empty: all. */
  readonly clauses: readonly string[];
}

const { values: flags, positionals: wanted } = readArguments(
  'npm run bench:steady -- [CASE…] [--rounds 20] [--jobs 1] [--whole]',
  {
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '20' },
      jobs: { type: 'string', default: '1' },
      /** Every clause in every case; else the laws over many calls (PAG, IDEM, RATE) only in their own cases. */
      whole: { type: 'boolean', default: false },
    },
  },
);
const rounds = wholeNumber('--rounds', flags.rounds);
const jobs = wholeNumber('--jobs', flags.jobs);
const cases: readonly Case[] = [
  { id: 'conformant', tolerances: [], clauses: [] },
  ...TOLERANCES.map(({ id, clause }) => ({ id, tolerances: [id], clauses: flags.whole ? [] : clausesFor(clause) })),
].filter(({ id }) => wanted.length === 0 || wanted.some((start) => id.startsWith(start)));
if (cases.length === 0)
  refuse(`no case begins with ${wanted.join(' or ')}; assay's tolerance cases are in src/platform/tolerances/`);

const documents = await reducedDocuments();
const tally = { runs: 0, passed: 0, unsteady: 0 };
const waiting = [...cases];
const work = async (): Promise<void> => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) show(next, await runs(next));
};
await Promise.all(Array.from({ length: jobs }, work));
console.log(`${tally.passed} of ${tally.runs} runs pass; ${tally.unsteady} of ${cases.length} cases differ`);
process.exitCode = tally.passed === tally.runs && tally.unsteady === 0 ? 0 : 1;

/** The reports of the case's rounds, one after the other. */
async function runs({ tolerances, clauses }: Case): Promise<readonly Report[]> {
  const reports: Report[] = [];
  for (let round = 0; round < rounds; round += 1) {
    reports.push(await judgePlatform({ documents, tolerances }, { clauses, runId: newRunId() }));
  }
  return reports;
}

/** `20/20 pass  rate-03-bucket  (12.1 s a run)`, and what differed. */
function show({ id }: Case, reports: readonly Report[]): void {
  const passed = reports.filter(({ verdict }) => verdict === 'pass').length;
  const found = differences(reports);
  tally.runs += reports.length;
  tally.passed += passed;
  if (found.length > 0) tally.unsteady += 1;
  const seconds = reports.reduce((sum, { run }) => sum + run.durationMs, 0) / reports.length / 1000;
  console.log(`${passed}/${reports.length} pass  ${id}  (${seconds.toFixed(1)} s a run)`);
  for (const difference of found) console.log(`      ${inWords(difference)}`);
}

function inWords({ clause, statuses, example }: Difference): string {
  const counts = statuses.map(({ status, count }) => `${status} ${count}`).join(', ');
  return `${clause}: ${counts}${example === null ? '' : ` – ${example}`}`;
}
