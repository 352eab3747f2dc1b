// Passes requests of others on to the target as they came, and its answers back while they come: nothing is retried, paced,
// decoded or changed, but for the headers that concern one connection only.

import type { Readable } from 'node:stream';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { HeaderList } from '../exchange/exchange.ts';
import { forwardExpecting } from './forward-expecting.ts';
import type { AnswerSink, Forwarded, Passage } from './forwarded.ts';
import { connectorOf, type Network } from './network.ts';
import { pairsOf } from './transfer.ts';
import { withoutContinue } from './unasked-continue.ts';

const CONNECT_LIMIT_MS = 10_000;
/** A client that waits longer for an answer is a rare one. ms. */
const ANSWER_LIMIT_MS = 300_000;
const MAX_CONNECTIONS = 256;
const LONGEST_HEADER_BYTES = 256 * 1024;

/** Headers of one connection (RFC 9110, 7.6.1). */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'transfer-encoding', 'upgrade', 'http2-settings'],
]);

export interface Forwarder {
  /** Never throws. */
  forward(request: Forwarded, sink: AnswerSink): Passage;
  /** Ends what is under way. */
  close(): Promise<void>;
}

/** Forwards to this origin and to no other; `network` absent: directly. Plain HTTP is forwarded without a proxy. */
export function createForwarder(origin: string, network?: Network): Forwarder {
  const isDirect = network === undefined || origin.startsWith('http:');
  const connect = isDirect ? buildConnector({ timeout: CONNECT_LIMIT_MS }) : connectorOf(network, CONNECT_LIMIT_MS);
  const agent = new Agent({
    ...{ connections: MAX_CONNECTIONS, pipelining: 1, allowH2: false, connect: withoutContinue(connect) },
    ...{ headersTimeout: ANSWER_LIMIT_MS, bodyTimeout: 0, maxHeaderSize: LONGEST_HEADER_BYTES },
  });
  const way = { origin, connect, answerLimitMs: ANSWER_LIMIT_MS, longestHeaderBytes: LONGEST_HEADER_BYTES };
  return {
    forward(request, sink) {
      const { method, path, headers, body } = request;
      if (headers.some(([name]) => name.toLowerCase() === 'expect')) return forwardExpecting(request, sink, way);
      const handler = new PassOn(sink);
      try {
        const options = { origin, method, path, headers: headers.flat(), body: body as unknown as Readable | null };
        agent.dispatch(options as Dispatcher.DispatchOptions, handler);
      } catch (error) {
        sink.onFailure(error as Error);
      }
      return handler;
    },
    close: () => agent.destroy(),
  };
}

/** The headers that go on: those of the connection stay behind, and those that `Connection` names. */
export function endToEnd(list: HeaderList): HeaderList {
  const named = list
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((name) => name.trim());
  return list.filter(([name]) => !OF_CONNECTION.has(name.toLowerCase()) && !named.includes(name.toLowerCase()));
}

class PassOn implements Dispatcher.DispatchHandler, Passage {
  readonly #sink: AnswerSink;
  #controller: Dispatcher.DispatchController | null = null;
  #isAborted = false;

  constructor(sink: AnswerSink) {
    this.#sink = sink;
  }

  resume(): void {
    this.#controller?.resume();
  }

  abort(): void {
    this.#isAborted = true;
    this.#controller?.abort(new Error('the client is gone'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isAborted) this.abort();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    _headers: unknown,
    message: string | undefined = '',
  ): void {
    const headers = pairsOf(controller.rawHeaders);
    if (status < 200) this.#sink.onInformation(status, headers);
    else this.#sink.onStart(status, message, headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#sink.onData(chunk)) controller.pause();
  }

  onResponseEnd(controller: Dispatcher.DispatchController): void {
    this.#sink.onEnd(pairsOf(controller.rawTrailers));
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#sink.onFailure(error);
  }
}
