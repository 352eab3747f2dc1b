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
  try {
    const earlier = await lastRun(job);
    const outcome = await written(job, await judged(job, stop, onProgress), earlier);
    // An interrupted run has seconds left.
    if (!stop.aborted) for (const { keep } of job.descriptions) await keep?.();
    return outcome;
  } finally {
    await job.end();
  }
}

/** The conformance run's own report, the part before a resumed run included. What it does is checkpointed on the way. */
export async function judged(job: Job, stop: AbortSignal, onProgress: (progress: Progress) => void): Promise<Report> {
  const { config, options, descriptions, outDir, resumed } = job;
  const performed = new Set(resumed?.performed);
  const whole = (report: Report): Report => (resumed === undefined ? report : continued(resumed.report, report));
  // Written one after the other: the last one is the run's own.
  let writing = Promise.resolve();
  const onCheckpoint = (report: Report): Promise<void> => {
    writing = writing.then(() => writeCheckpoint(whole(report), performed, outDir)).catch(() => {});
    return writing;
  };
  const report = whole(await conform({ config, options, descriptions, onProgress, stop, performed, onCheckpoint }));
  await writing;
  await trusted(writePerformed(performed, outDir));
  return report;
}

/** The report located, compared with the run before, held against what was accepted, remembered and written. Throws NoVerdict when it cannot be written. */
export async function written(job: Job, report: Report, earlier: Report | null): Promise<Outcome> {
  const { descriptions, outDir, gate, remembers } = job;
  const placed = await located(report, descriptions, process.cwd());
  const compared = earlier === null ? placed : { ...placed, since: changesSince(earlier, placed) };
  const decided = gate === null ? compared : accept(compared, gate);
  const say = (text: string): unknown => process.stderr.write(text);
  const final = remembers === null ? decided : remembered(decided, remembers.file, say);
  return { report: final, paths: await trusted(writeReports(final, outDir)) };
}

async function trusted<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    if (!(error instanceof ReportUnwritable)) throw error;
    throw new NoVerdict(error.message, 'the run has no verdict without its report', error);
  }
}
