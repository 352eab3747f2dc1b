// Records one scenario of a client: the scenario's script as a machine over requests, within bounds. It opens no
// socket, so that a whole scenario can take place in memory.
import type { Clock } from '../../clock/clock.ts';
import type { Circumstance, ClientCall, Scenario, StandIn, Stock, Told } from '../../contract/client.ts';
import { askedFor, type ClientAnswer, type ClientRequest } from '../../exchange/client-run.ts';
import type { HeaderList } from '../../exchange/exchange.ts';

export interface PlayOptions {
  readonly scenario: Scenario;
  readonly token: string;
  readonly stock: Stock;
  /** Answers in the platform's place. */
  readonly standIn: StandIn;
  /** Stands in each error.message. */
  readonly marker: string;
  readonly clock: Clock;
  /** Told after each request. */
  onRequest(): void;
}

/** A request as it came over the wire. */
export interface Received {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Names in lower case, in the order received. */
  readonly headers: HeaderList;
  readonly body: Buffer;
}

/** More requests, or more bytes of bodies and headers, are not kept. */
export const MAX_REQUESTS = 2000;
const MAX_KEPT_BYTES = 16 * 1024 * 1024;

export class Recording {
  readonly requests: ClientRequest[] = [];
  refused = 0;
  isFull = false;
  readonly #options: PlayOptions;
  /** How often each thing was asked for, in the order in which they were first asked for. */
  readonly #asked = new Map<string, number>();
  #bytes = 0;

  constructor(options: PlayOptions) {
    this.#options = options;
  }

  /** The answer; null: the connection is to be closed. */
  receive({ method, url, headers, body }: Received): Told | null {
    const at = this.#options.clock.now();
    const [path = '', query = ''] = url.split(/\?(.*)/s);
    const header = (name: string): string | null => headers.find(([one]) => one === name)?.[1] ?? null;
    const call: ClientCall = { method, path, query: new URLSearchParams(query), header };
    const operation = this.#options.standIn.operationOf(call);
    const { told, isTrouble } = this.#answer(call, askedFor(method, url));
    const answer: ClientAnswer = {
      ...{ status: told?.status ?? null, headers: Object.entries(told?.headers ?? {}), body: told?.body ?? '' },
      ...{ at: this.#options.clock.now(), isTrouble },
    };
    this.#keep({ id: this.#nextId(), at, method, path: url, headers, body, operation, answer });
    return told;
  }

  refuseUnread(status: number, url: string): Told {
    this.refused += 1;
    this.#options.onRequest();
    return this.#options.standIn.refusal(status, this.#about(url));
  }

  #answer(call: ClientCall, thing: string): { readonly told: Told | null; readonly isTrouble: boolean } {
    const { stock, token, standIn } = this.#options;
    const about = this.#about(call.path);
    const ordinary = { isTrouble: false };
    if (standIn.operationOf(call) === null)
      return { ...ordinary, told: standIn.open(call) ?? standIn.refusal(404, about) };
    if (/^bearer +(\S+)$/i.exec(call.header('authorization')?.trim() ?? '')?.[1] !== token)
      return { ...ordinary, told: standIn.refusal(401, about) };
    const trouble = this.#troubleOf(thing);
    if (trouble !== null) {
      const { status } = trouble;
      return { isTrouble: true, told: status === null ? null : standIn.troubled({ ...trouble, status }, about) };
    }
    return { ...ordinary, told: standIn.success(call, stock) ?? standIn.refusal(404, about) };
  }

  /** The trouble that this request meets, by how often the same was asked for before. */
  #troubleOf(thing: string): Scenario['trouble'] {
    const { trouble, task } = this.#options.scenario;
    const before = this.#asked.get(thing) ?? 0;
    this.#asked.set(thing, before + 1);
    if (trouble === null || (trouble.times !== null && before >= trouble.times)) return null;
    const isWalk = task === 'walk-logs' || task === 'walk-notifications';
    return isWalk && [...this.#asked.keys()].indexOf(thing) !== 1 ? null : trouble;
  }

  #keep(request: ClientRequest): void {
    this.#bytes += request.body.length + request.headers.flat().reduce((sum, { length }) => sum + length, 0);
    if (this.requests.length >= MAX_REQUESTS || this.#bytes >= MAX_KEPT_BYTES) this.isFull = true;
    else this.requests.push(request);
    this.#options.onRequest();
  }

  #nextId(): string {
    return `${this.#options.scenario.id} #${this.requests.length + 1}`;
  }

  #about(path: string): Circumstance {
    const { clock, marker } = this.#options;
    const requestId = `req_${(this.requests.length + 1).toString().padStart(6, '0')}`;
    return { path, nowMs: clock.now(), requestId, marker };
  }
}
