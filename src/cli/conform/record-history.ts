// The run in the project's history: recorded once its report is decided, and told back in it.
import { resolve } from 'node:path';
import { UsageError } from '../../config/errors.ts';
import type { Report, Revision } from '../../contract/report.ts';
import { historyProblem } from '../../run/history/layout.ts';
import { recordCertificate, recordRun } from '../../run/history/record.ts';
import { REPORTS } from '../report/earlier-run.ts';

const FILE = 'history.db';

/** Throws UsageError where the file is there and is no history: a run that cannot be recorded in it is not begun. */
export function checkHistory(file: string | null): void {
  const path = pathOf(file);
  const problem = historyProblem(path);
  if (problem === null) return;
  throw new UsageError(
    'ASSAY_HISTORY_UNREADABLE',
    `the history ${path}: ${problem}`,
    'move it away, or name another file with --history',
  );
}

/** The file, the usual one where null. */
export function pathOf(file: string | null): string {
  return resolve(file ?? `${REPORTS}/${FILE}`);
}

/**
 * The report with what earlier runs came to. A shard and a replay are no runs of their own. The verdict does not hang on
 * the history: where it cannot be written that is said, and the report is as it was.
 */
export function remembered(
  report: Report,
  { file, revision }: { readonly file: string | null; readonly revision: Revision },
  say: (text: string) => void,
): Report {
  if (report.run.shard !== undefined || report.replay !== undefined) return report;
  const history = unlessUnwritten(file, say, (path) => recordRun(path, report, revision));
  return history === null ? report : { ...report, history };
}

/** Tells the history that a certificate was written for the run. */
export function rememberCertificate(run: string, file: string | null, say: (text: string) => void): void {
  unlessUnwritten(file, say, (path) => recordCertificate(path, run));
}

/** The result of the work; null where the history cannot be written, which is said. */
function unlessUnwritten<T>(file: string | null, say: (text: string) => void, work: (path: string) => T): T | null {
  const path = pathOf(file);
  try {
    return work(path);
  } catch (error) {
    say(`assay: the history in ${path} is not written: ${(error as Error).message}; --history names another file\n`);
    return null;
  }
}
