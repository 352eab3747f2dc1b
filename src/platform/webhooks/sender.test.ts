// The platform tells subscribers what happened, once an effect, and delivers until it is accepted.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { openPlatform } from '../../../test/support/platform/platform.ts';
import { simulatedClock } from '../../clock/simulated.ts';
import { systemClock } from '../../clock/system.ts';
import { STANDARD_RULES, signature } from './rules.ts';
import { WebhookSender } from './sender.ts';

const STORE = { name: 'Shop', currency: 'EUR' };
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Answers with these statuses in turn, and then with 200; what it got comes back. */
async function receiver(...statuses: readonly number[]) {
  const got: { readonly headers: IncomingMessage['headers']; readonly body: string }[] = [];
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    got.push({ headers: request.headers, body: await text(request) });
    response.writeHead(statuses[got.length - 1] ?? 200).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close().closeAllConnections());
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

function sending(url: string): WebhookSender {
  const sender = new WebhookSender({ rules: STANDARD_RULES, secret: 'secret', clock: systemClock, unitMs: 20 });
  sender.subscribe(url);
  closing.push(() => sender.stop());
  return sender;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await systemClock.sleep(2);
}

describe('what happened', () => {
  it('is told once for an effect, and not for a replay or a refusal', async () => {
    const platform = await openPlatform();
    const headers = { 'idempotency-key': 'one' };
    const made = await platform.send('POST', '/api/v1/stores', { body: STORE, headers });
    await platform.send('POST', '/api/v1/stores', { body: STORE, headers });
    await platform.send('POST', '/api/v1/stores', { body: {} });
    await platform.send('GET', '/api/v1/stores');
    expect(made.status).toBeLessThan(300);
    expect(platform.events).toEqual([['store.created', made.body]]);
  });
});

describe('a delivery', () => {
  it('is signed over its body, and repeated with the same bytes until it is accepted', async () => {
    const { got, url } = await receiver(500, 410);
    sending(url).announce('store.created', { id: 'store_1' });
    await until(() => got.length === 3);
    await systemClock.sleep(100);
    expect(got).toHaveLength(3);
    const [first] = got;
    expect(new Set(got.map(({ body }) => body)).size).toBe(1);
    expect(JSON.parse(first?.body ?? '')).toMatchObject({ type: 'store.created', data: { id: 'store_1' } });
    expect(first?.headers['x-webhook-signature']).toBe(`sha256=${signature('secret', first?.body ?? '', 'hex')}`);
  });

  it('is given up after six attempts, each later than the one before', () => {
    const waits = [1, 2, 3, 4, 5, 6].map((attempts) => STANDARD_RULES.wait(attempts, false));
    expect(waits).toEqual([1, 2, 4, 8, 16, null]);
    expect(STANDARD_RULES.wait(1, true)).toBeNull();
  });

  it('is not made without a subscription, or once the sender was stopped', async () => {
    const { got, url } = await receiver(500, 500, 500);
    const clock = simulatedClock();
    new WebhookSender({ rules: STANDARD_RULES, secret: 's', clock, unitMs: 1 }).announce('a', {});
    const sender = sending(url);
    sender.announce('b', {});
    await until(() => got.length === 1);
    sender.stop();
    await systemClock.sleep(100);
    expect(got).toHaveLength(1);
  });
});
