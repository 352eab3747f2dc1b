// What became of the requests of one part of a spike, class by class.
import type { SpikeShares } from '../../contract/load-part.ts';
import { durationOf, type Sample } from '../samples/line.ts';
import type { WindowCounts } from './recovery.ts';

export class ClassCounts {
  readonly #step: string;
  readonly #slowAboveMs: number;
  #slow = 0;
  readonly #classes = { succeeded: 0, refused: 0, serverErrors: 0, unanswered: 0, limited: 0 };

  /** Samples of other steps are left out. `slowAboveMs`: the objective. */
  constructor(step: string, slowAboveMs: number) {
    this.#step = step;
    this.#slowAboveMs = slowAboveMs;
  }

  add(sample: Sample): void {
    if (sample.kind !== 'histogram' || sample.step !== this.#step) return;
    const { status } = sample;
    for (const [bucket, count] of sample.buckets) {
      this.#classes[classOf(status)] += count;
      if (status !== 429 && durationOf(bucket) > this.#slowAboveMs) this.#slow += count;
    }
  }

  /** `planned`: what was due. What was not sent waited for a sender: every sender waited for the target. */
  window(planned: number): WindowCounts {
    const { refused, serverErrors, unanswered, limited } = this.#classes;
    const dropped = this.#dropped(planned);
    return {
      count: this.#received + dropped,
      slow: this.#slow + dropped,
      errors: refused + serverErrors + unanswered,
      limited,
    };
  }

  /** Shares of what was due. */
  shares(planned: number): SpikeShares {
    const dropped = this.#dropped(planned);
    const all = Math.max(1, this.#received + dropped);
    const { succeeded, refused, serverErrors, unanswered, limited } = this.#classes;
    return {
      succeeded: succeeded / all,
      limited: limited / all,
      refused: refused / all,
      serverErrors: serverErrors / all,
      unanswered: unanswered / all,
      dropped: dropped / all,
    };
  }

  get #received(): number {
    return Object.values(this.#classes).reduce((sum, count) => sum + count, 0);
  }

  /** What is due at the very border of two parts may count to either. */
  #dropped(planned: number): number {
    return planned - this.#received > 1 ? planned - this.#received : 0;
  }
}

function classOf(status: number): 'succeeded' | 'refused' | 'serverErrors' | 'unanswered' | 'limited' {
  if (status === 0) return 'unanswered';
  if (status === 429) return 'limited';
  if (status >= 500) return 'serverErrors';
  return status >= 400 ? 'refused' : 'succeeded';
}
