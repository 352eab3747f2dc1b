// A proxy that stands before a sound server and answers as its modes say. It speaks HTTP/1.1 by itself: no library sends what
// is sent here.
import { Agent, request } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Chance } from './chance.ts';
import { type Answer, type Asked, type Line, type Mode, sendSoundly } from './mode.ts';

export interface Meddling {
  readonly modes: readonly Mode[];
  /** How often each of the modes applies, in (0, 1]. */
  readonly share: number;
  /** So many requests are answered soundly first. */
  readonly spared: number;
}

export interface HostileProxy {
  readonly baseUrl: string;
  /** Requests that arrived. */
  readonly requests: number;
  stop(): Promise<void>;
}

/** Resolves when it listens on a free port of 127.0.0.1. */
export async function startProxy(upstream: string, meddling: Meddling, chance: Chance): Promise<HostileProxy> {
  const proxy = new Proxying(upstream, meddling, chance);
  await proxy.listen();
  return proxy;
}

/** A request's head, and where its body begins. */
interface Head extends Omit<Asked, 'body' | 'number'> {
  readonly end: number;
  readonly length: number;
}

class Proxying implements HostileProxy {
  requests = 0;
  readonly #upstream: URL;
  readonly #meddling: Meddling;
  readonly #chance: Chance;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #open = new Set<Socket>();
  readonly #server: Server;
  #connections = 0;

  constructor(upstream: string, meddling: Meddling, chance: Chance) {
    this.#upstream = new URL(upstream);
    this.#meddling = meddling;
    this.#chance = chance;
    this.#server = createServer((socket) => void this.#serve(socket));
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#open) socket.destroy();
    this.#agent.destroy();
    await closed;
  }

  async #serve(socket: Socket): Promise<void> {
    this.#open.add(socket);
    this.#connections += 1;
    const line = lineOf(socket);
    socket.on('close', () => this.#open.delete(socket));
    for (const mode of this.#chosen(({ meet }) => meet !== undefined)) mode.meet?.(line, this.#connections);
    let received: Buffer = Buffer.alloc(0);
    try {
      for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
        received = Buffer.concat([received, chunk]);
        for (let head = headIn(received); head !== null; head = headIn(received)) {
          const [hasty] = head.length > 0 ? this.#chosen((mode) => mode.hasty !== undefined) : [];
          if (hasty !== undefined) return await hasty.hasty?.(line);
          if (received.length < head.end + head.length) break;
          const body = received.subarray(head.end, head.end + head.length);
          received = received.subarray(head.end + head.length);
          await this.#answer(head, body, line);
        }
        if (!line.isOpen) return;
      }
    } catch {
      // The other side has gone.
    }
  }

  async #answer(head: Head, body: Buffer, line: Line): Promise<void> {
    this.requests += 1;
    const asked: Asked = { ...head, body, number: this.requests };
    const chosen = this.#chosen(() => true);
    const dies = chosen.some(({ diesAfter }) => this.requests > (diesAfter ?? Number.POSITIVE_INFINITY));
    if (dies) return this.#die();
    let answer = await this.#ask(asked);
    for (const mode of chosen) answer = mode.change?.(answer, asked, this.#chance) ?? answer;
    const sender = chosen.find(({ send }) => send !== undefined);
    await (sender?.send ?? sendSoundly)(answer, line, this.#chance);
  }

  /** The modes that apply this time, and of which this is true. */
  #chosen(isMeant: (mode: Mode) => boolean): readonly Mode[] {
    const { modes, share, spared } = this.#meddling;
    if (this.requests < spared) return [];
    return modes.filter((mode) => isMeant(mode) && (share === 1 || this.#chance.hits(share)));
  }

  #die(): void {
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
  }

  #ask({ method, target, headers, body }: Asked): Promise<Answer> {
    const { host, hostname, port } = this.#upstream;
    const passed = headers.filter(([name]) => name !== 'host' && name !== 'connection');
    return new Promise((resolve, reject) => {
      const asking = request(
        { agent: this.#agent, hostname, port, method, path: target, headers: [...passed, ['host', host]].flat() },
        async (response) => {
          const chunks: Buffer[] = [];
          for await (const chunk of response) chunks.push(chunk);
          const own: (readonly [string, string])[] = [];
          for (let at = 0; at < response.rawHeaders.length; at += 2) {
            const [name = '', value = ''] = response.rawHeaders.slice(at, at + 2);
            if (!/^(content-length|transfer-encoding|connection|keep-alive)$/i.test(name)) own.push([name, value]);
          }
          resolve({ status: response.statusCode ?? 0, headers: own, body: Buffer.concat(chunks) });
        },
      );
      asking.on('error', reject);
      asking.end(body);
    });
  }
}

/** The head of the request that the bytes begin with; null while it is not whole. */
function headIn(received: Buffer): Head | null {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [first = '', ...lines] = received.toString('latin1', 0, end).split('\r\n');
  const [method = '', target = ''] = first.split(' ');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  const length = Number(headers.find(([name]) => name === 'content-length')?.[1] ?? 0);
  return { method, target, headers, end: end + 4, length };
}

function lineOf(socket: Socket): Line {
  socket.on('error', () => {});
  const gone = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  return {
    get isOpen() {
      return !socket.destroyed && !socket.writableEnded;
    },
    async write(data) {
      if (socket.destroyed || socket.writableEnded) return false;
      if (socket.write(data)) return true;
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), gone]);
      return !socket.destroyed;
    },
    async wait(ms) {
      let timer: NodeJS.Timeout | undefined;
      const due = new Promise((resolve) => {
        timer = setTimeout(resolve, ms);
      });
      await Promise.race([due, gone]);
      clearTimeout(timer);
    },
    end: () => void socket.end(),
    reset: () => void socket.resetAndDestroy(),
  };
}
