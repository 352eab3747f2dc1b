// How much time has passed since this process began, and when it did not run meanwhile: stopped by a signal, kept from
// running for seconds, or asleep with the machine. The wall clock is looked at once: whoever sets it, sets no run back.

export interface Halts {
  /** Number of halts so far. */
  readonly count: number;
  /** When the last one ended, by `elapsedMs`; -Infinity where there was none. */
  readonly endedAtMs: number;
  /** How long the machine slept in all. ms. */
  readonly asleepMs: number;
}

export const NO_HALTS: Halts = { count: 0, endedAtMs: Number.NEGATIVE_INFINITY, asleepMs: 0 };

/** Clocks of a machine. All in ms. */
export interface TimeSources {
  /** Epoch ms; anybody may set it. */
  wall(): number;
  /** Never set; on most systems it stands still while the machine sleeps. */
  monotonic(): number;
  /** Since the machine was started, time asleep included; often in whole seconds. Asked for seldom. */
  uptime(): number;
}

/** A wall clock that moved so much against the monotonic one was set, or the machine slept. ms. */
const MOVED_MS = 1000;
/** Shorter sleep cannot be told from the rounding of `uptime`. ms. */
const SHORTEST_SLEEP_MS = 2000;
/** Who is asked to look every second, and was not for so long, did not run. ms. */
const SHORTEST_HALT_MS = 5000;

export class RunningTime {
  readonly #sources: TimeSources;
  readonly #began: { readonly wallMs: number; readonly monotonicMs: number; readonly uptimeMs: number };
  #offsetMs: number;
  #lookedAtMs = 0;
  #isWatched = false;
  #halts = NO_HALTS;

  constructor(sources: TimeSources) {
    this.#sources = sources;
    const [wallMs, monotonicMs] = [sources.wall(), sources.monotonic()];
    this.#began = { wallMs, monotonicMs, uptimeMs: sources.uptime() };
    this.#offsetMs = wallMs - monotonicMs;
  }

  /** Ms since the begin, time asleep included. Never goes back. */
  elapsedMs(): number {
    const awakeMs = this.#sources.monotonic() - this.#began.monotonicMs;
    this.#look(awakeMs);
    return awakeMs + this.#halts.asleepMs;
  }

  /** Epoch ms as the wall clock showed them at the begin, and as they went by since. */
  nowMs(): number {
    return Math.floor(this.#began.wallMs + this.elapsedMs());
  }

  /** Looks again. Once it was called for the first time, it must be called every second. */
  watch(): void {
    if (!this.#isWatched) this.#lookedAtMs = this.#sources.monotonic() - this.#began.monotonicMs;
    this.#isWatched = true;
    this.elapsedMs();
  }

  get halts(): Halts {
    this.elapsedMs();
    return this.#halts;
  }

  #look(awakeMs: number): void {
    const offsetMs = this.#sources.wall() - this.#sources.monotonic();
    const hasMoved = Math.abs(offsetMs - this.#offsetMs) > MOVED_MS;
    this.#offsetMs = offsetMs;
    const asleepMs = hasMoved ? this.#asleepMs(awakeMs) : this.#halts.asleepMs;
    const hasSlept = asleepMs > this.#halts.asleepMs;
    const wasKept = this.#isWatched && awakeMs - this.#lookedAtMs > SHORTEST_HALT_MS;
    this.#lookedAtMs = awakeMs;
    if (hasSlept || wasKept) this.#halts = { count: this.#halts.count + 1, endedAtMs: awakeMs + asleepMs, asleepMs };
  }

  #asleepMs(awakeMs: number): number {
    const asleepMs = this.#sources.uptime() - this.#began.uptimeMs - awakeMs;
    return asleepMs - this.#halts.asleepMs >= SHORTEST_SLEEP_MS ? asleepMs : this.#halts.asleepMs;
  }
}
