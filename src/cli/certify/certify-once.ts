// One `assay certify`: conformance, limits and ceilings on the same target, webhooks and clients where the configuration
// names them, joined into one report; the tool's check of itself; the certificate.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signingKey } from '../../certify/sign.ts';
import type { CertificateVerdict, Statement } from '../../certify/statement.ts';
import { removeCertificate, writeCertificate } from '../../certify/write.ts';
import { systemClock } from '../../clock/system.ts';
import type { Config, RunOptions } from '../../config/config.ts';
import { invalidOption } from '../../config/errors.ts';
import { hasClause } from '../../contract/contract.ts';
import { plural } from '../../contract/numbers.ts';
import type { Report } from '../../contract/report.ts';
import { sealed } from '../../exchange/sealed.ts';
import { together } from '../../grading/merge.ts';
import { K6_VERSION } from '../../load/k6/version.ts';
import { STAND_IN } from '../../platform/client/stand-in.ts';
import { terminalText } from '../../reporters/text.ts';
import { runClients } from '../../run/clients/run-clients.ts';
import { runLoad } from '../../run/load/run-load.ts';
import type { LoadSuite } from '../../run/load/suites.ts';
import type { RunEvents } from '../../run/perform/events.ts';
import type { StrayErrors } from '../../run/perform/stray-errors.ts';
import { usualWaiting } from '../../run/webhooks/receiving.ts';
import { runWebhooks } from '../../run/webhooks/run-webhooks.ts';
import { embeddedOnRequest } from '../conform/embedded.ts';
import { type Interruption, interruptibly } from '../conform/interrupt.ts';
import { lastRun } from '../conform/last-run.ts';
import { type Job, prepareJob, requestOf } from '../conform/prepare.ts';
import { rememberCertificate } from '../conform/record-history.ts';
import { judged, type Outcome, written } from '../conform/run-job.ts';
import { forecastOfJob, jobJournal } from '../load/job-creations.ts';
import { loadForecastOfJob } from '../load/load-forecast.ts';
import { SAMPLES_FOLDER } from '../load/resume.ts';
import { EMBEDDED_LIMITS, k6Path, mustBeAllowed } from '../load/run-once.ts';
import { CheckpointFile } from '../process/checkpoint-file.ts';
import { mustBeTold } from '../process/failure.ts';
import { tellGoOn } from '../process/go-on.ts';
import { type RunFlags, runOptions } from '../process/options.ts';
import { humanStream, showPage, tell } from '../process/print-result.ts';
import { foretell } from '../process/say.ts';
import { alsoExported } from '../process/telemetry.ts';
import { watchRun } from '../process/watch.ts';
import { foretellingLimits } from './limits-foretold.ts';
import { mustBeCertifiable } from './preconditions.ts';
import { selfCheck, toolDigest } from './self-check.ts';

export interface CertifyFlags extends RunFlags {
  readonly subject: readonly string[];
  readonly sign?: string;
  readonly iUnderstandThisIsProduction?: boolean;
}

const EXIT_CODES: Readonly<Record<CertificateVerdict, number>> = {
  conforms: 0,
  'conforms-with-waivers': 0,
  'does-not-conform': 1,
  'no-verdict': 3,
};

/** The load suites of a certificate: none where the contract says nothing of limits, as a description alone does not. */
export function loadsUnder(stated: Config['stated']): readonly LoadSuite[] {
  return hasClause(stated, 'RATE-04') ? ['ratelimit', 'ceiling'] : [];
}

/** Exit code of the certificate's verdict. Throws UsageError before anything was sent, NoVerdict where k6 is missing or nothing can be written. */
export async function certifyOnce(flags: CertifyFlags): Promise<number> {
  const key = flags.sign === undefined ? null : await privateKey(flags.sign);
  for (const file of flags.subject) await readable('--subject', file);
  return interruptibly(async (interruption) => {
    const prepared = await prepareJob({
      ...requestOf(flags),
      embedded: embeddedOnRequest('certify', flags),
      options: runOptions(flags),
      ...(flags.resume === undefined ? {} : { resume: flags.resume }),
      gate: flags.waivers === undefined ? {} : { waivers: flags.waivers },
      history: { file: flags.history ?? null },
      limits: EMBEDDED_LIMITS,
    });
    try {
      const job = { ...prepared, config: withoutErrorMessages(prepared.config) };
      return EXIT_CODES[await verdictOn(job, key, flags, interruption)];
    } finally {
      await prepared.end();
    }
  });
}

/** The verdict of the job's certificate, which is written by then. */
async function verdictOn(
  job: Job,
  key: string | null,
  flags: CertifyFlags,
  interruption: Interruption,
): Promise<CertificateVerdict> {
  mustBeOurs(job);
  mustBeCertifiable(job);
  const suites = loadsUnder(job.config.stated);
  if (suites.length > 0) mustBeAllowed(job, flags);
  const k6 = suites.length === 0 ? null : await k6Path({ quiet: flags.quiet === true }, interruption.signal);
  if (flags.quiet !== true) tellForecasts(job);
  await removeCertificate(job.outDir);
  const outcome = await everything(job, k6, flags, interruption);
  tell(outcome, flags);
  await showPage(outcome, flags);
  if (interruption.signal.aborted) tellGoOn(job, flags, outcome.report);
  mustBeTold(outcome);
  const statement = await certified(job, outcome, key, flags, interruption.signal);
  if (job.remembers !== null && statement.predicate.verdict !== 'no-verdict')
    rememberCertificate(outcome.report.run.id, job.remembers.file, (text) => process.stderr.write(text));
  say(statement, job.outDir, flags);
  return statement.predicate.verdict;
}

function tellForecasts(job: Job): void {
  foretell(`creates ${forecastOfJob(job)}`);
  for (const suite of loadsUnder(job.config.stated)) foretell(`${suite} then creates ${loadForecastOfJob(suite, job)}`);
}

/** Throws UsageError where code of the user's own would take part: the certificate's digest of the tool does not cover it. */
function mustBeOurs({ extensions: { checks, reporters, hooks } }: Job): void {
  const own = [
    ...checks.map(({ check }) => `the check of ${check.clause}`),
    ...reporters.map(({ reporter }) => `the reporter ${reporter.name}`),
    ...hooks.map(({ hook }) => `the hook ${hook.name}`),
  ];
  if (own.length === 0) return;
  throw invalidOption(
    `assay certify: the configuration brings ${own.join(', ')}; a certificate covers what Assay itself judges`,
    'certify with a configuration without extend, checks, reporters and hooks',
  );
}

/** A certificate is passed on: the texts of errors stay out of its evidence, whatever the configuration allows for reports. */
function withoutErrorMessages(config: Config): Config {
  return { ...config, evidence: { ...config.evidence, errorMessages: 'redact' } };
}

/** The parts of the run in order: how far each is, its own progress tells. */
function partsOf({ stated, webhooks, clients }: Config): string {
  const beside = [
    ...(webhooks?.trigger == null ? [] : ['webhooks']),
    ...clients.map(({ name }) => `the client ${name}`),
  ];
  const parts = ['conformance', ...loadsUnder(stated), ...beside, 'a check of assay itself'];
  return `certifies in ${plural(parts.length, 'part')}: ${parts.join(', ')}`;
}

/** Conformance and load as one report, written. */
async function everything(
  job: Job,
  k6: string | null,
  flags: CertifyFlags,
  { signal: stop, strays, keep }: Interruption,
): Promise<Outcome> {
  const { quiet = false } = flags;
  const { stop: stopWatching, told, listen } = await alsoExported(watchRun(flags), job);
  const say = (sentence: string): unknown => (quiet ? null : process.stderr.write(`assay: ${sentence}\n`));
  const suites = loadsUnder(job.config.stated);
  const onExchange = foretellingLimits(job.config, say);
  const watched = {
    listen(events: RunEvents) {
      listen(events);
      if (suites.length > 0) events.on('exchange', ({ exchange }) => onExchange(exchange));
    },
  };
  try {
    say(partsOf(job.config));
    const earlier = await lastRun(job);
    const { report: conformance, performed } = await judged(job, { ...watched, stop, strays, keep });
    const loads: Report[] = [];
    const checkpoints = new CheckpointFile(job, keep);
    const onCheckpoint = (report: Report): Promise<void> =>
      checkpoints.write(together(conformance, [...loads, report]), performed);
    for (const suite of suites) {
      if (stop.aborted) break;
      say(`measures limits: ${suite}`);
      const folder = join(job.outDir, SAMPLES_FOLDER, suite);
      const { config, descriptions, redactor } = job;
      const options = withRest(job.options, [conformance, ...loads]);
      const journal = await jobJournal(job);
      const source = { k6, folder, outputs: [], clock: systemClock, journal, strays };
      const input = { suite, config, options, descriptions, redactor, ...source, ...watched, stop, onCheckpoint };
      loads.push(await runLoad(input).finally(() => journal.close()));
    }
    stopWatching();
    await checkpoints.settled();
    const beside = await takenAlong({ config: job.config, options: job.options, stop, strays, say });
    const found = { report: together(conformance, [...loads, ...beside]), performed };
    const outcome = await written(job, found, earlier, { keep });
    await told(outcome.report);
    return outcome;
  } finally {
    stopWatching();
  }
}

async function certified(
  { config, outDir, redactor }: Job,
  { report }: Outcome,
  key: string | null,
  flags: CertifyFlags,
  stop: AbortSignal,
): Promise<Statement> {
  const tool = await toolDigest();
  const onProgress = (done: number, all: number): void => {
    if (flags.quiet !== true && done % 20 === 0)
      process.stderr.write(`assay: checks itself: ${done} of ${plural(all, 'fault')} tried\n`);
  };
  return writeCertificate({
    report,
    folder: outDir,
    selfCheck: stop.aborted ? null : await selfCheck({ tool, env: process.env, stop, onProgress }),
    accept: config.certify.accept,
    subject: flags.subject,
    issuer: config.certify.issuer ?? null,
    configuration: sealed(withoutSecrets(config), redactor),
    toolDigest: tool,
    k6: loadsUnder(config.stated).length === 0 ? null : K6_VERSION,
    key,
  });
}

/** The configuration as it may be kept: whatever a token could be is not there, and neither is a path of this machine. */
function withoutSecrets(config: Config): unknown {
  const { keys, credentials, secrets: _secrets, file: _file, folder: _folder, services, clients, ...rest } = config;
  return {
    ...rest,
    services: services.map(({ name, spec }) => ({ name, described: spec !== null })),
    keys: keys.map(({ name, plan, account, scheme }) => ({ name, plan, account, scheme })),
    credentials: { locked: credentials.locked !== null, expired: credentials.expired !== null },
    clients: clients.map(({ name }) => name),
  };
}

function say({ predicate }: Statement, folder: string, flags: CertifyFlags): void {
  if (flags.quiet === true) return;
  const lines = [
    `\nCertificate  ${predicate.verdict}: ${terminalText(predicate.sentence)}`,
    ...predicate.remarks.map((remark) => `  ${terminalText(remark)}`),
    `  ${join(folder, 'certificate.html')}`,
  ];
  humanStream(flags).write(`${lines.join('\n')}\n`);
}

/** Text of the key file, which can sign: found out before a long run, not after it. */
export async function privateKey(file: string): Promise<string> {
  const pem = await readable('--sign', file);
  try {
    signingKey(pem);
    return pem;
  } catch (error) {
    throw invalidOption(
      `--sign: ${file} holds no Ed25519 private key: ${(error as Error).message}`,
      'openssl genpkey -algorithm ed25519 -out release-key.pem makes one (without a passphrase)',
    );
  }
}

async function readable(option: string, file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: Error) => {
    throw invalidOption(`${option}: ${file} cannot be read: ${error.message}`, 'name a file that is there');
  });
}

/** The options with what these parts have left of the budget; 0 where they spent it all. */
export function withRest<T extends Pick<RunOptions, 'budget'>>(
  options: T,
  parts: readonly Pick<Report, 'counts'>[],
): T {
  const { budget } = options;
  const spent = parts.reduce((sum, { counts }) => sum + counts.requests, 0);
  return budget === null ? options : { ...options, budget: Math.max(0, budget - spent) };
}

/**
 * The parts of a certification beside the platform's own answers: its webhooks, where a program makes it deliver, and
 * the clients that the configuration names.
 */
interface TakenAlong {
  readonly config: Config;
  readonly options: RunOptions;
  readonly stop: AbortSignal;
  readonly strays: StrayErrors;
  /** Told what happens, a sentence each. */
  say(sentence: string): void;
}

/** How long deliveries are waited for; all of them seldom take so long. */
const WEBHOOK_SECONDS = 120;

/** A report of each, in order; a run that was stopped takes nothing more along. */
async function takenAlong(given: TakenAlong): Promise<readonly Report[]> {
  const { config, options, stop, strays, say } = given;
  const common = { options, checks: [], clock: systemClock, stop, strays };
  const reports: Report[] = [];
  if (config.webhooks?.trigger != null && !stop.aborted) {
    const onListening = (): void => say('receives webhooks, as webhooks.trigger makes the platform deliver');
    const source = {
      host: '127.0.0.1',
      port: 0,
      env: process.env,
      waiting: usualWaiting(WEBHOOK_SECONDS),
      onListening,
    };
    reports.push(await runWebhooks({ ...common, config, source, say }));
  }
  for (const { name, command, env } of config.clients) {
    if (stop.aborted) break;
    say(`plays the platform for the client ${name}`);
    const client = { command, env: { ...process.env, ...env }, folder: process.cwd(), name };
    reports.push(await runClients({ ...common, config, client, standIn: STAND_IN }));
  }
  return reports;
}
