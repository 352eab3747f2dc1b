// The service that examples/extending describes, with or without what the example's own check demands.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export const SHOP_TOKEN = 'shop-token-4711';
const THINGS = [
  { id: 'a', name: 'Anvil' },
  { id: 'b', name: 'Bell' },
];

export interface Shop {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** Serves the shop on a free port of this machine. `isAdmitted`: what a gateway in front of it lets through; absent: everything. */
export async function startShop(
  cacheControl: string | null,
  isAdmitted: (request: IncomingMessage) => boolean = () => true,
): Promise<Shop> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://shop').pathname;
    const one = THINGS.find(({ id }) => path === `/things/${id}`);
    const body = path === '/things' ? THINGS : one;
    const isAllowed = request.headers.authorization === `Bearer ${SHOP_TOKEN}` && isAdmitted(request);
    const isGet = request.method === 'GET' || request.method === 'HEAD';
    response.statusCode = !isAllowed ? 401 : body === undefined ? 404 : isGet ? 200 : 405;
    if (cacheControl !== null) response.setHeader('cache-control', cacheControl);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(response.statusCode === 200 ? body : { reason: response.statusMessage }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
