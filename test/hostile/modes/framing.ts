// Bodies whose length is a lie, or has no end.
import { headOf, type Line, type Mode } from '../mode.ts';

const GIGABYTE = 2 ** 30;
const PIECE = Buffer.alloc(64 * 1024, ' ');
const JSON_TYPE = [['Content-Type', 'application/json']] as const;

/** Blanks, made as they are read. */
async function blanks(line: Line, bytes: number): Promise<void> {
  for (let left = bytes; left > 0; left -= PIECE.length) if (!(await line.write(PIECE))) return;
}

/** A mode that sends the answer's head with this framing, and then what it likes. */
function framed(name: string, framing: string, then: Mode['send'], ends?: readonly number[]): Mode {
  return {
    name,
    ...(ends === undefined ? {} : { ends }),
    async send(answer, line, chance) {
      await line.write(headOf(answer, framing));
      await then?.(answer, line, chance);
    },
  };
}

const CHUNKED = 'Transfer-Encoding: chunked';
const body: Mode['send'] = async (answer, line) => {
  await line.write(answer.body);
  await line.wait(20);
  line.end();
};

/** One chunk with all of it; nothing for nothing, which would be the last chunk. */
function chunkOf(body: Buffer, extensions = ''): Buffer {
  if (body.length === 0) return body;
  return Buffer.concat([Buffer.from(`${body.length.toString(16)}${extensions}\r\n`), body, Buffer.from('\r\n')]);
}

const ANY = [0, 1, 3];

export const FRAMING: readonly Mode[] = [
  framed('endless-body', 'Connection: close', (_answer, line) => blanks(line, Number.POSITIVE_INFINITY)),
  framed('gigabyte-body', `Content-Length: ${GIGABYTE}`, (_answer, line) => blanks(line, GIGABYTE)),
  framed('length-too-large', 'Content-Length: 100000', body),
  framed('length-too-small', 'Content-Length: 1', body),
  framed('length-with-a-sign', 'Content-Length: +5', body),
  framed('length-in-hexadecimal', 'Content-Length: 0x10', body),
  framed('length-in-a-list', 'Content-Length: 5, 5', body),
  framed('coding-of-transfer-unknown', 'Transfer-Encoding: rot13', body, ANY),
  framed('chunked-twice', 'Transfer-Encoding: chunked, chunked', body),
  framed('chunked-not-last', 'Transfer-Encoding: chunked, identity', body, ANY),
  framed('chunk-size-negative', CHUNKED, async (answer, line) => {
    await line.write(`-5\r\n${answer.body}\r\n0\r\n\r\n`);
    line.end();
  }),
  framed(
    'chunk-extensions',
    CHUNKED,
    async (answer, line) => {
      await line.write(Buffer.concat([chunkOf(answer.body, ';a=b;c="d\\" e";f'), Buffer.from('0;g\r\n\r\n')]));
    },
    ANY,
  ),
  framed(
    'trailers',
    CHUNKED,
    async (answer, line) => {
      const trailers = 'X-RateLimit-Limit: 0\r\nContent-Type: text/html\r\n__proto__: x\r\n';
      await line.write(Buffer.concat([chunkOf(answer.body), Buffer.from(`0\r\n${trailers}\r\n`)]));
    },
    ANY,
  ),
  framed('trailers-of-framing', CHUNKED, async (answer, line) => {
    await line.write(Buffer.concat([chunkOf(answer.body), Buffer.from('0\r\nContent-Length: 3\r\n\r\nabc')]));
  }),
  {
    name: 'http-1.0-without-length',
    ends: ANY,
    async send(answer, line) {
      await line.write(headOf(answer, 'Connection: close').replace('HTTP/1.1', 'HTTP/1.0'));
      await line.write(answer.body);
      line.end();
    },
  },
  {
    name: 'http-1.0-kept-alive',
    ends: ANY,
    async send(answer, line) {
      await line.write(headOf(answer).replace('HTTP/1.1', 'HTTP/1.0'));
      await line.write(answer.body);
    },
  },
  {
    name: 'byte-by-byte',
    ends: ANY,
    async send(answer, line) {
      for (const byte of Buffer.concat([Buffer.from(headOf(answer), 'latin1'), answer.body]))
        if (!(await line.write(Buffer.of(byte)))) return;
    },
  },
  framed('length-negative', 'Content-Length: -5', body),
  framed('length-huge', `Content-Length: ${'9'.repeat(40)}`, body),
  framed('length-no-number', 'Content-Length: many', body),
  framed('lengths-in-conflict', 'Content-Length: 2\r\nContent-Length: 30', body),
  framed('length-and-chunks', `Content-Length: 2\r\n${CHUNKED}`, body),
  framed('endless-chunks', CHUNKED, async (_answer, line) => {
    while (await line.write(Buffer.concat([Buffer.from('10000\r\n'), PIECE, Buffer.from('\r\n')])));
  }),
  framed('chunk-size-broken', CHUNKED, async (answer, line) => {
    await line.write(`zz\r\n${answer.body}\r\n0\r\n\r\n`);
    line.end();
  }),
  framed('chunk-size-huge', CHUNKED, async (answer, line) => {
    await line.write(`${'f'.repeat(40)}\r\n${answer.body}`);
    line.end();
  }),
  framed('chunk-extension-flood', CHUNKED, async (answer, line) => {
    await line.write(`${answer.body.length.toString(16)};`);
    while (await line.write('x'.repeat(65_536)));
  }),
  framed('trailer-flood', CHUNKED, async (answer, line) => {
    await line.write(`${answer.body.length.toString(16)}\r\n${answer.body}\r\n0\r\n`);
    while (await line.write('X-Trailer: more\r\n'.repeat(1000)));
  }),
  framed(
    'chunks-of-one-byte',
    CHUNKED,
    async (answer, line) => {
      const bytes = [...answer.body].map((byte) => Buffer.from([0x31, 13, 10, byte, 13, 10]));
      await line.write(Buffer.concat([...bytes, Buffer.from('0\r\n\r\n')]));
    },
    [0, 1, 3],
  ),
  framed('chunks-without-end', CHUNKED, async (answer, line) => {
    await line.write(`${answer.body.length.toString(16)}\r\n${answer.body}\r\n`);
    line.end();
  }),
  {
    name: 'eight-megabytes-of-text',
    async send(answer, line) {
      const text = Buffer.from(JSON.stringify({ data: 'é'.repeat(3_900_000) }));
      await line.write(
        Buffer.concat([
          Buffer.from(headOf({ ...answer, headers: [...answer.headers, ...JSON_TYPE], body: text })),
          text,
        ]),
      );
    },
  },
];
