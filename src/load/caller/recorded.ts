// Calls read from a record: the n-th step of a lane is answered with what its n-th step was answered then. Nothing is sent,
// nothing is waited for; time is that of the record.
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { exchangeOf, exchangeOfBody } from '../samples/exchange.ts';
import { followSamples } from '../samples/follow.ts';
import type { Sample } from '../samples/line.ts';
import { type Call, type Caller, StepLost } from './caller.ts';

export interface RecordedOptions {
  readonly lane: string;
  /** The file of samples. */
  readonly path: string;
  readonly planOf: (key: string, operation: string) => RequestPlan;
  readonly onMeasured: (exchange: Exchange) => void;
  readonly onKept: (exchange: Exchange) => void;
}

export class RecordedCaller implements Caller {
  readonly #options: RecordedOptions;
  #steps: Map<string, Sample[]> | null = null;
  #step = 0;
  #exchanges = 0;
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
    if (calls.length === 0) return [];
    this.#steps ??= await this.#read();
    this.#step += 1;
    const samples = this.#steps.get(`${this.#options.lane}.${this.#step}`);
    if (samples === undefined) throw new StepLost('incomplete', `the record ends before step ${this.#step}`);
    const { onMeasured, onKept } = this.#options;
    const answered: Exchange[] = [];
    for (const sample of samples) {
      if (sample.kind === 'body') onKept(this.#exchange(sample));
      if (sample.kind !== 'request') continue;
      const exchange = this.#exchange(sample);
      onMeasured(exchange);
      answered.push(exchange);
      this.#nowMs = Math.max(this.#nowMs, sample.startMs + sample.durationMs);
    }
    return answered.toSorted((left, right) => left.sentAt - right.sentAt);
  }

  async #read(): Promise<Map<string, Sample[]>> {
    const steps = new Map<string, Sample[]>();
    const { path } = this.#options;
    await followSamples(
      path,
      0,
      () => true,
      (sample) => {
        const step = steps.get(sample.step) ?? [];
        step.push(sample);
        steps.set(sample.step, step);
        if (this.#nowMs === 0 && sample.kind === 'request') this.#nowMs = sample.startMs;
      },
    );
    return steps;
  }

  #exchange(sample: Sample & { kind: 'request' | 'body' }): Exchange {
    this.#exchanges += 1;
    const plan = this.#options.planOf(sample.key, sample.operation);
    const id = `k6-${this.#options.lane}-${this.#exchanges}`;
    return sample.kind === 'request'
      ? exchangeOf(sample, plan, plan.path, id)
      : exchangeOfBody(sample, plan, plan.path, id);
  }
}
