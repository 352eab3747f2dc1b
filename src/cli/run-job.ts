// One run from a prepared job to its written report: what `assay conform` and plain vitest share.
import type { Progress } from '../contract/progress.ts';
import type { Report } from '../contract/report.ts';
import { accept } from '../grading/acceptance.ts';
import { changesSince } from '../grading/changes.ts';
import { continued } from '../grading/merge.ts';
import {
  type ReportPaths,
  ReportUnwritable,
  writeCheckpoint,
  writePerformed,
  writeReports,
} from '../reporters/files.ts';
import { conform } from '../run/conform.ts';
import { NoVerdict } from './failure.ts';
import { lastRun } from './last-run.ts';
import { located } from './located.ts';
import type { Job } from './prepare.ts';
import { remembered } from './remember.ts';

export interface Outcome {
  readonly report: Report;
  readonly paths: ReportPaths;
}

/** Runs the coordinator and writes its report; the job is ended whatever happens. Throws NoVerdict when the report cannot be written. */
export async function runJob(job: Job, stop: AbortSignal, onProgress: (progress: Progress) => void): Promise<Outcome> {
  const { config, options, descriptions, outDir, resumed } = job;
  const performed = new Set(resumed?.performed);
  const whole = (report: Report): Report => (resumed === undefined ? report : continued(resumed.report, report));
  // Written one after the other: the last one is the run's own.
  let writing = Promise.resolve();
  const onCheckpoint = (report: Report): Promise<void> => {
    writing = writing.then(() => writeCheckpoint(whole(report), performed, outDir)).catch(() => {});
    return writing;
  };
  try {
    const earlier = await lastRun(job);
    const found = whole(await conform({ config, options, descriptions, onProgress, stop, performed, onCheckpoint }));
    const judged = await located(found, descriptions, process.cwd());
    const compared = earlier === null ? judged : { ...judged, since: changesSince(earlier, judged) };
    const decided = job.gate === null ? compared : accept(compared, job.gate);
    const report =
      job.remembers === null ? decided : remembered(decided, job.remembers.file, (text) => process.stderr.write(text));
    await writing;
    const paths = await writeReports(report, outDir);
    await writePerformed(performed, outDir);
    return { report, paths };
  } catch (error) {
    if (!(error instanceof ReportUnwritable)) throw error;
    throw new NoVerdict(error.message, 'the run has no verdict without its report', error);
  } finally {
    await job.end();
  }
}
