// Calls read from a record: a step is answered with what the next step of its key and operation was answered then, as steps
// of several keys may have been under way together. Nothing is sent, nothing is waited for; time is that of the record. What
// judges sees the answers in the order in which they came.
import type { RateTerms } from '../../contract/terms.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { exchangeOf, exchangeOfBody, limitHeaders } from '../samples/exchange.ts';
import { followSamples } from '../samples/follow.ts';
import type { BodySample, RequestSample, Sample } from '../samples/line.ts';
import type { Call, Caller } from './caller.ts';

export interface RecordedOptions {
  readonly lane: string;
  /** The file of samples. */
  readonly path: string;
  /** The terms of the contract on limits; null: it states none. */
  readonly terms: RateTerms | null;
  readonly planOf: (key: string, operation: string) => RequestPlan;
  readonly onMeasured: (exchange: Exchange) => void;
  readonly onKept: (exchange: Exchange, step: string) => void;
  /** Sees every sample, in the order of the record. */
  readonly watch: (sample: Sample) => void;
}

interface Answer {
  readonly sample: RequestSample | BodySample;
  readonly exchange: Exchange;
}

interface Step {
  /** Key of its first call. */
  readonly key: string;
  readonly operation: string;
  readonly answers: Answer[];
}

export class RecordedCaller implements Caller {
  readonly #options: RecordedOptions;
  /** Steps not taken yet, in their order, and all answers not told yet, in theirs. */
  #steps: Step[] | null = null;
  #untold: Answer[] = [];
  #nowMs = 0;

  constructor(options: RecordedOptions) {
    this.#options = options;
  }

  now(): number {
    return this.#nowMs;
  }

  async sleep(delayMs: number): Promise<void> {
    this.#nowMs += delayMs;
  }

  async call(calls: readonly Call[]): Promise<readonly Exchange[]> {
    const [call] = calls;
    if (call === undefined) return [];
    this.#steps ??= await this.#read();
    const at = this.#steps.findIndex(({ key, operation }) => key === call.key && operation === call.operation);
    const [step] = at < 0 ? [] : this.#steps.splice(at, 1);
    const last = step?.answers.at(-1);
    // Time passes otherwise than it did: a call that was not made then has no answer.
    if (step === undefined || last === undefined) return [];
    this.#tellUntil(last);
    const answered = step.answers.flatMap(({ sample, exchange }) => (sample.kind === 'request' ? [exchange] : []));
    return answered.toSorted((left, right) => left.sentAt - right.sentAt);
  }

  /** Hands over what came until this answer, this one included. */
  #tellUntil(last: Answer): void {
    const { onMeasured, onKept } = this.#options;
    const told = this.#untold.splice(0, this.#untold.indexOf(last) + 1);
    for (const { sample, exchange } of told) {
      if (sample.kind === 'body') onKept(exchange, sample.step);
      else onMeasured(exchange);
      this.#nowMs = Math.max(this.#nowMs, exchange.sentAt + exchange.durationMs);
    }
  }

  async #read(): Promise<Step[]> {
    const steps = new Map<string, Step>();
    const onSample = (sample: Sample): void => {
      this.#options.watch(sample);
      if (sample.kind !== 'request' && sample.kind !== 'body') return;
      const { key, operation } = sample;
      const answer = { sample, exchange: this.#exchange(sample) };
      const step = steps.get(sample.step) ?? { key, operation, answers: [] };
      step.answers.push(answer);
      steps.set(sample.step, step);
      this.#untold.push(answer);
    };
    await followSamples(this.#options.path, 0, () => true, onSample);
    this.#nowMs = this.#untold[0]?.exchange.sentAt ?? 0;
    const numberOf = (name: string): number => Number(name.slice(name.lastIndexOf('.') + 1));
    return [...steps].toSorted(([one], [other]) => numberOf(one) - numberOf(other)).map(([, step]) => step);
  }

  #exchange(sample: RequestSample | BodySample): Exchange {
    const plan = this.#options.planOf(sample.key, sample.operation);
    const id = `k6-${this.#options.lane}-${this.#untold.length + 1}`;
    if (sample.kind === 'body') return exchangeOfBody(sample, plan, plan.path, id);
    return exchangeOf(sample, { plan, url: plan.path, id, limits: limitHeaders(this.#options.terms) });
  }
}
