// How far the run is, told every quarter of a second: what progress displays show.
import type { Clock, Timer } from '../../clock/clock.ts';
import type { Progress } from '../../contract/progress.ts';

const INTERVAL_MS = 250;

export interface MeterReadings {
  readonly operations: () => number;
  readonly operationsTested: () => number;
  readonly requests: () => number;
  readonly violations: () => number;
  /** Requests still planned; null while that is not known. */
  readonly planned: () => number | null;
}

export class Meter {
  readonly #readings: MeterReadings;
  readonly #tell: (progress: Progress) => void;
  readonly #clock: Clock;
  readonly #startedAtMs: number;
  #phase = 'smoke';
  #timer: Timer | undefined;

  constructor(readings: MeterReadings, tell: (progress: Progress) => void, clock: Clock) {
    this.#readings = readings;
    this.#tell = tell;
    this.#clock = clock;
    this.#startedAtMs = clock.monotonic();
  }

  start(): void {
    this.#timer = this.#clock.after(INTERVAL_MS, () => {
      this.tell();
      this.start();
    });
  }

  stop(): void {
    this.#timer?.cancel();
    this.tell();
  }

  enter(phase: string): void {
    this.#phase = phase;
    this.tell();
  }

  tell(): void {
    const { operations, operationsTested, requests, violations, planned } = this.#readings;
    const seconds = (this.#clock.monotonic() - this.#startedAtMs) / 1000;
    const sent = requests();
    const requestsPerSecond = seconds > 0 ? sent / seconds : 0;
    const left = planned();
    this.#tell({
      phase: this.#phase,
      operations: operations(),
      operationsTested: operationsTested(),
      requests: sent,
      requestsPerSecond,
      violations: violations(),
      secondsLeft: left === null || requestsPerSecond === 0 ? null : Math.ceil(left / requestsPerSecond),
    });
  }
}
