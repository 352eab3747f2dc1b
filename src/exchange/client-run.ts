// Records one run of a client's command: each request with the answer that it was given, how the command ended, and its
// output. The checks of clients see nothing else.
import type { Scenario } from '../contract/client.ts';
import { redactErrorMessages } from './error-messages.ts';
import type { Exchange, HeaderList } from './exchange.ts';
import { receivedExchange, redactedHeaders } from './received-exchange.ts';
import type { Redactor } from './secrets/known-secrets.ts';

export interface ClientRequest {
  /** "read-store 429-seconds #2". */
  readonly id: string;
  /** Epoch ms, when the whole request was received. */
  readonly at: number;
  readonly method: string;
  /** Path and query as received. */
  readonly path: string;
  /** Names in lower case, in the order received. */
  readonly headers: HeaderList;
  readonly body: Buffer;
  /** The operation of the contract that it calls; null for any other path. */
  readonly operation: string | null;
  readonly answer: ClientAnswer;
}

export interface ClientAnswer {
  /** null: the connection was closed without an answer. */
  readonly status: number | null;
  readonly headers: HeaderList;
  readonly body: string;
  /** Epoch ms, before the first byte of it was written: no client can have known it earlier. */
  readonly at: number;
  /** It is the trouble of the scenario. */
  readonly isTrouble: boolean;
}

/** Where a secret was found: "stdout", "stderr", "client.log". */
export interface Leak {
  readonly of: 'token' | 'message';
  readonly where: string;
}

/** exited: by itself. limit: its time was up. stopped: with the whole run. enough: all was seen. flooded: it wrote too much. */
export type ClientEnding = 'exited' | 'signal' | 'limit' | 'stopped' | 'enough' | 'flooded' | 'not-started';

export interface ClientRun {
  readonly scenario: Scenario;
  readonly requests: readonly ClientRequest[];
  readonly ending: ClientEnding;
  /** Exit code, signal, or why it could not be started, in words. */
  readonly ended: string;
  readonly exitCode: number | null;
  /** Epoch ms. */
  readonly endedAt: number;
  /** Its error output ends as that of a program does which an exception ended that nobody caught. */
  readonly isUncaught: boolean;
  /** Ids that the walked list holds. */
  readonly served: readonly string[];
  /** How often each of them was printed on a line of its own. */
  readonly printed: ReadonlyMap<string, number>;
  readonly leaks: readonly Leak[];
  /** How much later than due this process woke meanwhile, in all: the machine was so busy. ms. */
  readonly stalledMs: number;
}

/** Parameters of a query that select a page. Others ask for nothing else: a client may change them with each attempt. */
const SELECTING = ['page', 'limit', 'offset'];

/** Method, path and page that a request asks for. `url`: path and query. */
export function askedFor(method: string, url: string): string {
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  const members = new URLSearchParams(query);
  const page = SELECTING.flatMap((name) => (members.has(name) ? [`${name}=${members.get(name)}`] : []));
  return `${method} ${path}${page.length === 0 ? '' : `?${page.join('&')}`}`;
}

/** The requests that ask for the same thing, in the order received. */
export function callsIn({ requests }: Pick<ClientRun, 'requests'>): readonly (readonly ClientRequest[])[] {
  const known = requests.filter(({ operation }) => operation !== null);
  return [...Map.groupBy(known, ({ method, path }) => askedFor(method, path)).values()];
}

/** A request that came once the one before it, for the same thing, was answered or lost. */
export interface Retry {
  readonly before: ClientRequest;
  readonly again: ClientRequest;
  /** From the answer to the next request. ms. */
  readonly gapMs: number;
}

/** The retries among the requests for one thing: each follows the latest answer that it can have known. */
export function retriesIn(call: readonly ClientRequest[]): readonly Retry[] {
  return call.slice(1).flatMap((again, index) => {
    const before = call.slice(0, index + 1).findLast(({ answer }) => answer.at <= again.at);
    return before === undefined ? [] : [{ before, again, gapMs: again.at - before.answer.at }];
  });
}

/**
 * Shortest wait at each place that all of several series have. ms. A busy machine makes a wait longer and never
 * shorter, and seldom the same one in every run.
 */
export function shortestWaits(series: readonly (readonly Retry[])[]): readonly number[] {
  const common = Math.min(...series.map(({ length }) => length));
  return Array.from({ length: Number.isFinite(common) ? common : 0 }, (_, place) =>
    Math.min(...series.map((retries) => retries[place]?.gapMs ?? Number.POSITIVE_INFINITY)),
  );
}

/** The request with its answer as reports show any evidence, secrets redacted. `base`: scheme and host, without a slash at its end. */
export function clientExchange(request: ClientRequest, base: string, redactor: Redactor): Exchange {
  const { id, at, method, path, headers, answer } = request;
  const { status } = answer;
  return receivedExchange(
    {
      ...{ id, probe: 'client', at, durationMs: Math.max(0, Math.round(answer.at - at)), method, path, headers },
      body: request.body.toString('utf8'),
      answer:
        status === null
          ? { kind: 'aborted', message: 'the scenario closes the connection without an answer', reusedSocket: false }
          : {
              ...{ status, headers: redactedHeaders(answer.headers, redactor) },
              body: redactor.redact(redactErrorMessages(answer.body)),
              ...{ bytes: Buffer.byteLength(answer.body), truncated: false },
            },
    },
    base,
    redactor,
  );
}
