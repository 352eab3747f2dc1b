// A history of 5,000 runs: how long its first page takes to come from the file, beside that of a history of one run. Both parts
// are measured in this one process, in turns. `node bench/history.ts [RUNS]`: exit 1 where the median page of all runs takes
// over a second. `--keep FILE` leaves the history there, to be looked at with `assay report --serve --history FILE`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readArguments } from '../scripts/command-line.ts';
import { HISTORY_PATHS, historyPage } from '../src/reporters/history/pages.ts';
import { HistoryRows } from '../src/run/history/rows.ts';
import { manyRuns } from '../test/support/reporters/many-runs.ts';

const TURNS = 5;
const MOST_MS = 1000;

const { values, positionals } = readArguments('node bench/history.ts [RUNS] [--keep FILE]', {
  allowPositionals: true,
  options: { keep: { type: 'string' } },
});
const count = Number(positionals[0] ?? 5000);
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-history-'));
const [one, all] = [join(folder, 'one.db'), values.keep === undefined ? join(folder, 'all.db') : resolve(values.keep)];
manyRuns(one, 1);
manyRuns(all, count);

/** From the closed file to the page. */
function openedIn(file: string, path: string): number {
  const startedAt = performance.now();
  const rows = new HistoryRows(file);
  historyPage(rows, path, new URLSearchParams());
  rows.close();
  return performance.now() - startedAt;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
let isSlow = false;
for (const path of HISTORY_PATHS) {
  openedIn(one, path);
  const turns = Array.from({ length: TURNS }, () => [openedIn(one, path), openedIn(all, path)] as const);
  const [few, many] = [median(turns.map(([ms]) => ms)), median(turns.map(([, ms]) => ms))];
  if (many > MOST_MS) isSlow = true;
  console.log(
    `${path.padEnd(13)} ${count} runs ${many.toFixed(0)} ms, one run ${few.toFixed(0)} ms: ${(many / few).toFixed(1)} times`,
  );
}
rmSync(folder, { recursive: true });
process.exitCode = isSlow ? 1 : 0;
