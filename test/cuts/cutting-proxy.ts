// Stands before a target and cuts connections at every moment, as its seed says: before anything was read, in the head or the body of
// a request, before, in and behind an answer, by FIN or by RST, or it lets them stall.
import { connect, createServer, type Socket } from 'node:net';
import { chanceOf } from '../../src/simulation/chance.ts';

/** When a connection ends, in the order in which a request goes by. */
export const MOMENTS = [
  ...['accepted', 'request head', 'request body', 'request', 'answer head', 'answer body', 'answer'],
  ...['stall before the answer', 'stall in the answer'],
] as const;
export type Moment = (typeof MOMENTS)[number];

export interface CuttingProxy {
  readonly baseUrl: string;
  /** How often each moment was drawn. */
  readonly cuts: ReadonlyMap<Moment, number>;
  close(): Promise<void>;
}

/** Cuts so large a share of all requests to the target, an origin; the same seed draws the same moments. */
export async function startCuttingProxy(target: string, seed: number, share: number): Promise<CuttingProxy> {
  const chance = chanceOf(seed, 'cuts');
  const cuts = new Map<Moment, number>();
  const open = new Set<Socket>();
  const draw = (): Moment | null => {
    if (chance.next() >= share) return null;
    const moment = MOMENTS[Math.floor(chance.next() * MOMENTS.length)] ?? 'request';
    cuts.set(moment, (cuts.get(moment) ?? 0) + 1);
    return moment;
  };
  const { hostname, port } = new URL(target);
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ host: hostname, port: Number(port) });
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('close', () => open.delete(socket)).on('error', () => {});
    }
    new Passage(client, upstream, draw, () => chance.next() < 0.5);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const listening = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${listening}`,
    cuts,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

/** One connection: requests one after another, each with the moment of its cut. */
class Passage {
  readonly #client: Socket;
  readonly #upstream: Socket;
  readonly #draw: () => Moment | null;
  readonly #isReset: () => boolean;
  #moment: Moment | null;
  #isAnswering = true;

  constructor(client: Socket, upstream: Socket, draw: () => Moment | null, isReset: () => boolean) {
    this.#client = client;
    this.#upstream = upstream;
    this.#draw = draw;
    this.#isReset = isReset;
    this.#moment = draw();
    client.on('data', (piece: Buffer) => this.#sent(piece)).on('end', () => upstream.end());
    upstream.on('data', (piece: Buffer) => this.#answered(piece)).on('end', () => client.end());
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one.on('close', () => other.destroy());
    if (this.#moment === 'accepted') this.#cut();
  }

  #sent(piece: Buffer): void {
    // The first piece of a request that follows another one.
    if (this.#isAnswering) {
      this.#isAnswering = false;
      if (this.#moment === null) this.#moment = this.#draw();
    }
    const head = piece.indexOf('\r\n\r\n') + 4;
    if (this.#moment === 'accepted') this.#cut();
    else if (this.#moment === 'request head') this.#cutBehind(this.#upstream, piece.subarray(0, head / 2));
    else if (this.#moment === 'request body')
      this.#cutBehind(this.#upstream, piece.subarray(0, head + (piece.length - head) / 2));
    else {
      this.#upstream.write(piece);
      if (this.#moment === 'request') this.#cut();
    }
  }

  #answered(piece: Buffer): void {
    const isFirst = !this.#isAnswering;
    this.#isAnswering = true;
    if (this.#moment === 'stall before the answer') return;
    const head = piece.indexOf('\r\n\r\n') + 4;
    if (!isFirst || this.#moment === null) this.#client.write(piece);
    else if (this.#moment === 'answer head') this.#cutBehind(this.#client, piece.subarray(0, head / 2));
    else if (this.#moment === 'answer body')
      this.#cutBehind(this.#client, piece.subarray(0, head + (piece.length - head) / 2));
    else if (this.#moment === 'stall in the answer') this.#client.write(piece.subarray(0, piece.length - 1));
    else this.#cutBehind(this.#client, piece);
  }

  #cutBehind(socket: Socket, piece: Buffer): void {
    socket.write(piece, () => this.#cut());
  }

  #cut(): void {
    if (this.#isReset()) this.#client.resetAndDestroy();
    else this.#client.end();
    this.#upstream.destroy();
  }
}
