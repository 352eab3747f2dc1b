// Calls that are really sent: single ones by the run's client, all others by k6, every one of them noted in the lane's record.
import type { Addressed } from '../../config/addresses.ts';
import type { RateTerms } from '../../contract/terms.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { refusedStatus } from '../../limiters/reading.ts';
import { lost } from '../arrivals/arrivals.ts';
import type { Generator } from '../k6/measure.ts';
import { type CallGroup, longestAnswerSeconds, type RequestsPlan, type ScriptedKey } from '../k6/requests-plan.ts';
import { exchangeOf, exchangeOfBody, limitHeaders, sampleOf } from '../samples/exchange.ts';
import { lineOf, type RequestSample, type Sample } from '../samples/line.ts';
import type { Call, Caller } from './caller.ts';
import { scripted, sharedBy, urlOf } from './scripted.ts';

export interface LiveOptions {
  readonly generator: Generator;
  /** Name of the record: begins the names of its steps. */
  readonly lane: string;
  readonly config: Addressed;
  readonly keys: readonly ScriptedKey[];
  /** The terms of the contract on limits; null: it states none. */
  readonly terms: RateTerms | null;
  /** The request of a call of the operation under the key. */
  readonly planOf: (key: string, operation: string) => RequestPlan;
  /** Sends one plan by the run's client, which judges the answer; resolves with null where it must not be sent. */
  readonly send: (plan: RequestPlan) => Promise<Exchange | null>;
  /** Judges what k6 measured: without its body, and the few that were kept with it. */
  readonly onMeasured: (exchange: Exchange) => void;
  readonly onKept: (exchange: Exchange, step: string) => void;
  /** A text without any secret. */
  readonly conceal: (text: string) => string;
  /** Sees the samples of single calls. */
  readonly watch: (sample: Sample) => void;
  readonly perSecond: number;
  /** Takes requests from what the run may send; throws StepLost where they are too many. */
  readonly charge: (requests: number) => void;
  /** Gives back what was not sent. */
  readonly refund: (requests: number) => void;
  readonly now: () => number;
  /** `key`: whose calls wait; null: it is not known whose. */
  readonly sleep: (delayMs: number, key: string | null) => Promise<void>;
}

const VUS = 16;
/** k6 takes this long to be under way: longer waits are waited before it starts. ms. */
const START_MS = 400;
const ANSWER_LIMIT_SECONDS = 30;
const SLACK_SECONDS = 20;

export class LiveCaller implements Caller {
  readonly #options: LiveOptions;
  readonly now: () => number;
  readonly sleep: Caller['sleep'];
  #steps = 0;
  #exchanges = 0;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.now = options.now;
    this.sleep = (delayMs) => options.sleep(delayMs, null);
  }

  async call(calls: readonly Call[], endsAtRefusal: boolean): Promise<readonly Exchange[]> {
    const [first] = calls;
    if (first === undefined) return [];
    this.#steps += 1;
    const step = `${this.#options.lane}.${this.#steps}`;
    this.#options.charge(calls.length);
    if (calls.length === 1) return this.#single(first, step);
    const aheadMs = Math.max(0, first.afterMs - START_MS);
    await this.#options.sleep(aheadMs, first.key);
    const due = calls.map((call) => ({ ...call, afterMs: call.afterMs - aheadMs }));
    return this.#measured(paced(due, this.#options.perSecond), step, endsAtRefusal);
  }

  async #single({ key, operation, afterMs }: Call, step: string): Promise<readonly Exchange[]> {
    const { planOf, send, generator, watch, conceal, refund, sleep } = this.#options;
    await sleep(afterMs, key);
    const exchange = await send(planOf(key, operation));
    if (exchange === null) {
      refund(1);
      return [];
    }
    const sample = sampleOf(exchange, step, conceal, limitHeaders(this.#options.terms));
    watch(sample);
    await generator.append(lineOf(sample));
    return [exchange];
  }

  async #measured(calls: readonly Call[], step: string, endsAtRefusal: boolean): Promise<readonly Exchange[]> {
    const { generator, onMeasured, onKept, refund } = this.#options;
    const plan = this.#scripted(calls, step, endsAtRefusal);
    const samples: RequestSample[] = [];
    const onSample = (sample: Sample): void => {
      if (sample.kind === 'request') samples.push(sample);
      if (sample.kind === 'body') onKept(this.#exchange(sample.key, sample.operation, sample), sample.step);
    };
    const timeLimitSeconds = plan.timeLimitSeconds + SLACK_SECONDS;
    const done = await generator.measure({
      script: 'requests',
      plan,
      planned: calls.length,
      timeLimitSeconds,
      onSample,
    });
    refund(calls.length - done.started);
    const answered = samples.map((sample) => this.#exchange(sample.key, sample.operation, sample));
    for (const exchange of answered) onMeasured(exchange);
    if (done.incomplete !== null) throw lost(done, done.incomplete);
    return answered.toSorted((left, right) => left.sentAt - right.sentAt);
  }

  #exchange(key: string, operation: string, sample: Sample & { kind: 'request' | 'body' }): Exchange {
    const { planOf, lane, config } = this.#options;
    const plan = planOf(key, operation);
    this.#exchanges += 1;
    const id = `k6-${lane}-${this.#exchanges}`;
    const url = urlOf(config, plan);
    if (sample.kind === 'body') return exchangeOfBody(sample, plan, url, id);
    return exchangeOf(sample, { plan, url, id, limits: limitHeaders(this.#options.terms) });
  }

  #scripted(calls: readonly Call[], step: string, endsAtRefusal: boolean): RequestsPlan {
    const { keys, planOf, config } = this.#options;
    const operations = [...new Set(calls.map(({ operation }) => operation))];
    const [{ key: sender } = { key: '' }] = calls;
    const requests = operations.map((operation) => scripted(planOf(sender, operation), operation, config));
    const lastMs = calls.at(-1)?.afterMs ?? 0;
    const answerLimitSeconds = config.target.timeoutSeconds ?? ANSWER_LIMIT_SECONDS;
    return {
      step,
      vus: Math.min(VUS, calls.length),
      calls: groupsOf(
        calls,
        (name) => keys.findIndex((key) => key.name === name),
        (operation) => operations.indexOf(operation),
      ),
      requests,
      keys,
      headers: sharedBy(config).headers,
      ...(config.target.trace === undefined ? {} : { trace: config.target.trace }),
      limits: limitHeaders(this.#options.terms),
      refusedStatus: refusedStatus(this.#options.terms),
      endsAtRefusal,
      bodyVus: 1,
      answerLimitSeconds,
      timeLimitSeconds: Math.ceil(
        lastMs / 1000 + longestAnswerSeconds({ requests, answerLimitSeconds }) + calls.length / 100,
      ),
    };
  }
}

// Calls as the groups that a k6 script reads, and how fast they may go.

/** The same calls, none sooner than the rate allows. Calls per second. */
export function paced(calls: readonly Call[], perSecond: number): readonly Call[] {
  const everyMs = 1000 / perSecond;
  let freeMs = Number.NEGATIVE_INFINITY;
  return calls.map((call) => {
    const afterMs = Math.max(call.afterMs, freeMs);
    freeMs = afterMs + everyMs;
    return { ...call, afterMs };
  });
}

/** Runs of calls alike, evenly spaced; their order and times are those of the calls. */
export function groupsOf(
  calls: readonly Call[],
  indexOfKey: (name: string) => number,
  indexOfRequest: (operation: string) => number,
): readonly CallGroup[] {
  const groups: (CallGroup & { count: number; everyMs: number })[] = [];
  let last: Call | null = null;
  for (const call of calls) {
    const group = groups.at(-1);
    const everyMs: number = last === null ? 0 : call.afterMs - last.afterMs;
    const isAlike = last !== null && call.key === last.key && call.operation === last.operation;
    const isEven = group !== undefined && (group.count === 1 || Math.abs(group.everyMs - everyMs) < 1e-6);
    if (group !== undefined && isAlike && isEven) {
      group.count += 1;
      group.everyMs = everyMs;
    } else {
      const { key, operation, afterMs } = call;
      groups.push({ key: indexOfKey(key), request: indexOfRequest(operation), afterMs, everyMs: 0, count: 1 });
    }
    last = call;
  }
  return groups;
}
