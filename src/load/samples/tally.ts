// Decides whether a step was measured: planned requests went out or were dropped, and those that went out came back as
// samples. k6 ends 0 after runs that measured nothing, so its exit code is not asked. Pure; one tally a step.
import { plural } from '../../contract/numbers.ts';
import type { Sample } from './line.ts';

/** Shares of what came back, from so many on, at which the target is taken for broken. */
const MIN_TELLING_SAMPLES = 50;
const MAX_ERROR_SHARE = 0.5;
/** Older samples count less and less: a target that breaks down after hours is left alone soon, too. */
const REMEMBERED_SAMPLES = 2000;

export interface Sums {
  /** Requests that the generator says it began. */
  readonly started: number;
  /** Requests whose samples arrived. */
  readonly received: number;
  /** Received samples without an answer, and answered 5xx. */
  readonly unanswered: number;
  readonly serverErrors: number;
}

export class Tally {
  readonly #started = new Map<number, number>();
  #received = 0;
  #unanswered = 0;
  #serverErrors = 0;
  #recent = 0;
  #recentlyBroken = 0;

  /** `endured`: whatever became of it, the target is not taken for broken by it. */
  add(sample: Sample, endured = false): void {
    if (sample.kind === 'started')
      this.#started.set(sample.vu, Math.max(sample.started, this.#started.get(sample.vu) ?? 0));
    if (sample.kind === 'request') this.#count(sample.status, 1, endured);
    if (sample.kind === 'histogram')
      this.#count(
        sample.status,
        [...sample.buckets.values()].reduce((sum, count) => sum + count, 0),
        endured,
      );
  }

  sums(): Sums {
    const started = [...this.#started.values()].reduce((sum, count) => sum + count, 0);
    return {
      started,
      received: this.#received,
      unanswered: this.#unanswered,
      serverErrors: this.#serverErrors,
    };
  }

  /** Tells whether the target's errors are so many that it must be left alone: half of the latest samples, of at least fifty. */
  isBroken(): boolean {
    return this.#recent >= MIN_TELLING_SAMPLES && this.#recentlyBroken > MAX_ERROR_SHARE * this.#recent;
  }

  #count(status: number, count: number, endured: boolean): void {
    this.#received += count;
    if (status === 0) this.#unanswered += count;
    else if (status >= 500) this.#serverErrors += count;
    if (endured) return;
    this.#recent += count;
    if (status === 0 || status >= 500) this.#recentlyBroken += count;
    if (this.#recent <= REMEMBERED_SAMPLES) return;
    this.#recent /= 2;
    this.#recentlyBroken /= 2;
  }
}

/** Why the step proves nothing, in words; null where its samples are complete. `atMost`: requests that were planned. */
export function incompleteness({ started, received, unanswered }: Sums, atMost: number): string | null {
  if (started === 0) return 'no request was begun: the script failed, or all were dropped';
  if (started > atMost)
    return `${plural(started, 'request was', 'requests were')} begun, more than the ${atMost} planned`;
  if (received !== started)
    return `${plural(started, 'request was', 'requests were')} begun and ${plural(received, 'sample')} arrived`;
  return unanswered === received ? 'not one request was answered' : null;
}
