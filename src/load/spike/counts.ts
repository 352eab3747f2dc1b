// What became of the requests of one part of a spike, class by class.
import type { SpikeShares } from '../../contract/load-part.ts';
import { droppedOf } from '../arrivals/figures.ts';
import { Counts } from '../samples/counts.ts';
import { durationOf, type Sample } from '../samples/line.ts';
import type { WindowCounts } from './recovery.ts';

export class ClassCounts {
  readonly #step: string;
  readonly #slowAboveMs: number;
  readonly #counts = new Counts();

  /** Samples of other steps are left out. `slowAboveMs`: the objective. */
  constructor(step: string, slowAboveMs: number) {
    this.#step = step;
    this.#slowAboveMs = slowAboveMs;
  }

  add(sample: Sample): void {
    if (sample.kind === 'histogram' && sample.step === this.#step) this.#counts.add(sample.status, sample.buckets);
  }

  /** `planned`: what was due. What was not sent waited for a sender: every sender waited for the target. */
  window(planned: number): WindowCounts {
    const { requests, limited, durations } = this.#counts;
    const dropped = droppedOf(planned, requests);
    const slow = [...durations].filter(([bucket]) => durationOf(bucket) > this.#slowAboveMs);
    return {
      count: requests + dropped,
      slow: slow.reduce((sum, [, count]) => sum + count, 0) + dropped,
      errors: this.#errors,
      limited,
    };
  }

  /** Shares of what was due. */
  shares(planned: number): SpikeShares {
    const { requests, limited, otherErrors, serverErrors, unanswered } = this.#counts;
    const dropped = droppedOf(planned, requests);
    const all = Math.max(1, requests + dropped);
    return {
      succeeded: (requests - limited - this.#errors) / all,
      limited: limited / all,
      refused: otherErrors / all,
      serverErrors: serverErrors / all,
      unanswered: unanswered / all,
      dropped: dropped / all,
    };
  }

  get #errors(): number {
    const { otherErrors, serverErrors, unanswered } = this.#counts;
    return otherErrors + serverErrors + unanswered;
  }
}
