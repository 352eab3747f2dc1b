// Reads reports of earlier runs and writes one: the same again, or several merged.
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../config/errors.ts';
import type { Report } from '../contract/report.ts';
import { exitCode } from '../grading/exit-code.ts';
import { MergeRefused, mergeReports } from '../grading/merge.ts';
import { ReportUnwritable, writeReports } from '../reporters/files.ts';
import { reportProblems } from '../reporters/json.ts';
import { NoVerdict } from './failure.ts';
import { tell } from './tell.ts';

export interface ReportFlags {
  readonly merge?: boolean;
  readonly out?: string;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

interface Source {
  readonly folder: string;
  readonly report: Report;
}

/** Exit code of the report written. Throws UsageError for what cannot be read or merged, NoVerdict for what cannot be written. */
export async function reportAgain(runs: readonly string[], flags: ReportFlags): Promise<number> {
  if (runs.length === 0) throw usage('assay report: no run is named', 'name a run folder, such as reports/<run id>');
  if (flags.merge !== true && runs.length > 1)
    throw usage(`assay report: ${runs.length} runs are named`, 'one at a time, or --merge for the shards of one run');
  const sources = await Promise.all(runs.map(read));
  const report = flags.merge === true ? merged(sources) : sources[0]!.report;
  const usual = flags.merge === true ? join('reports', report.run.id) : sources[0]!.folder;
  const paths = await written(report, resolve(flags.out ?? usual));
  tell({ report, paths }, flags);
  return exitCode(report);
}

async function read(run: string): Promise<Source> {
  const file = await reportFile(run);
  let report: Report;
  try {
    report = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw usage(`${file} cannot be read: ${(error as Error).message}`, 'name a folder that holds a report.json');
  }
  const [problem] = reportProblems(report);
  if (problem !== undefined)
    throw usage(
      `${file} is no report: ${problem.pointer || 'the whole'} ${problem.message}`,
      'was it written by this version?',
    );
  return { folder: dirname(file), report };
}

async function reportFile(run: string): Promise<string> {
  const found = await stat(run).catch(() => null);
  if (found === null) throw usage(`${run} does not exist`, 'name a run folder, such as reports/<run id>');
  return found.isDirectory() ? join(run, 'report.json') : run;
}

function merged(sources: readonly Source[]): Report {
  try {
    return mergeReports(sources.map(({ report }) => report));
  } catch (error) {
    if (error instanceof MergeRefused) throw usage(error.message, error.hint);
    throw error;
  }
}

async function written(report: Report, folder: string): ReturnType<typeof writeReports> {
  try {
    return await writeReports(report, folder);
  } catch (error) {
    if (!(error instanceof ReportUnwritable)) throw error;
    throw new NoVerdict(error.message, 'name another folder with --out', error);
  }
}

function usage(message: string, hint: string): UsageError {
  return new UsageError('ASSAY_REPORT_UNREADABLE', message, hint);
}
