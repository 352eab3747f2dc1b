// One run of `assay webhooks`: deliveries are received, or read from a recording, judged, and reported like any other run.
import { judgeDeliveries } from '../../checks/hook/deliveries.ts';
import type { BroughtCheck } from '../../checks/own-check.ts';
import type { Config } from '../../config/config.ts';
import type { Report } from '../../contract/report.ts';
import type { Delivery } from '../../exchange/delivery.ts';
import { createRedactor } from '../../exchange/redaction.ts';
import type { Redactor } from '../../exchange/secrets/known-secrets.ts';
import { soundly } from '../perform/soundly.ts';
import type { StrayErrors } from '../perform/stray-errors.ts';
import { type ListeningSource, type Received, type Receiving, receive } from './receiving.ts';
import { webhookReport } from './report.ts';

export interface WebhooksInput extends Receiving {
  /** Tells what is thrown where nothing waits for it; absent: it ends the process. */
  readonly strays?: StrayErrors;
  /** The user's own checks: they are left to other commands, and have a row. */
  readonly checks: readonly BroughtCheck[];
  readonly source: ListeningSource | { readonly recorded: readonly Delivery[] };
}

/** Judges and reports. Rejects only when the port cannot be opened, or for defects of the harness. */
export async function runWebhooks(input: WebhooksInput): Promise<Report> {
  const { config, options, source, clock } = input;
  const startedAtMs = clock.now();
  const redactor = redactorOf(config);
  const received: Received =
    'recorded' in source
      ? { deliveries: source.recorded, url: null, waitedSeconds: null, ended: null, notes: [] }
      : await receivedSoundly(input, source, redactor);
  const { secret = null, header = null, form = null } = config.webhooks ?? {};
  const judgements = judgeDeliveries(received.deliveries, { secret, header, form }, received.waitedSeconds);
  return webhookReport({
    ...{ config, options, checks: input.checks, redactor, received, judgements, startedAtMs },
    endedAtMs: clock.now(),
  });
}

/** What was received; where something of Assay itself failed meanwhile, it has ended without a verdict. */
async function receivedSoundly(input: WebhooksInput, source: ListeningSource, redactor: Redactor): Promise<Received> {
  const { result, failed } = await soundly(input.strays, () => receive(input, source, redactor));
  return failed === null ? result : { ...result, ended: failed };
}

/** Knows every secret of the configuration. */
function redactorOf({ webhooks, keys, credentials, secrets: known }: Config): Redactor {
  const secrets = [
    { name: 'webhook secret', value: webhooks?.secret ?? null },
    { name: 'webhook secret', value: /^(?:v1,)?whsec_(.+)/.exec(webhooks?.secret ?? '')?.[1] ?? null },
    ...keys.map(({ name, token }) => ({ name: `key ${name}`, value: token })),
    ...(['locked', 'expired'] as const).map((kind) => ({ name: `${kind} token`, value: credentials[kind] })),
  ];
  return createRedactor([...secrets.flatMap(({ name, value }) => (value === null ? [] : [{ name, value }])), ...known]);
}
