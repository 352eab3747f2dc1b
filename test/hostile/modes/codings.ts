// Compressed bodies: small on the line, large in memory, or not what they say.
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { type Answer, type Mode, withBody, withHeader } from '../mode.ts';

const SIZE = 300_000_000;

/** Made when it is first needed: it takes a second. */
function once(make: () => Buffer): () => Buffer {
  let made: Buffer | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

const blanks = (): Buffer => Buffer.alloc(SIZE, ' ');
const gzipped = once(() => gzipSync(blanks(), { level: 9 }));
const deflated = once(() => deflateSync(blanks(), { level: 9 }));
const brotli = once(() => brotliCompressSync(blanks(), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }));
const nested = once(() => gzipSync(gzipSync(gzipped())));

function coded(answer: Answer, coding: string, body: Buffer): Answer {
  return withBody(withHeader(answer, 'Content-Encoding', coding), body);
}

export const CODINGS: readonly Mode[] = [
  { name: 'gzip-bomb', change: (answer) => coded(answer, 'gzip', gzipped()) },
  { name: 'deflate-bomb', change: (answer) => coded(answer, 'deflate', deflated()) },
  { name: 'brotli-bomb', change: (answer) => coded(answer, 'br', brotli()) },
  { name: 'nested-gzip-bomb', change: (answer) => coded(answer, 'gzip, gzip, gzip', nested()) },
  {
    name: 'gzip-of-gzip',
    ends: [0, 1, 3],
    change: (answer) => coded(answer, 'gzip, gzip', gzipSync(gzipSync(answer.body))),
  },
  { name: 'gzip', ends: [0, 1, 3], change: (answer) => coded(answer, 'gzip', gzipSync(answer.body)) },
  { name: 'gzip-cut', change: (answer) => coded(answer, 'gzip', gzipSync(answer.body).subarray(0, -6)) },
  { name: 'gzip-in-name-only', ends: [0, 1, 3], change: (answer) => coded(answer, 'gzip', answer.body) },
  { name: 'coding-unknown', ends: [0, 1, 3], change: (answer) => coded(answer, 'rot13', answer.body) },
  { name: 'codings-many', change: (answer) => coded(answer, 'gzip, '.repeat(5000), gzipSync(answer.body)) },
];
