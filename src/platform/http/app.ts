// The platform on fastify: routing, bodies and connections. What is decided is decided in platform.ts.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Clock } from '../../clock/clock.ts';
import { computeInTurns, type Pieces } from '../../clock/pieces.ts';
import { PROBLEMS, type Problem } from '../envelope.ts';
import { Platform, type PlatformOptions } from '../platform.ts';
import { prepareJudges } from '../schema/compile.ts';
import type { ServedOperation } from '../schema/served.ts';
import { digest } from '../store/hash.ts';
import { namedParams, routerPath, shapeOf } from '../store/paths.ts';
import type { Answer, Call, Route } from './call.ts';

const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MAX_HEADER_BYTES = 16 * 1024 * 1024;
export const KEEP_ALIVE_MS = 120_000;
/** All methods that a request may come with and the router knows. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const;

const SERVER_OPTIONS = {
  bodyLimit: MAX_BODY_BYTES,
  http: { maxHeaderSize: MAX_HEADER_BYTES },
  keepAliveTimeout: KEEP_ALIVE_MS,
  forceCloseConnections: true,
  exposeHeadRoutes: false,
  routerOptions: { maxParamLength: MAX_HEADER_BYTES },
} as const;

declare module 'fastify' {
  interface FastifyRequest {
    call: Call | null;
  }
  interface FastifyContextConfig {
    route?: Route;
    /** Methods that the path takes, on routes that refuse the others. */
    allowed?: readonly string[];
  }
}

export interface App {
  readonly server: FastifyInstance;
  readonly platform: Platform;
}

/** The platform as a fastify server that does not listen yet. */
export async function createApp(options: PlatformOptions): Promise<App> {
  const platform = new Platform(options);
  const requestId = requestIds(options.instance);
  const callOf = (request: FastifyRequest): Call => {
    const { method, url, headers } = request;
    const route = request.routeOptions.config?.route ?? null;
    const params = route === null ? {} : namedParams(route.operation.path, request.params as Record<string, string>);
    const query = request.query as Record<string, unknown>;
    return callFor(requestId(), options.clock.now(), { method, url, headers, route, params, query });
  };
  const answer = (request: FastifyRequest, reply: FastifyReply, given: Answer | Problem) => {
    request.call ??= callOf(request);
    const whole = 'body' in given ? given : platform.refuse(request.call, given);
    send(reply, request.method, platform.finish(request.call, whole), options.clock);
  };
  const server = fastify({
    ...SERVER_OPTIONS,
    frameworkErrors: (_error, request, reply) =>
      answer(request as FastifyRequest, reply as FastifyReply, PROBLEMS.malformedRequest),
    clientErrorHandler: (error, socket) =>
      refuseUnreadable(platform, requestId(), options.clock, error as Error, socket as Socket),
  });
  server.decorateRequest('call', null);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  server.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config?.isControl === true) {
      done();
      return;
    }
    request.call = callOf(request);
    const refused = platform.admit(request.call, request.routeOptions.config?.allowed ?? null);
    if (refused === null) done();
    else answer(request, reply, refused);
  });
  server.addHook('preHandler', (request, _reply, done) => {
    const operation = request.routeOptions.config?.route?.operation;
    if (operation === undefined) done();
    else whenReady(operation, options.clock.turn, done);
  });
  server.setErrorHandler((error: FastifyError, request, reply) => answer(request, reply, problemOf(error)));
  server.setNotFoundHandler((request, reply) => answer(request, reply, PROBLEMS.notFound));
  await computeInTurns(addRoutes(server, platform, answer), options.clock.turn);
  return { server, platform };
}

/** A call as it begins, before the platform looked at it. */
function callFor(
  requestId: string,
  receivedAt: number,
  request: Pick<Call, 'method' | 'url' | 'headers' | 'route' | 'params' | 'query'>,
): Call {
  const [path = ''] = request.url.split('?', 1);
  return { requestId, receivedAt, ...request, path, body: undefined, key: null, standing: {} };
}

const ready = new WeakSet<ServedOperation>();

/** Calls back when what takes long to compile for the operation is compiled: at once, where nothing does. */
function whenReady(operation: ServedOperation, turn: Clock['turn'], done: (error?: Error) => void): void {
  const pieces = ready.has(operation) ? null : prepareJudges(operation);
  ready.add(operation);
  if (pieces === null || pieces.next().done === true) done();
  else computeInTurns(pieces, turn).then(() => done(), done);
}

type Send = (request: FastifyRequest, reply: FastifyReply, given: Answer | Problem) => void;

/** Every operation, and at each of their paths the methods that are refused. */
function* addRoutes(server: FastifyInstance, platform: Platform, answer: Send): Pieces<void> {
  for (const same of Map.groupBy(platform.routes, ({ operation }) => shapeOf(operation.path)).values()) {
    const first = same[0];
    if (first === undefined) continue;
    const allowed = new Map<string, Route>();
    for (const route of same) if (!allowed.has(route.operation.method)) allowed.set(route.operation.method, route);
    for (const [method, route] of allowed) {
      const url = routerPath(route.operation.path);
      server.route({
        method,
        url,
        config: { route },
        handler: (request, reply) => {
          if (request.call !== null)
            answer(request, reply, platform.respond(request.call, route, request.body as Buffer | undefined));
        },
      });
    }
    const others = METHODS.filter((method) => !allowed.has(method));
    const config = { allowed: [...allowed.keys()] };
    server.route({ method: others, url: routerPath(first.operation.path), config, handler: () => undefined });
    yield;
  }
}

function problemOf(error: FastifyError): Problem {
  if (error.statusCode === 413) return PROBLEMS.tooLarge;
  if (error.statusCode === 415) return PROBLEMS.mediaType;
  if (error.statusCode !== undefined && error.statusCode < 500) return PROBLEMS.malformedRequest;
  process.stderr.write(`reference platform: ${error.stack ?? error.message}\n`);
  return PROBLEMS.internal;
}

/** Opaque ids, unique among all starts. */
function requestIds(instance: string): () => string {
  const start = digest(`requests of ${instance}`).slice(0, 12);
  let count = 0;
  return () => `req_${start}${(count++).toString(36).padStart(6, '0')}`;
}

/** Sends the answer, delivered as it asks; HEAD gets no body. Written to node's response itself: headers and bodies are final here. */
function send(reply: FastifyReply, method: string, answer: Answer, clock: Clock): void {
  const { delivery } = answer;
  reply.hijack();
  if (delivery?.hang === true) return;
  if (delivery?.drop === true) reply.raw.destroy();
  else if (delivery?.delayMs !== undefined) clock.after(delivery.delayMs, () => write(reply.raw, method, answer));
  else write(reply.raw, method, answer);
}

function write(response: ServerResponse, method: string, answer: Answer): void {
  const text = answer.text ?? (answer.body === undefined ? '' : JSON.stringify(answer.body));
  const chunked = answer.delivery?.chunked === true && text !== '' && method !== 'HEAD';
  const headers = answer.delivery?.upperCase === true ? upperCased(answer.headers) : answer.headers;
  if (!chunked && answer.status !== 204) headers['content-length'] ??= String(Buffer.byteLength(text));
  response.writeHead(answer.status, headers);
  const middle = Math.floor(text.length / 2);
  if (answer.delivery?.breakOff === true) response.write(text.slice(0, middle), () => response.destroy());
  else if (chunked) {
    response.write(text.slice(0, middle));
    response.end(text.slice(middle));
  } else response.end(method === 'HEAD' ? undefined : text);
}

function upperCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
}

const DRAIN_MS = 1000;

/** An error of node for a request that its parser gave up. */
interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** Answers what is no readable HTTP request by an enveloped 400, and closes the connection once it is read. */
function refuseUnreadable(
  platform: Platform,
  requestId: string,
  clock: Clock,
  error: ParserError,
  socket: Socket,
): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [, method = '', url = '/'] = /^(\S+) (\S+)/.exec(error.rawPacket?.toString('latin1') ?? '') ?? [];
  const receivedAt = clock.now();
  const call = callFor(requestId, receivedAt, { method, url, headers: {}, route: null, params: {}, query: {} });
  const answer = platform.finish(call, platform.refuse(call, PROBLEMS.malformedRequest));
  const body = JSON.stringify(answer.body);
  const headers = {
    ...answer.headers,
    date: new Date(receivedAt).toUTCString(),
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${answer.status} Refused\r\n${lines.join('')}\r\n${body}`);
  // Bytes that still come in are read and dropped: closing over unread bytes would reset the connection and lose the answer.
  socket.resume();
  clock.after(DRAIN_MS, () => socket.destroy());
}
