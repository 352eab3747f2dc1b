// The sockets to the target: a fixed number of undici clients with one HTTP/1.1 keep-alive connection each. Owning them
// one by one (rather than through a pool) tells which socket served what, and gives a fresh one where it is asked for.
import { Client, type Dispatcher } from 'undici';
import { type Clock, LIMIT } from '../clock/clock.ts';
import { connectorOf, connectorToProxy, type Network, proxyAuthorization, refusalOf } from './network.ts';
import { type Limits, type Outcome, Transfer } from './transfer.ts';
import { Turns } from './turns.ts';
import { withoutContinue } from './unasked-continue.ts';
import type { WireRequest } from './wire.ts';

/** Beyond this, an idle connection is not trusted with a request that must not be sent twice. ms. */
const LONGEST_IDLE_MS = 500;
const CONNECT_LIMIT_MS = 10_000;
const CLOSE_LIMIT_MS = 2000;
const LONGEST_HEADER_BYTES = 64 * 1024;

/**
 * One HTTP/1.1 connection to the target that sends one request after the other, as undici has it: it emits `connect` whenever a
 * new socket is opened.
 */
export interface Socket {
  dispatch(request: SentRequest, handler: AnswerHandler): boolean;
  /** Ends what is in flight. */
  destroy(): Promise<void>;
  on(event: 'connect', listener: () => void): unknown;
}

export type SentRequest = Dispatcher.DispatchOptions;
export type AnswerHandler = Dispatcher.DispatchHandler;
export type AnswerController = Dispatcher.DispatchController;

export interface ConnectionOptions extends Limits {
  readonly origin: string;
  /** Path of the base address, put before every request's; without trailing slash. */
  readonly basePath: string;
  readonly connections: number;
  readonly clock: Clock;
  /** Opens what stands for a socket; absent: a real one is opened. */
  readonly open?: () => Socket;
  /** How real ones are opened; absent: directly, believing whom Node believes. */
  readonly network?: Network;
}

/** How a request is to be sent. */
export interface Needs {
  /** On a socket that has served nothing yet. */
  readonly fresh: boolean;
  /** True where it may be sent again where the connection turns out to be closed. */
  readonly repeatable: boolean;
  /** Longest wait for its answer; absent: that of the connection. */
  readonly timeLimitMs?: number | undefined;
}

export interface Connection {
  /** Sends the request; resolves with its answer or failure, never rejects. */
  send(request: WireRequest, needs: Needs): Promise<Outcome>;
  release(): void;
}

export interface Connections {
  /** A free connection, a promise of the next one, or null once closed. First come, first served. */
  acquire(): Connection | Promise<Connection | null> | null;
  /** Ends everything in flight. */
  close(): Promise<void>;
}

export function createConnections(options: ConnectionOptions): Connections {
  const all: Line[] = [];
  const free: Line[] = [];
  const waiting: ((line: Line | null) => void)[] = [];
  const turns = new Turns();
  const taken = new Map<Line, ReturnType<Turns['begin']>>();
  let closed = false;
  /** A connection that may be used now; null where all are, or as many as the target is to be sent at once. */
  const take = (): Line | null => {
    if (!turns.isFree) return null;
    const line = free.pop() ?? (all.length < options.connections ? new Line(options, release) : null);
    if (line === null) return null;
    if (!all.includes(line)) all.push(line);
    taken.set(line, turns.begin(options.clock.monotonic()));
    return line;
  };
  const release = (line: Line) => {
    const turn = taken.get(line);
    taken.delete(line);
    if (turn !== undefined) turns.end(turn, options.clock.monotonic());
    // A target that serves one connection at a time serves the next one when this is closed.
    if (turns.isOneByOne) line.renew();
    free.push(line);
    while (waiting.length > 0) {
      const next = take();
      if (next === null) return;
      waiting.shift()?.(next);
    }
  };
  return {
    acquire() {
      if (closed) return null;
      return take() ?? new Promise((resolve) => waiting.push(resolve));
    },
    async close() {
      closed = true;
      for (const next of waiting.splice(0)) next(null);
      await Promise.all(all.map((line) => line.close()));
    },
  };
}

class Line implements Connection {
  readonly #options: ConnectionOptions;
  readonly #release: (line: Line) => void;
  readonly #isReused = () => this.#served > 0;
  /** Set where requests are handed to a proxy whole. */
  readonly #handedOver: HandedOver | null;
  #client: Socket;
  #underWay: Transfer | null = null;
  #isClosed = false;
  /** Requests answered on the present socket. */
  #served = 0;
  #idleSince = 0;

  constructor(options: ConnectionOptions, release: (line: Line) => void) {
    this.#options = options;
    this.#release = release;
    this.#handedOver = handedOver(options);
    this.#client = this.#connect();
  }

  async send(request: WireRequest, needs: Needs): Promise<Outcome> {
    const isOld = !needs.repeatable && this.#options.clock.monotonic() - this.#idleSince > LONGEST_IDLE_MS;
    if (this.#served > 0 && (needs.fresh || isOld)) this.renew();
    const { outcome, isUnsent } = await this.#transfer(request, needs);
    const wasLost = 'failure' in outcome && outcome.failure.kind === 'reset' && outcome.failure.reusedSocket;
    if (!isUnsent || !wasLost || this.#isClosed) return outcome;
    // The socket was reset while it was idle: the request itself never went out, and is no second one when it does.
    this.renew();
    return (await this.#transfer(request, needs)).outcome;
  }

  /** One transfer on the present socket. Settles within its limit of time, whatever undici does. */
  #transfer(request: WireRequest, needs: Needs): Promise<{ readonly outcome: Outcome; readonly isUnsent: boolean }> {
    return new Promise((resolve) => {
      const { timeLimitMs = this.#options.timeLimitMs } = needs;
      const limits = timeLimitMs === this.#options.timeLimitMs ? this.#options : { ...this.#options, timeLimitMs };
      const transfer = new Transfer(limits, this.#options.clock, this.#isReused, (outcome) => {
        const { isUnsent } = transfer;
        this.#underWay = null;
        this.#served += 1;
        this.#idleSince = this.#options.clock.monotonic();
        resolve({ outcome: this.#handedOver?.refusal(outcome) ?? outcome, isUnsent });
      });
      this.#underWay = transfer;
      const query = request.query === '' ? '' : `?${request.query}`;
      try {
        this.#client.dispatch(
          {
            method: request.method,
            path: `${this.#handedOver?.origin ?? ''}${this.#options.basePath}${request.path}${query}`,
            headers: [...request.headers.flat(), ...(this.#handedOver?.headers ?? [])],
            body: request.isLatin1 === true ? Buffer.from(request.body ?? '', 'latin1') : request.body,
          },
          transfer,
        );
      } catch (error) {
        transfer.onResponseError(null, error as Error);
      }
    });
  }

  release(): void {
    this.#release(this);
  }

  /** Ends what is under way; resolves when the socket is closed, or after a while, where that is never told. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const { clock } = this.#options;
    const closed = this.#client.destroy().catch(() => {});
    this.#underWay?.giveUp('the connection was closed');
    const late = Promise.withResolvers<void>();
    const limit = clock.after(CLOSE_LIMIT_MS, () => late.resolve(), LIMIT);
    await Promise.race([closed, late.promise]);
    limit.cancel();
  }

  /** Sends what comes next on a new socket. */
  renew(): void {
    void this.#client.destroy().catch(() => {});
    this.#client = this.#connect();
  }

  #connect(): Socket {
    const client = this.#options.open?.() ?? realSocket(this.#options);
    this.#served = 0;
    client.on('connect', () => {
      if (client === this.#client) this.#served = 0;
    });
    return client;
  }
}

function realSocket({ origin, timeLimitMs, network = DIRECT }: ConnectionOptions): Socket {
  const timeoutMs = Math.min(timeLimitMs, CONNECT_LIMIT_MS);
  const { proxy } = network;
  const isHanded = proxy !== null && origin.startsWith('http:');
  return new Client(isHanded ? proxy.origin : origin, {
    pipelining: 1,
    allowH2: false,
    connect: withoutContinue(isHanded ? connectorToProxy(proxy, timeoutMs) : connectorOf(network, timeoutMs)),
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: LONGEST_HEADER_BYTES,
  });
}

const DIRECT: Network = { tls: { rejectUnauthorized: true }, proxy: null };

/** A request with the parts that a proxy needs to send it on by itself (RFC 9112, 3.2.2), as it does with plain HTTP. */
interface HandedOver {
  readonly origin: string;
  readonly headers: readonly string[];
  /** The answer, where it is the proxy's own; null: it is not. */
  readonly refusal: (outcome: Outcome) => Outcome | null;
}

function handedOver({ origin, network = DIRECT, open }: ConnectionOptions): HandedOver | null {
  const { proxy } = network;
  if (proxy === null || open !== undefined || !origin.startsWith('http:')) return null;
  const { host } = new URL(origin);
  return {
    origin,
    headers: ['Host', host, ...Object.entries(proxyAuthorization(proxy)).flat()],
    refusal(outcome) {
      if (!('received' in outcome) || outcome.received.status !== 407) return null;
      return { failure: { kind: 'unreachable', message: refusalOf(proxy, 407, host), reusedSocket: false } };
    },
  };
}
