// Load by several instances of k6: the bundle that they run (`assay load … --distributed DIR`), and one report of what they
// measured (`assay load --collect DIR`).

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { systemClock } from '../../clock/system.ts';
import type { Config } from '../../config/config.ts';
import { invalidOption, UsageError, unreadableReport } from '../../config/errors.ts';
import { plural } from '../../contract/numbers.ts';
import { exitCode } from '../../grading/exit-code.ts';
import {
  BUNDLE_FILES,
  type Bundle,
  RESULTS_FOLDER,
  SPREAD_SUITES,
  type SpreadFacts,
  type SpreadSuite,
} from '../../load/distributed/bundle.ts';
import { NotWhole, wholeRun } from '../../load/distributed/whole.ts';
import { capsOf } from '../../load/safety.ts';
import { soakWish } from '../../load/soak/settings.ts';
import { writeReports } from '../../reporters/files.ts';
import { reportOwn } from '../../reporters/own-reporter.ts';
import { showProgress } from '../../reporters/terminal/progress.ts';
import { readBundle, writeBundle } from '../../run/load/distributed.ts';
import { runLoad } from '../../run/load/run-load.ts';
import type { LoadSuite } from '../../run/load/suites.ts';
import type { RunEvents } from '../../run/perform/events.ts';
import { RunEnded } from '../../run/perform/interruption.ts';
import { embeddedOnRequest } from '../conform/embedded.ts';
import { interruptibly } from '../conform/interrupt.ts';
import { type Job, prepareJob } from '../conform/prepare.ts';
import type { Outcome } from '../conform/run-job.ts';
import { mustBeTold, NoVerdict } from '../process/failure.ts';
import { type RunFlags, runOptions } from '../process/options.ts';
import { showPage, tell } from '../process/print-result.ts';
import { mustBeShared, mustOutlive } from './elsewhere.ts';
import { INSTANCES, type LoadFlags } from './options.ts';
import { k6Path, mustBeAllowed } from './run-once.ts';

/** Share of the load that is left out at its begin, within bounds: instances begin one after another. */
const [RAMP_SHARE, SHORTEST_RAMP, LONGEST_RAMP] = [0.1, 3, 30];
const EXAMPLE = 'assay load capacity --distributed DIR --rate 300 --seconds 60 makes one step';

/** Writes the bundle; 0. Throws UsageError where the suite cannot be distributed, NoVerdict where there is nothing to send. */
export async function distribute(suite: LoadSuite, folder: string, flags: LoadFlags): Promise<number> {
  const load = fixedLoad(suite, flags);
  if (existsSync(join(folder, BUNDLE_FILES.facts)))
    throw new UsageError(
      'ASSAY_FILE_EXISTS',
      `--distributed: ${folder} holds a bundle already, and samples may belong to it`,
      'name another folder, or remove that one',
    );
  return interruptibly(async (interruption) => {
    const options = runOptions({ ...flags, out: folder });
    const [config, baseUrl] = [flags.config ?? null, flags.baseUrl ?? null];
    mustOutlive(flags, '--distributed');
    const embedded = embeddedOnRequest('load --distributed', {});
    const job = await prepareJob({ config, baseUrl, embedded, options, env: process.env, cwd: process.cwd() });
    return written(job, load, options.runId, flags, interruption.signal);
  }).catch((error: unknown) => {
    if (!(error instanceof RunEnded)) throw error;
    throw new NoVerdict(error.message, 'mend this and give the command again: no bundle was written', error);
  });
}

async function written(
  job: Job,
  suite: SpreadSuite,
  run: string,
  flags: LoadFlags,
  stop: AbortSignal,
): Promise<number> {
  const { config, options, descriptions, redactor, outDir: folder } = job;
  try {
    mustBeAllowed(job, flags);
    mustBeShared(config, '--distributed');
    const facts = factsOf(suite, config, flags);
    const k6 = await k6Path({ quiet: flags.quiet === true }, stop);
    const input = {
      config,
      options,
      descriptions,
      redactor,
      k6,
      folder,
      run,
      facts,
      outputs: flags.k6Out,
      clock: systemClock,
    };
    await writeBundle({ ...input, stop });
    const what = `${facts.ratePerSecond} requests/s for ${facts.seconds} s by ${plural(facts.instances, 'instance')}`;
    if (flags.quiet !== true)
      process.stderr.write(`assay: ${what}; ${join(folder, BUNDLE_FILES.readme)} says how to run them\n`);
    if (flags.json === true) process.stdout.write(`${JSON.stringify({ bundle: folder, run, ...facts })}\n`);
    return 0;
  } finally {
    await job.end();
  }
}

/** The suite, where what it sends is known beforehand. Throws UsageError where it is not. */
function fixedLoad(suite: LoadSuite, { rate, seconds }: LoadFlags): SpreadSuite {
  const refuse = (why: string): UsageError => invalidOption(`--distributed: ${why}`, EXAMPLE);
  const fixed = SPREAD_SUITES.find((name) => name === suite);
  if (fixed === undefined) throw refuse(`assay load ${suite} cannot be shared by instances: only a constant rate can`);
  if (fixed === 'capacity' && (rate === undefined || seconds === undefined))
    throw refuse(
      'a search for capacity chooses each rate by what the one before came to; one step of it needs --rate and --seconds',
    );
  return fixed;
}

/** The load as it will be sent. Throws UsageError where it is more than the configuration allows. */
function factsOf(suite: SpreadSuite, config: Config, flags: LoadFlags): SpreadFacts {
  const { ratePerSecond, seconds } = { ...soakWish(config), ...wishOf(flags) };
  const caps = capsOf(config);
  const rampSeconds = Math.min(LONGEST_RAMP, Math.max(SHORTEST_RAMP, Math.ceil(seconds * RAMP_SHARE)));
  const whole = rampSeconds + seconds;
  const requests = Math.ceil(ratePerSecond * whole);
  const wishes = [
    { name: 'load.caps.ratePerSecond', wanted: ratePerSecond, most: caps.ratePerSecond },
    { name: 'load.caps.seconds', wanted: whole, most: caps.seconds },
    { name: 'load.caps.requests', wanted: requests, most: caps.requests },
    { name: '--budget', wanted: requests, most: flags.budget ?? Number.POSITIVE_INFINITY },
  ];
  const over = wishes.find(({ wanted, most }) => wanted > most);
  if (over !== undefined)
    throw new UsageError(
      'ASSAY_LOAD_REFUSED',
      `${ratePerSecond} requests/s for ${whole} s, ramp included: ${over.wanted}, where ${over.name} allows ${over.most}`,
      'ask for less, or raise the limit',
    );
  return { suite, instances: flags.instances ?? INSTANCES, ratePerSecond, rampSeconds, seconds };
}

function wishOf({ rate, seconds }: LoadFlags): { readonly ratePerSecond?: number; readonly seconds?: number } {
  return { ...(rate === undefined ? {} : { ratePerSecond: rate }), ...(seconds === undefined ? {} : { seconds }) };
}

/** Exit code of the report. Throws UsageError where the folder is no bundle, NoVerdict where samples are missing. Sends nothing. */
export async function collectOnce(folder: string, flags: RunFlags): Promise<number> {
  const { facts } = await wholeBundle(folder);
  return interruptibly(async (interruption) => {
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
  });
}

async function reported(job: Job, folder: string, flags: RunFlags, stop: AbortSignal): Promise<Outcome> {
  const { config, options, descriptions, redactor, outDir, extensions } = job;
  const display = showProgress({ clock: systemClock, stream: process.stderr, quiet: flags.quiet === true });
  try {
    const listen = (events: RunEvents): void => events.on('progress', ({ progress }) => display.update(progress));
    const source = { k6: null, folder, outputs: [], listen, stop };
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
    throw unreadableReport(
      `--collect: ${folder} is no bundle that --distributed wrote: ${error.message}`,
      `name the folder that --distributed wrote; samples belong into its ${RESULTS_FOLDER}/`,
    );
  });
  try {
    await wholeRun(bundle, folder);
    return bundle;
  } catch (error) {
    if (!(error instanceof NotWhole)) throw error;
    const hint = `${join(folder, RESULTS_FOLDER)} must hold the samples of all ${plural(bundle.facts.instances, 'instance')} of one run`;
    throw new NoVerdict(error.message, hint, error);
  }
}
