// Holds the tools with which an author writes own checks and their tests: answers read, breaches told, and exchanges
// made up. Pure.
import type { OwnBreach, Weight } from '../contract/judgement.ts';
import { NO_TERMS } from '../contract/terms.ts';
import { header as headerIn, jsonBody as jsonIn } from '../exchange/body.ts';
import type { Exchange, HeaderList } from '../exchange/exchange.ts';
import { isObject } from '../openapi/json.ts';
import type { Subject } from './check.ts';
import type { OwnFact, OwnItem } from './own-check.ts';

/** The first value of the answer's header, whatever the case of its name; null where it is absent or nothing was answered. */
export function header({ response }: Exchange, name: string): string | null {
  return headerIn(response?.headers ?? [], name);
}

/** The value that the answer's body holds as JSON; undefined where there is none, or no JSON. */
export function jsonBody(exchange: Exchange): unknown {
  const body = jsonIn(exchange);
  return body.ok ? body.value : undefined;
}

/** The subject, its actual value, and the expected one in words: "Cache-Control", "absent", "private or no-store". */
export interface Seen {
  readonly subject: string;
  readonly actual: unknown;
  readonly expected: string;
  /** Less than the level of the clause says. Default: breach. */
  readonly weight?: Weight;
}

/**
 * A breach by its code and its values: the sentences are made of them. `pointer` is a JSON pointer into the answer's body, or into
 * the description for a check of descriptions.
 */
export function breach(
  code: string,
  { subject, actual, expected, weight = 'breach' }: Seen,
  pointer?: string,
): OwnBreach {
  const told = typeof actual === 'string' ? actual : (JSON.stringify(actual) ?? 'absent');
  return {
    ...{ weight, code, cause: `${subject} is not ${expected}`, message: `${subject} is ${told}, expected ${expected}` },
    ...{ expected, actual: told },
    ...(pointer === undefined ? {} : { pointer }),
  };
}

/** The parts of a test's exchange. All may be absent: a GET of / with a key, answered 200 without a body. */
export interface Sample {
  readonly method?: string;
  readonly path?: string;
  /** Without "?". */
  readonly query?: string;
  /** The JSON value that was sent. */
  readonly sent?: unknown;
  /** null: sent without a key. */
  readonly key?: string | null;
  /** null: nothing was answered. */
  readonly status?: number | null;
  /** Headers of the answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Body of the answer: a text as it stands, anything else as JSON. */
  readonly body?: unknown;
}

/** The input of a check, made up for its test: `expect(check.judge(sampleSubject({ status: 200 }))).toEqual(holds())`. */
export function sampleSubject(sample: Sample = {}): Subject {
  const without = { operation: null, description: null, docsUrl: null };
  return { exchange: sampleExchange(sample), ...without, contract: 'openapi', terms: NO_TERMS };
}

/** A fact of a test: what became of the item, and the exchange that shows it. */
export interface SampleFact extends Sample {
  readonly kind: OwnFact['kind'];
}

/** The input of a law over items, made up for its test: `law.judgeItem(sampleItem([{ kind: 'made', sent: {…} }, …]))`. */
export function sampleItem(facts: readonly SampleFact[]): OwnItem {
  return {
    id: '1',
    facts: facts.map(({ kind, ...sample }, at) => {
      const { method = 'GET', path = '/items/1', sent, body } = sample;
      const shown = kind === 'shown' && isObject(body) ? body : null;
      const exchange = { ...sampleExchange({ ...sample, method, path }), id: `ex-${at + 1}`, sentAt: at };
      return { kind, exchange, operation: `${method} ${path}`, sent: isObject(sent) ? sent : {}, shown };
    }),
  };
}

/** The exchange alone, sent at once and answered within a millisecond. */
export function sampleExchange({
  method = 'GET',
  path = '/',
  query = '',
  sent,
  key = 'test',
  ...answer
}: Sample = {}): Exchange {
  const { status = 200, headers = {}, body } = answer;
  const names: HeaderList = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const asked = { method, path, query, headers: [] };
  return {
    ...{ id: 'ex-1', attempt: 1, previous: null, sentAt: 0, durationMs: 1, echoed: [] },
    plan: {
      ...{ ...asked, service: null, operation: null, probe: 'test', retry: 'never' },
      body: sent === undefined ? { kind: 'none' } : { kind: 'json', value: sent },
      credential: key === null ? { kind: 'none' } : { kind: 'key', name: key },
    },
    request: {
      ...asked,
      url: `http://127.0.0.1${path}${query === '' ? '' : `?${query}`}`,
      body: sent === undefined ? null : JSON.stringify(sent),
    },
    response:
      status === null ? null : { status, headers: names, body: text, bytes: Buffer.byteLength(text), truncated: false },
    failure: status === null ? { kind: 'reset', message: 'connection reset', reusedSocket: false } : null,
  };
}
