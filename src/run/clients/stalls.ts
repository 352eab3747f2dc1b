// Measures how late this process wakes while a client runs: on a machine that is so busy, a client is late, too.
import type { Clock, Timer } from '../../clock/clock.ts';

const BEAT_MS = 100;

export class Stalls {
  readonly #clock: Clock;
  #lateMs = 0;
  #dueAtMs = 0;
  #timer: Timer;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#timer = this.#next();
  }

  /** By how much the beats were late, in all. Measures no more. */
  end(): number {
    this.#timer.cancel();
    return Math.round(this.#lateMs);
  }

  #next(): Timer {
    this.#dueAtMs = this.#clock.monotonic() + BEAT_MS;
    return this.#clock.after(BEAT_MS, () => {
      this.#lateMs += Math.max(0, this.#clock.monotonic() - this.#dueAtMs);
      this.#timer = this.#next();
    });
  }
}
