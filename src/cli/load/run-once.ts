// One `assay load`: prepared, allowed, k6 provided, run, written down, summed up, and turned into an exit code.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { systemClock } from '../../clock/system.ts';
import { invalidOption, UsageError, unreadableReport } from '../../config/errors.ts';
import { hasClause } from '../../contract/contract.ts';
import type { LoadPart } from '../../contract/load-part.ts';
import type { Report } from '../../contract/report.ts';
import { accept } from '../../grading/acceptance.ts';
import { exitCode } from '../../grading/exit-code.ts';
import { loadChanges } from '../../load/changes.ts';
import { K6Missing, provideK6 } from '../../load/k6/provide.ts';
import { refusedLoad } from '../../load/safety.ts';
import { writeReports } from '../../reporters/files.ts';
import { reportOwn } from '../../reporters/own-reporter.ts';
import { verdictSentence } from '../../reporters/verdict-sentence.ts';
import { RECORD_FILE, recordedIn } from '../../run/load/record.ts';
import { type LoadInput, runLoad } from '../../run/load/run-load.ts';
import { type LoadSuite, type Measured, suiteOf } from '../../run/load/suites.ts';
import { embeddedOnRequest } from '../conform/embedded.ts';
import { type Interruption, interruptibly } from '../conform/interrupt.ts';
import { lastRun } from '../conform/last-run.ts';
import { type Job, prepareJob, requestOf } from '../conform/prepare.ts';
import { remembered } from '../conform/record-history.ts';
import { revised, revisionOf } from '../conform/revision.ts';
import type { Outcome } from '../conform/run-job.ts';
import { CheckpointFile } from '../process/checkpoint-file.ts';
import { mustBeTold, NoVerdict } from '../process/failure.ts';
import { tellGoOn } from '../process/go-on.ts';
import { runOptions } from '../process/options.ts';
import { showPage, tell } from '../process/print-result.ts';
import { foretell, say } from '../process/say.ts';
import { alsoExported } from '../process/telemetry.ts';
import { watchRun } from '../process/watch.ts';
import { clusterOf, mustOutlive, searchedElsewhere } from './elsewhere.ts';
import { jobJournal } from './job-creations.ts';
import { loadForecastOfJob } from './load-forecast.ts';
import type { LoadFlags } from './options.ts';
import { type ResumedCeilings, resumedCeilings, SAMPLES_FOLDER } from './resume.ts';

/** Small enough to be spent on any machine. */
export const EMBEDDED_LIMITS = {
  standard: { calls: 100, seconds: 4 },
  growth: { calls: 300, seconds: 4 },
  enterprise: { calls: 900, seconds: 4 },
};

/** Suites that send by the clock, and are judged by objectives: they must not find the limiter. */
const ARRIVING: readonly LoadSuite[] = ['capacity', 'soak', 'spike'];
const UNLIMITED: readonly LoadSuite[] = [...ARRIVING, 'pressure'];

const NO_LIMITS = Object.fromEntries(
  Object.keys(EMBEDDED_LIMITS).map((plan) => [plan, { calls: 1_000_000, seconds: 1 }]),
);

/** Exit code of the run. Throws UsageError before anything was sent, NoVerdict where k6 is missing or no report can be written. */
export async function loadOnce(suite: LoadSuite, flags: LoadFlags): Promise<number> {
  if (flags.from !== undefined) await mustBeRecorded(suite, flags.from);
  if (flags.cluster !== undefined) mustOutlive(flags, '--cluster');
  const resumes = flags.resume === undefined ? undefined : await resumedCeilings(flags.resume);
  return interruptibly(async (interruption) => {
    const job = await prepareJob({
      ...requestOf(flags),
      embedded: embeddedOnRequest(`load ${suite}`, flags),
      options: runOptions(flags),
      gate: flags,
      // Samples that are judged again are no other run.
      ...(flags.from === undefined ? { history: { file: flags.history ?? null } } : {}),
      limits: UNLIMITED.includes(suite) ? NO_LIMITS : EMBEDDED_LIMITS,
    });
    const outcome = await performed(suite, job, flags, interruption, resumes);
    tell(outcome, flags);
    await showPage(outcome, flags);
    if (interruption.signal.aborted && suite === 'ceiling' && flags.from === undefined)
      tellGoOn(job, flags, outcome.report);
    mustBeTold(outcome);
    return exitCode(outcome.report);
  });
}

/** The run, written down; the job is ended whatever happens. */
async function performed(
  suite: LoadSuite,
  prepared: Job,
  flags: LoadFlags,
  interruption: Interruption,
  resumes: ResumedCeilings | undefined,
): Promise<Outcome> {
  try {
    const job = flags.cluster === undefined ? prepared : searchedElsewhere(prepared);
    const isRecord = flags.from !== undefined;
    if (suite === 'ratelimit') mustStateLimits(job);
    if (!isRecord) mustBeAllowed(job, flags);
    // Samples that are judged again are no other run.
    const earlier = isRecord ? null : await lastRun(job, suite);
    const k6 = isRecord ? null : await k6Path({ quiet: flags.quiet === true }, interruption.signal);
    const { cluster: context } = flags;
    const cluster = context === undefined ? undefined : await clusterOf(context, flags, job.options.runId);
    if (!isRecord && flags.quiet !== true) foretell(`creates ${loadForecastOfJob(suite, job)}`);
    const folder = resolve(process.cwd(), flags.from ?? job.outDir, SAMPLES_FOLDER);
    const alone = await measured(
      suite,
      job,
      {
        ...{ k6, folder, outputs: flags.k6Out },
        ...(resumes === undefined ? {} : { resumes }),
        ...(cluster === undefined ? {} : { cluster }),
      },
      flags,
      interruption,
    );
    const written = await writtenDown(suite, job, alone, earlier);
    if (written.paths.json !== undefined)
      interruption.keep({ path: written.paths.json, code: exitCode(written.report) });
    const unreported = await reportOwn(written.report, job.outDir, job.extensions.reporters, systemClock);
    return { ...written, failures: [...written.failures, ...unreported] };
  } finally {
    await prepared.end();
  }
}

/** The report of what was measured, compared with an earlier run of its suite, and its files. */
async function writtenDown(suite: LoadSuite, job: Job, alone: Report, earlier: Report | null): Promise<Outcome> {
  const revision = await revisionOf(process.cwd(), process.env);
  const own = revised(alone, revision);
  const found = earlier === null ? own : withChanges(own, earlier);
  // Waivers accept breaches of clauses: in suites that judge objectives alone they change nothing.
  const report =
    job.gate === null || ARRIVING.includes(suite) ? found : withObjectives(suite, accept(found, job.gate), job);
  // A load run tells how it compares with the one before by its figures.
  if (job.remembers !== null) remembered(report, { ...job.remembers, revision }, say);
  const { paths, failures } = await writeReports(report, job.outDir);
  return { report, paths, failures };
}

/** The report with how it compares with an earlier run of its suite. */
function withChanges(report: Report, earlier: Report): Report {
  const since = loadChanges(earlier, report, verdictSentence(earlier).replace(/\.$/, ''));
  return { ...report, load: { ...(report.load as LoadPart), since } };
}

/** The report with its objectives judged again. Waivers accept findings alone: a missed objective stays missed. */
function withObjectives(suite: LoadSuite, accepted: Report, { config }: Job): Report {
  return suiteOf(suite).judged?.(accepted, accepted.load as Measured, config) ?? accepted;
}

/** Throws UsageError where the run has no samples that could be judged again. */
async function mustBeRecorded(suite: LoadSuite, run: string): Promise<void> {
  if (!suiteOf(suite).replays)
    throw invalidOption(
      `--from: what assay load ${suite} tells cannot be made from samples`,
      'leave --from away: it sends',
    );
  const file = resolve(run, SAMPLES_FOLDER, RECORD_FILE);
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text !== null && recordedIn(text) !== null) return;
  if (text !== null)
    throw unreadableReport(
      `--from: ${file} does not say on which operations the load was made`,
      'name the folder of a run as it wrote it',
    );
  throw unreadableReport(
    `--from: ${run} holds no samples of load: ${SAMPLES_FOLDER}/${RECORD_FILE} is missing`,
    'name the folder of an `assay load ratelimit` or `assay load ceiling`',
  );
}

/** Throws UsageError where the contract has no clause that the suite could judge. */
function mustStateLimits({ config: { stated } }: Pick<Job, 'config'>): void {
  if (hasClause(stated, 'RATE-04')) return;
  throw new UsageError(
    'ASSAY_OPTION_INVALID',
    `assay load ratelimit judges clauses on limits, and the contract ${stated.name} states none`,
    'a contract file with `extends: [ratelimit-ietf]` or [ratelimit-x] states them; assay load ceiling measures them under any contract',
  );
}

/** Throws UsageError where the configuration does not let load go to the target. */
export function mustBeAllowed(
  { config }: Job,
  { iUnderstandThisIsProduction: understood }: Pick<LoadFlags, 'iUnderstandThisIsProduction'>,
): void {
  const refused = refusedLoad(config, { understood: understood === true });
  if (refused !== null) throw new UsageError('ASSAY_LOAD_REFUSED', refused.why, refused.hint);
}

/** Path of a k6 that fits, built where it must be. Throws NoVerdict with the one line on how to get it. */
export async function k6Path({ quiet }: { readonly quiet: boolean }, stop: AbortSignal): Promise<string> {
  try {
    const { path } = await provideK6(process.env, (line) => quiet || process.stderr.write(`assay: ${line}\n`), stop);
    return path;
  } catch (error) {
    if (error instanceof K6Missing) throw new NoVerdict(error.message, error.hint, error);
    throw error;
  }
}

async function measured(
  suite: LoadSuite,
  job: Job,
  source: Pick<LoadInput, 'k6' | 'folder' | 'outputs' | 'resumes' | 'cluster'>,
  flags: LoadFlags,
  { signal: stop, strays, keep }: Interruption,
): Promise<Report> {
  const { config, options, descriptions, redactor, extensions } = job;
  const { checks } = extensions;
  const checkpoints = new CheckpointFile(job, keep);
  const { stop: stopWatching, told, ...watched } = await alsoExported(watchRun(flags), job);
  const journal = await jobJournal(job);
  try {
    const input = { suite, config, options, descriptions, redactor, checks, ...source, clock: systemClock };
    const onCheckpoint = (report: Report): Promise<void> => checkpoints.write(report, null);
    const report = await runLoad({ ...input, ...watched, stop, strays, onCheckpoint, journal });
    await told(report);
    return report;
  } finally {
    await checkpoints.settled();
    journal.close();
    stopWatching();
  }
}
