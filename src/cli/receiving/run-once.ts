// One `assay webhooks` or `assay client`, which judge what the platform delivers or a client sends: prepared, received,
// judged, written down, summed up, and turned into an exit code.

import { join, resolve } from 'node:path';
import { CLIENT_JUDGES } from '../../checks/client/judges.ts';
import { HOOK_CLAUSES } from '../../checks/hook/deliveries.ts';
import { systemClock } from '../../clock/system.ts';
import type { Config } from '../../config/config.ts';
import { invalidOption } from '../../config/errors.ts';
import { checkConfig, loadConfig } from '../../config/load.ts';
import { plural } from '../../contract/numbers.ts';
import type { Report } from '../../contract/report.ts';
import { exitCode } from '../../grading/exit-code.ts';
import { STAND_IN } from '../../platform/client/stand-in.ts';
import { writeReports } from '../../reporters/files.ts';
import { reportOwn } from '../../reporters/own-reporter.ts';
import { runClients } from '../../run/clients/run-clients.ts';
import { usualWaiting } from '../../run/webhooks/receiving.ts';
import { runWebhooks, type WebhooksInput } from '../../run/webhooks/run-webhooks.ts';
import { configurationMissing, type Embedded, embeddedOnRequest, startEmbedded } from '../conform/embedded.ts';
import { type Extensions, extensionsOf, mustBeKnown } from '../conform/extensions.ts';
import { type Interruption, interruptibly } from '../conform/interrupt.ts';
import { checkServices, makeWritable } from '../conform/prepare.ts';
import type { Outcome } from '../conform/run-job.ts';
import { mustBeTold } from '../process/failure.ts';
import { listeningAt } from '../process/listening.ts';
import { receivingOptions } from '../process/options.ts';
import { tell } from '../process/print-result.ts';
import { keepSecret } from '../process/say.ts';
import { recordedDeliveries } from './deliveries-file.ts';
import type { ReceivingFlags, WebhookFlags } from './options.ts';

/** Exit code of the run. Throws UsageError before anything was received, NoVerdict where no report can be written. */
export async function webhooksOnce(flags: WebhookFlags): Promise<number> {
  return interruptibly(async (interruption) => {
    const target = await targetOf(flags);
    try {
      return told(await received(target.config, flags, interruption), flags);
    } finally {
      await target.end();
    }
  });
}

/** Exit code of the run. Throws UsageError before anything was started, NoVerdict where no report can be written. */
export async function clientOnce(command: readonly string[], flags: ReceivingFlags): Promise<number> {
  return interruptibly(async (interruption) => {
    return told(await played(command, flags, interruption), flags);
  });
}

async function received(config: Config, flags: WebhookFlags, { signal: stop, strays }: Interruption): Promise<Outcome> {
  const { options, checks, reporters, outDir } = await prepared('webhooks', HOOK_CLAUSES, config, flags);
  const source = await sourceOf(flags);
  await makeWritable(outDir);
  const say = (sentence: string): unknown => process.stderr.write(`assay: ${sentence}\n`);
  const input = { config, options, checks, source, say, clock: systemClock, stop, strays };
  const report = await listeningAt(flags, 'webhooks cannot be received', () => runWebhooks(input));
  return written(report, outDir, reporters);
}

async function played(
  command: readonly string[],
  flags: ReceivingFlags,
  { signal: stop, strays }: Interruption,
): Promise<Outcome> {
  const config = await configOf(flags);
  const { options, checks, reporters, outDir } = await prepared('client', Object.keys(CLIENT_JUDGES), config, flags);
  await makeWritable(outDir);
  const client = { command, env: process.env, folder: process.cwd(), name: null };
  const onScenario = progress(flags);
  const report = await runClients({
    config,
    options,
    checks,
    client,
    standIn: STAND_IN,
    clock: systemClock,
    stop,
    strays,
    onScenario,
  });
  return written(report, outDir, reporters);
}

/** Throws UsageError for what the command does not judge, or the configuration does not know. */
async function prepared(command: string, judged: readonly string[], config: Config, flags: ReceivingFlags) {
  const { checks, reporters } = await extensionsOf(config);
  const options = receivingOptions(flags);
  mustBeKnown('--clause', options.clauses, checks);
  mustJudge(command, judged, options.clauses);
  checkServices(options.services, config);
  return { options, checks, reporters, outDir: resolve(options.out ?? join('reports', options.runId)) };
}

/** Throws UsageError where clauses are asked for and the command judges none of them. */
function mustJudge(command: string, judged: readonly string[], clauses: readonly string[]): void {
  if (clauses.length === 0 || judged.some((id) => clauses.includes(id))) return;
  throw invalidOption(
    `--clause: assay ${command} judges ${judged.join(', ')}, and not ${clauses.join(', ')}`,
    'docs/clauses.md names the command that judges each clause',
  );
}

async function written(report: Report, outDir: string, reporters: Extensions['reporters']): Promise<Outcome> {
  const { paths, failures } = await writeReports(report, outDir);
  return { report, paths, failures: [...failures, ...(await reportOwn(report, outDir, reporters, systemClock))] };
}

function told(outcome: Outcome, flags: ReceivingFlags): number {
  tell(outcome, flags);
  mustBeTold(outcome);
  return exitCode(outcome.report);
}

async function targetOf({ config: file, embedded }: WebhookFlags): Promise<Embedded> {
  const use = embeddedOnRequest('webhooks', { embedded });
  if (use.kind === 'asked') return startEmbedded();
  const config = await loadConfig({ file: file ?? null, baseUrl: null, env: process.env, cwd: process.cwd() });
  if (config === null) throw configurationMissing('assay webhooks needs its webhooks.secret');
  keepSecret(config.secrets);
  return { config, end: async () => {} };
}

async function sourceOf({
  deliveries,
  host,
  port,
  seconds,
  quiet = false,
}: WebhookFlags): Promise<WebhooksInput['source']> {
  if (deliveries !== undefined) return { recorded: await recordedDeliveries(deliveries) };
  const onListening = (url: string): void => {
    process.stdout.write(`${JSON.stringify({ url })}\n`);
    if (!quiet) process.stderr.write(`assay: receiving webhooks at ${url} for at most ${seconds} s\n`);
  };
  return { host, port, env: process.env, waiting: usualWaiting(seconds), onListening };
}

/** The configuration of a client's run; without a file one that says nothing. */
async function configOf({ config: file }: ReceivingFlags): Promise<Config> {
  const config = await loadConfig({ file: file ?? null, baseUrl: null, env: process.env, cwd: process.cwd() });
  if (config === null) {
    const nothing = { target: { baseUrl: 'http://127.0.0.1', environment: 'local' } };
    return { ...checkConfig(nothing, 'no configuration', { baseUrl: null, env: {} }), file: null, folder: null };
  }
  keepSecret(config.secrets);
  return config;
}

const TOLD_EACH = 10;

/** Tells how far a client's run is, every ten scenarios. */
function progress({ quiet = false }: ReceivingFlags): (played: number, all: number) => void {
  if (quiet) return () => {};
  process.stderr.write('assay: plays the platform for the client; waits that the contract asks for take some 20 s\n');
  return (played, all) => {
    if (played % TOLD_EACH === 0) process.stderr.write(`assay: ${played} of ${plural(all, 'scenario')} played\n`);
  };
}
