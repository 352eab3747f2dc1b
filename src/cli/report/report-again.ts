// Reads reports of earlier runs and writes one: the same again, or several merged.
import { join, resolve } from 'node:path';
import { UsageError } from '../../config/errors.ts';
import type { Report } from '../../contract/report.ts';
import { accept } from '../../grading/acceptance.ts';
import { exitCode } from '../../grading/exit-code.ts';
import { MergeRefused, mergeShards } from '../../grading/merge.ts';
import { writeReports } from '../../reporters/files.ts';
import { gateRules } from '../conform/acceptance-options.ts';
import { mustBeTold } from '../process/failure.ts';
import { gateOf, type RunFlags } from '../process/options.ts';
import { tell } from '../process/print-result.ts';
import { readRun, type StoredRun } from './earlier-run.ts';

export interface ReportFlags extends Pick<RunFlags, 'waivers' | 'baseline' | 'failOn' | 'allowSecurity'> {
  readonly merge?: boolean;
  readonly out?: string;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** Exit code of the report written. Throws UsageError for what cannot be read or merged, NoVerdict for what cannot be written. */
export async function reportAgain(runs: readonly string[], flags: ReportFlags): Promise<number> {
  if (runs.length === 0) throw usage('assay report: no run is named', 'name a run folder, such as reports/<run id>');
  if (flags.merge !== true && runs.length > 1)
    throw usage(`assay report: ${runs.length} runs are named`, 'one at a time, or --merge for the shards of one run');
  const sources = await Promise.all(runs.map(readRun));
  const judged = flags.merge === true ? merged(sources) : sources[0]!.report;
  const gate = await gateRules({ ...gateOf(flags), folder: null, cwd: process.cwd() });
  const report = gate === null ? judged : accept(judged, gate);
  const usual = flags.merge === true ? join('reports', report.run.id) : sources[0]!.folder;
  const outcome = { report, ...(await writeReports(report, resolve(flags.out ?? usual))) };
  tell(outcome, flags);
  mustBeTold(outcome);
  return exitCode(report);
}

function merged(sources: readonly StoredRun[]): Report {
  try {
    return mergeShards(sources.map(({ report }) => report));
  } catch (error) {
    if (error instanceof MergeRefused)
      throw new UsageError('ASSAY_REPORT_UNREADABLE', error.message, error.hint, error);
    throw error;
  }
}

function usage(message: string, hint: string): UsageError {
  return new UsageError('ASSAY_REPORT_UNREADABLE', message, hint);
}
