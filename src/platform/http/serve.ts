// The reference platform listening on 127.0.0.1, the descriptions that it serves and a ready configuration in a temporary
// folder beside it: for its own process (main.ts), and for tests that open many of them in one.
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../clock/system.ts';
import type { Deviation } from '../deviation.ts';
import type { Limit } from '../limits/limiter.ts';
import type { ServedDocument } from '../schema/served.ts';
import type { StartedPlatform } from '../start.ts';
import { type DeliveryRules, STANDARD_RULES } from '../webhooks/rules.ts';
import { WebhookSender } from '../webhooks/sender.ts';
import { newSecret, takeSubscriptions } from '../webhooks/subscriptions.ts';
import { createApp } from './app.ts';
import { DOCS_URL, publish } from './publish.ts';

export interface ServeOptions {
  readonly documents: readonly ServedDocument[];
  readonly deviations: readonly Deviation[];
  /** Limits by plan name, or "export". */
  readonly limits: Readonly<Record<string, Limit>>;
  readonly seed: number;
  /** 0: one that is free. */
  readonly port: number;
  /** Where webhooks are delivered from the start; null or absent: nowhere until somebody subscribes. */
  readonly webhook?: string | null;
  /** The first retry of a webhook comes after so long. ms; absent: half a second. */
  readonly webhookUnitMs?: number;
}

const WEBHOOK_UNIT_MS = 500;

/** Resolves when the platform listens. Rejects when the port cannot be opened. */
export async function servePlatform(options: ServeOptions): Promise<StartedPlatform> {
  const { documents, deviations, limits, seed } = options;
  const docsUrl = deviations.find((one) => one.docsUrl !== undefined)?.docsUrl ?? DOCS_URL;
  const secret = newSecret();
  const sender = new WebhookSender({
    ...{ rules: deliveryRules(deviations), secret, clock: systemClock },
    unitMs: options.webhookUnitMs ?? WEBHOOK_UNIT_MS,
  });
  if (options.webhook != null) sender.subscribe(options.webhook);
  const { server, platform } = await createApp({
    ...{ documents, deviations, docsUrl, seed, limits, clock: systemClock, instance: crypto.randomUUID() },
    onEvent: (type, data) => sender.announce(type, data),
  });
  const webhooksAt = takeSubscriptions(server, sender, secret);
  await server.listen({ host: '127.0.0.1', port: options.port });
  const { port } = server.server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  const webhooks = webhooksAt(baseUrl);
  const { config, remove } = await publish({ baseUrl, platform, documents, deviations, seed, webhooks });
  const stop = async () => {
    sender.stop();
    await server.close();
    await remove();
  };
  return { baseUrl, config, stop };
}

function deliveryRules(deviations: readonly Deviation[]): DeliveryRules {
  return deviations.reduce((rules, { webhooks }) => webhooks?.(rules) ?? rules, STANDARD_RULES);
}
