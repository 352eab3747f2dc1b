// Passes on a request whose client waits to be asked for its body (`Expect`, RFC 9110, 10.1.1): whether it is asked is the target's
// decision. The client that other requests go through knows no expectations, so these few have one of their own.
import { type ClientRequest, type IncomingMessage, request as open } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { AnswerSink, Forwarded, Passage } from './forwarded.ts';
import type { Connector } from './network.ts';
import { pairsOf } from './transfer.ts';

export interface Way {
  readonly origin: string;
  readonly connect: Connector;
  /** Until an answer begins, 100 among them. ms. */
  readonly answerLimitMs: number;
  readonly longestHeaderBytes: number;
}

/** Sends the head at once, and the body as it comes. Never throws. */
export function forwardExpecting(request: Forwarded, sink: AnswerSink, way: Way): Passage {
  return new Expecting(request, sink, way);
}

class Expecting implements Passage {
  readonly #sink: AnswerSink;
  #request: ClientRequest | null = null;
  #answer: IncomingMessage | null = null;
  #isOver = false;

  constructor(request: Forwarded, sink: AnswerSink, way: Way) {
    this.#sink = sink;
    try {
      this.#begin(request, way);
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  resume(): void {
    this.#answer?.resume();
  }

  abort(): void {
    this.#request?.destroy(new Error('the client is gone'));
  }

  #begin(
    { method, path, headers, body }: Forwarded,
    { origin, connect, answerLimitMs, longestHeaderBytes }: Way,
  ): void {
    const { protocol, host, hostname: named, port } = new URL(origin);
    const hostname = named.replace(/^\[|\]$/g, '');
    const servername = isIP(hostname) === 0 ? hostname : '';
    const request = open({
      ...{ method, path, headers: headers.flat(), maxHeaderSize: longestHeaderBytes, timeout: answerLimitMs },
      createConnection: (_options, connected) => {
        connect({ host, hostname, servername, protocol, port }, (...[error, socket]) => {
          if (error === null) connected(null, socket as Socket);
          else connected(error, null as unknown as Socket);
        });
        return undefined;
      },
    });
    this.#request = request;
    request.on('timeout', () => request.destroy(new Error('the target gives no answer in time')));
    request.on('information', ({ statusCode, rawHeaders }) =>
      this.#sink.onInformation(statusCode, pairsOf(rawHeaders)),
    );
    request.on('response', (answer) => this.#take(answer));
    request.on('error', (error) => this.#fail(error));
    request.flushHeaders();
    if (body === null) request.end();
    else void pipeline(body, request).catch((error: Error) => this.#fail(error));
  }

  #take(answer: IncomingMessage): void {
    this.#answer = answer;
    const { statusCode = 0, statusMessage = '', rawHeaders } = answer;
    this.#sink.onStart(statusCode, statusMessage, pairsOf(rawHeaders));
    answer.on('data', (chunk: Buffer) => {
      if (!this.#sink.onData(chunk)) answer.pause();
    });
    answer.on('error', (error) => this.#fail(error));
    answer.on('end', () => {
      if (this.#isOver) return;
      this.#isOver = true;
      this.#sink.onEnd(pairsOf(answer.rawTrailers));
      // A body that nobody asked for does not come any more.
      this.#request?.destroy();
    });
  }

  #fail(error: Error): void {
    if (this.#isOver) return;
    // An answer that is under way decides; the body may have been refused in its middle.
    if (this.#answer !== null && !this.#answer.destroyed) return;
    this.#isOver = true;
    this.#request?.destroy();
    this.#sink.onFailure(error);
  }
}
