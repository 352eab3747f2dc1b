// One run from a prepared job to its written report: what `assay conform` and plain vitest share.
import { systemClock } from '../../clock/system.ts';
import type { Report } from '../../contract/report.ts';
import { FileUnwritable } from '../../disk/whole-file.ts';
import { accept } from '../../grading/acceptance.ts';
import { changesSince } from '../../grading/changes.ts';
import { exitCode } from '../../grading/exit-code.ts';
import { continued } from '../../grading/merge.ts';
import { type Written, writePerformed, writeReports } from '../../reporters/files.ts';
import { reportOwn } from '../../reporters/own-reporter.ts';
import { conform } from '../../run/perform/conform.ts';
import type { RunEvents } from '../../run/perform/events.ts';
import type { StrayErrors } from '../../run/perform/stray-errors.ts';
import { jobJournal, leftByEarlierRuns } from '../load/job-creations.ts';
import { CheckpointFile } from '../process/checkpoint-file.ts';
import { giveBackGarbage } from '../process/gc-settings.ts';
import { say } from '../process/say.ts';
import { located, nameFrom } from '../report/located.ts';
import { afterRun, beforeRun, runAhead } from './hooks.ts';
import { callHooks, isAroundCalls } from './hooks-around-calls.ts';
import type { Kept } from './interrupt.ts';
import { lastRun } from './last-run.ts';
import type { Job } from './prepare.ts';
import { remembered } from './record-history.ts';
import { revised, revisionOf } from './revision.ts';

export interface Outcome {
  readonly report: Report;
  readonly paths: Written['paths'];
  /** Reports that cannot be written and the user's own reporters that failed, a sentence each. */
  readonly failures: readonly string[];
}

/** Runs the coordinator and writes its report; the job is ended whatever happens. */
export async function runJob(job: Job, control: Control): Promise<Outcome> {
  try {
    const earlier = await lastRun(job);
    const { hooks } = job.extensions;
    const run = runAhead(job.config, job.options, job.outDir);
    await beforeRun(hooks, run, systemClock);
    const found = await judged(job, control);
    if (!control.stop.aborted) await letGo(job);
    const outcome = await written(job, found, earlier, control);
    const failures = await afterRun(hooks, outcome.report, run, systemClock);
    return { ...outcome, failures: [...outcome.failures, ...failures] };
  } finally {
    await job.end();
  }
}

/** Lets go of the run, and of what was compiled, before the reports are made: all are large. An interrupted run has no time for it. */
async function letGo({ descriptions }: Job): Promise<void> {
  for (const { forget } of descriptions) forget?.();
  await giveBackGarbage();
}

/** How a run is watched and ended. */
export interface Control {
  readonly stop: AbortSignal;
  /** Subscribes to what happens in the run. */
  readonly listen: (events: RunEvents) => void;
  /** Tells the run what is thrown where nothing waits for it; absent: it ends the process. */
  readonly strays?: StrayErrors;
  /** Told what of the run stands on the disk by now; absent: nobody asks. */
  readonly keep?: (kept: Kept) => void;
}

/** The result of a run. */
export interface Judged {
  readonly report: Report;
  /** Names of the experiments that it performed. */
  readonly performed: ReadonlySet<string>;
}

/** The conformance run's own report, the part before a resumed run included. What it does is checkpointed on the way. */
export async function judged(job: Job, { stop, listen, strays, keep = () => {} }: Control): Promise<Judged> {
  const { config, options, descriptions, resumed, extensions, redactor } = job;
  const { checks } = extensions;
  const hooks = callHooks(extensions.hooks, runAhead(config, options, job.outDir));
  const performed = new Set(resumed?.performed);
  const whole = (report: Report): Report => (resumed === undefined ? report : continued(resumed.report, report));
  const checkpoints = new CheckpointFile(job, keep);
  const onCheckpoint = (report: Report): Promise<void> => checkpoints.write(whole(report), performed);
  const left = await leftByEarlierRuns(job);
  const journal = await jobJournal(job);
  try {
    const given = { config, options, descriptions, checks, hooks, left, performed };
    const input = { ...given, redactor, clock: systemClock, listen, stop, onCheckpoint, journal };
    const report = whole(await conform({ ...input, ...(strays === undefined ? {} : { strays }) }));
    await checkpoints.settled();
    return { report, performed };
  } finally {
    journal.close();
  }
}

/** The report decided and written, then told of by the user's own reporters. */
export async function written(
  job: Job,
  { report, performed }: Judged,
  earlier: Report | null,
  { keep }: Pick<Control, 'keep'>,
): Promise<Outcome> {
  const { outDir, extensions } = job;
  const final = await decided(job, report, earlier);
  const { paths, failures } = await writeReports(final, outDir);
  if (paths.json !== undefined) keep?.({ path: paths.json, code: exitCode(final) });
  const unwritten = paths.json === undefined ? [] : await sentenceOf(writePerformed(final, performed, outDir));
  const own = await reportOwn(final, outDir, extensions.reporters, systemClock);
  return { report: final, paths, failures: [...failures, ...unwritten, ...own] };
}

/** Why a file is not written; empty where it is. */
async function sentenceOf(writing: Promise<void>): Promise<readonly string[]> {
  try {
    await writing;
    return [];
  } catch (error) {
    if (error instanceof FileUnwritable) return [error.message];
    throw error;
  }
}

/** The report located, compared with the run before, held against what was accepted, and remembered. */
export async function decided(job: Job, report: Report, earlier: Report | null): Promise<Report> {
  const { descriptions, gate, remembers } = job;
  const revision = await revisionOf(process.cwd(), process.env);
  const placed = await located(startedWith(revised(report, revision), job), descriptions, process.cwd());
  const compared = earlier === null ? placed : { ...placed, since: changesSince(earlier, placed) };
  const accepted = gate === null ? compared : accept(compared, gate);
  if (remembers === null) return accepted;
  return remembered(accepted, { ...remembers, revision }, say);
}

/** The report with what it takes to start such a run again, and the hooks that had a part in its requests. */
function startedWith(report: Report, { config: { file, described }, extensions }: Job): Report {
  const config = file === null ? null : nameFrom(process.cwd(), file);
  const hooks = extensions.hooks.filter(({ hook }) => isAroundCalls(hook)).map(({ hook }) => hook.name);
  const told = {
    ...(config === null ? {} : { config }),
    ...(described === undefined ? {} : { described }),
    ...(hooks.length === 0 ? {} : { hooks }),
  };
  return { ...report, run: { ...report.run, ...told } };
}
