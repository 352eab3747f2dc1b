// An answer onto the wire, delivered as it asks. Written to node's response itself: headers and bodies are final here.
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { Clock } from '../../clock/clock.ts';
import type { Answer } from './call.ts';

/** Sends the answer; HEAD gets no body. */
export function send(reply: FastifyReply, method: string, answer: Answer, clock: Clock): void {
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
  if (chunked) {
    const middle = Math.floor(text.length / 2);
    response.write(text.slice(0, middle));
    response.end(text.slice(middle));
  } else response.end(method === 'HEAD' ? undefined : text);
}

function upperCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
}
