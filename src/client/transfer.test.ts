import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { describe, expect, it } from 'vitest';
import { CREATE, fixture, PLAN } from '../../test/support/client/fixture.ts';
import { json } from '../../test/support/client/scripted-server.ts';
import { simulatedClock } from '../clock/simulated.ts';
import { Transfer } from './transfer.ts';

const NEVER = { ...PLAN, retry: 'never' } as const;

/** The failure of one GET to a server that speaks for itself. */
async function failureFrom(onConnection: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => onConnection(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await using run = await fixture(() => {}, { baseUrl });
  const [only] = await run.send(NEVER);
  server.close();
  return only?.failure;
}

describe('limits', () => {
  it('cuts a body at the byte limit and drops the rest', async () => {
    await using run = await fixture((response) => response.writeHead(200).end('x'.repeat(300_000)), {
      byteLimit: 1000,
    });
    const [cut] = await run.send(NEVER);
    expect(cut?.response).toMatchObject({ body: 'x'.repeat(1000), truncated: true });
    const [next] = await run.send(NEVER);
    expect(next?.response?.status).toBe(200);
  });

  it('keeps a body of exactly the byte limit whole', async () => {
    await using run = await fixture((response) => response.writeHead(200).end('x'.repeat(1000)), { byteLimit: 1000 });
    expect((await run.send(NEVER))[0]?.response).toMatchObject({ bytes: 1000, truncated: false });
  });

  it('gives up on a request without an answer, and on a body without an end', async () => {
    await using silent = await fixture(() => {}, { timeLimitMs: 200 });
    expect((await silent.send(PLAN)).map(({ failure }) => failure)).toEqual([
      { kind: 'timeout', message: 'no answer within 200 ms', reusedSocket: false, withinMs: 200 },
    ]);
    await using endless = await fixture((response) => response.writeHead(200).write('['), { timeLimitMs: 200 });
    const [only] = await endless.send(NEVER);
    const message = 'status 200, but no complete body within 200 ms';
    expect(only?.failure).toMatchObject({ kind: 'timeout', message, status: 200 });
  });

  it.each(['text/event-stream', 'application/x-ndjson; charset=utf-8'])(
    'takes a stream of %s for answered when the time is up',
    async (type) => {
      await using run = await fixture(
        (response) => response.writeHead(200, { 'content-type': type }).write('data: 1\n\n'),
        { timeLimitMs: 200 },
      );
      expect((await run.send(NEVER))[0]?.response).toMatchObject({ status: 200, body: 'data: 1\n\n', truncated: true });
    },
  );

  it.each([
    { what: 'a second after its first events', events: ['data: 1\n\n', 'data: 2\n\n'], leftAtMs: 1000 },
    { what: 'two seconds after its head, where no event comes', events: [], leftAtMs: 2000 },
  ])('leaves a stream without an end $what', async ({ events, leftAtMs }) => {
    const clock = simulatedClock();
    const outcomes: unknown[] = [];
    const transfer = new Transfer(
      { timeLimitMs: 30_000, answerLimitMs: 30_000, byteLimit: 1000 },
      clock,
      () => false,
      (outcome) => {
        outcomes.push(outcome);
      },
    );
    const reasons: unknown[] = [];
    const controller = {
      rawHeaders: [Buffer.from('Content-Type'), Buffer.from('text/event-stream;charset=UTF-8')],
      abort: (reason: unknown) => reasons.push(reason),
    } as unknown as Dispatcher.DispatchController;
    transfer.onRequestStart(controller);
    transfer.onResponseStart(controller, 200);
    for (const event of events) transfer.onResponseData(controller, Buffer.from(event));
    await clock.drive(clock.sleep(leftAtMs - 1));
    expect(outcomes).toEqual([]);
    await clock.drive(clock.sleep(1));
    expect(outcomes).toMatchObject([{ received: { status: 200, truncated: true } }]);
    expect(reasons).toHaveLength(1);
  });

  it('waits for the end of a body that is no stream as long as the time limit says', async () => {
    const clock = simulatedClock();
    const outcomes: unknown[] = [];
    const transfer = new Transfer(
      { timeLimitMs: 30_000, answerLimitMs: 30_000, byteLimit: 1000 },
      clock,
      () => false,
      (outcome) => {
        outcomes.push(outcome);
      },
    );
    const controller = { rawHeaders: [], abort() {} } as unknown as Dispatcher.DispatchController;
    transfer.onRequestStart(controller);
    transfer.onResponseStart(controller, 200);
    transfer.onResponseData(controller, Buffer.from('['));
    await clock.drive(clock.sleep(29_999));
    expect(outcomes).toEqual([]);
  });

  it('says how long a request was under way that the end of the run left, and nothing of one that was not sent', async () => {
    const left = async (isConnected: boolean): Promise<unknown> => {
      const clock = simulatedClock();
      const outcomes: unknown[] = [];
      const transfer = new Transfer(
        { timeLimitMs: 30_000, answerLimitMs: 30_000, byteLimit: 1000 },
        clock,
        () => false,
        (outcome) => void outcomes.push(outcome),
      );
      if (isConnected)
        transfer.onRequestStart({ rawHeaders: [], abort() {} } as unknown as Dispatcher.DispatchController);
      await clock.drive(clock.sleep(4000));
      transfer.giveUp('the run ended');
      return outcomes[0];
    };
    expect(await left(true)).toMatchObject({ failure: { kind: 'aborted', withinMs: 4000 } });
    expect(await left(false)).toHaveProperty('failure', expect.not.objectContaining({ withinMs: expect.anything() }));
  });

  it('reads a body that comes compressed unasked', async () => {
    await using run = await fixture((response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":1}')),
    );
    expect((await run.send(NEVER))[0]?.response?.body).toBe('{"a":1}');
  });
});

describe('failures', () => {
  it('tells a refused connection', async () => {
    await using run = await fixture(() => {}, { baseUrl: 'http://127.0.0.1:1' });
    const attempts = await run.send(PLAN);
    expect(attempts.map(({ failure }) => failure?.kind)).toEqual(['refused', 'refused', 'refused', 'refused']);
  });

  it.each<[string, (socket: Socket) => void, string]>([
    ['a connection closed without an answer', (socket) => socket.end(), 'reset'],
    ['a connection reset', (socket) => socket.resetAndDestroy(), 'reset'],
    ['an answer that is no HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9\r\n'), 'protocol'],
    [
      'a body that ends early',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 9\r\n\r\n{}'),
      'protocol',
    ],
  ])('tells %s', async (_, onConnection, kind) => {
    expect(await failureFrom(onConnection)).toMatchObject({ kind, reusedSocket: false });
  });

  it.each<[string, string]>([
    ['whose stated length is more than what comes', 'content-length: 9\r\n\r\n{}'],
    ['in chunks, of which the last is missing', 'transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n'],
  ])('keeps the status of an answer %s', async (_, rest) => {
    for (const end of ['end', 'destroySoon'] as const) {
      const failure = await failureFrom((socket) => {
        socket.write(`HTTP/1.1 404 Not Found\r\n${rest}`, () => socket[end]());
      });
      expect(failure).toMatchObject({ status: 404, reusedSocket: false });
      expect(failure?.kind).toMatch(/^(reset|protocol)$/);
      expect(failure?.message).toMatch(/^status 404, but its body breaks off: /);
    }
  });

  it('says of a request that cannot be sent that it was not', async () => {
    await using run = await fixture((response) => json(response, 200, {}));
    const [only] = await run.send({ ...NEVER, headers: [['X-Bad', 'a\nb']] });
    expect(only?.failure).toMatchObject({ kind: 'aborted', message: expect.stringContaining('invalid X-Bad header') });
    expect(run.server.seen).toHaveLength(0);
  });
});

describe('connections', () => {
  it('are kept alive', async () => {
    await using run = await fixture((response) => json(response, 200, {}));
    for (let index = 0; index < 5; index += 1) await run.send(PLAN);
    expect(run.server.seen.map(({ connection }) => connection)).toEqual([1, 1, 1, 1, 1]);
  });

  it('that the server closed while idle are replaced once without a fuss, both attempts recorded', async () => {
    await using run = await fixture((response, { connection }, index) => {
      if (connection === 1 && index > 0) response.socket?.destroy();
      else json(response, 200, {});
    });
    await run.send(NEVER);
    const [stale, second, ...more] = await run.send(NEVER);
    expect(stale?.failure).toMatchObject({ kind: 'reset', reusedSocket: true });
    expect(second).toMatchObject({ response: { status: 200 }, attempt: 2, previous: stale?.id });
    expect(more).toEqual([]);
    expect(run.server.seen.map(({ connection }) => connection)).toEqual([1, 1, 2]);
  });

  it('that the server closes on the request itself show a reset on a fresh socket', async () => {
    await using run = await fixture((response, _, index) => {
      if (index > 0) response.socket?.destroy();
      else json(response, 200, {});
    });
    await run.send(NEVER);
    const attempts = await run.send(NEVER);
    expect(attempts.map(({ failure }) => failure?.reusedSocket)).toEqual([true, false]);
  });

  it('are not called idle where an answer had begun', async () => {
    await using run = await fixture((response, _, index) => {
      if (index === 0) json(response, 200, {});
      else response.writeHead(404, { 'content-length': 9 }).write('{}', () => response.socket?.destroy());
    });
    await run.send(NEVER);
    const attempts = await run.send(NEVER);
    expect(attempts.map(({ failure }) => failure)).toMatchObject([{ status: 404, reusedSocket: true }]);
  });

  it('do not repeat a POST with a body', async () => {
    await using run = await fixture((response, _, index) => {
      if (index > 0) response.socket?.destroy();
      else json(response, 200, {});
    });
    await run.send(PLAN);
    const attempts = await run.send(CREATE);
    expect(attempts.map(({ failure }) => failure?.reusedSocket)).toEqual([true]);
  });

  it('are never more than allowed', async () => {
    await using run = await fixture((response) => setTimeout(() => json(response, 200, {}), 2), { concurrency: 3 });
    await Promise.all(Array.from({ length: 20 }, () => run.client.send(PLAN)));
    expect(new Set(run.server.seen.map(({ connection }) => connection)).size).toBe(3);
  });
});
