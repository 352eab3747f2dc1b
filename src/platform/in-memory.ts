// The platform without sockets: a request goes in as it stands on the wire, its answer comes out as it would stand there. All
// but the bytes is as when it serves: the same router, the same reading of bodies, headers read as node reads them.
import {
  type IncomingHttpHeaders,
  IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import { Socket } from 'node:net';
import { createApp, KEEP_ALIVE_MS } from './http/app.ts';
import type { Platform, PlatformOptions } from './platform.ts';

export interface InMemoryRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string | null;
}

export interface InMemoryAnswer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Buffer;
  /** Set: the connection is closed before the body is whole. */
  readonly breaksOff?: true;
}

/** Told of the answer, or of `null` where the connection is closed without one; never, where the platform never answers. */
export type OnAnswer = (answer: InMemoryAnswer | null) => void;

export interface InMemoryPlatform {
  readonly platform: Platform;
  /** Handles a request at the platform's time of now. */
  receive(request: InMemoryRequest, onAnswer: OnAnswer): void;
}

/** Resolves when the platform takes requests. */
export async function openInMemory(options: PlatformOptions): Promise<InMemoryPlatform> {
  const { server, platform } = await createApp(options);
  await server.ready();
  const socket = new Socket();
  return {
    platform,
    receive(request, onAnswer) {
      const message = messageOf(request, socket);
      server.routing(message, new Response(message, () => options.clock.now(), onAnswer));
    },
  };
}

function messageOf({ method, url, headers, body }: InMemoryRequest, socket: Socket): IncomingMessage {
  const message = new IncomingMessage(socket);
  message.method = method;
  message.url = url;
  message.httpVersion = '1.1';
  message.httpVersionMajor = 1;
  message.httpVersionMinor = 1;
  message.rawHeaders = [...headers];
  message.headers = asNodeReads(headers);
  if (body !== null) message.push(body);
  message.push(null);
  message.complete = true;
  return message;
}

/** Headers of which node takes the first where several came; others it joins, by commas where it does not say otherwise. */
const TAKEN_ONCE = new Set([
  ...['age', 'authorization', 'content-length', 'content-type', 'etag', 'expires', 'from', 'host', 'if-modified-since'],
  ...['if-unmodified-since', 'last-modified', 'location', 'max-forwards', 'proxy-authorization', 'referer'],
  ...['retry-after', 'server', 'user-agent'],
]);

function asNodeReads(headers: readonly string[]): IncomingHttpHeaders {
  const read: Record<string, string> = {};
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at]?.toLowerCase() ?? '';
    const value = headers[at + 1]?.trim() ?? '';
    const before = read[name];
    if (before === undefined) read[name] = value;
    else if (!TAKEN_ONCE.has(name)) read[name] = before + (name === 'cookie' ? '; ' : ', ') + value;
  }
  return read;
}

/** Gathers what would be written. */
class Response extends ServerResponse {
  readonly #now: () => number;
  readonly #onAnswer: OnAnswer;
  readonly #chunks: string[] = [];
  #headers: OutgoingHttpHeaders = {};
  #begun = false;

  constructor(message: IncomingMessage, now: () => number, onAnswer: OnAnswer) {
    super(message);
    this.#now = now;
    this.#onAnswer = onAnswer;
  }

  override writeHead(status: number, headers?: unknown): this {
    this.statusCode = status;
    this.#headers = headers as OutgoingHttpHeaders;
    this.#begun = true;
    return this;
  }

  override write(chunk: string, written?: unknown): boolean {
    this.#chunks.push(chunk);
    if (typeof written === 'function') written();
    return true;
  }

  override end(chunk?: unknown): this {
    if (typeof chunk === 'string') this.#chunks.push(chunk);
    this.#onAnswer(this.#written());
    return this;
  }

  #written(): InMemoryAnswer {
    const headers = [...listed(this.#headers), ...this.#standing()];
    return { status: this.statusCode, headers, body: Buffer.from(this.#chunks.join('')) };
  }

  override destroy(): this {
    this.#onAnswer(this.#begun ? { ...this.#written(), breaksOff: true } : null);
    return this;
  }

  /** Headers that node adds by itself. */
  #standing(): readonly string[] {
    const names = Object.keys(this.#headers).map((name) => name.toLowerCase());
    const framed = names.includes('content-length') || this.statusCode === 204;
    return [
      ...(names.includes('date') ? [] : ['Date', new Date(this.#now()).toUTCString()]),
      ...['Connection', 'keep-alive', 'Keep-Alive', `timeout=${KEEP_ALIVE_MS / 1000}`],
      ...(framed ? [] : ['Transfer-Encoding', 'chunked']),
    ];
  }
}

function listed(headers: OutgoingHttpHeaders): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) => valuesOf(value).flatMap((one) => [name, one]));
}

function valuesOf(value: OutgoingHttpHeader | undefined): readonly string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [String(value)];
}
