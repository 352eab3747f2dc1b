// One conformance run over simulated sockets, on the clock of their route: its time passes as soon as nothing is left to do.

import { EventEmitter } from 'node:events';
import type { AnswerController, AnswerHandler, SentRequest } from '../client/connections.ts';
import type { Clock } from '../clock/clock.ts';
import type { SimulatedClock } from '../clock/simulated.ts';
import type { Report } from '../contract/report.ts';
import { isSafe } from '../exchange/methods.ts';
import type { InMemoryAnswer, InMemoryPlatform } from '../platform/in-memory.ts';
import { conform } from '../run/perform/conform.ts';
import type { RunInput } from '../run/perform/input.ts';
import { type Chance, chanceOf } from './chance.ts';
import type { Outages } from './outages.ts';
import type { SimulatedWorld } from './worlds.ts';

export interface InMemoryRun extends Omit<RunInput, 'clock' | 'open' | 'random' | 'stop'> {
  readonly route: Route & { readonly clock: SimulatedClock };
  /** A run that takes longer is stopped, as by a signal; ms of the simulated clock. */
  readonly longestMs: number;
  /** Ends the run before. */
  readonly stop: AbortSignal | undefined;
  /** Ends the run, as by a signal, once a violation is found. */
  readonly isUntilBreach?: boolean;
}

/** Performs the run to its end. Rejects for defects of the harness, as `conform` does. */
export async function conformInMemory(run: InMemoryRun): Promise<Report> {
  const { route, longestMs, stop, isUntilBreach = false, ...input } = run;
  const { clock } = route;
  const ending = new AbortController();
  const end = (): void => ending.abort(stop?.reason);
  clock.after(longestMs, () => ending.abort());
  if (stop?.aborted === true) end();
  // A signal that outlives hundreds of runs would hold all that each of them has, were it combined with their own.
  stop?.addEventListener('abort', end);
  try {
    return await clock.drive(
      conform({
        ...input,
        clock,
        open: () => new SimulatedSocket(route),
        random: chanceOf(input.options.seed, 'jitter').next,
        stop: ending.signal,
        listen(events) {
          input.listen?.(events);
          if (isUntilBreach) events.on('progress', ({ progress }) => progress.violations > 0 && end());
        },
      }),
    );
  } finally {
    stop?.removeEventListener('abort', end);
  }
}

// Stands for a socket of undici's: requests travel to the platform in memory, answers back, in virtual time. Chance
// says how long each way takes, and which messages get lost on it.

interface Route {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly world: SimulatedWorld;
  readonly platform: Pick<InMemoryPlatform, 'receive'>;
  readonly outages: Outages;
  /** Host and port as requests name them. */
  readonly host: string;
}

/** A request that was handed over and is not answered. */
interface Pending {
  readonly request: SentRequest;
  readonly handler: AnswerHandler;
  readonly controller: Controller;
}

/** Requests of these methods tell the length of their body even where they have none. */
const TAKES_BODY = new Set(['POST', 'PUT', 'PATCH']);

export class SimulatedSocket extends EventEmitter {
  readonly #route: Route;
  readonly #waiting: Pending[] = [];
  #current: Pending | null = null;
  #state: 'closed' | 'opening' | 'open' | 'destroyed' = 'closed';
  #wasUsed = false;
  #openSinceMs = 0;

  constructor(route: Route) {
    super();
    this.#route = route;
  }

  dispatch(request: SentRequest, handler: AnswerHandler): boolean {
    const pending = { request, handler, controller: new Controller((error) => this.#aborted(pending, error)) };
    this.#waiting.push(pending);
    this.#proceed();
    return this.#current === null;
  }

  async destroy(): Promise<void> {
    this.#state = 'destroyed';
    const left = [...(this.#current === null ? [] : [this.#current]), ...this.#waiting.splice(0)];
    this.#current = null;
    for (const pending of left) fail(pending, failure('UND_ERR_DESTROYED', 'The client is destroyed'));
  }

  #proceed(): void {
    if (this.#current !== null || this.#waiting.length === 0) return;
    if (this.#state === 'closed') this.#open();
    if (this.#state === 'open') this.#send(this.#waiting.shift());
  }

  #open(): void {
    this.#state = 'opening';
    this.#route.clock.after(this.#oneWayMs() + this.#oneWayMs(), () => {
      if (this.#state !== 'opening') return;
      if (this.#route.outages.isDown(this.#nowMs())) return this.#refused();
      this.#state = 'open';
      this.#openSinceMs = this.#nowMs();
      this.#wasUsed = false;
      this.emit('connect');
      this.#proceed();
    });
  }

  #refused(): void {
    this.#state = 'closed';
    const pending = this.#waiting.shift();
    if (pending !== undefined) fail(pending, failure('ECONNREFUSED', 'connect ECONNREFUSED'));
    this.#proceed();
  }

  #send(pending: Pending | undefined): void {
    if (pending === undefined) return;
    const { chance, world } = this.#route;
    this.#current = pending;
    pending.handler.onRequestStart?.(pending.controller, {});
    const isStale = this.#wasUsed && chance.happens(world.staleShare);
    this.#wasUsed = true;
    if (isStale || chance.happens(world.lostRequests)) this.#later(pending, () => this.#reset(pending));
    else this.#later(pending, () => (this.#isCutOff() ? this.#reset(pending) : this.#arrive(pending)));
  }

  #arrive(pending: Pending): void {
    const { platform, chance, world, host } = this.#route;
    const request = onTheWire(pending.request, host);
    const isLost = chance.happens(world.lostAnswers);
    let isAnswered = false;
    platform.receive(request, (answer) => {
      if (isAnswered) return;
      isAnswered = true;
      if (answer === null || isLost) this.#later(pending, () => this.#reset(pending));
      else this.#later(pending, () => (this.#isCutOff() ? this.#reset(pending) : this.#answered(pending, answer)));
    });
    if (isSafe(request.method) && chance.happens(world.duplicated)) platform.receive(request, () => {});
  }

  #answered(pending: Pending, { status, headers, body, breaksOff }: InMemoryAnswer): void {
    const { handler, controller } = pending;
    this.#current = null;
    controller.rawHeaders = headers.map((text) => Buffer.from(text, 'latin1'));
    handler.onResponseStart?.(controller, status, {}, '');
    if (body.length > 0) handler.onResponseData?.(controller, body);
    if (breaksOff === true) {
      this.#reset(pending);
      return;
    }
    handler.onResponseEnd?.(controller, {});
    this.#proceed();
  }

  #reset(pending: Pending): void {
    this.#close();
    fail(pending, failure('UND_ERR_SOCKET', 'other side closed'));
    this.#proceed();
  }

  #aborted(pending: Pending, error: Error): void {
    if (this.#current !== pending) return;
    this.#close();
    fail(pending, error);
    this.#proceed();
  }

  #close(): void {
    this.#current = null;
    if (this.#state !== 'destroyed') this.#state = 'closed';
  }

  /** After one trip, unless the request was given up meanwhile. */
  #later(pending: Pending, act: () => void): void {
    this.#route.clock.after(this.#oneWayMs(), () => {
      if (this.#current === pending) act();
    });
  }

  /** Tells whether the platform was restarted since the connection was opened. */
  #isCutOff(): boolean {
    return this.#route.outages.cutsOff(this.#openSinceMs, this.#nowMs());
  }

  /** Time of the run. */
  #nowMs(): number {
    return this.#route.clock.monotonic();
  }

  #oneWayMs(): number {
    const { chance, world } = this.#route;
    const { least, most, slowShare, slowMs } = world.latency;
    const extraMs = this.#nowMs() < world.warmUp.forMs ? world.warmUp.extraMs : 0;
    return chance.between(least, most) + extraMs + (chance.happens(slowShare) ? slowMs : 0);
  }
}

class Controller implements AnswerController {
  readonly #abort: (reason: Error) => void;
  rawHeaders: Buffer[] = [];
  aborted = false;
  paused = false;
  reason: Error | null = null;

  constructor(abort: (reason: Error) => void) {
    this.#abort = abort;
  }

  abort(reason: Error): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.#abort(reason);
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }
}

function fail({ handler, controller }: Pending, error: Error): void {
  handler.onResponseError?.(controller, error);
}

function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** With the headers that undici adds. */
function onTheWire(
  { method, path, headers, body }: SentRequest,
  host: string,
): Parameters<Route['platform']['receive']>[0] {
  const text = typeof body === 'string' ? body : null;
  const bytes = text === null ? 0 : Buffer.byteLength(text);
  const length = bytes > 0 || TAKES_BODY.has(method) ? ['content-length', String(bytes)] : [];
  const own = Array.isArray(headers) ? headers.map(String) : [];
  return { method, url: path, headers: ['host', host, 'connection', 'keep-alive', ...own, ...length], body: text };
}
