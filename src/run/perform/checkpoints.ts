// Writes the report of a run that still goes on, so that a killed run leaves one: at its begin, soon after, and then
// every so often; the rarer the longer it takes to write.
import type { Clock, Timer } from '../../clock/clock.ts';
import type { Absence } from '../../grading/rows.ts';

/** Why a checkpoint is not the whole: nobody knows yet whether the run will end. */
export const NOT_ENDED: Absence = { reasonCode: 'interrupted', reason: 'the run has not ended' };

/** After the first checkpoint; each time is twice the one before, up to the longest. ms. */
const FIRST_INTERVAL_MS = 1000;
const LONGEST_INTERVAL_MS = 20_000;
/** Minimum time between two checkpoints, in multiples of the time that the last one took. */
const RARER = 30;

export class Checkpoints {
  readonly #write: () => Promise<void>;
  readonly #clock: Clock;
  #intervalMs = FIRST_INTERVAL_MS;
  #timer: Timer | undefined;
  #stopped = false;

  /** `write` resolves when the report is on the disk; it never rejects. */
  constructor(write: () => Promise<void>, clock: Clock) {
    this.#write = write;
    this.#clock = clock;
  }

  /** Writes the first one, and goes on by itself. */
  start(): void {
    void this.#next();
  }

  /** True once the run is over: a checkpoint that is not written yet comes too late. */
  get isStopped(): boolean {
    return this.#stopped;
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  async #next(): Promise<void> {
    const startedAtMs = this.#clock.monotonic();
    await this.#write();
    if (this.#stopped) return;
    const tookMs = this.#clock.monotonic() - startedAtMs;
    const waitMs = Math.max(this.#intervalMs, RARER * tookMs);
    this.#intervalMs = Math.min(2 * this.#intervalMs, LONGEST_INTERVAL_MS);
    this.#timer = this.#clock.after(waitMs, () => void this.#next());
  }
}
