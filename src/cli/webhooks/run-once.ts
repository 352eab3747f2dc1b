// One `assay webhooks`: prepared, received or read, judged, written down, summed up, and turned into an exit code.
import { join, resolve } from 'node:path';
import { HOOK_CLAUSES } from '../../checks/hook/deliveries.ts';
import { systemClock } from '../../clock/system.ts';
import type { Config } from '../../config/config.ts';
import { loadConfig } from '../../config/load.ts';
import { exitCode } from '../../grading/exit-code.ts';
import { writeReports } from '../../reporters/files.ts';
import { reportOwn } from '../../reporters/own-reporter.ts';
import { usualWaiting } from '../../run/webhooks/receiving.ts';
import { runWebhooks, type WebhooksInput } from '../../run/webhooks/run-webhooks.ts';
import { configurationMissing, type Embedded, embeddedOnRequest, startEmbedded } from '../conform/embedded.ts';
import { extensionsOf, mustBeKnown } from '../conform/extensions.ts';
import { type Interruption, interruptible } from '../conform/interrupt.ts';
import { checkServices, makeWritable } from '../conform/prepare.ts';
import type { Outcome } from '../conform/run-job.ts';
import { mustBeTold } from '../process/failure.ts';
import { mustJudge } from '../process/judged-here.ts';
import { listeningAt } from '../process/listening.ts';
import { receivingOptions } from '../process/options.ts';
import { tell } from '../process/print-result.ts';
import { keepSecret } from '../process/say.ts';
import { recordedDeliveries } from './deliveries-file.ts';
import type { WebhookFlags } from './options.ts';

/** Exit code of the run. Throws UsageError before anything was received, NoVerdict where no report can be written. */
export async function webhooksOnce(flags: WebhookFlags): Promise<number> {
  const interruption = interruptible((text) => process.stderr.write(text));
  try {
    const target = await targetOf(flags);
    try {
      const outcome = await performed(target.config, flags, interruption);
      tell(outcome, flags);
      mustBeTold(outcome);
      return exitCode(outcome.report);
    } finally {
      await target.end();
    }
  } finally {
    interruption.dispose();
  }
}

async function performed(
  config: Config,
  flags: WebhookFlags,
  { signal: stop, strays }: Interruption,
): Promise<Outcome> {
  const { checks, reporters } = await extensionsOf(config);
  const options = receivingOptions(flags);
  mustBeKnown('--clause', options.clauses, checks);
  mustJudge('webhooks', HOOK_CLAUSES, options.clauses);
  checkServices(options.services, config);
  const source = await sourceOf(flags);
  const outDir = resolve(options.out ?? join('reports', options.runId));
  await makeWritable(outDir);
  const say = (sentence: string): unknown => process.stderr.write(`assay: ${sentence}\n`);
  const input = { config, options, checks, source, say, clock: systemClock, stop, strays };
  const report = await listeningAt(flags, 'webhooks cannot be received', () => runWebhooks(input));
  const { paths, failures } = await writeReports(report, outDir);
  return { report, paths, failures: [...failures, ...(await reportOwn(report, outDir, reporters, systemClock))] };
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
