// A gateway in front of a platform, as staging environments have one: it lets only those requests pass that it is asked to,
// and hands all others on as they came.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import type { TlsOptions } from 'node:tls';

export interface GatewayOptions {
  /** Address of the platform. */
  readonly to: string;
  /** What every request must carry; without it the answer is 403. It is given back in `x-gate-seen`. */
  readonly gate?: { readonly name: string; readonly value: string };
  /** Absent: plain HTTP is served. */
  readonly tls?: TlsOptions;
  /** The token of the platform that stands for one that came; null: it is handed on as it came. */
  readonly tokenFor?: (token: string) => string | null;
  /** Awaited before a request is handed on. */
  readonly hold?: () => Promise<void>;
  /** Address to listen at; absent: 127.0.0.1. */
  readonly host?: string;
}

export interface Gateway extends AsyncDisposable {
  readonly port: number;
  readonly baseUrl: string;
  /** Paths of the requests that passed. */
  readonly passed: readonly string[];
  /** Requests that were refused. */
  readonly refused: () => number;
}

/** Serves on a free port of this machine. */
export async function startGateway({
  to,
  gate,
  tls,
  tokenFor = () => null,
  hold = async () => {},
  host = '127.0.0.1',
}: GatewayOptions): Promise<Gateway> {
  const passed: string[] = [];
  let refused = 0;
  const { hostname, port: behind } = new URL(to);
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    if (gate !== undefined && incoming.headers[gate.name.toLowerCase()] !== gate.value) {
      refused += 1;
      incoming.resume();
      outgoing.writeHead(403, { 'content-type': 'text/plain' }).end('no way through');
      return;
    }
    passed.push(incoming.url ?? '');
    await hold();
    const options = {
      hostname,
      port: behind,
      method: incoming.method,
      path: incoming.url,
      headers: withToken(incoming.rawHeaders, tokenFor),
    };
    const onward = request(options as object, (reply) => {
      const seen = gate === undefined ? [] : ['x-gate-seen', gate.value];
      outgoing.writeHead(reply.statusCode ?? 502, reply.statusMessage, [...reply.rawHeaders, ...seen]);
      reply.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.on('error', () => onward.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  };
  const server: Server & { closeAllConnections(): void } =
    tls === undefined ? createServer(answer) : createSecureServer(tls, answer);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    baseUrl: `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    passed,
    refused: () => refused,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Names and values in turn. */
function withToken(headers: readonly string[], tokenFor: (token: string) => string | null): string[] {
  return headers.map((value, at) => {
    if (at % 2 === 0 || headers[at - 1]?.toLowerCase() !== 'authorization') return value;
    const own = tokenFor(value.replace(/^Bearer /, ''));
    return own === null ? value : `Bearer ${own}`;
  });
}
