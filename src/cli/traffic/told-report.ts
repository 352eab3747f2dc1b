// The report on judged traffic: held against what was accepted, written, told of, and turned into an exit code.
import { systemClock } from '../../clock/system.ts';
import type { Report } from '../../contract/report.ts';
import { exitCode } from '../../grading/exit-code.ts';
import { writeReports } from '../../reporters/files.ts';
import { reportOwn } from '../../reporters/own-reporter.ts';
import type { Job } from '../conform/prepare.ts';
import { decided } from '../conform/run-job.ts';
import { mustBeTold } from '../process/failure.ts';
import { tell } from '../process/print-result.ts';
import type { TrafficFlags } from './options.ts';

/** Throws NoVerdict where the report cannot be written. */
export async function toldReport(job: Job, report: Report, flags: TrafficFlags): Promise<number> {
  const { outDir, extensions } = job;
  const final = await decided(job, report, null);
  const { paths, failures } = await writeReports(final, outDir);
  const own = await reportOwn(final, outDir, extensions.reporters, systemClock);
  const outcome = { report: final, paths, failures: [...failures, ...own] };
  tell(outcome, flags);
  mustBeTold(outcome);
  return exitCode(final);
}
