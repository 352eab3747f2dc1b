// The search for the highest rate that meets the objectives: doubling until a step misses, bisection until the bracket is
// narrow, then both its ends again, once in reverse order. A course: it says which rate to send next and is told how it went.
import type { Decision } from './objectives.ts';

export interface SearchOptions {
  readonly startRate: number;
  /** Never sent more. requests/s */
  readonly mostRate: number;
  /** The bracket is narrow enough when its ends differ by this share of the lower one. */
  readonly width: number;
  /** How often each end of the bracket is measured at least. */
  readonly repeats: number;
  /** Length of a step, s; an undecided one is measured again for twice as long, once. */
  readonly stepSeconds: number;
  /** A step is long enough for so many requests, however slow it is. */
  readonly leastRequests: number;
  /** Most time of load in all, s. */
  readonly mostSeconds: number;
}

export interface StepWish {
  readonly ratePerSecond: number;
  readonly seconds: number;
}

export interface Step extends StepWish {
  readonly decision: Decision;
}

export interface Bracket {
  /** The highest rate that met the objectives each time; null where none did. requests/s */
  readonly met: number | null;
  /** The lowest that missed them each time; null where none did. */
  readonly missed: number | null;
  readonly steps: readonly Step[];
  /** Why it is no narrower, or no bracket at all; null where it is as narrow as wanted and was repeated as often. */
  readonly open: string | null;
}

/** The step could not be made: the search ends with what it knows. */
export interface Ended {
  readonly kind: 'ended';
  readonly why: string;
}

type Told = Decision | Ended;
type Course = Generator<StepWish, Bracket, Told>;

/** The course of one search. */
export function* searchCapacity(options: SearchOptions): Course {
  const log = new Log(options);
  const rough = yield* double(options, log);
  if (rough !== null) return log.bracket(rough);
  const narrow = yield* bisect(options, log);
  if (narrow !== null) return log.bracket(narrow);
  return log.bracket(yield* confirm(options, log));
}

/** From the start rate up until a step misses, or down until one meets. Null where the bracket is there. */
function* double({ startRate, mostRate }: SearchOptions, log: Log): Generator<StepWish, string | null, Told> {
  let rate = Math.min(startRate, mostRate);
  for (;;) {
    const ended = yield* log.measure(rate);
    if (ended !== null) return ended;
    const { met, missed } = log.ends();
    if (met !== null && missed !== null) return null;
    if (missed === null && rate >= mostRate)
      return `the highest rate allowed, ${mostRate} requests/s, met the objectives`;
    if (met === null && rate <= 1) return 'not even 1 request/s met the objectives';
    rate = missed === null ? Math.min(mostRate, rate * 2) : Math.max(1, rate / 2);
  }
}

function* bisect({ width }: SearchOptions, log: Log): Generator<StepWish, string | null, Told> {
  for (;;) {
    const { met, missed } = log.ends();
    if (met === null || missed === null) return 'the objectives were met and missed at the same rate';
    if (missed - met <= width * met) return null;
    const ended = yield* log.measure((met + missed) / 2);
    if (ended !== null) return ended;
  }
}

/** Both ends again, as a pair, every other pair the higher first: warmth and exhaustion show as order. */
function* confirm({ repeats, width }: SearchOptions, log: Log): Generator<StepWish, string | null, Told> {
  for (let turn = 0; turn < repeats * 4; turn += 1) {
    const { met, missed } = log.ends();
    if (met === null || missed === null) return 'the objectives were met and missed at the same rates';
    if (missed - met > width * met) {
      const narrower = yield* bisect({ width } as SearchOptions, log);
      if (narrower !== null) return narrower;
      continue;
    }
    const wanting = [met, missed].filter((rate) => log.times(rate) < repeats);
    if (wanting.length === 0) return null;
    for (const rate of turn % 2 === 0 ? wanting : wanting.toReversed()) {
      const ended = yield* log.measure(rate);
      if (ended !== null) return ended;
    }
  }
  return 'repeated steps did not agree';
}

/** Every step so far, and what they make of the rates. */
class Log {
  readonly #options: SearchOptions;
  readonly #steps: Step[] = [];

  constructor(options: SearchOptions) {
    this.#options = options;
  }

  /** Measures a rate; an undecided step once more for twice as long. Resolves with why the search must end, or null. */
  *measure(ratePerSecond: number): Generator<StepWish, string | null, Told> {
    for (const factor of [1, 2]) {
      const { stepSeconds, leastRequests } = this.#options;
      const seconds = Math.max(stepSeconds, Math.ceil(leastRequests / ratePerSecond)) * factor;
      if (this.#spent() + seconds > this.#options.mostSeconds)
        return `the time for load, ${this.#options.mostSeconds} s, is spent`;
      const decision = yield { ratePerSecond, seconds };
      if (decision.kind === 'ended') return decision.why;
      this.#steps.push({ ratePerSecond, seconds, decision });
      if (decision.kind === 'void') return `no verdict on the platform: ${decision.why}`;
      if (decision.kind !== 'undecided') return null;
    }
    return null;
  }

  /**
   * The highest rate below every rate that missed more often than it met, and the lowest rate above every rate that did
   * not. A step that stayed undecided counts as missed: the objectives were not shown to be met. One that did not measure
   * the platform counts as neither.
   */
  ends(): { readonly met: number | null; readonly missed: number | null } {
    const telling = this.#steps.filter(({ decision }) => decision.kind !== 'void');
    const rates = [...new Set(telling.map(({ ratePerSecond }) => ratePerSecond))].sort((left, right) => left - right);
    const lowestMissed = rates.find((rate) => this.#missed(rate)) ?? null;
    const met = rates.findLast((rate) => !this.#missed(rate) && (lowestMissed === null || rate < lowestMissed)) ?? null;
    return { met, missed: lowestMissed };
  }

  times(rate: number): number {
    return this.#of(rate).length;
  }

  bracket(open: string | null): Bracket {
    return { ...this.ends(), steps: this.#steps, open };
  }

  /** The last look of each measuring decides: undecided ones were looked at longer. */
  #of(rate: number): readonly Step[] {
    return this.#steps.filter(
      (step, at) =>
        step.ratePerSecond === rate &&
        step.decision.kind !== 'void' &&
        !(
          step.decision.kind === 'undecided' &&
          this.#steps[at + 1]?.ratePerSecond === rate &&
          step.seconds < (this.#steps[at + 1]?.seconds ?? 0)
        ),
    );
  }

  #missed(rate: number): boolean {
    const steps = this.#of(rate);
    const met = steps.filter(({ decision }) => decision.kind === 'met').length;
    return met * 2 <= steps.length;
  }

  #spent(): number {
    return this.#steps.reduce((total, { seconds }) => total + seconds, 0);
  }
}
