// Takes away the "100 Continue" that a server may send unasked before its answer (RFC 9110, 15.2), and that undici takes for a broken one.
import type { Socket } from 'node:net';
import type { Connector } from './network.ts';

const WHOLE = /^HTTP\/1\.[01] 100(?: [^\r\n]*)?\r\n(?:[^\r\n]+\r\n)*\r\n/;
const BEGUN = /^HTTP\/1\.[01] 100(?!\d)/;
const SHORTEST_BEGINNING = 'HTTP/1.1 100 '.length;
const LONGEST_HEAD_BYTES = 16_384;

/** The connector, whose sockets show none. */
export function withoutContinue(connector: Connector): Connector {
  return (options, callback) =>
    connector(options, (...[error, socket]) => {
      if (error === null) callback(null, filtered(socket as Socket));
      else callback(error, null);
    });
}

/** Where an answer begins is known by what was written before it: requests are sent one after another. */
function filtered(socket: Socket): Socket {
  const [read, write] = [socket.read.bind(socket), socket.write.bind(socket)];
  let isBeginning = false;
  let held: Buffer = Buffer.alloc(0);
  socket.write = (...args: unknown[]): boolean => {
    isBeginning = true;
    return write(...(args as Parameters<typeof write>));
  };
  socket.read = (size?: number): Buffer | null => {
    let chunk: Buffer | null = read(size);
    while (isBeginning && chunk !== null) {
      held = answerIn(Buffer.concat([held, chunk]));
      isBeginning = isOpen(held);
      chunk = isBeginning ? read(size) : held;
    }
    if (!isBeginning) held = Buffer.alloc(0);
    return chunk;
  };
  return socket;
}

/** The answer behind all of them. */
function answerIn(bytes: Buffer): Buffer {
  if (!mayBegin(bytes)) return bytes;
  const [head] = WHOLE.exec(bytes.toString('latin1', 0, LONGEST_HEAD_BYTES)) ?? [];
  return head === undefined ? bytes : answerIn(bytes.subarray(head.length));
}

/** Tells whether the answer itself has not begun, as far as these bytes show. */
function isOpen(bytes: Buffer): boolean {
  return bytes.length < LONGEST_HEAD_BYTES && mayBegin(bytes);
}

/** Tells whether the first bytes may be those of a 100. Hardly any answer has them, so the others are looked at no further. */
function mayBegin(bytes: Buffer): boolean {
  const text = bytes.toString('latin1', 0, SHORTEST_BEGINNING);
  return (
    BEGUN.test(text) || (text.length < SHORTEST_BEGINNING && 'HTTP/1.1 100 '.startsWith(text.replace('1.0', '1.1')))
  );
}
