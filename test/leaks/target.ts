// A small target for whole runs: it takes any token, refuses all, or gives back whatever it is sent, everywhere.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Manner = 'accepts' | 'refuses' | 'echoes';

const HEADERS = {
  'content-type': 'application/json',
  'x-ratelimit-limit': '1000',
  'x-ratelimit-remaining': '999',
  'x-ratelimit-reset': '60',
};

/** A header that is given back with the answer to every request that carries it. */
export const GATE_HEADER = 'X-Gate';

export interface Target {
  readonly baseUrl: string;
  /** Requests that came without that header. */
  readonly ungated: () => number;
  close(): Promise<void>;
}

/** Serves on a free port of this machine. */
export async function startTarget(manner: Manner): Promise<Target> {
  let ungated = 0;
  const server = createServer((request, response) => {
    request.resume();
    const gate = request.headers[GATE_HEADER.toLowerCase()];
    if (gate === undefined) ungated += 1;
    else response.setHeader('x-gate-seen', gate);
    const sent = request.headers.authorization ?? '';
    const token = sent.replace(/^\S+ /, '');
    const path = request.url ?? '';
    if (path.startsWith('/api/health')) answer(response, 200, { status: 'ok' }, '');
    else if (sent === '' || manner === 'refuses') answer(response, 401, errorOf(path, ''), '');
    else if (path.startsWith('/api/v1/assay-')) answer(response, 404, errorOf(path, ''), '');
    else if (manner === 'accepts') answer(response, 200, [], '');
    else answer(response, 200, [{ id: 'store_1', ...echoesOf(token) }], token);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, ungated: () => ungated, close: () => closed(server) };
}

function answer(response: ServerResponse, status: number, body: unknown, token: string): void {
  const echoes =
    token === ''
      ? {}
      : {
          'x-debug': `Bearer ${token}`,
          'x-hex': Buffer.from(token).toString('hex'),
          'set-cookie': `session=${token}; Path=/`,
          location: `/next?token=${encodeURIComponent(token)}`,
        };
  // An answer to HEAD is sent without a body, so without trailers: Node throws when they are announced.
  const isHead = response.req.method === 'HEAD';
  response.writeHead(status, `Said ${token}`, { ...HEADERS, ...echoes, ...(isHead ? {} : { trailer: 'x-end' }) });
  if (!isHead) {
    response.write(JSON.stringify(body));
    response.addTrailers({ 'x-end': token });
  }
  response.end();
}

function errorOf(instance: string, token: string): object {
  const code = instance.startsWith('/api/v1/assay-') ? 'resource_not_found' : 'auth_token_invalid';
  const error = { status: 401, type: 'authentication_error', code, message: 'Ann Example is not known', param: null };
  return {
    error: { ...error, doc_url: 'https://docs.example.com/e', instance, request_id: 'req_1', ...echoesOf(token) },
  };
}

function echoesOf(token: string): object {
  if (token === '') return {};
  return {
    token,
    prefix: token.slice(0, 12),
    suffix: token.slice(-8),
    upper: token.toUpperCase(),
    basic: Buffer.from(`user:${token}`).toString('base64'),
    inner: JSON.stringify({ again: JSON.stringify({ token }) }),
    percent: [...Buffer.from(token)].map((byte) => `%${byte.toString(16)}`).join(''),
    [token]: true,
  };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
