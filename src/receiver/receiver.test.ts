// The receiver keeps what it is sent byte for byte, answers as said, and holds against senders that mean harm.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../clock/system.ts';
import type { ScriptedAnswer } from '../contract/webhooks.ts';
import { MAX_BODY_BYTES, MAX_DELIVERIES, type Receiver, startReceiver } from './receiver.ts';
import { AnswerScript } from './script.ts';

const open: Receiver[] = [];
afterEach(async () => {
  for (const receiver of open.splice(0)) await receiver.close();
});

async function start(answers: readonly ScriptedAnswer[] = [], requestMs = 20_000): Promise<Receiver> {
  const receiver = await startReceiver({
    ...{ host: '127.0.0.1', port: 0, script: new AnswerScript(answers), clock: systemClock },
    ...{ slowMs: 100, hangMs: 200, requestMs, onChange: () => {} },
  });
  open.push(receiver);
  return receiver;
}

function post(receiver: Receiver, body: string | Uint8Array<ArrayBuffer>, init: RequestInit = {}): Promise<Response> {
  return fetch(receiver.url, { method: 'POST', body, ...init });
}

/** Answer to these bytes until the connection ends. */
async function raw({ url }: Receiver, ...pieces: readonly string[]): Promise<string> {
  const socket = socketTo(url);
  for (const piece of pieces) socket.write(piece);
  let text = '';
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  await once(socket, 'close');
  return text;
}

function socketTo(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect(Number(port), hostname).on('error', () => {});
}

describe('a handshake', () => {
  it('is answered as its sender wants it, is no delivery, and leaves the script where it is', async () => {
    const receiver = await start(['500']);
    const asked = await fetch(`${receiver.url}?hub.mode=subscribe&hub.challenge=%3Cb%3E`);
    expect([asked.status, asked.headers.get('content-type'), await asked.text()]).toEqual([
      200,
      'text/plain; charset=utf-8',
      '<b>',
    ]);
    const posted = await post(receiver, '{"type":"url_verification","challenge":"a"}');
    expect(await posted.json()).toMatchObject({ challenge: 'a' });
    const headers = { 'webhook-request-origin': 'events.example.com' };
    const allowed = await fetch(receiver.url, { method: 'OPTIONS', headers });
    expect(allowed.headers.get('webhook-allowed-origin')).toBe('events.example.com');
    expect(receiver.deliveries()).toEqual([]);
    expect(receiver.handshakes()).toHaveLength(3);
    expect((await post(receiver, 'a')).status).toBe(500);
  });

  it('is answered with a signature under the secret', async () => {
    const receiver = await startReceiver({
      ...{ host: '127.0.0.1', port: 0, script: new AnswerScript([]), clock: systemClock, secret: 'secret' },
      ...{ slowMs: 100, hangMs: 200, onChange: () => {} },
    });
    open.push(receiver);
    const answer = await fetch(`${receiver.url}?crc_token=abc`);
    expect(await answer.json()).toEqual({ response_token: 'sha256=mUba1OAOkT/Ivo5dP34RCkqegy+D+wnDRShdeGONig4=' });
  });
});

describe('a delivery', () => {
  it('is kept byte for byte, with its headers as sent, whatever its type', async () => {
    const receiver = await start();
    const body = Uint8Array.from([0, 255, 123, 10, 13, 34]);
    const headers = { 'content-type': 'no type at all', 'X-Signature': 'abc', 'X-Empty': '' };
    expect((await fetch(`${receiver.url}a/b?c=%20d`, { method: 'PUT', body, headers })).status).toBe(200);
    const [delivery] = receiver.deliveries();
    expect(delivery).toMatchObject({ id: 'delivery-1', method: 'PUT', path: '/a/b?c=%20d' });
    expect([...(delivery?.body ?? [])]).toEqual([...body]);
    expect(delivery?.headers).toContainEqual(['content-type', 'no type at all']);
    expect(delivery?.headers).toContainEqual(['x-signature', 'abc']);
    expect(delivery?.headers).toContainEqual(['x-empty', '']);
  });

  it('without a body is kept, too', async () => {
    const receiver = await start();
    await fetch(receiver.url, { method: 'POST' });
    expect(receiver.deliveries()[0]?.body).toHaveLength(0);
  });

  it('is answered as the script says, and knows how', async () => {
    const receiver = await start(['500', '410', 'slow', 'accept']);
    const statuses = [];
    for (const id of ['a', 'b', 'c', 'd', 'a']) statuses.push((await post(receiver, id)).status);
    expect(statuses).toEqual([500, 410, 200, 200, 200]);
    await receiver.close();
    expect(receiver.deliveries().map(({ answer }) => [answer?.said, answer?.status, answer?.senderLeft])).toEqual([
      ['500', 500, false],
      ['410', 410, false],
      ['slow', 200, false],
      ['accept', 200, false],
      ['accept', 200, false],
    ]);
  });

  it('that is to hang gets no answer, and who ended the connection is known', async () => {
    const receiver = await start(['hang', 'hang', 'slow']);
    await expect(post(receiver, 'a')).rejects.toThrow();
    for (const [index, body] of ['b', 'c'].entries()) {
      const stop = new AbortController();
      const sent = post(receiver, body, { signal: stop.signal });
      while (receiver.deliveries().length < index + 2) await systemClock.sleep(1);
      stop.abort();
      await expect(sent).rejects.toThrow();
    }
    while (receiver.isAnswering()) await systemClock.sleep(1);
    expect(receiver.deliveries().map(({ answer }) => [answer?.said, answer?.status, answer?.senderLeft])).toEqual([
      ['hang', null, false],
      ['hang', null, true],
      ['slow', null, true],
    ]);
  });

  it('that is still waiting when the receiver closes was left without an answer by the receiver', async () => {
    const receiver = await startReceiver({
      ...{ host: '127.0.0.1', port: 0, script: new AnswerScript(['hang']), clock: systemClock },
      ...{ slowMs: 60_000, hangMs: 60_000, onChange: () => {} },
    });
    const sent = post(receiver, 'a').catch(() => null);
    while (!receiver.isAnswering()) await systemClock.sleep(1);
    await receiver.close();
    expect(await sent).toBeNull();
    expect(receiver.deliveries()[0]?.answer).toMatchObject({ said: 'hang', status: null, senderLeft: false });
  });
});

it('what is no delivery is answered and not kept', async () => {
  const receiver = await start();
  expect((await fetch(receiver.url)).status).toBe(200);
  expect(receiver.hasReceived()).toBe(false);
  expect(receiver.counts()).toEqual({ tooLarge: 0, others: 1 });
});

it.each(['127.0.0.1', 'localhost'])('listens at %s, and its address can be called', async (host) => {
  const receiver = await startReceiver({
    ...{ host, port: 0, script: new AnswerScript([]), clock: systemClock },
    ...{ slowMs: 1, hangMs: 1, onChange: () => {} },
  });
  open.push(receiver);
  expect(receiver.url).toMatch(new RegExp(`^http://${host}:\\d+/$`));
  expect((await post(receiver, 'x')).status).toBe(200);
});

it('a port that is taken is refused by the system', async () => {
  const { url } = await start();
  const taken = startReceiver({
    ...{ host: '127.0.0.1', port: Number(new URL(url).port), script: new AnswerScript([]), clock: systemClock },
    ...{ slowMs: 1, hangMs: 1, onChange: () => {} },
  });
  await expect(taken).rejects.toMatchObject({ syscall: 'listen', code: 'EADDRINUSE' });
});

describe('against hostile senders', () => {
  it('a body above the bound is refused unread, announced or not', async () => {
    const receiver = await start();
    const announced = await raw(
      receiver,
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n',
      'x'.repeat(100_000),
    );
    expect(announced).toMatch(/^HTTP\/1.1 413 /);
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const chunks = Array.from({ length: 40 }, () => chunk);
    await raw(receiver, 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n', ...chunks);
    expect(receiver.counts().tooLarge).toBe(2);
    expect(receiver.hasReceived()).toBe(false);
    expect((await post(receiver, 'x'.repeat(MAX_BODY_BYTES))).status).toBe(200);
  });

  it('headers above the bound are refused', async () => {
    const receiver = await start();
    const flood = Array.from({ length: 2000 }, (_, index) => `X-${index}: ${'a'.repeat(20)}\r\n`).join('');
    expect(await raw(receiver, `POST / HTTP/1.1\r\nHost: a\r\n${flood}\r\n`)).toMatch(/^HTTP\/1.1 431 /);
    expect(receiver.hasReceived()).toBe(false);
  });

  it('who sends a request byte by byte is cut off', async () => {
    const receiver = await start([], 400);
    expect(await raw(receiver, 'POST / HT')).toMatch(/^(HTTP\/1.1 408 |$)/);
    expect(await raw(receiver, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc')).toMatch(
      /^(HTTP\/1.1 408 |$)/,
    );
    expect(receiver.hasReceived()).toBe(false);
  });

  it('a flood of deliveries fills it, and is refused from then on', async () => {
    const receiver = await start();
    const one = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx';
    const last = one.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    const answers = await raw(receiver, one.repeat(MAX_DELIVERIES + 99), last);
    expect(answers.match(/HTTP\/1.1 200 /g)).toHaveLength(MAX_DELIVERIES);
    expect(answers.match(/HTTP\/1.1 503 /g)).toHaveLength(100);
    expect(receiver.isFull()).toBe(true);
    expect(receiver.deliveries()).toHaveLength(MAX_DELIVERIES);
  });

  it('more connections than it serves are dropped', async () => {
    const { url } = await start();
    const sockets = Array.from({ length: 200 }, () => socketTo(url));
    const closed = sockets.map((socket) => once(socket, 'close'));
    let dropped = 0;
    for (const one of closed) void one.then(() => dropped++);
    while (dropped < 72) await systemClock.sleep(5);
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
    expect(dropped).toBe(200);
  });
});
