// `assay load --collect DIR`: one report of what the instances of a bundle measured.
import { join, resolve } from 'node:path';
import { systemClock } from '../../clock/system.ts';
import { UsageError } from '../../config/errors.ts';
import { exitCode } from '../../grading/exit-code.ts';
import { type Bundle, RESULTS_FOLDER } from '../../load/distributed/bundle.ts';
import { NotWhole, wholeRun } from '../../load/distributed/whole.ts';
import { writeReports } from '../../reporters/files.ts';
import { reportOwn } from '../../reporters/own-reporter.ts';
import { showProgress } from '../../reporters/terminal/progress.ts';
import { readBundle } from '../../run/load/distributed.ts';
import { runLoad } from '../../run/load/run-load.ts';
import { embeddedOnRequest } from '../conform/embedded.ts';
import { interruptible } from '../conform/interrupt.ts';
import { type Job, prepareJob } from '../conform/prepare.ts';
import type { Outcome } from '../conform/run-job.ts';
import { mustBeTold, NoVerdict } from '../process/failure.ts';
import { type RunFlags, runOptions } from '../process/options.ts';
import { showPage, tell } from '../process/print-result.ts';

/** Exit code of the report. Throws UsageError where the folder is no bundle, NoVerdict where samples are missing. Sends nothing. */
export async function collectOnce(folder: string, flags: RunFlags): Promise<number> {
  const { facts } = await wholeBundle(folder);
  const interruption = interruptible((text) => process.stderr.write(text));
  try {
    const job = await prepareJob({
      config: flags.config ?? null,
      baseUrl: flags.baseUrl ?? facts.baseUrl,
      embedded: embeddedOnRequest('load --collect', {}),
      options: runOptions(flags),
      env: process.env,
      cwd: process.cwd(),
    });
    const outcome = await reported(job, resolve(folder), flags, interruption.signal);
    tell(outcome, flags);
    await showPage(outcome, flags);
    mustBeTold(outcome);
    return exitCode(outcome.report);
  } finally {
    interruption.dispose();
  }
}

async function reported(job: Job, folder: string, flags: RunFlags, stop: AbortSignal): Promise<Outcome> {
  const { config, options, descriptions, redactor, outDir, extensions } = job;
  const display = showProgress({ clock: systemClock, stream: process.stderr, quiet: flags.quiet === true });
  try {
    const source = { k6: null, folder, outputs: [], onProgress: display.update.bind(display), stop };
    const report = await runLoad({
      clock: systemClock,
      suite: 'distributed',
      config,
      options,
      descriptions,
      redactor,
      checks: extensions.checks,
      ...source,
    });
    const { paths, failures } = await writeReports(report, outDir);
    return {
      report,
      paths,
      failures: [...failures, ...(await reportOwn(report, outDir, extensions.reporters, systemClock))],
    };
  } finally {
    display.stop();
    await job.end();
  }
}

/** The bundle in the folder, once all that its instances measured is there. */
async function wholeBundle(folder: string): Promise<Bundle> {
  const bundle = await readBundle(folder).catch((error: Error) => {
    throw new UsageError(
      'ASSAY_REPORT_UNREADABLE',
      `--collect: ${folder} is no bundle that --distributed wrote: ${error.message}`,
      `name the folder that --distributed wrote; samples belong into its ${RESULTS_FOLDER}/`,
    );
  });
  try {
    await wholeRun(bundle, folder);
    return bundle;
  } catch (error) {
    if (!(error instanceof NotWhole)) throw error;
    const hint = `${join(folder, RESULTS_FOLDER)} must hold the samples of all ${bundle.facts.instances} instances of one run`;
    throw new NoVerdict(error.message, hint, error);
  }
}
