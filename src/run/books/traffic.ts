// Counts the requests and answers of every operation: statuses, durations, and which parameters were sent.

import { isDrop } from '../../checks/req/req-09-unanswered.ts';
import { plural } from '../../contract/numbers.ts';
import type { DeclaredUse } from '../../contract/report.ts';
import { parsedJson } from '../../exchange/decoded.ts';
import { envelopeOf } from '../../exchange/envelope.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isSafe } from '../../exchange/methods.ts';
import { isServed } from '../../facts/answered.ts';
import { latencyClass } from '../../grading/latency.ts';
import { isObject } from '../../openapi/json.ts';
import type { Operation, Parameter } from '../../openapi/model/operation.ts';
import { declaredResponse } from '../../openapi/model/responses.ts';
import { type Spot, spotKey } from '../plan/clause-target.ts';

/** Number of requests that hit the time limit, or stayed 503 or 429 through all retries, until an operation is left alone. */
const SILENT_AFTER = 2;

/** Names of parameters kept per operation: hostile requests make up many. */
const NAMES_KEPT = 500;

/** Kinds of refusals kept per operation, and the longest code that names one: a target may make up a code for every answer. */
const REFUSALS_KEPT = 5;
const CODE_LENGTH = 60;

/** Fewer tell nothing of how long answers take. */
const MIN_ALONE = 5;

export interface OperationTraffic {
  requests: number;
  readonly statuses: Map<string, number>;
  /** Answers with a 2xx status that arrived whole. */
  successes: number;
  /** "428 precondition_required": answers to requests with nothing wrong on purpose that were no success. */
  readonly refusals: Map<string, number>;
  /** Durations of answers by latency class. */
  readonly latency: Map<number, number>;
  /** "query limit", "header idempotency-key", "body": how often sent. */
  readonly sent: Map<string, number>;
  /** The lists that it answered: `filled` once one had more than an empty list; undefined: it answered none. */
  lists: 'empty' | 'filled' | undefined;
  /** Requests without an answer worth waiting for: time-outs, and 503 and 429 that stayed. */
  silences: number;
}

export class Traffic {
  readonly #counts = new Map<string, OperationTraffic>();
  #answered = { count: 0, ms: 0 };
  /** The same of requests while which nothing else was under way. */
  #answeredAlone = { count: 0, ms: 0 };
  /** The same of requests alone that changed something. */
  #changedAlone = { count: 0, ms: 0 };
  #underWay = 0;
  #isAlone = false;

  /**
   * How long the answer takes on average to a request that goes alone, as those of the clean-up do: requests that are under way
   * together wait for one another. Before enough of them are known: to any. 0 before the first. ms.
   */
  get aloneMs(): number {
    const { count, ms } = this.#answeredAlone.count < MIN_ALONE ? this.#answered : this.#answeredAlone;
    return count === 0 ? 0 : ms / count;
  }

  /** The same of a request that changes something, which may take much longer than refusals and readings do. */
  get changeMs(): number {
    const { count, ms } = this.#changedAlone;
    return count < MIN_ALONE ? this.aloneMs : Math.max(this.aloneMs, ms / count);
  }

  /** A request goes out. */
  begin(): void {
    this.#underWay += 1;
    this.#isAlone = this.#underWay === 1;
  }

  /** It was answered, or will not be. */
  end(attempts: readonly Exchange[]): void {
    this.#underWay -= 1;
    for (const attempt of this.#isAlone ? attempts : []) {
      addDuration(this.#answeredAlone, attempt);
      if (!isSafe(attempt.plan.method) && isServed(attempt)) addDuration(this.#changedAlone, attempt);
    }
    this.#isAlone = false;
  }

  /** The counts of one operation, by its spot key; undefined where it was never asked. */
  get(key: string): OperationTraffic | undefined {
    return this.#counts.get(key);
  }

  /** Requests of all operations together. */
  get total(): number {
    return [...this.#counts.values()].reduce((sum, { requests }) => sum + requests, 0);
  }

  /** Answers of this status, of all operations together. */
  answered(status: string): number {
    return [...this.#counts.values()].reduce((sum, { statuses }) => sum + (statuses.get(status) ?? 0), 0);
  }

  count(spot: Spot, exchange: Exchange): void {
    const key = spotKey(spot);
    const traffic = this.#counts.get(key) ?? emptyTraffic();
    this.#counts.set(key, traffic);
    const status = exchange.response === null ? 'failed' : String(exchange.response.status);
    if (exchange.failure?.kind === 'timeout') traffic.silences += 1;
    addDuration(this.#answered, exchange);
    // Another shard counts it.
    if (exchange.plan.elsewhere !== undefined) return;
    traffic.requests += 1;
    add(traffic.statuses, status);
    if (traffic.lists !== 'filled') traffic.lists = listSeen(exchange) ?? traffic.lists;
    if (isServed(exchange)) traffic.successes += 1;
    else if ((exchange.plan.intent ?? 'sound') === 'sound' && traffic.refusals.size < REFUSALS_KEPT)
      add(traffic.refusals, inBrief(exchange));
    if (exchange.response !== null && exchange.halted !== true) add(traffic.latency, latencyClass(exchange.durationMs));
    for (const name of sentNames(exchange)) if (traffic.sent.size < NAMES_KEPT) add(traffic.sent, name);
  }

  /** Notes a 503 or 429 that stayed through all retries. */
  stayedUnavailable(spot: Spot): void {
    const traffic = this.#counts.get(spotKey(spot));
    if (traffic !== undefined) traffic.silences += 1;
  }

  /** Tells whether it stayed so before, or did not answer in time. */
  staysUnavailable(spot: Spot): boolean {
    return (this.#counts.get(spotKey(spot))?.silences ?? 0) > 0;
  }

  /** Tells whether the operation cost so much waiting that it is left alone. */
  hangs(spot: Spot): boolean {
    return (this.#counts.get(spotKey(spot))?.silences ?? 0) >= SILENT_AFTER;
  }

  /** "; 3 of 8 calls were not answered", for a reason that this may be the cause of; empty where all were. */
  lostOf(spot: Spot): string {
    const { requests = 0, statuses } = this.#counts.get(spotKey(spot)) ?? {};
    const lost = statuses?.get('failed') ?? 0;
    return lost === 0 ? '' : `; ${lost} of ${plural(requests, 'call')} ${lost === 1 ? 'was' : 'were'} not answered`;
  }

  /** Why it is left alone, in words. */
  silence(spot: Spot): string {
    const isLimited = (this.#counts.get(spotKey(spot))?.statuses.get('429') ?? 0) > 0;
    return isLimited ? 'the operation keeps answering 429' : 'the operation does not answer';
  }
}

/** Longer answers hold more than an empty list. */
const MAX_EMPTY_CHARS = 2000;

/** Tells an empty list from one with items in the answer to a reading; null where it is no list. */
function listSeen(exchange: Exchange): 'empty' | 'filled' | null {
  const { plan, response } = exchange;
  const isReading = plan.method === 'GET' && !(plan.operation ?? '').endsWith('}');
  if (!isReading || response === null || !isServed(exchange)) return null;
  if (response.body.length > MAX_EMPTY_CHARS) return 'filled';
  const body = parsedJson(response.body);
  const inner = isObject(body) && isObject(body.data) ? body.data : body;
  const lists = Array.isArray(inner) ? [inner] : isObject(inner) ? Object.values(inner).filter(Array.isArray) : [];
  // An object with an id is a thing, and its lists are its own.
  if (lists.length !== 1 || (isObject(inner) && 'id' in inner)) return null;
  return lists[0]?.length === 0 ? 'empty' : 'filled';
}

function addDuration(sum: { count: number; ms: number }, { response, durationMs }: Exchange): void {
  if (response === null) return;
  sum.count += 1;
  sum.ms += durationMs;
}

function emptyTraffic(): OperationTraffic {
  const counts = { statuses: new Map(), refusals: new Map(), latency: new Map(), sent: new Map() };
  return { requests: 0, successes: 0, silences: 0, lists: undefined, ...counts };
}

/** How a connection that ended without an answer is told of. */
export const DROPPED = 'a dropped connection';

/** How many sound requests the server failed on, or dropped; 503 aside, which may be over the next time. */
export function countFailures({ refusals }: OperationTraffic): number {
  const isFailure = (brief: string): boolean => brief === DROPPED || /^5(?!03)/.test(brief);
  return [...refusals].reduce((sum, [brief, times]) => sum + (isFailure(brief) ? times : 0), 0);
}

/** Status and code of an answer; "nothing" for none. */
function inBrief(exchange: Exchange): string {
  if (isDrop(exchange)) return DROPPED;
  if (exchange.response === null) return 'nothing';
  const code = envelopeOf(exchange)?.code ?? null;
  const isBrief = code !== null && code.length <= CODE_LENGTH;
  return isBrief ? `${exchange.response.status} ${code}` : String(exchange.response.status);
}

/** The names of the request's parameters, each once. Members of an object stand for it: `filter[name]` is "query filter". */
function sentNames({ request }: Exchange): ReadonlySet<string> {
  const query = request.url.split('?')[1]?.split('#')[0] ?? '';
  const names = query === '' ? [] : [...new URLSearchParams(query).keys()];
  const members = names.map((name) => `query ${name.split('[')[0]}`);
  const headers = request.headers.map(([name]) => headerLabel(name));
  const cookies = request.headers
    .filter(([name]) => name.toLowerCase() === 'cookie')
    .flatMap(([, value]) => value.split(';').map((pair) => `cookie ${pair.split('=')[0]?.trim()}`));
  return new Set([...members, ...headers, ...cookies, ...(request.body === null ? [] : ['body'])]);
}

const headerLabels = new Map<string, string>();

/** Headers are few and are sent again and again. */
function headerLabel(name: string): string {
  let label = headerLabels.get(name);
  if (label === undefined) {
    label = `header ${name.toLowerCase()}`;
    headerLabels.set(name, label);
  }
  return label;
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** How much of what a description declares was used: every declared parameter, the body among them, and every declared status, with how often it was seen. Pure. */
export function declaredUse(operation: Operation, traffic: OperationTraffic | undefined): DeclaredUse {
  const parameters = operation.parameters.map((one) => [`${one.in} ${one.name}`, timesSent(one, traffic)] as const);
  const body = operation.requestBody === null ? [] : [['body', traffic?.sent.get('body') ?? 0] as const];
  const statuses = new Map(operation.responses.map(({ status }) => [status, 0]));
  for (const [status, count] of traffic?.statuses ?? []) {
    const declared = status === 'failed' ? null : declaredResponse(operation, Number(status));
    if (declared !== null) statuses.set(declared.status, (statuses.get(declared.status) ?? 0) + count);
  }
  return { parameters: Object.fromEntries([...parameters, ...body]), statuses: Object.fromEntries(statuses) };
}

/** A path parameter is in every request. */
function timesSent({ in: place, name }: Parameter, traffic: OperationTraffic | undefined): number {
  if (place === 'path') return traffic?.requests ?? 0;
  return traffic?.sent.get(`${place} ${place === 'header' ? name.toLowerCase() : name}`) ?? 0;
}
