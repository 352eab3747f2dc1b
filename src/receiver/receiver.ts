// The server that a platform delivers webhooks to: keeps the raw bodies, answers as its script says, and bounds what a
// hostile sender can make it hold: bytes, headers, connections, deliveries, and time.
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Clock } from '../clock/clock.ts';
import type { ScriptedAnswer } from '../contract/webhooks.ts';
import { type Delivery, type DeliveryAnswer, plainOf } from '../exchange/delivery.ts';
import { DELIVERING_METHODS, handshakeOf } from '../exchange/handshake.ts';
import type { AnswerScript } from './script.ts';

export interface ReceiverOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly script: AnswerScript;
  /** Handshakes of some senders are answered with a signature under it; absent or null: there is none. */
  readonly secret?: string | null;
  readonly clock: Clock;
  /** How long `slow` takes, and how long `hang` keeps the connection. ms. */
  readonly slowMs: number;
  readonly hangMs: number;
  /** A sender that takes longer for a whole request, or half as long for its headers, is cut off. ms; absent: 20 s. */
  readonly requestMs?: number;
  /** Told of each delivery once it is recorded, and again once it is answered. */
  onChange(): void;
}

export interface Receiver {
  readonly url: string;
  /** All that was received so far, in order. What is still being answered has no answer yet. */
  deliveries(): readonly Delivery[];
  hasReceived(): boolean;
  /** Tells whether an answer is still to be given. */
  isAnswering(): boolean;
  /** No more deliveries are kept: one of the bounds is reached. */
  isFull(): boolean;
  /** Requests that were refused unread, for their size; and those that are no deliveries, for their method. */
  counts(): { readonly tooLarge: number; readonly others: number };
  /** The names of the handshakes that were answered, one each, in order. */
  handshakes(): readonly string[];
  /** Ends every connection; resolves when all deliveries know how they were answered. */
  close(): Promise<void>;
}

/** The largest body that is received. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** More deliveries, or more bytes of bodies and headers, are not kept. */
export const MAX_DELIVERIES = 2000;
const MAX_KEPT_BYTES = 32 * 1024 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_CONNECTIONS = 128;
const REQUEST_MS = 20_000;
const MAX_HANDSHAKES = 1000;

const STATUS: Readonly<Record<Exclude<ScriptedAnswer, 'hang'>, number>> = {
  accept: 200,
  slow: 200,
  '500': 500,
  '410': 410,
};

/** Listens. Rejects when the port cannot be opened. */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const records = new Records();
  const server = createServer(options, records);
  await server.listen({ host: options.host, port: options.port });
  const { port } = server.server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `http://${host}:${port}/`,
    deliveries: () => records.all(),
    hasReceived: () => records.hasAny(),
    isAnswering: () => records.isAnswering(),
    isFull: () => records.isFull(),
    counts: () => records.counts,
    handshakes: () => records.handshakes,
    close: async () => {
      records.close(options.clock.now());
      await server.close();
    },
  };
}

type Open = Omit<Delivery, 'answer'> & { answer: DeliveryAnswer | null; said: ScriptedAnswer };

/** Deliveries that were received, within the bounds. */
class Records {
  readonly counts = { tooLarge: 0, others: 0 };
  readonly handshakes: string[] = [];
  readonly #all: Open[] = [];
  #answering = 0;
  #bytes = 0;

  hasAny(): boolean {
    return this.#all.length > 0;
  }

  all(): readonly Delivery[] {
    return this.#all.map(({ said: _said, ...delivery }) => delivery);
  }

  isAnswering(): boolean {
    return this.#answering > 0;
  }

  isFull(): boolean {
    return this.#all.length >= MAX_DELIVERIES || this.#bytes >= MAX_KEPT_BYTES;
  }

  add(received: Omit<Delivery, 'id' | 'answer'>): Open {
    const delivery = { ...received, id: `delivery-${this.#all.length + 1}`, answer: null, said: 'accept' as const };
    this.#all.push(delivery);
    this.#bytes += [received.body, received.plain ?? '', ...received.headers.flat()].reduce(
      (sum, { length }) => sum + length,
      0,
    );
    this.#answering += 1;
    return delivery;
  }

  /** Notes how the connection ended; what ends once the receiver closes is not the sender's doing. */
  answered(delivery: Open, answer: Omit<DeliveryAnswer, 'said'>): void {
    if (delivery.answer !== null) return;
    delivery.answer = { said: delivery.said, ...answer };
    this.#answering -= 1;
  }

  close(nowMs: number): void {
    for (const delivery of this.#all)
      this.answered(delivery, { status: null, afterMs: nowMs - delivery.at, senderLeft: false });
  }
}

function createServer(options: ReceiverOptions, records: Records): FastifyInstance {
  const { requestMs = REQUEST_MS } = options;
  const server = fastify({
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: requestMs,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    http: { maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: requestMs / 2, connectionsCheckingInterval: 500 },
  });
  server.server.maxConnections = MAX_CONNECTIONS;
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  // The body is kept as it is, whatever its type is called.
  server.addHook('onRequest', async (request) => {
    request.raw.headers['content-type'] = 'application/octet-stream';
  });
  server.setErrorHandler((error: { statusCode?: number }, _request, reply) => {
    if (error.statusCode === 413) records.counts.tooLarge += 1;
    reply.code(error.statusCode ?? 500).send({ error: 'not received' });
    options.onChange();
  });
  server.all('/*', (request, reply) => receive(request, reply, options, records));
  return server;
}

function receive(request: FastifyRequest, reply: FastifyReply, options: ReceiverOptions, records: Records): void {
  const received = requestOf(request);
  if (isHandshake(received, reply, options, records)) return;
  if (!DELIVERING_METHODS.has(request.method)) {
    records.counts.others += 1;
    reply.code(200).send({ receives: 'webhooks' });
    return;
  }
  if (records.isFull()) {
    reply.code(503).send({ error: 'full' });
    return;
  }
  const delivery = records.add({ at: options.clock.now(), ...received });
  delivery.said = options.script.answerTo(delivery);
  give(delivery, reply, options, records);
  options.onChange();
}

type Request = Omit<Delivery, 'id' | 'at' | 'answer'>;

function requestOf({ method, url: path, body: sent, raw: { rawHeaders } }: FastifyRequest): Request {
  const headers = Array.from(
    { length: rawHeaders.length / 2 },
    (_, index) => [String(rawHeaders[2 * index]).toLowerCase(), String(rawHeaders[2 * index + 1])] as const,
  );
  const body = Buffer.isBuffer(sent) ? sent : Buffer.alloc(0);
  return { method, path, headers, body, ...plainOf({ headers, body }) };
}

/** Answers a handshake as its sender wants it, and counts it; false for anything else. */
function isHandshake(request: Request, reply: FastifyReply, options: ReceiverOptions, records: Records): boolean {
  const handshake = handshakeOf(request, options.secret ?? null);
  if (handshake === null) return false;
  const { status, headers, body } = handshake.answer;
  if (records.handshakes.length < MAX_HANDSHAKES) records.handshakes.push(handshake.name);
  reply.code(status).headers(Object.fromEntries(headers)).send(body);
  options.onChange();
  return true;
}

/** Answers as said, and notes when the answer was out or the connection was over. */
function give(
  delivery: Open,
  reply: FastifyReply,
  { clock, slowMs, hangMs, onChange }: ReceiverOptions,
  records: Records,
): void {
  const { said } = delivery;
  let isCut = false;
  const answer = (status: number): void => {
    reply.code(status).send({ received: status < 300 });
  };
  const cut = (): void => {
    isCut = true;
    reply.raw.destroy();
  };
  const timer =
    said === 'slow'
      ? clock.after(slowMs, () => answer(STATUS.slow))
      : said === 'hang'
        ? clock.after(hangMs, cut)
        : null;
  reply.raw.once('close', () => {
    timer?.cancel();
    const isOut = reply.raw.writableFinished;
    const status = isOut ? reply.raw.statusCode : null;
    records.answered(delivery, { status, afterMs: clock.now() - delivery.at, senderLeft: !isOut && !isCut });
    onChange();
  });
  if (said === 'hang') reply.hijack();
  else if (said !== 'slow') answer(STATUS[said]);
}
