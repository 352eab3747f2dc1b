// Notices that a run waits for what can no longer come, and ends it in good order: what was found until then is told. Whatever a
// run waits for has a limit on its clock, so where none is open and nothing is computed, something was lost.
//
// The watch keeps the process alive by itself: whether a run ends well never depends on what else does.
import { type Clock, LIMIT, type Timer } from '../../clock/clock.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import type { RunEvents } from './events.ts';
import { RunEnded } from './interruption.ts';

const LOOK_MS = 1000;
/** Minimum number of still looks in a row: longer than the user's code, or a command that prints a token, may take. */
const MIN_STILL_LOOKS = 90;
/** Who computes for a larger share of the time is not waiting. */
const MAX_SHARE_OF_TIME = 0.5;

export class StandstillWatch {
  /** The run's clock: by its sleeps and limits it is seen what is still to come. */
  readonly clock: Clock;
  readonly #real: Clock;
  /** Requests that are sent, and whose answers are awaited. */
  readonly #underWay = new Set<RequestPlan>();
  readonly #lost = new Set<(error: RunEnded) => void>();
  #open = 0;
  #timer: Timer | undefined;

  /** A clock that does not tell of computing, as that of virtual time, is not watched. */
  constructor(clock: Clock) {
    this.#real = clock;
    this.clock = clock.busyMs === undefined ? clock : this.#counting(clock);
  }

  /** Knows from now on what the run waits for. */
  follow(events: RunEvents): void {
    events.on('sending', ({ plan }) => this.#underWay.add(plan));
    events.on('sent', ({ plan }) => this.#underWay.delete(plan));
  }

  /** Watches from now on, until it is stopped. */
  start(): void {
    const busyMs = this.#real.busyMs?.();
    if (busyMs !== undefined) this.#look(0, busyMs);
  }

  /** The outcome of the work. Throws RunEnded (harness-error) where it comes to a standstill. */
  async during<T>(work: Promise<T>): Promise<T> {
    const lost = Promise.withResolvers<never>();
    this.#lost.add(lost.reject);
    work.catch(() => {});
    try {
      return await Promise.race([work, lost.promise]);
    } finally {
      this.#lost.delete(lost.reject);
    }
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #counting(clock: Clock): Clock {
    return {
      ...clock,
      sleep: async (delayMs, signal) => {
        this.#open += 1;
        await clock.sleep(delayMs, signal);
        this.#open -= 1;
      },
      after: (delayMs, act, kind) => {
        if (kind?.isLimit !== true) return clock.after(delayMs, act);
        return this.#limit(clock, delayMs, act);
      },
    };
  }

  #limit(clock: Clock, delayMs: number, act: () => void): Timer {
    let isOpen = true;
    const close = (): void => {
      if (isOpen) this.#open -= 1;
      isOpen = false;
    };
    this.#open += 1;
    const timer = clock.after(
      delayMs,
      () => {
        close();
        act();
      },
      LIMIT,
    );
    return {
      cancel() {
        close();
        timer.cancel();
      },
    };
  }

  /** Looks every second: `still` times in a row nothing was to come. */
  #look(still: number, busyMs: number): void {
    this.#timer = this.#real.after(
      LOOK_MS,
      () => {
        const nowBusyMs = this.#real.busyMs?.() ?? 0;
        const isWaiting = this.#open === 0 && nowBusyMs - busyMs <= MAX_SHARE_OF_TIME * LOOK_MS;
        const isLost = isWaiting && still + 1 >= MIN_STILL_LOOKS;
        if (isLost) this.#tell();
        this.#look(isWaiting && !isLost ? still + 1 : 0, nowBusyMs);
      },
      LIMIT,
    );
  }

  #tell(): void {
    const [first = 'what does not come', ...others] = [...this.#underWay].map(nameOf);
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    const sentence = `the run waited for ${first}${more}, and nothing more could come (a defect of assay, not of the target)`;
    for (const reject of this.#lost) reject(new RunEnded('harness-error', sentence));
  }
}

function nameOf({ method, path, operation, probe }: RequestPlan): string {
  return `${operation ?? `${method} ${path}`} (${probe})`;
}
