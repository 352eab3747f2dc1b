// Plays the platform for one run of a client: a server on loopback that answers as its scenario says and records each request
// with the time of its answer. Bytes, headers, connections and the number of requests are bounded.

import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Told } from '../../contract/client.ts';
import type { ClientRequest } from '../../exchange/client-run.ts';
import type { HeaderList } from '../../exchange/exchange.ts';
import { type PlayOptions, Recording } from './recording.ts';

export interface Play {
  readonly baseUrl: string;
  requests(): readonly ClientRequest[];
  /** More is not recorded: one of the bounds is reached. */
  isFull(): boolean;
  /** Requests that were refused unread, for their size. */
  refused(): number;
  close(): Promise<void>;
}

/** The largest body that is received. */
export const MAX_REQUEST_BYTES = 1024 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_CONNECTIONS = 64;
const REQUEST_MS = 20_000;

/** Listens on a free port of 127.0.0.1. Rejects when none can be opened. */
export async function startPlay(options: PlayOptions): Promise<Play> {
  const record = new Recording(options);
  const server = createServer(record);
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests: () => record.requests,
    isFull: () => record.isFull,
    refused: () => record.refused,
    close: () => server.close(),
  };
}

function createServer(record: Recording): FastifyInstance {
  const server = fastify({
    bodyLimit: MAX_REQUEST_BYTES,
    requestTimeout: REQUEST_MS,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    http: { maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: REQUEST_MS / 2, connectionsCheckingInterval: 500 },
  });
  server.server.maxConnections = MAX_CONNECTIONS;
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  // The body is kept as it is, whatever its type is called; what it was called stands in the raw headers.
  server.addHook('onRequest', async (request) => {
    request.raw.headers['content-type'] = 'application/octet-stream';
  });
  server.setErrorHandler((error: { statusCode?: number }, request, reply) => {
    send(reply, record.refuseUnread(error.statusCode ?? 500, request.url));
  });
  server.all('/*', (request, reply) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const told = record.receive({
      method: request.method,
      url: request.url,
      headers: headersOf(request.raw.rawHeaders),
      body,
    });
    if (told !== null) return send(reply, told);
    reply.hijack();
    reply.raw.destroy();
  });
  return server;
}

function send(reply: FastifyReply, { status, headers, body }: Told): void {
  reply
    .code(status)
    .headers({ ...headers })
    .send(body);
}

function headersOf(raw: readonly string[]): HeaderList {
  return Array.from(
    { length: raw.length / 2 },
    (_, index) => [String(raw[2 * index]).toLowerCase(), String(raw[2 * index + 1])] as const,
  );
}
