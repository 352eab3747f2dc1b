// One run from a prepared job to its written report: what `assay conform` and plain vitest share.
import type { Progress } from '../contract/progress.ts';
import type { Report } from '../contract/report.ts';
import { type ReportPaths, ReportUnwritable, writeReports } from '../reporters/files.ts';
import { conform } from '../run/conform.ts';
import { NoVerdict } from './failure.ts';
import type { Job } from './prepare.ts';

export interface Outcome {
  readonly report: Report;
  readonly paths: ReportPaths;
}

/** Runs the coordinator and writes its report; the job is ended whatever happens. Throws NoVerdict when the report cannot be written. */
export async function runJob(job: Job, stop: AbortSignal, onProgress: (progress: Progress) => void): Promise<Outcome> {
  const { config, options, descriptions, outDir } = job;
  try {
    const report = await conform({ config, options, descriptions, onProgress, stop });
    return { report, paths: await writeReports(report, outDir) };
  } catch (error) {
    if (!(error instanceof ReportUnwritable)) throw error;
    throw new NoVerdict(error.message, 'the run has no verdict without its report', error);
  } finally {
    await job.end();
  }
}
