// Answers to what is no readable HTTP request: an unregistered method, a broken header.
import type { Socket } from 'node:net';
import { systemClock } from '../../clock/system.ts';
import { PROBLEMS } from '../envelope.ts';
import type { Platform } from '../platform.ts';
import type { Call } from './call.ts';

const DRAIN_MS = 1000;

/** What node tells of a request that its parser gave up. */
interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** Writes an enveloped 400 and closes the connection once it is read. */
export function refuseUnreadable(
  platform: Platform,
  seen: Pick<Call, 'requestId' | 'receivedAt'>,
  error: ParserError,
  socket: Socket,
): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [, method = '', url = '/'] = /^(\S+) (\S+)/.exec(error.rawPacket?.toString('latin1') ?? '') ?? [];
  const path = url.split('?', 1)[0] ?? url;
  const call: Call = {
    ...seen,
    method,
    url,
    path,
    headers: {},
    route: null,
    params: {},
    query: {},
    body: undefined,
    key: null,
    standing: {},
  };
  const answer = platform.finish(call, platform.refuse(call, PROBLEMS.malformedRequest));
  const body = JSON.stringify(answer.body);
  const headers = {
    ...answer.headers,
    date: new Date(seen.receivedAt).toUTCString(),
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${answer.status} Refused\r\n${lines.join('')}\r\n${body}`);
  // What is still coming in is read and dropped: closing over unread bytes would reset the connection and lose the answer.
  socket.resume();
  systemClock.after(DRAIN_MS, () => socket.destroy());
}
