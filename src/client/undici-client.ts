// The one HTTP client of the program: sends plans through undici within budget and pace, retries as the contract says,
// records every attempt. Redirects are not followed (CLIENT-07).

import { type Clock, haltsOf } from '../clock/clock.ts';
import type { ConstantHeader } from '../config/constant-header.ts';
import { plural } from '../contract/numbers.ts';
import { NO_TERMS, type Terms } from '../contract/terms.ts';
import type { Credential, Exchange, HeaderList, RecordedRequest, RequestPlan } from '../exchange/exchange.ts';
import { markerOf, type Redactor } from '../exchange/secrets/known-secrets.ts';
import type { TraceSource } from '../exchange/trace-context.ts';
import type { Limited } from '../limiters/reading.ts';
import { type Call, type CallHooks, HookValues } from './call-hooks.ts';
import { BudgetSpent, type Client, RunStopped } from './client.ts';
import { type Connection, type Connections, createConnections, type Socket } from './connections.ts';
import type { Network } from './network.ts';
import { createPace, type OnWait, type Pace } from './pace.ts';
import { createPaceByOperation } from './pace-by-operation.ts';
import { furtherKeys, placedAsShown, placedWith, type Secrets, secretIn, secretNameOf } from './placing.ts';
import { type Attempt, createRecorder, type Recorder } from './record.ts';
import { isLostToHalt, isStaleConnection, nextDelay, type Retries, retriesUnder } from './retry.ts';
import type { Tokens } from './tokens.ts';
import { wireOf, withConstant, withTrace } from './wire.ts';

export interface ClientOptions {
  /** http or https; its path, if any, stands before every plan's. */
  readonly baseUrl: string;
  /** Where the plans of a service go instead; absent: nowhere else. */
  readonly baseUrlOf?: (service: string | null) => string;
  /** How sockets to a base address are opened; absent: directly. */
  readonly networkOf?: (baseUrl: string) => Network;
  /** Sent with every request; absent: none. */
  readonly headers?: readonly ConstantHeader[];
  /** Names the trace of each attempt, by its number; absent: none is named. */
  readonly traces?: TraceSource;
  readonly tokens: Tokens;
  readonly redactor: Redactor;
  /** Code of the user around each request; null or absent: none. */
  readonly hooks?: CallHooks | null;
  /** Sees every attempt, in the order of completion, before `send` resolves. */
  readonly onExchange: (exchange: Exchange) => void;
  /** Most requests, retries included; null or absent: no limit. */
  readonly budget?: number | null;
  /** Requests of the budget that are kept for plans that undo; asked before each request. Absent: none. */
  readonly keptBack?: () => number;
  /** Requests of the budget that were sent before this client was there; absent: none. */
  readonly sentBefore?: number;
  /** Stops the run: requests in flight are recorded as aborted, every `send` ends with `RunStopped`. */
  readonly stop?: AbortSignal;
  readonly clock: Clock;
  /** Opens what stands for a socket to the target; absent: real ones are opened. */
  readonly open?: () => Socket;
  /** In [0, 1), for the jitter of waits. */
  readonly random?: () => number;
  /** Connections, and so requests in flight. */
  readonly concurrency?: number;
  /** The terms of the contract, for the time that answers may take, keys and clients; absent: it states nothing. */
  readonly terms?: Terms;
  /** Calls that limits count: those of a key (the default), or of an operation until they show to be shared. */
  readonly limitsPer?: 'key' | 'operation';
  /** Whose limits are told, and by which headers; absent: those of keys, by the customary ones. */
  readonly limits?: Limited;
  /** Told that something waits: for the limit of a key, or to send a request of it again. Absent: nobody asks. */
  readonly onWait?: OnWait;
  /** Longest wait for one answer. */
  readonly timeLimitMs?: number;
  /** The same for an operation, by its key; undefined, or absent: `timeLimitMs`. */
  readonly timeLimitMsOf?: (operation: string | null) => number | undefined;
  /** Per response; the rest is dropped and the response marked as truncated. */
  readonly byteLimit?: number;
}

/** Why a request has no answer that was under way when this process was halted. */
const HALTED = 'this process was halted, or the machine slept, while the request was under way';
const DEFAULT_CONNECTIONS = 16;
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** Tells that an attempt says nothing of the target; a plan is sent again at once for each, and no more than once. */
type Excuse = (exchange: Exchange, retries: Retries) => boolean;
const EXCUSES: readonly Excuse[] = [isStaleConnection, isLostToHalt];

export function createClient(options: ClientOptions): Client {
  return new UndiciClient(options);
}

/** The options, what is not given by default. */
function withDefaults(given: ClientOptions) {
  const { hooks = null, headers = [], sentBefore = 0, terms = NO_TERMS, random = Math.random } = given;
  const { keptBack = () => 0, onWait = () => {}, timeLimitMsOf = () => undefined } = given;
  return { ...given, hooks, headers, sentBefore, terms, random, keptBack, onWait, timeLimitMsOf };
}

class UndiciClient implements Client {
  readonly #options: ReturnType<typeof withDefaults>;
  readonly #hookValues: HookValues;
  readonly #budget: number;
  readonly #stop = new AbortController();
  readonly #pace: Pace;
  readonly #retries: Retries;
  /** Operations that failed through all attempts by this status, and have not been served since. */
  readonly #failing = new Map<string, number>();
  readonly #sentHeaders: HeaderList;
  readonly #shownHeaders: HeaderList;
  /** Routes by base address. */
  readonly #routes = new Map<string, Route>();
  #sent: number;
  /** Requests among them that did not go out, for the user's code before them failed. */
  #unsent = 0;

  constructor(given: ClientOptions) {
    const options = withDefaults(given);
    this.#options = options;
    this.#sentHeaders = headersAsSent(options.headers);
    this.#shownHeaders = headersAsShown(options.headers);
    this.#hookValues = new HookValues(options.redactor);
    this.#budget = options.budget ?? Number.POSITIVE_INFINITY;
    this.#sent = options.sentBefore;
    this.#retries = retriesUnder(options.terms);
    this.#pace = paceFor(options, this.#stop.signal, this.#retries);
    for (const { secret: name, value } of options.headers) if (name !== null) options.redactor.add({ name, value });
    if (options.stop?.aborted) void this.close();
    options.stop?.addEventListener('abort', () => void this.close(), { once: true });
  }

  get sent(): number {
    return this.#sent - this.#unsent;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all([...this.#routes.values()].map(({ connections }) => connections.close()));
  }

  #routeOf({ service }: RequestPlan): Route {
    const baseUrl = this.#options.baseUrlOf?.(service) ?? this.#options.baseUrl;
    const route = this.#routes.get(baseUrl) ?? routeTo(baseUrl, this.#options);
    this.#routes.set(baseUrl, route);
    return route;
  }

  async send(plan: RequestPlan): Promise<readonly Exchange[]> {
    const attempts: Exchange[] = [];
    const excused = new Set<Excuse>();
    let renewed: string | null = null;
    for (;;) {
      const token: string | null = renewed ?? (await this.#tokenFor(plan.credential));
      const secrets = {
        own: token,
        further: plan.placements === undefined ? [] : await this.#furtherTokens(plan, token),
      };
      const isFresh = plan.fresh === true || excused.has(isStaleConnection);
      const exchange = await this.#attempt(plan, secrets, attempts, isFresh);
      attempts.push(exchange);
      if (this.#stop.signal.aborted) throw new RunStopped('The run was stopped.');
      const excuse = EXCUSES.find((one) => !excused.has(one) && one(exchange, this.#retries));
      if (excuse !== undefined) {
        excused.add(excuse);
        continue;
      }
      const other: string | null = renewed === null ? await this.#renewedToken(exchange, token) : null;
      renewed ??= other;
      const counted = attempts.length - excused.size - Number(renewed !== null);
      if (other === null && !(await this.#waitToRepeat(exchange, counted))) return attempts;
    }
  }

  /** Waits as long as the contract asks before the request is sent again; resolves with false where its answer stands. */
  async #waitToRepeat(exchange: Exchange, attempt: number): Promise<boolean> {
    const key = keyOf(exchange.plan);
    const [nowMs, patienceMs] = [this.#options.clock.now(), this.#pace.patienceMs(key)];
    const [retries, random] = [this.#retries, this.#options.random];
    const delayMs = nextDelay({ exchange, retries, attempt, nowMs, patienceMs, random });
    if (this.#failsAsBefore(exchange, attempt, delayMs === null) || delayMs === null) return false;
    const isLimited = exchange.response !== null && retries.isLimited(exchange.response);
    this.#options.onWait(isLimited ? { what: 'limit', key } : { what: 'again', key: null }, nowMs + delayMs);
    await this.#options.clock.sleep(delayMs, this.#stop.signal);
    return true;
  }

  /** Tells whether the operation is known to fail so, whatever is sent: then its first answer stands. Those that ask for a wait are waited for. */
  #failsAsBefore({ plan, response }: Exchange, attempt: number, isLast: boolean): boolean {
    if (plan.operation === null || response === null) return false;
    const spot = `${plan.service} ${plan.operation}`;
    if (response.status < 500) this.#failing.delete(spot);
    if (response.status < 500 || response.status === 503) return false;
    if (isLast && attempt > 1) this.#failing.set(spot, response.status);
    return this.#failing.get(spot) === response.status;
  }

  async #attempt(plan: RequestPlan, secrets: Secrets, earlier: readonly Exchange[], fresh: boolean): Promise<Exchange> {
    this.#mustBeAllowed(plan);
    const key = keyOf(plan);
    const operation = plan.operation ?? undefined;
    // A plan sent once wants the refusal that the pace would avoid: it neither waits nor teaches the pace.
    const entered = plan.retry === 'once' ? null : this.#pace.enter(key, operation);
    const ticket = typeof entered === 'object' ? await entered : entered;
    let exchange: Exchange | null = null;
    try {
      if (this.#stop.signal.aborted) throw new RunStopped('The run was stopped.');
      const { connections, recorder } = this.#routeOf(plan);
      const acquired = connections.acquire();
      const connection = acquired instanceof Promise ? await acquired : acquired;
      if (connection === null) throw new RunStopped('The run was stopped.');
      try {
        this.#mustBeAllowed(plan);
        exchange = await this.#transfer(plan, secrets, earlier, { connection, recorder }, fresh);
      } finally {
        connection.release();
      }
    } finally {
      if (ticket !== null) this.#pace.leave(key, ticket, exchange?.response ?? null, operation);
    }
    const { request, response } = exchange;
    if (response !== null && this.#retries.isOtherRefusal(response)) exchange = { ...exchange, limited: true };
    this.#options.onExchange(exchange);
    if (this.#options.hooks !== null)
      await this.#options.hooks.after({ ...callOf(plan, request), response }, this.#options.clock);
    return exchange;
  }

  async #transfer(
    plan: RequestPlan,
    secrets: Secrets,
    earlier: readonly Exchange[],
    { connection, recorder }: { readonly connection: Connection; readonly recorder: Recorder },
    fresh: boolean,
  ): Promise<Exchange> {
    this.#sent += 1;
    const id = `ex-${this.#sent}`;
    const wire = wireOf(plan, placedWith(plan, secrets));
    const trace = plan.untraced === true ? null : (this.#options.traces?.(this.#sent) ?? null);
    const asShown = withConstant(wireOf(plan, placedAsShown(plan, markerOf), wire.body), this.#shownHeaders);
    const ready = {
      request: withTrace(withConstant(wire, this.#sentHeaders), trace),
      shown: withTrace(asShown, trace),
      constant: this.#options.headers,
    };
    const { request, ...told } =
      this.#options.hooks === null ? ready : await this.#withHooked(this.#options.hooks, ready, plan, recorder);
    const sentAt = this.#options.clock.now();
    const startedAt = this.#options.clock.monotonic();
    const halts = haltsOf(this.#options.clock).count;
    const timeLimitMs = this.#options.timeLimitMsOf(plan.operation);
    let outcome = await connection.send(request, { fresh, repeatable: this.#retries.mayRepeat(plan), timeLimitMs });
    const halted = haltsOf(this.#options.clock).count > halts;
    if ('failure' in outcome && (this.#stop.signal.aborted || halted)) {
      const message = this.#stop.signal.aborted ? 'the run was stopped' : HALTED;
      outcome = { failure: { ...outcome.failure, kind: 'aborted', message } };
    }
    const durationMs = Math.round((this.#options.clock.monotonic() - startedAt) * 1000) / 1000;
    const previous = earlier.at(-1)?.id ?? null;
    return recorder.record({
      id,
      plan,
      attempt: earlier.length + 1,
      previous,
      sentAt,
      durationMs,
      ...(halted ? { halted } : {}),
      request,
      ...told,
      outcome,
    });
  }

  /** The request with the headers that the user's code gives it. */
  async #withHooked(
    hooks: CallHooks,
    ready: Pick<Attempt, 'request' | 'shown'> & { readonly constant: readonly ConstantHeader[] },
    plan: RequestPlan,
    recorder: Recorder,
  ): Promise<Pick<Attempt, 'request' | 'shown' | 'constant' | 'own'>> {
    const call = callOf(plan, recorder.recordRequest(ready.shown));
    const added = await hooks.before(call, this.#options.clock).catch((error: unknown) => {
      this.#unsent += 1;
      throw error;
    });
    return {
      request: withConstant(ready.request, headersAsSent(added)),
      shown: withConstant(ready.shown, headersAsShown(added)),
      constant: [...ready.constant, ...added],
      own: this.#hookValues.note(added),
    };
  }

  /** A budget counts when the request goes out, so that concurrent requests cannot overdraw it. */
  #mustBeAllowed({ undoes }: RequestPlan): void {
    if (this.#stop.signal.aborted) throw new RunStopped('The run was stopped.');
    const kept = undoes === true || this.#budget === Number.POSITIVE_INFINITY ? 0 : this.#options.keptBack();
    if (this.#sent + kept >= this.#budget)
      throw new BudgetSpent(`The budget of ${plural(this.#budget, 'request')} is spent.`);
  }

  #tokenFor(credential: Credential): string | null | Promise<string> {
    return credential.kind === 'none' || credential.kind === 'invalid'
      ? null
      : this.#options.tokens.tokenOf(credential);
  }

  /** Tokens of the keys that the plan needs beside its own; what is sent in base64 is a secret in that form too. */
  async #furtherTokens(plan: RequestPlan, own: string | null): Promise<readonly string[]> {
    const tokens: string[] = [];
    for (const name of furtherKeys(plan)) tokens.push(await this.#options.tokens.tokenOf({ kind: 'key', name }));
    for (const [index, { form, key }] of (plan.placements ?? []).entries()) {
      const secret = index === 0 ? own : tokens[index - 1];
      if (form !== 'basic' || secret == null) continue;
      const name = index === 0 ? secretNameOf(plan.credential) : `key ${key}`;
      this.#options.redactor.add({ name, value: secretIn(form, secret) });
    }
    return tokens;
  }

  /** Another token for a key whose own was refused though it had worked; null to let the answer stand. */
  async #renewedToken({ plan, response }: Exchange, token: string | null): Promise<string | null> {
    if (plan.retry === 'once' || plan.credential.kind !== 'key' || token === null || response === null) return null;
    // It was to be refused.
    if (plan.intent === 'unauthenticated' && response.status === 401) return null;
    const { name } = plan.credential;
    if (response.status < 400) this.#options.tokens.accepted(name, token);
    return response.status === 401 ? this.#options.tokens.afterRefusal(name, token) : null;
  }
}

function paceFor({ clock, limitsPer, limits, onWait }: ClientOptions, stop: AbortSignal, retries: Retries): Pace {
  return limitsPer === 'operation'
    ? createPaceByOperation(clock, stop, onWait, limits, retries)
    : createPace(clock, stop, undefined, onWait, limits, retries);
}

/** The key whose token the plan carries; null for none. */
function keyOf({ credential }: RequestPlan): string | null {
  return credential.kind === 'key' ? credential.name : null;
}

/** Sockets to one base address, and what records what goes over them. */
interface Route {
  readonly connections: Connections;
  readonly recorder: Recorder;
}

function routeTo(baseUrl: string, options: ClientOptions): Route {
  const { origin, pathname } = new URL(baseUrl);
  const basePath = pathname.replace(/\/+$/, '');
  const answerLimitMs = (options.terms ?? NO_TERMS).requests.answeredWithinSeconds * 1000;
  const { byteLimit = MAX_ANSWER_BYTES, timeLimitMs = answerLimitMs, concurrency = DEFAULT_CONNECTIONS } = options;
  const connections = createConnections({
    ...{ origin, basePath, connections: concurrency, timeLimitMs, answerLimitMs, byteLimit },
    clock: options.clock,
    ...(options.open === undefined ? {} : { open: options.open }),
    ...(options.networkOf === undefined || options.open !== undefined ? {} : { network: options.networkOf(baseUrl) }),
  });
  return {
    connections,
    recorder: createRecorder({ baseUrl: origin + basePath, redactor: options.redactor, byteLimit }),
  };
}

function callOf({ service, operation, intent = 'sound' }: RequestPlan, request: RecordedRequest): Call {
  return { service, operation, intent, request };
}

function headersAsSent(headers: readonly ConstantHeader[]): HeaderList {
  return headers.map(({ name, value }) => [name, value]);
}

/** Secrets that are too short for a redactor, too, are shown by their names alone. */
function headersAsShown(headers: readonly ConstantHeader[]): HeaderList {
  return headers.map(({ name, value, secret }) => [name, secret === null ? value : markerOf(secret)]);
}
