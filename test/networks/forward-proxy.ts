// A forwarding proxy as companies have one: CONNECT for TLS, absolute addresses for plain HTTP. Whatever host it is asked for,
// it leads to this machine, so that names need not exist.
import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface ForwardProxyOptions {
  /** "user:password" that it wants; absent: it lets everybody through. */
  readonly credentials?: string;
  /** Hosts that it refuses with 403. */
  readonly refuses?: readonly string[];
}

export interface ForwardProxy extends AsyncDisposable {
  readonly port: number;
  /** Hosts with ports, one for each tunnel. */
  readonly tunnels: readonly string[];
  /** Addresses that were handed over whole. */
  readonly handedOver: readonly string[];
}

export async function startForwardProxy(options: ForwardProxyOptions = {}): Promise<ForwardProxy> {
  const { credentials, refuses = [] } = options;
  const [tunnels, handedOver, sockets]: [string[], string[], Set<Socket>] = [[], [], new Set()];
  const wanted = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
  const isKnown = ({ headers }: IncomingMessage): boolean =>
    wanted === undefined || headers['proxy-authorization'] === wanted;
  const server = createServer((incoming, outgoing) => {
    if (!isKnown(incoming)) {
      incoming.resume();
      outgoing.writeHead(407).end();
      return;
    }
    handedOver.push(incoming.url ?? '');
    const { port, pathname, search } = new URL(incoming.url ?? '');
    const own = incoming.rawHeaders.filter((_, at, all) => !/^proxy-/i.test(all[at - (at % 2)] ?? ''));
    const goal = {
      host: '127.0.0.1',
      port: port || 80,
      method: incoming.method,
      path: pathname + search,
      headers: own,
    };
    const onward = request(goal as object, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.statusMessage, reply.rawHeaders);
      reply.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    const [host = '', port = ''] = (incoming.url ?? '').split(':');
    const refusal = !isKnown(incoming)
      ? '407 Proxy Authentication Required'
      : refuses.includes(host)
        ? '403 Forbidden'
        : null;
    if (refusal !== null) {
      socket.end(`HTTP/1.1 ${refusal}\r\n\r\n`);
      return;
    }
    tunnels.push(incoming.url ?? '');
    const onward = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(socket);
      socket.pipe(onward);
    });
    for (const one of [socket, onward]) {
      sockets.add(one);
      one.on('error', () => one.destroy());
    }
    socket.on('close', () => onward.destroy());
    onward.on('close', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    tunnels,
    handedOver,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
