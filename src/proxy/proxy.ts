// The server between a client and the target: it forwards to the configured target only, passes on what comes as it came, and
// tells of each exchange once its answer is out. Bodies, connections, headers and what is kept of them are bounded.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createForwarder, endToEnd, type Forwarder } from '../client/forward.ts';
import type { Passage } from '../client/forwarded.ts';
import type { Network } from '../client/network.ts';
import type { Clock } from '../clock/clock.ts';
import { header } from '../exchange/body.ts';
import type { HeaderList } from '../exchange/exchange.ts';
import { type Kept, type KeptBody, KeptBytes } from './kept-bytes.ts';

export interface ProxyOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Absolute, without a slash at its end. */
  readonly target: string;
  /** How the target is reached; absent: directly. */
  readonly network?: Network;
  readonly clock: Clock;
  /** Told of each exchange once it is over. */
  onPassed(passed: Passed): void;
}

/** A request that was passed on. */
export interface Passed {
  readonly method: string;
  /** At the target. */
  readonly url: string;
  readonly requestHeaders: HeaderList;
  readonly requestBody: KeptBody;
  /** null: the target gave no whole answer, or the client did not wait for it. */
  readonly answer: { readonly status: number; readonly headers: HeaderList; readonly body: KeptBody } | null;
  /** Epoch ms. */
  readonly sentAt: number;
  readonly durationMs: number;
  readonly waitedMs: number | null;
  /** Gives back the memory of its bodies. */
  release(): void;
}

/** Answers of the proxy in the target's place. */
export interface OwnAnswers {
  unreachable: number;
  tooLarge: number;
  refused: number;
}

export interface TargetProxy {
  readonly baseUrl: string;
  readonly own: Readonly<OwnAnswers>;
  /** Ends every connection. */
  close(): Promise<void>;
}

/** A larger body of a request is refused. Bytes. */
export const MAX_REQUEST_BYTES = 64 * 1024 * 1024;
const MAX_HEADER_BYTES = 64 * 1024;
const MAX_CONNECTIONS = 512;
const HEADERS_MS = 20_000;
/** A client that expects 100 is asked for its body after so long, where the target says nothing. Clients wait about as long. */
const MAX_UNASKED_MS = 1000;
/** A client that closed its side may still wait for the answer, or be gone: nothing tells which, so it is waited for no longer. */
const MAX_HALF_CLOSED_MS = 10_000;
const NOTHING = Buffer.alloc(0);

/** Listens. Rejects when the port cannot be opened. */
export async function startProxy(options: ProxyOptions): Promise<TargetProxy> {
  const { origin, pathname } = new URL(options.target);
  const forwarder = createForwarder(origin, options.network);
  const own: OwnAnswers = { unreachable: 0, tooLarge: 0, refused: 0 };
  const prefix = pathname.replace(/\/+$/, '');
  const ground: Ground = { options, forwarder, own, kept: new KeptBytes(), origin, prefix, port: options.port };
  const server = createServer({
    ...{ maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: HEADERS_MS, requestTimeout: 0, joinDuplicateHeaders: false },
    // Whoever offers HTTP/2 in this way takes an answer by HTTP/1.1, as the clients of Java do. Source: RFC 9110, 7.8.
    shouldUpgradeCallback: ({ headers }) => /websocket/i.test(headers.upgrade ?? ''),
  });
  server.maxConnections = MAX_CONNECTIONS;
  // A client may end its side of the connection with its request (RFC 9112, 9.6); Node would not answer it.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Each request under way listens to it.
  server.on('connection', (socket) => socket.setMaxListeners(0));
  // The target says whether it wants a body, and not Node, which would ask for every one.
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const)
    server.on(event, (request: IncomingMessage, response: ServerResponse) => pass(request, response, ground));
  for (const event of ['upgrade', 'connect'] as const) {
    server.on(event, (_request: IncomingMessage, socket: Duplex) => {
      own.refused += 1;
      refuseRaw(socket, event);
    });
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  ground.port = port;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    baseUrl: `http://${host}:${port}`,
    own,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await forwarder.close();
      await closed;
    },
  };
}

interface Ground {
  readonly options: ProxyOptions;
  readonly forwarder: Forwarder;
  readonly own: OwnAnswers;
  readonly kept: KeptBytes;
  readonly origin: string;
  /** Path of the target's address. */
  readonly prefix: string;
  /** Where the proxy listens; known once it does. */
  port: number;
}

function pass(request: IncomingMessage, response: ServerResponse, ground: Ground): void {
  const path = pathAtTarget(request, ground);
  const announced = Number(request.headers['content-length'] ?? 0);
  if (path === null) {
    ground.own.refused += 1;
    answerOurselves(request, response, 403, 'this proxy forwards to its target only');
  } else if (announced > MAX_REQUEST_BYTES) {
    ground.own.tooLarge += 1;
    answerOurselves(request, response, 413, `the body is larger than ${MAX_REQUEST_BYTES} bytes`);
  } else new Exchanging(request, response, ground, path).begin();
}

/** Path and query at the target; null for a request to anywhere else. */
function pathAtTarget({ url = '/' }: IncomingMessage, { options, origin, prefix, port }: Ground): string | null {
  if (url.startsWith('/')) return `${prefix}${url}`;
  const asked = /^(https?:\/\/[^/?#]*)([^#]*)/i.exec(url);
  if (asked === null) return null;
  const [, authority = '', rest = ''] = asked;
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  // The address decides, and not the header Host, which must be passed over (RFC 9112, 3.2.2). A client that takes this for its
  // proxy names the target, or this proxy itself.
  const named = URL.parse(authority);
  if (named === null) return null;
  if (named.origin === origin) return path;
  const isOurs = named.protocol === 'http:' && (LOOPBACK.has(named.hostname) || named.hostname === options.host);
  return isOurs && Number(named.port || 80) === port ? `${prefix}${path}` : null;
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** One request on its way to the target and back. */
class Exchanging {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #ground: Ground;
  readonly #path: string;
  readonly #sent: Kept;
  readonly #received: Kept;
  readonly #sentAt: number;
  readonly #begunMs: number;
  #passage: Passage | null = null;
  #waitedMs: number | null = null;
  #answer: { readonly status: number; readonly headers: HeaderList } | null = null;
  #isOver = false;
  #isTooLarge = false;
  /** True once the client was told to send its body (100). */
  #isAsked = false;

  constructor(request: IncomingMessage, response: ServerResponse, ground: Ground, path: string) {
    this.#request = request;
    this.#response = response;
    this.#ground = ground;
    this.#path = path;
    this.#sent = ground.kept.open();
    this.#received = ground.kept.open();
    const { clock } = ground.options;
    this.#sentAt = clock.now();
    this.#begunMs = clock.monotonic();
  }

  begin(): void {
    const { forwarder, origin } = this.#ground;
    const { httpVersion, rawHeaders } = this.#request;
    // A request of HTTP/1.0 expects nothing, whatever it says (RFC 9110, 10.1.1).
    const sent = endToEnd(pairsOf(rawHeaders)).filter(([name]) => httpVersion !== '1.0' || !isNamed(name, 'expect'));
    const headers = sent.map(([name, value]) =>
      isNamed(name, 'host') ? ([name, new URL(origin).host] as const) : ([name, value] as const),
    );
    if (header(headers, 'expect') !== null) this.#askSoon();
    this.#response.sendDate = false;
    this.#response.on('drain', () => this.#passage?.resume());
    this.#response.once('close', () => this.#clientGone());
    this.#watchForEnd();
    const { method = 'GET' } = this.#request;
    const body = hasBody(this.#request) ? this.#body() : null;
    this.#passage = forwarder.forward({ method, path: this.#path, headers, body }, this);
  }

  async *#body(): AsyncGenerator<Buffer> {
    let bytes = 0;
    // Where the target answers before the body is there, the client is to have the answer: its connection stays.
    const chunks = this.#request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      this.#isTooLarge = bytes > MAX_REQUEST_BYTES;
      if (this.#isTooLarge) throw new Error('the body is too large');
      this.#sent.add(chunk);
      yield chunk;
    }
  }

  /** A target that knows no expectations waits for the body, and its client for a word: somebody has to begin. */
  #askSoon(): void {
    const timer = this.#ground.options.clock.after(MAX_UNASKED_MS, () => this.#ask());
    this.#response.once('close', () => timer.cancel());
  }

  #watchForEnd(): void {
    const { socket } = this.#request;
    const onEnd = (): void => {
      const isGone = (): void => (this.#answer === null ? this.#clientGone() : undefined);
      const timer = this.#ground.options.clock.after(MAX_HALF_CLOSED_MS, isGone);
      this.#response.once('close', () => timer.cancel());
    };
    socket.once('end', onEnd);
    this.#response.once('close', () => socket.off('end', onEnd));
  }

  #ask(): void {
    if (this.#isAsked || this.#response.headersSent || this.#response.destroyed) return;
    this.#isAsked = true;
    this.#response.writeContinue();
  }

  onInformation(status: number, headers: HeaderList): void {
    // Source: RFC 9110, 15.2.
    if (this.#request.httpVersion === '1.0') return;
    if (status === 100) this.#ask();
    if (status === 102 && !this.#response.headersSent) this.#response.writeProcessing();
    const link = headers.filter(([name]) => isNamed(name, 'link')).map(([, value]) => value);
    if (status === 103 && link.length > 0 && !this.#response.headersSent) this.#response.writeEarlyHints({ link });
  }

  onStart(status: number, message: string, headers: HeaderList): void {
    this.#waitedMs = this.#elapsed();
    this.#answer = { status, headers };
    if (this.#response.destroyed) return;
    try {
      const passed = endToEnd(headers);
      const announced = this.#canTrail(status, headers) ? passed : passed.filter(([name]) => !isNamed(name, 'trailer'));
      this.#response.writeHead(status, message, announced.flat());
      // Headers go out at once. Beside bytes Node writes them as bytes, beside a text as UTF-8.
      this.#response.write(NOTHING);
    } catch {
      // Headers that Node does not write cannot be passed on; the target's answer is judged all the same.
      this.#failOurselves('the answer holds a header that cannot be passed on');
    }
  }

  /**
   * Tells whether Node sends this answer in chunks: only then may it announce trailers (RFC 9110, section 6.5), else it
   * throws.
   */
  #canTrail(status: number, headers: HeaderList): boolean {
    const { method, httpVersion } = this.#request;
    const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
    return hasBody && httpVersion !== '1.0' && header(headers, 'content-length') === null;
  }

  onData(chunk: Buffer): boolean {
    this.#received.add(chunk);
    return this.#response.destroyed || this.#response.write(chunk);
  }

  onEnd(trailers: HeaderList): void {
    if (!this.#response.destroyed) {
      if (trailers.length > 0)
        this.#response.addTrailers(trailers.map(([name, value]): [string, string] => [name, value]));
      this.#response.end();
    }
    this.#over(true);
  }

  onFailure(error: Error): void {
    if (this.#isOver) return;
    if (this.#isTooLarge) {
      this.#ground.own.tooLarge += 1;
      answerOurselves(this.#request, this.#response, 413, `the body is larger than ${MAX_REQUEST_BYTES} bytes`);
    } else if (this.#request.errored !== null) {
      // The client broke off its request: the target had none to answer.
      this.#response.destroy();
    } else if (this.#answer === null) {
      this.#ground.own.unreachable += 1;
      const { code = error.name } = error as NodeJS.ErrnoException;
      this.#failOurselves(`the target gives no answer (${code})`);
    } else this.#response.destroy();
    this.#over(false);
  }

  #failOurselves(reason: string): void {
    answerOurselves(this.#request, this.#response, 502, reason);
  }

  #clientGone(): void {
    if (this.#isOver) return;
    this.#passage?.abort();
    this.#over(false);
  }

  #elapsed(): number {
    return this.#ground.options.clock.monotonic() - this.#begunMs;
  }

  /** Off the way of the answer: it is out by now. */
  #over(isWhole: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { method = 'GET', rawHeaders } = this.#request;
    const [sent, received] = [this.#sent, this.#received];
    this.#ground.options.onPassed({
      ...{ method, url: `${this.#ground.origin}${this.#path}`, requestHeaders: pairsOf(rawHeaders) },
      requestBody: sent.body(),
      answer: this.#answer === null || !isWhole ? null : { ...this.#answer, body: received.body() },
      ...{ sentAt: this.#sentAt, durationMs: this.#elapsed(), waitedMs: this.#waitedMs },
      release: () => {
        sent.release();
        received.release();
      },
    });
  }
}

function isNamed(name: string, wanted: string): boolean {
  return name.toLowerCase() === wanted;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function pairsOf(raw: readonly string[]): HeaderList {
  return Array.from(
    { length: raw.length / 2 },
    (_, index) => [String(raw[2 * index]), String(raw[2 * index + 1])] as const,
  );
}

/** An answer of the proxy itself: its header tells it from one of the target. */
function answerOurselves(request: IncomingMessage, response: ServerResponse, status: number, reason: string): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const headers = { 'content-type': 'application/json', 'x-assay-proxy': 'own answer', connection: 'close' };
  response.writeHead(status, headers);
  response.end(JSON.stringify({ proxy: 'assay proxy', reason }), () => request.destroy());
}

function refuseRaw(socket: Duplex, event: 'upgrade' | 'connect'): void {
  const reason = event === 'upgrade' ? 'assay proxy does not pass on WebSockets' : 'assay proxy opens no tunnels';
  const body = JSON.stringify({ proxy: 'assay proxy', reason });
  socket.on('error', () => socket.destroy());
  socket.end(
    `HTTP/1.1 501 Not Implemented\r\nContent-Type: application/json\r\nX-Assay-Proxy: own answer\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}
