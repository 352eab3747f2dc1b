// Compressed bodies: small on the line, large in memory, or not what they say.
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
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

/** Gzip whose checksum is wrong. */
function miscounted(body: Buffer): Buffer {
  const whole = gzipSync(body);
  whole.fill(0x5a, whole.length - 8);
  return whole;
}

const ANY = [0, 1, 3];
const GARBAGE = Buffer.from('\0\x1f\x8bgarbage');

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
  {
    name: 'gzip-and-garbage',
    ends: ANY,
    change: (answer) => coded(answer, 'gzip', Buffer.concat([gzipSync(answer.body), GARBAGE])),
  },
  {
    name: 'gzip-in-two-members',
    ends: ANY,
    change: (answer) =>
      coded(answer, 'gzip', Buffer.concat([gzipSync(answer.body.subarray(0, 9)), gzipSync(answer.body.subarray(9))])),
  },
  { name: 'gzip-checksum-wrong', change: (answer) => coded(answer, 'gzip', miscounted(answer.body)) },
  { name: 'gzip-of-nothing', change: (answer) => coded(answer, 'gzip', Buffer.alloc(0)) },
  { name: 'gzip-header-alone', change: (answer) => coded(answer, 'gzip', gzipSync(answer.body).subarray(0, 10)) },
  { name: 'deflate-raw', ends: ANY, change: (answer) => coded(answer, 'deflate', deflateRawSync(answer.body)) },
  { name: 'brotli-of-garbage', change: (answer) => coded(answer, 'br', GARBAGE) },
  { name: 'zstd', ends: ANY, change: (answer) => coded(answer, 'zstd', zstdCompressSync(answer.body)) },
  { name: 'coding-in-capitals', ends: ANY, change: (answer) => coded(answer, 'GZip', gzipSync(answer.body)) },
  { name: 'coding-identity', ends: ANY, change: (answer) => coded(answer, 'identity', answer.body) },
  { name: 'coding-empty', ends: ANY, change: (answer) => coded(answer, ', ,', answer.body) },
  { name: 'codings-many', change: (answer) => coded(answer, 'gzip, '.repeat(5000), gzipSync(answer.body)) },
];
