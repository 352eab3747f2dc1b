// One `assay conform`: prepared, run, written down, summed up, and turned into an exit code.
// What sends is imported when its turn comes: wrong usage is told at once.

import { systemClock } from '../../clock/system.ts';
import { invalidOption } from '../../config/errors.ts';
import { plural } from '../../contract/numbers.ts';
import { exitCode } from '../../grading/exit-code.ts';
import { duration } from '../../reporters/words.ts';
import { asker, describedIn } from '../described/described-config.ts';
import { forecastOfJob } from '../load/job-creations.ts';
import { mustBeTold } from '../process/failure.ts';
import { holdNewSpace } from '../process/gc-settings.ts';
import { tellGoOn } from '../process/go-on.ts';
import { fitted, type RunFlags, runOptions } from '../process/options.ts';
import { showPage, tell } from '../process/print-result.ts';
import { foretell } from '../process/say.ts';
import { alsoExported } from '../process/telemetry.ts';
import { watchRun } from '../process/watch.ts';
import { embeddedUse, isWatched } from './embedded.ts';
import { type Interruption, interruptibly } from './interrupt.ts';
import { lastRun } from './last-run.ts';
import { type Job, prepareJob, requestOf } from './prepare.ts';
import { preparedWithin } from './prepare-within.ts';
import { replayOptions } from './replayed.ts';
import type { Outcome } from './run-job.ts';

/** Exit code of the run. Throws UsageError before anything was sent, NoVerdict when the result cannot be written. */
export async function conformOnce(flags: RunFlags): Promise<number> {
  holdNewSpace();
  return interruptibly(async (interruption) => {
    const preparing = prepareJob({
      ...requestOf(flags),
      described: describedIn(flags),
      confirm: asker(flags),
      embedded: embeddedUse(flags, process.env, { isTerminal: isWatched() }),
      options: await optionsOf(flags),
      ...(flags.resume === undefined ? {} : { resume: flags.resume }),
      ...(flags.replay === undefined ? { gate: flags } : {}),
      history: { file: flags.history ?? null },
      ...(flags.changedSince === undefined ? {} : { changedSince: flags.changedSince }),
      say: (sentence) => flags.quiet === true || process.stderr.write(`assay: ${sentence}\n`),
      ...(flags.profile === undefined ? {} : { profile: flags.profile }),
    });
    const within = { stop: interruption.signal, limitSeconds: flags.timeLimit ?? null, clock: systemClock };
    const prepared = await preparedWithin(preparing, within, (late) => late.end());
    const job = { ...prepared, options: sinceStart(prepared.options) };
    if (flags.quiet !== true) await foretellRun(job);
    const outcome = await runWithProgress(job, interruption, flags);
    tell(outcome, flags);
    await showPage(outcome, flags);
    if (interruption.signal.aborted) tellGoOn(job, flags, outcome.report);
    mustBeTold(outcome);
    return exitCode(outcome.report);
  });
}

/** The options with what is left of the time that the run fits itself to: reading large descriptions takes some of it. */
function sinceStart(options: Job['options']): Job['options'] {
  const { fitSeconds } = options;
  if (fitSeconds === undefined) return options;
  return { ...options, fitSeconds: Math.max(1, fitSeconds - systemClock.monotonic() / 1000) };
}

/** Tells what the run makes, and how much it sends: at most the budget, else about what the last whole run here sent. */
async function foretellRun(job: Job): Promise<void> {
  const sends = await sendsInWords(job);
  if (sends !== null) foretell(sends);
  foretell(`creates ${forecastOfJob(job)}`);
}

async function sendsInWords(job: Job): Promise<string | null> {
  const { budget, timeLimitSeconds } = job.options;
  if (budget !== null) return `sends at most ${plural(budget, 'request')}, as the budget says`;
  const last = timeLimitSeconds === null ? await lastRun(job) : null;
  if (last === null || last.run.partial) return null;
  const { counts, run } = last;
  const sent = `${plural(counts.requests, 'request')} to ${plural(counts.operations, 'operation')} in ${duration(run.durationMs)}`;
  return `sends about what the last run here sent, ${sent}; \`assay plan\` tells of this one`;
}

async function optionsOf(flags: RunFlags): Promise<ReturnType<typeof runOptions>> {
  const { replay: fingerprint, from = null } = flags;
  if (fingerprint !== undefined)
    return { ...runOptions(flags), ...(await replayOptions({ fingerprint, from, cwd: process.cwd() })) };
  if (from === null) return fitted(runOptions(flags), flags);
  throw invalidOption('--from goes with --replay', 'assay conform --replay FINGERPRINT --from RUN');
}

async function runWithProgress(
  job: Job,
  { signal: stop, strays, keep }: Interruption,
  flags: RunFlags,
): Promise<Outcome> {
  const { told, ...watch } = await alsoExported(watchRun(flags), job);
  try {
    const { runJob } = await import('./run-job.ts');
    const outcome = await runJob(job, { ...watch, stop, strays, keep });
    await told(outcome.report);
    return outcome;
  } finally {
    watch.stop();
  }
}
