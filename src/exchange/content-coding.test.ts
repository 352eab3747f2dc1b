import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { decoded } from './content-coding.ts';

const BODY = Buffer.from('{"a":1}');

it.each([
  ['gzip', gzipSync(BODY)],
  ['deflate', deflateSync(BODY)],
  ['BR', brotliCompressSync(BODY)],
  ['zstd', zstdCompressSync(BODY)],
  ['gzip, br', brotliCompressSync(gzipSync(BODY))],
  ['identity', BODY],
])('%s is undone, the last coding first', (coding, body) => {
  expect(decoded(body, coding, 1000)).toEqual({ bytes: BODY, isTooLong: false });
});

it.each([
  ['no coding', null],
  ['an unknown one', 'rot13'],
  ['one that every object inherits', 'constructor'],
  ['more codings than anybody uses', 'gzip, '.repeat(5000)],
])('with %s the body is as received', (_what, coding) => {
  expect(decoded(BODY, coding, 1000)).toEqual({ bytes: BODY, isTooLong: false });
});

it.each(['gzip', 'deflate', 'br', 'zstd'])('a body that is no %s is as received, and told', (coding) => {
  expect(decoded(BODY, coding, 1000)).toEqual({ bytes: BODY, isTooLong: false, isMiscoded: true });
});

it('a body that grows beyond the limit is told, not kept', () => {
  const bomb = gzipSync(gzipSync(Buffer.alloc(100_000)));
  expect(decoded(bomb, 'gzip, gzip', 1000)).toEqual({ bytes: Buffer.alloc(0), isTooLong: true });
});
