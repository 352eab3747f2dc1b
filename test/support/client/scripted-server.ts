// A server for tests that answers as it is told and remembers what came.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  /** Names and values in turn, as on the wire. */
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Counts up per connection, from 1. */
  readonly connection: number;
}

export interface ScriptedServer {
  readonly baseUrl: string;
  readonly seen: readonly SeenRequest[];
  close(): Promise<void>;
}

/** `answer` is called for each request once its body is there; `index` counts from 0. */
export async function scriptedServer(
  answer: (response: ServerResponse, request: SeenRequest, index: number) => void,
): Promise<ScriptedServer> {
  const seen: SeenRequest[] = [];
  const connections = new WeakMap<object, number>();
  let opened = 0;
  const server = createServer((message, response) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => {
      const request: SeenRequest = {
        method: message.method ?? '',
        url: message.url ?? '',
        rawHeaders: message.rawHeaders,
        headers: message.headers,
        body: Buffer.concat(chunks).toString(),
        connection: connections.get(message.socket) ?? 0,
      };
      seen.push(request);
      answer(response, request, seen.length - 1);
    });
  });
  server.on('connection', (socket) => {
    opened += 1;
    connections.set(socket, opened);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
