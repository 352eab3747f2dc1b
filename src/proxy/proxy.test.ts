// Tries that requests and answers go through the proxy as they were sent, and nothing goes anywhere but to the target.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, request as send } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import type { Clock } from '../clock/clock.ts';
import { systemClock } from '../clock/system.ts';
import { type Passed, startProxy, type TargetProxy } from './proxy.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

interface Stand {
  readonly proxy: TargetProxy;
  readonly target: string;
  readonly passed: Passed[];
}

async function standing(listener: RequestListener, { path = '', clock = systemClock } = {}): Promise<Stand> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  return { ...(await proxied(target, clock)), target };
}

async function proxied(target: string, clock = systemClock): Promise<Omit<Stand, 'target'>> {
  const passed: Passed[] = [];
  const onPassed = (one: Passed): unknown => passed.push(one);
  const proxy = await startProxy({ host: '127.0.0.1', port: 0, target, clock, onPassed });
  closing.push(() => proxy.close());
  return { proxy, passed };
}

/** A target that is handed the head of each request as text, and writes bytes. */
async function answering(answer: (socket: Socket, head: string) => void | Promise<void>) {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (head) => void answer(socket, String(head)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => void server.close());
  return proxied(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

/** Sends bytes as they are; resolves with all that comes back until the connection ends. */
async function raw({ baseUrl }: TargetProxy, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  socket.write(bytes, 'latin1');
  return (await text(socket.setEncoding('latin1'))) as string;
}

const CLOSE = 'Host: a\r\nConnection: close\r\n';

describe('a request', () => {
  it('arrives with its method, raw path and query, headers in their letters and order, and body', async () => {
    const seen: IncomingMessage[] = [];
    const bodies: string[] = [];
    const { proxy, target, passed } = await standing(async (request, response) => {
      seen.push(request);
      bodies.push(await text(request));
      response.end('ok');
    });
    const path = '/api/%7Bx%7D//..;a=1/%2F?b=%20&b=c+d&&=e';
    const headers = `X-One: 1\r\nx-two: \xe4\r\nX-One: 3\r\nX-Hop: gone\r\nConnection: close, X-Hop\r\nContent-Length: 5\r\n`;
    await raw(proxy, `PROPFIND ${path} HTTP/1.1\r\nHost: shop.test\r\n${headers}\r\nhällo`);
    expect([seen[0]?.method, seen[0]?.url, Buffer.from(bodies[0] ?? '').length > 0]).toEqual(['PROPFIND', path, true]);
    const own = seen[0]?.rawHeaders.filter((_, index, all) => /^x-/i.test(all[index - (index % 2)] ?? ''));
    expect(own).toEqual(['X-One', '1', 'x-two', '\xe4', 'X-One', '3']);
    expect(seen[0]?.headers.host).toBe(new URL(target).host);
    expect(seen[0]?.headers['x-hop']).toBeUndefined();
    expect(passed[0]).toMatchObject({ method: 'PROPFIND', url: `${target}${path}` });
  });

  it.each([
    ['chunks', 'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n'],
    ['one piece, once it is asked to go on', 'Expect: 100-continue\r\nContent-Length: 5\r\n\r\nabcde'],
  ])('arrives in %s', async (_how, rest) => {
    const { proxy, passed } = await standing(async (request, response) => response.end(await text(request)));
    const answer = await raw(proxy, `POST / HTTP/1.1\r\n${CLOSE}${rest}`);
    expect(answer).toContain('abcde');
    expect(passed[0]?.requestBody).toEqual({ bytes: Buffer.from('abcde'), isWhole: true });
  });

  it('that waits to be asked for its body has the answer of the target, asked or not', async () => {
    const { proxy, passed } = await answering((socket, head) => {
      expect(head).toMatch(/^Expect: 100-continue\r$/im);
      socket.end('HTTP/1.1 417 Expectation Failed\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno');
    });
    const expecting = 'Expect: 100-continue\r\nContent-Length: 5\r\n\r\n';
    const answer = await raw(proxy, `POST / HTTP/1.1\r\nHost: a\r\n${expecting}`);
    expect(answer).toMatch(/^HTTP\/1\.1 417 Expectation Failed\r\n[\s\S]*\r\n\r\nno$/);
    expect(answer).toMatch(/^Connection: close\r$/im);
    expect(passed[0]).toMatchObject({ answer: { status: 417 }, requestBody: { bytes: Buffer.alloc(0) } });
  });

  it('is asked for its body when the target asks, and not before', async () => {
    const { proxy, passed } = await answering(async (socket) => {
      await systemClock.sleep(50);
      socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      const [body] = await once(socket, 'data');
      socket.end(`HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\n${body}`);
    });
    const socket = connect(Number(new URL(proxy.baseUrl).port), '127.0.0.1');
    socket.write(`PUT / HTTP/1.1\r\n${CLOSE}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n`);
    const [first] = await once(socket, 'data');
    expect(String(first)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('abcde');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 201 Created[\s\S]*abcde$/);
    expect(passed[0]).toMatchObject({ answer: { status: 201 }, requestBody: { bytes: Buffer.from('abcde') } });
  });

  it('is asked for its body where the target knows no expectations', async () => {
    const { proxy } = await answering(async (socket) => {
      const [body] = await once(socket, 'data');
      socket.end(`HTTP/1.0 200 OK\r\n\r\n${body}`);
    });
    const socket = connect(Number(new URL(proxy.baseUrl).port), '127.0.0.1');
    socket.write(`POST / HTTP/1.1\r\n${CLOSE}Expect: 100-continue\r\nContent-Length: 3\r\n\r\n`);
    const [first] = await once(socket, 'data');
    expect(String(first)).toMatch(/^HTTP\/1\.1 100/);
    socket.write('abc');
    expect(await text(socket)).toMatch(/200 OK[\s\S]*abc/);
  });

  it.each([
    ['another expectation is passed on', '1.1', 'Expect: the-moon\r\n', 'the-moon'],
    ['an expectation of HTTP/1.0 is not', '1.0', 'Expect: 100-continue\r\n', 'none'],
  ])('with %s', async (_what, version, header, seen) => {
    const { proxy } = await answering((socket, head) => {
      const expectation = /^Expect: (.*)\r$/im.exec(head)?.[1] ?? 'none';
      socket.end(`HTTP/1.1 417 X\r\nContent-Length: ${expectation.length}\r\nConnection: close\r\n\r\n${expectation}`);
    });
    const answer = await raw(proxy, `POST / HTTP/${version}\r\n${CLOSE}${header}Content-Length: 1\r\n\r\na`);
    expect(answer.endsWith(seen)).toBe(true);
  });

  it('that waits in vain, for the target leaves, is answered 502', async () => {
    const { proxy, passed } = await answering((socket) => void socket.destroy());
    const answer = await raw(proxy, `POST / HTTP/1.1\r\n${CLOSE}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 502/);
    expect([passed[0]?.answer, proxy.own.unreachable]).toEqual([null, 1]);
  });

  it('goes below the path of the target', async () => {
    const { proxy } = await standing((request, response) => response.end(request.url), { path: '/shop' });
    expect(await (await fetch(`${proxy.baseUrl}/api?a`)).text()).toBe('/shop/api?a');
  });

  it('goes nowhere but to the target', async () => {
    const { proxy, target, passed } = await standing((request, response) => response.end(`target ${request.url}`));
    const absolute = (url: string) =>
      raw(proxy, `GET ${url} HTTP/1.1\r\nHost: ${URL.parse(url)?.host}\r\nConnection: close\r\n\r\n`);
    expect(await absolute(`${target}/a`)).toContain('target /a');
    expect(await absolute(`${proxy.baseUrl}/b`)).toContain('target /b');
    for (const other of [
      'http://example.invalid/c',
      'http://127.0.0.1:9/c',
      'http://localhost/c',
      'https://127.0.0.1:9/',
    ])
      expect(await absolute(other)).toMatch(/^HTTP\/1\.1 403[\s\S]*X-Assay-Proxy/i);
    const misled = `GET http://127.0.0.1:9/ HTTP/1.1\r\nHost: ${new URL(target).host}\r\nConnection: close\r\n\r\n`;
    expect(await raw(proxy, misled)).toMatch(/^HTTP\/1\.1 403/);
    expect(await raw(proxy, `CONNECT example.invalid:443 HTTP/1.1\r\n${CLOSE}\r\n`)).toMatch(/^HTTP\/1\.1 501/);
    expect(passed).toHaveLength(2);
    expect(proxy.own.refused).toBe(6);
  });

  it('by an absolute address goes where the address says, whatever Host says', async () => {
    const { proxy, target } = await standing((request, response) => response.end(`target ${request.headers.host}`));
    const other = `GET ${target}/a HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n`;
    expect(await raw(proxy, other)).toContain(`target ${new URL(target).host}`);
  });

  it('that offers HTTP/2 beside is passed on without the offer', async () => {
    const seen: IncomingMessage[] = [];
    const { proxy } = await standing((request, response) => {
      seen.push(request);
      response.end('ok');
    });
    const offer = 'Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
    expect(await raw(proxy, `GET /a HTTP/1.1\r\nHost: a\r\n${offer}\r\n`)).toMatch(/^HTTP\/1\.1 200/);
    expect(seen[0]?.headers).not.toHaveProperty('upgrade');
    expect(seen[0]?.headers).not.toHaveProperty('http2-settings');
  });

  it('that its client breaks off is no failure of the target', async () => {
    const { proxy, passed } = await standing((request) => request.resume());
    const broken = 'POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a"';
    const socket = connect(Number(new URL(proxy.baseUrl).port), '127.0.0.1');
    socket.end(`${broken}\r\nno chunk\r\n`);
    socket.resume();
    await once(socket, 'close');
    await expect.poll(() => passed.length).toBe(1);
    expect([passed[0]?.answer, proxy.own.unreachable]).toEqual([null, 0]);
  });

  it('that ends its side of the connection is answered all the same', async () => {
    const { proxy, passed } = await standing(async (request, response) => {
      const body = await text(request);
      setImmediate(() => response.end(`got ${body}`));
    });
    const ended = async (request: string) => {
      const socket = connect({ port: Number(new URL(proxy.baseUrl).port), host: '127.0.0.1', allowHalfOpen: true });
      socket.end(request);
      const answer = (await text(socket.setEncoding('latin1'))) as string;
      return answer.slice(answer.lastIndexOf('got'));
    };
    expect(await ended('GET /a HTTP/1.1\r\nHost: a\r\n\r\n')).toBe('got ');
    expect(await ended('POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc')).toBe('got abc');
    expect(passed.map(({ answer }) => answer?.status)).toEqual([200, 200]);
  });

  it('to become a WebSocket is refused', async () => {
    const { proxy } = await standing((_request, response) => response.end());
    const upgrade = `GET /live HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
    expect(await raw(proxy, upgrade)).toMatch(/^HTTP\/1\.1 501[\s\S]*WebSockets/);
  });

  it('with a body above the bound is refused, announced or not', async () => {
    const { proxy, passed } = await standing((request) => void request.resume());
    const answer = await raw(proxy, `POST / HTTP/1.1\r\n${CLOSE}Content-Length: 99999999999\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 413/);
    expect([proxy.own.tooLarge, passed.length]).toEqual([1, 0]);
  });
});

describe('an answer', () => {
  it('comes back with its status, reason, headers and body', async () => {
    const { proxy, passed } = await standing((_request, response) => {
      response.sendDate = false;
      response.writeHead(418, 'Short And Stout', [
        'X-A',
        '1',
        'x-b',
        '\xe4',
        'Set-Cookie',
        'a=1',
        'Set-Cookie',
        'b=2',
        'Content-Length',
        '2',
      ]);
      response.end(Buffer.from('ok'));
    });
    const answer = await raw(proxy, `GET / HTTP/1.1\r\n${CLOSE}\r\n`);
    expect(answer).toMatch(
      /^HTTP\/1\.1 418 Short And Stout\r\nX-A: 1\r\nx-b: \xe4\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 2\r\n/,
    );
    expect(passed[0]?.answer).toMatchObject({ status: 418, body: { bytes: Buffer.from('ok'), isWhole: true } });
  });

  it.each([
    ['a HEAD', 'HEAD', 200, 'Content-Length: 1000'],
    ['a 204', 'GET', 204, ''],
    ['a 304', 'GET', 304, 'ETag: "a"'],
  ])('without a body comes back for %s', async (_what, method, status, header) => {
    const { proxy } = await standing((_request, response) => {
      response.writeHead(status, header === '' ? [] : header.split(': '));
      response.end();
    });
    const answer = await raw(proxy, `${method} / HTTP/1.1\r\n${CLOSE}\r\n`);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status}`));
    expect(answer).toContain(header);
    expect(answer.endsWith('\r\n\r\n')).toBe(true);
  });

  it.each([
    ['HEAD', '1.1', 'Transfer-Encoding: chunked\r\n\r\n'],
    ['GET', '1.1', 'Content-Length: 2\r\n\r\nok'],
    ['GET', '1.0', 'Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 7\r\n\r\n'],
  ])('comes back for %s of HTTP/%s where it announces trailers that cannot follow', async (method, version, rest) => {
    const { proxy, passed } = await standing((request) =>
      request.socket.end(`HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nConnection: close\r\n${rest}`),
    );
    expect(await raw(proxy, `${method} / HTTP/${version}\r\n${CLOSE}\r\n`)).toMatch(/^HTTP\/1\.1 200/);
    expect(passed[0]?.answer?.status).toBe(200);
  });

  it('that is preceded by others comes with them, where the client knows such', async () => {
    const { proxy } = await standing((_request, response) => {
      response.writeProcessing();
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      response.end('ok');
    });
    const statuses = async (version: string) =>
      (await raw(proxy, `GET / HTTP/${version}\r\n${CLOSE}\r\n`)).match(/(?<=HTTP\/1\.1 )\d+/g);
    expect(await statuses('1.1')).toEqual(['102', '103', '200']);
    expect(await statuses('1.0')).toEqual(['200']);
  });

  it('comes while it is made, with its trailers', async () => {
    const { proxy } = await standing(async (request, response) => {
      response.writeHead(200, { trailer: 'X-Sum' });
      response.write('first');
      await once(request.socket, 'data').catch(() => {});
      response.addTrailers({ 'X-Sum': '7' });
      response.end('last');
    });
    const request = send(`${proxy.baseUrl}/`).end();
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    const [first] = (await once(answer, 'data')) as [Buffer];
    expect(String(first)).toBe('first');
    request.destroy();
  });

  it('that is compressed is not touched', async () => {
    const bytes = Buffer.from([0x1f, 0x8b, 0, 255, 1]);
    const { proxy, passed } = await standing((_request, response) => response.end(bytes));
    await fetch(proxy.baseUrl).then((answer) => answer.arrayBuffer());
    expect(passed[0]?.answer?.body.bytes).toEqual(bytes);
  });
});

describe('a target that fails', () => {
  it('is told apart from one that answers', async () => {
    const { proxy, passed } = await proxied('http://127.0.0.1:1');
    const answer = await fetch(proxy.baseUrl);
    expect([answer.status, answer.headers.get('x-assay-proxy')]).toEqual([502, 'own answer']);
    expect([passed[0]?.answer, proxy.own.unreachable]).toEqual([null, 1]);
  });

  it('in the middle of an answer ends it, and no whole answer is told', async () => {
    const { proxy, passed } = await standing((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    });
    await expect(fetch(proxy.baseUrl).then((answer) => answer.text())).rejects.toThrow();
    await expect.poll(() => passed.map(({ answer }) => answer)).toEqual([null]);
  });
});

describe('a client that leaves', () => {
  const leaving = async (clock: Clock) => {
    const [came, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { proxy, passed } = await standing(
      (request) => {
        request.once('close', () => left.resolve());
        came.resolve();
      },
      { clock },
    );
    const socket = connect(Number(new URL(proxy.baseUrl).port), '127.0.0.1').on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await came.promise;
    return { socket, left: left.promise, passed };
  };

  it('ends its request at the target, too', async () => {
    const { socket, left, passed } = await leaving(systemClock);
    socket.resetAndDestroy();
    await left;
    await expect.poll(() => passed.map(({ answer }) => answer)).toEqual([null]);
  });

  it('is waited for a while, where it only ends its side', async () => {
    const acts = new Map<number, () => void>();
    const after: Clock['after'] = (delayMs, act) => {
      acts.set(delayMs, act);
      return { cancel: () => acts.delete(delayMs) };
    };
    const { socket, left, passed } = await leaving({ ...systemClock, after });
    socket.end();
    await expect.poll(() => acts.has(10_000)).toBe(true);
    expect(passed).toEqual([]);
    acts.get(10_000)?.();
    await left;
    expect(passed.map(({ answer }) => answer)).toEqual([null]);
  });
});
