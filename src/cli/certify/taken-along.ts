// What a certification takes along beside the platform's own answers: its webhooks, where a program makes it deliver, and the
// clients that the configuration names.
import { systemClock } from '../../clock/system.ts';
import type { Config, RunOptions } from '../../config/config.ts';
import type { Report } from '../../contract/report.ts';
import { runClients } from '../../run/clients/run-clients.ts';
import type { StrayErrors } from '../../run/perform/stray-errors.ts';
import { usualWaiting } from '../../run/webhooks/receiving.ts';
import { runWebhooks } from '../../run/webhooks/run-webhooks.ts';

export interface TakenAlong {
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
export async function takenAlong(given: TakenAlong): Promise<readonly Report[]> {
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
    reports.push(await runClients({ ...common, config, client }));
  }
  return reports;
}
