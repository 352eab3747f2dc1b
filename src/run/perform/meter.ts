// How far the run is, told every quarter of a second, and as soon as a violation is found: what progress displays show.
import type { Clock, Timer } from '../../clock/clock.ts';
import type { Awaited, Progress } from '../../contract/progress.ts';
import type { RunEvents } from './events.ts';

const INTERVAL_MS = 250;
/** The rate is that of so long before now: an average over the run would fall while it waits. ms. */
const RATE_OVER_MS = 5_000;
/** Nothing was sent for so long: the run waits, if it says so. ms. */
const MIN_STILL_MS = 750;

export interface MeterReadings {
  readonly now: () => Pick<Progress, 'operations' | 'operationsTested' | 'requests' | 'violations'>;
  /** Most requests of the run; null or absent: there is no such bound. Where there is one, a run goes on until it is spent. */
  readonly budget?: number | null;
  /** When the run's own time is over, whatever is planned: epoch ms; null or absent: it has none. */
  readonly endsAtMs?: number | null;
}

/** Until when the run waits, and for what. */
interface Wait extends Awaited {
  readonly untilMs: number;
}

interface Reading {
  readonly atMs: number;
  readonly sent: number;
}

export class Meter {
  readonly #readings: MeterReadings;
  readonly #events: RunEvents;
  readonly #clock: Clock;
  #phase = 'smoke';
  /** Where the run began. */
  readonly #begun: Reading;
  /** Where the phase began, and how many seconds it takes; null: it takes as long as it takes. */
  #entered: Reading;
  #seconds: number | null = null;
  /** Readings of the last seconds, the oldest first; never empty. */
  #recent: readonly Reading[];
  #sentLast: Reading;
  #timer: Timer | undefined;
  #waits: readonly Wait[] = [];
  /** Violations that were told. */
  #violations = 0;
  /** Requests that are left of the pass, and when nothing more of it is begun. */
  #planned: number | null = null;
  #untilMs: number | null = null;

  constructor(events: RunEvents, readings: MeterReadings, clock: Clock) {
    this.#readings = readings;
    this.#events = events;
    this.#clock = clock;
    const start = { atMs: clock.monotonic(), sent: 0 };
    this.#begun = start;
    this.#entered = start;
    this.#recent = [start];
    this.#sentLast = start;
    events.on('phase', ({ name, seconds = null }) => this.#enter(name, seconds));
    events.on('planned', ({ requests, untilMs }) => {
      this.#planned = requests;
      this.#untilMs = untilMs;
    });
    events.on('waiting', ({ awaited, untilMs }) => this.#wait(awaited, untilMs));
    events.on('sent', () => {
      if (this.#readings.now().violations > this.#violations) this.tell();
    });
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

  #enter(phase: string, seconds: number | null): void {
    this.#phase = phase;
    this.#entered = this.#read();
    this.#seconds = seconds;
    this.tell();
  }

  #wait({ what, key }: Awaited, untilMs: number): void {
    const nowMs = this.#clock.now();
    const others = this.#waits.filter((wait) => wait.untilMs > nowMs && (wait.what !== what || wait.key !== key));
    this.#waits = [...others, { what, key, untilMs }];
  }

  tell(): void {
    const now = this.#read();
    this.#violations = this.#readings.now().violations;
    if (now.sent > this.#sentLast.sent) this.#sentLast = now;
    const since = this.#recent.findLast(({ atMs }) => now.atMs - atMs >= RATE_OVER_MS) ?? this.#recent[0] ?? now;
    this.#recent = [...this.#recent.filter((one) => one === since || one.atMs > since.atMs), now];
    const requestsPerSecond = rateBetween(since, now);
    const rate = requestsPerSecond > 0 ? requestsPerSecond : rateBetween(this.#entered, now);
    const work = this.#work(now, rate);
    const waiting = this.#waiting(now);
    const progress = {
      phase: this.#phase,
      ...this.#readings.now(),
      requestsPerSecond,
      // The first calls go one by one: their rate says nothing of what follows.
      secondsLeft: work?.unit === 'requests' && !this.#isSettled(now) ? null : this.#secondsLeft(work, rate, waiting),
      ...(work === null ? {} : { work }),
      ...(waiting === null ? {} : { waiting }),
    };
    this.#events.tell({ kind: 'progress', progress });
  }

  #isSettled({ atMs }: Reading): boolean {
    return atMs - this.#begun.atMs >= RATE_OVER_MS;
  }

  #read(): Reading {
    return { atMs: this.#clock.monotonic(), sent: this.#readings.now().requests };
  }

  /** `rate`: requests a second, by which it is told how much of what is planned goes into the time that is set. */
  #work(now: Reading, rate: number): NonNullable<Progress['work']> | null {
    if (this.#seconds !== null) {
      const done = Math.min(this.#seconds, (now.atMs - this.#entered.atMs) / 1000);
      return { done, planned: this.#seconds, unit: 'seconds' };
    }
    const { budget = null } = this.#readings;
    const inTime = (left: number): number => (rate === 0 ? left : Math.min(left, this.#secondsToEnd() * rate));
    if (budget !== null) {
      const left = Math.floor(inTime(Math.max(0, budget - now.sent)));
      return { done: now.sent, planned: now.sent + left, unit: 'requests', isWholeRun: true };
    }
    const left = this.#planned;
    // Between two passes nothing is planned, and the phase goes on all the same.
    if (left === null || left === 0) return null;
    const done = now.sent - this.#entered.sent;
    return { done, planned: done + Math.floor(inTime(left)), unit: 'requests' };
  }

  /** Until nothing more of the pass, or of the run, is begun; Infinity where no time is set. */
  #secondsToEnd(): number {
    const ends = [this.#readings.endsAtMs, this.#untilMs].flatMap((endMs) => endMs ?? []);
    return Math.max(0, (Math.min(Number.POSITIVE_INFINITY, ...ends) - this.#clock.now()) / 1000);
  }

  /** `rate`: requests of the last seconds, each second; while nothing was sent in them, of the phase. Sending goes on after the wait. */
  #secondsLeft(work: Progress['work'] | null, rate: number, waiting: Progress['waiting'] | null): number | null {
    if (work == null) return null;
    const left = work.planned - work.done;
    // Answers may still be awaited then: how long is not known.
    if (left <= 0) return null;
    if (work.unit === 'seconds') return Math.ceil(left);
    if (rate === 0) return null;
    return Math.ceil(Math.min((waiting?.seconds ?? 0) + left / rate, this.#secondsToEnd()));
  }

  #waiting({ atMs }: Reading): NonNullable<Progress['waiting']> | null {
    if (atMs - this.#sentLast.atMs < MIN_STILL_MS) return null;
    const nowMs = this.#clock.now();
    // Something is sent again when the first of them ends.
    const [wait] = this.#waits
      .filter(({ untilMs }) => untilMs > nowMs)
      .toSorted((one, other) => one.untilMs - other.untilMs);
    if (wait === undefined) return null;
    return { seconds: Math.ceil((wait.untilMs - nowMs) / 1000), what: wait.what, key: wait.key };
  }
}

/** Requests a second. */
function rateBetween(from: Reading, to: Reading): number {
  const seconds = (to.atMs - from.atMs) / 1000;
  return seconds > 0 ? (to.sent - from.sent) / seconds : 0;
}
