// What a run leaves behind should it be killed: its report as it stands, every so often, and the rarer the longer it
// takes to tell.
import type { Clock, Timer } from '../clock/clock.ts';

/** Between two checkpoints. ms. */
const INTERVAL_MS = 20_000;
/** So many times as long as the last one took goes by before the next. */
const RARER = 30;

export class Checkpoints {
  readonly #tell: () => void;
  readonly #clock: Clock;
  #timer: Timer | undefined;

  /** `tell` builds the report and hands it on. */
  constructor(tell: () => void, clock: Clock) {
    this.#tell = tell;
    this.#clock = clock;
  }

  start(): void {
    this.#next(INTERVAL_MS);
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #next(afterMs: number): void {
    this.#timer = this.#clock.after(afterMs, () => {
      const startedAt = this.#clock.monotonic();
      this.#tell();
      this.#next(Math.max(INTERVAL_MS, RARER * (this.#clock.monotonic() - startedAt)));
    });
  }
}
