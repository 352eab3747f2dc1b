// Judges what passes through a proxy beside its work: in slices of a millisecond, between which others pass. Bounded: what
// comes faster than it can be judged is counted.
import type { Clock } from '../../clock/clock.ts';
import type { LeftOut, Seen } from './seen.ts';

/** Exchanges that wait. */
const MOST_WAITING = 5000;
/** Maximum time for which calls through the proxy wait. ms. */
const SLICE_MS = 1;

interface Waiting {
  readonly seen: Seen;
  release(): void;
}

export interface Judging {
  observe(seen: Seen): void;
  leaveOut(reason: LeftOut): void;
}

export class JudgingQueue {
  readonly #judging: Judging;
  readonly #clock: Clock;
  readonly #most: number;
  #waiting: Waiting[] = [];
  #isUnderWay = false;
  #onEmpty: () => void = () => {};

  constructor(judging: Judging, clock: Clock, most = MOST_WAITING) {
    this.#clock = clock;
    this.#judging = judging;
    this.#most = most;
  }

  /** `release` gives back what the exchange holds, once it is judged. */
  add(waiting: Waiting): void {
    if (this.#waiting.length >= this.#most) {
      this.#judging.leaveOut('came while the queue was full');
      waiting.release();
      return;
    }
    this.#waiting.push(waiting);
    if (this.#isUnderWay) return;
    this.#isUnderWay = true;
    void this.#clock.sleep(0).then(() => this.#judgeSlice());
  }

  /** Resolves once nothing waits. */
  emptied(): Promise<void> {
    if (!this.#isUnderWay) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
    });
  }

  #judgeSlice(): void {
    const endMs = this.#clock.monotonic() + SLICE_MS;
    do {
      const next = this.#waiting.shift();
      if (next === undefined) {
        this.#isUnderWay = false;
        this.#onEmpty();
        return;
      }
      this.#judging.observe(next.seen);
      next.release();
    } while (this.#clock.monotonic() < endMs);
    void this.#clock.sleep(0).then(() => this.#judgeSlice());
  }
}
