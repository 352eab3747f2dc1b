// An answer onto the wire, delivered as it asks.
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Answer } from './call.ts';

/** Sends the answer; HEAD gets no body. */
export function send(reply: FastifyReply, method: string, answer: Answer): void {
  const delivery = answer.delivery;
  if (delivery?.hang === true) {
    reply.hijack();
    return;
  }
  if (delivery?.drop === true) {
    reply.hijack();
    reply.raw.destroy();
    return;
  }
  if (delivery?.delayMs !== undefined) setTimeout(() => write(reply, method, answer), delivery.delayMs);
  else write(reply, method, answer);
}

function write(reply: FastifyReply, method: string, answer: Answer): void {
  reply.code(answer.status);
  // The rest of a body that was not read is drained by node; closing at once would lose the answer (413).
  reply.removeHeader('connection');
  for (const name in answer.headers) {
    if (answer.delivery?.upperCase === true && name !== 'content-type')
      reply.raw.setHeader(name.toUpperCase(), answer.headers[name] ?? '');
    else reply.header(name, answer.headers[name]);
  }
  const text = answer.text ?? (answer.body === undefined ? '' : JSON.stringify(answer.body));
  if (method === 'HEAD') reply.header('content-length', String(Buffer.byteLength(text))).send('');
  else if (answer.delivery?.chunked === true && text !== '') reply.send(Readable.from(pieces(text)));
  else reply.send(text === '' ? undefined : text);
}

function* pieces(text: string): Generator<string> {
  const middle = Math.floor(text.length / 2);
  yield text.slice(0, middle);
  yield text.slice(middle);
}
