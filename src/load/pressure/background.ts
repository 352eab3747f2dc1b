// Arrivals that press on a target for as long as something else lasts: begun, under way, ended.
import type { Clock } from '../../clock/clock.ts';
import type { PressurePart } from '../../contract/load-part.ts';
import { type ArrivalsBench, legOf, lost, sendArrivals } from '../arrivals/arrivals.ts';
import { figuresOf, resultOf } from '../arrivals/figures.ts';
import { decide } from '../capacity/objectives.ts';
import { StepSums } from '../capacity/sums.ts';
import type { Measured } from '../k6/measure.ts';
import type { BodySample, Sample } from '../samples/line.ts';

export interface PressingBench extends ArrivalsBench {
  readonly ratePerSecond: number;
  /** Longest time that it presses. */
  readonly seconds: number;
  /** Wait until the key is refused, too. */
  readonly untilRefused: boolean;
  readonly onKept: (sample: BodySample) => void;
  /** Ends the arrivals; the generator of the bench stops with it. */
  readonly enough: AbortController;
  readonly clock: Clock;
}

export type PressingFigures = Pick<PressurePart, 'seconds' | 'rps' | 'figures' | 'requests'>;

/** Longest wait for the first answers. */
const UNDER_WAY_MS = 60_000;
const STEP = 'pressure';
const BODIES = 200;

/** Begins to press at once. */
export class Background {
  readonly #bench: PressingBench;
  readonly #sums: StepSums;
  readonly #sent: Promise<{ readonly done: Measured; readonly generatorCpu: number }>;
  #hasEnded = false;
  #firstMs: number | null = null;
  readonly #begun = Promise.withResolvers<'under way' | 'ended' | 'late'>();

  constructor(bench: PressingBench) {
    this.#bench = bench;
    this.#sums = new StepSums(STEP, (sample) => bench.onKept(sample));
    const { ratePerSecond, seconds, objectives } = bench;
    const parts = [{ step: STEP, untilMs: seconds * 1000 }];
    const leg = legOf({ ratePerSecond, seconds, bodies: BODIES, parts }, objectives);
    this.#sent = sendArrivals(bench, {
      step: STEP,
      legs: [leg],
      onSample: (sample) => this.#take(sample),
      endures: () => true,
    }).finally(() => {
      this.#hasEnded = true;
      this.#begun.resolve('ended');
    });
    // Whoever asks for its end is told.
    this.#sent.catch(() => {});
  }

  /** Whether nothing presses any more. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Whether arrivals are answered by now, and refused where that is wanted. Throws StepLost where k6 ended before. */
  async underWay(): Promise<boolean> {
    const timer = this.#bench.clock.after(UNDER_WAY_MS, () => this.#begun.resolve('late'));
    const why = await this.#begun.promise;
    timer.cancel();
    if (why !== 'ended') return why === 'under way';
    const { done } = await this.#sent;
    if (done.incomplete !== null) throw lost(done, done.incomplete);
    return false;
  }

  /** Ends it, and tells what it came to. */
  async end(): Promise<PressingFigures> {
    const seconds = (this.#bench.clock.now() - (this.#firstMs ?? this.#bench.clock.now())) / 1000;
    this.#bench.enough.abort();
    const { done, generatorCpu } = await this.#sent;
    const ratePerSecond = seconds > 0 ? this.#sums.received / seconds : 0;
    const result = resultOf(this.#sums, { ratePerSecond, seconds, generatorCpu });
    const figures = figuresOf(result, seconds, decide(result, this.#bench.objectives));
    return { seconds, rps: this.#bench.ratePerSecond, figures, requests: done.started };
  }

  #take(sample: Sample): void {
    this.#sums.add(sample);
    if (sample.kind !== 'histogram') return;
    this.#firstMs ??= this.#bench.clock.now();
    if (!this.#bench.untilRefused || sample.status === 429) this.#begun.resolve('under way');
  }
}
