// Where the platform is told to deliver webhooks. The source shows no operation for it, so that this one is described nowhere
// and lies at an address that only the ready configuration knows.
import { randomBytes } from 'node:crypto';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { isObject, type JsonObject } from '../json.ts';
import type { WebhookSender } from './sender.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route is no part of the platform's interface. */
    isControl?: boolean;
  }
}

/** Events that a new subscriber gets, so that there is something to receive. */
const SAMPLES = ['store.created', 'payment.processed', 'store.created', 'payment.processed'] as const;

/** Takes subscriptions; resolves what the ready configuration says of webhooks once the port is known. */
export function takeSubscriptions(
  server: FastifyInstance,
  sender: WebhookSender,
  secret: string,
): (baseUrl: string) => JsonObject {
  const path = `/webhook-subscriptions/${randomBytes(12).toString('hex')}`;
  server.post(path, { config: { isControl: true } }, (request, reply) => {
    const url = urlIn(request.body);
    if (url === null) {
      reply.code(400).send();
      return;
    }
    sender.subscribe(url);
    SAMPLES.forEach((type, index) => {
      sender.announce(type, { sample: index + 1 });
    });
    reply.code(204).send();
  });
  const trigger = join(import.meta.dirname, `trigger${extname(import.meta.filename)}`);
  return (baseUrl) => ({ secret, trigger: [process.execPath, trigger, `${baseUrl}${path}`] });
}

/** A secret as Standard Webhooks writes it; other forms take it as text. */
export function newSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

function urlIn(body: unknown): string | null {
  try {
    const value: unknown = JSON.parse(String(body));
    const url = isObject(value) ? value.url : null;
    return typeof url === 'string' && /^https?:$/.test(URL.parse(url)?.protocol ?? '') ? url : null;
  } catch {
    // Who sent no JSON is answered as one who named no URL.
    return null;
  }
}
