import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { curlOf } from './curl.ts';
import type { Credential, Exchange, HeaderList } from './exchange.ts';

const run = promisify(execFile);
const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
);

interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: Record<string, unknown>;
  body: string;
}
const seen: Seen[] = [];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method, url, headers } = request;
    seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    response.end();
  });
});
let baseUrl = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

interface Sent {
  readonly method?: string;
  readonly target?: string;
  readonly headers?: HeaderList;
  readonly body?: string | null;
  readonly credential?: Credential;
  readonly isLatin1?: true;
}

function exchange(sent: Sent): Exchange {
  const { method = 'GET', target = '/a', headers = [], body = null, credential = { kind: 'none' }, isLatin1 } = sent;
  const request = { method, url: baseUrl + target, path: target, query: '', headers, body };
  const planned = body === null ? { kind: 'none' } : { kind: 'raw', text: body, isLatin1 };
  return { request, plan: { credential, body: planned } } as unknown as Exchange;
}

/** Runs the line in a shell and gives back what the server saw. */
async function reproduce(line: string): Promise<Seen> {
  const env = { ...process.env, ASSAY_TOKEN: 'the-token', ASSAY_LOCKED: 'the-locked', ASSAY_USER: 'user:pass word' };
  await run('/bin/sh', ['-c', line], { env });
  return seen.pop()!;
}

describe.runIf(hasCurl)('a curl line run by a shell', () => {
  it.each([
    '{"a":1}',
    `quotes ' " \` $HOME $(id) \\ \\n %s !`,
    'lines\nand\r\ntabs\t',
    '@/etc/passwd',
    '\u{1f600} é [redacted',
    "'",
  ])('sends the body %j', async (body) => {
    const headers = [['Content-Type', 'application/json']] as const;
    expect(await reproduce(curlOf(exchange({ method: 'POST', headers, body })))).toMatchObject({
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
  });

  it('sends bytes that are not UTF-8', async () => {
    const line = curlOf(exchange({ method: 'POST', body: `'%\\n\u00ff\u00fe9`, isLatin1: true }));
    expect((await reproduce(line)).body).toBe(`'%\\n\ufffd\ufffd9`);
  });

  it.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])('sends %s', async (method) => {
    expect((await reproduce(curlOf(exchange({ method })))).method).toBe(method);
  });

  it("keeps the target as it is, and the request's own headers", async () => {
    const target = "/a/../b/%7B[x]{y}?q=$HOME&r='&s=a%20b";
    const headers = [['Idempotency-Key', "it's 1"]] as const;
    expect(await reproduce(curlOf(exchange({ target, headers })))).toMatchObject({
      url: target,
      headers: { 'idempotency-key': "it's 1" },
    });
  });

  const KEYED: Parameters<typeof exchange>[0] = {
    target: '/a?token=[redacted key std-1]',
    headers: [['Authorization', 'Bearer [redacted key std-1]']],
    credential: { kind: 'key', name: 'std-1' },
  };

  it('takes tokens from the environment', async () => {
    const line = curlOf(exchange(KEYED));
    expect(line).toContain('"Authorization: Bearer $ASSAY_TOKEN"');
    expect(await reproduce(line)).toMatchObject({
      url: '/a?token=the-token',
      headers: { authorization: 'Bearer the-token' },
    });
    const locked = exchange({
      headers: [['Authorization', 'Bearer [redacted locked token]']],
      credential: { kind: 'locked' },
    });
    expect((await reproduce(curlOf(locked))).headers.authorization).toBe('Bearer the-locked');
    expect(curlOf(exchange(KEYED), { 'key std-1': 'SHOP_TOKEN' })).toContain('"Authorization: Bearer $SHOP_TOKEN"');
  });

  it('leaves it to curl to encode the user and password of Basic', async () => {
    const headers = [['Authorization', 'Basic [redacted key std-1]']] as const;
    const line = curlOf(exchange({ headers, credential: { kind: 'key', name: 'std-1' } }), {
      'key std-1': 'ASSAY_USER',
    });
    expect((await reproduce(line)).headers.authorization).toBe(`Basic ${btoa('user:pass word')}`);
  });

  it('shows no credential and refused ones as they were', async () => {
    expect((await reproduce(curlOf(exchange({})))).headers).not.toHaveProperty('authorization');
    for (const authorization of ['Bearer nonsense', 'Basic $x', '']) {
      const credential = { kind: 'invalid', how: 'x', authorization } as const;
      const line = curlOf(exchange({ headers: [['Authorization', authorization]], credential }));
      expect((await reproduce(line)).headers.authorization).toBe(authorization);
    }
  });
});

describe('curlOf', () => {
  it('says what it leaves out', () => {
    expect(curlOf(exchange({ method: 'POST', body: 'a\0b' }))).toMatch(/--data-raw ab # 1 NUL characters dropped/);
    expect(curlOf(exchange({ method: 'POST', body: 'x'.repeat(40_000) }))).toMatch(/# the body is cut: 30000 of 40000/);
    const altered = {
      kind: 'invalid',
      how: 'altered',
      authorization: 'Bearer a.[redacted key std-1 payload].b',
    } as const;
    const line = curlOf(exchange({ headers: [['Authorization', altered.authorization]], credential: altered }));
    expect(line).toMatch(/# fill in what is redacted$/);
  });
});
