// The laws over each key's series of answers, on traffic that others sent. They need the times of every call and the order of
// answers, and know nothing of calls that the recording does not hold: what these may explain is not judged.

import { unlessUnrecorded } from '../../checks/rate/others.ts';
import { RateBook } from '../../checks/rate/rate-history.ts';
import type { RateConclusion } from '../../checks/rate/series-law.ts';
import { answeredMs, type Exchange } from '../../exchange/exchange.ts';
import type { PlanExpectations, PlanKey } from '../../limiters/limit-book.ts';
import { keyOf, type Limited } from '../../limiters/reading.ts';
import { UNTOLD } from './tokens.ts';

/** Minimum number of answers that wait until those that began before them have come; twice as many are the maximum. */
const MOST_WAITING = 256;
/** More keys are not followed. */
const MOST_KEYS = 256;

/** The answers of a key that are not judged yet, in the order of time, and when the last one of the others came. */
interface Trace {
  readonly waiting: Exchange[];
  lastMs: number;
}

export class RateTraces {
  readonly #traces = new Map<string, Trace>();
  /** Why nothing can be said of a key. */
  readonly #void = new Map<string, string>();
  readonly #limited: Limited;
  readonly #book: RateBook;
  readonly #configured: ReadonlySet<string>;

  constructor(keys: readonly PlanKey[], limited: Limited, expected: PlanExpectations) {
    this.#limited = limited;
    this.#book = new RateBook(keys, limited, expected);
    this.#configured = new Set(keys.map(({ name }) => name));
  }

  /** `isTimed`: whether the recording tells when it was sent, and how long it took. */
  observe(exchange: Exchange, isTimed: boolean): void {
    const key = keyOf(exchange.plan, this.#limited);
    if (key === null || key === UNTOLD || this.#void.has(key)) return;
    if (!isTimed) {
      this.#drop(key, 'the recording does not tell when all calls of a key were made');
      return;
    }
    const trace = this.#traceOf(key);
    if (trace === null) return;
    if (answeredMs(exchange) < trace.lastMs) {
      this.#drop(key, 'the recording is not in the order of time');
      return;
    }
    insert(trace.waiting, slim(exchange));
    if (trace.waiting.length >= 2 * MOST_WAITING) this.#feed(trace, MOST_WAITING);
  }

  /** All judgements; `skipped` tells why some keys are not followed, null: all are. */
  conclude(): { readonly conclusions: readonly RateConclusion[]; readonly skipped: string | null } {
    for (const trace of this.#traces.values()) this.#feed(trace, trace.waiting.length);
    const conclusions = this.#book.concludeSeries().map(unlessUnrecorded);
    const areKnown = [...this.#traces.keys()].some((key) => this.#configured.has(key));
    const plans = areKnown && this.#void.size === 0 ? this.#book.concludePlans() : [];
    const [skipped = null] = this.#void.values();
    return { conclusions: [...conclusions, ...plans], skipped };
  }

  #drop(key: string, reason: string): void {
    this.#traces.delete(key);
    this.#book.forget(key);
    this.#void.set(key, reason);
  }

  #traceOf(key: string): Trace | null {
    const known = this.#traces.get(key);
    if (known !== undefined) return known;
    if (this.#traces.size >= MOST_KEYS) return null;
    const trace: Trace = { waiting: [], lastMs: Number.NEGATIVE_INFINITY };
    this.#traces.set(key, trace);
    return trace;
  }

  #feed(trace: Trace, count: number): void {
    for (const exchange of trace.waiting.splice(0, count)) {
      trace.lastMs = answeredMs(exchange);
      this.#book.observe(exchange);
    }
  }
}

/** Recordings are nearly in order: the place is close to the end. */
function insert(waiting: Exchange[], exchange: Exchange): void {
  let at = waiting.length;
  while (at > 0 && answeredMs(waiting[at - 1] as Exchange) > answeredMs(exchange)) at -= 1;
  waiting.splice(at, 0, exchange);
}

/** Limits stand in headers alone. */
function slim(exchange: Exchange): Exchange {
  const { response } = exchange;
  return response === null || response.body === ''
    ? exchange
    : { ...exchange, response: { ...response, body: '', truncated: true } };
}
