// The search for the highest rate that meets the objectives: doubling until a step misses, bisection until the bracket is
// narrow, then both its ends again, once in reverse order. A rate whose steps disagree is no end: the bracket holds it, and is settled
// only where it stays narrow all the same. A course: it says which rate to send next and is told how it went.
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

/** A bracket around rates whose steps disagreed is at most so many times as wide as one without. */
const MAX_WIDTHS = 2;

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
    if (ended !== null || log.pair() !== null) return ended;
    const { met, missed } = log.ends();
    const isUp = missed === null;
    if (isUp && rate >= mostRate)
      return met === mostRate
        ? `the highest rate allowed, ${mostRate} requests/s, met the objectives`
        : `whether the highest rate allowed, ${mostRate} requests/s, meets the objectives was not decided`;
    if (met === null && rate <= 1) return 'not even 1 request/s met the objectives';
    rate = isUp ? Math.min(mostRate, rate * 2) : Math.max(1, rate / 2);
  }
}

const DISAGREED = 'steps of the same rate met the objectives and missed them';

/** Null where the bracket is narrow. Rates that disagreed lie within it: then each end is brought near to them. */
function* bisect({ width }: Pick<SearchOptions, 'width'>, log: Log): Generator<StepWish, string | null, Told> {
  for (;;) {
    const pair = log.pair();
    if (pair === null) return DISAGREED;
    const [met, missed] = pair;
    const between = log.disagreed(met, missed);
    const [lowest = missed, highest = missed] = [between[0], between.at(-1)];
    const [below, above] = [lowest - met, missed - highest];
    const maxGap = (between.length === 0 ? width : width / 2) * met;
    const isNarrow = Math.max(below, above) <= maxGap;
    if (isNarrow && missed - met <= MAX_WIDTHS * width * met) return null;
    if (isNarrow) return `steps did not agree between ${Math.floor(met)} and ${Math.ceil(missed)} requests/s`;
    const ended = yield* log.measure(below >= above ? middleOf(met, met + below) : middleOf(missed - above, missed));
    if (ended !== null) return ended;
  }
}

/** A rate between the two, in as few digits as reports tell. */
function middleOf(low: number, high: number): number {
  const middle = (low + high) / 2;
  const short = Number(middle.toPrecision(3));
  return short > low && short < high ? short : middle;
}

/** Both ends again, as a pair, every other pair the higher first: warmth and exhaustion show as order. */
function* confirm({ repeats, width }: SearchOptions, log: Log): Generator<StepWish, string | null, Told> {
  for (let turn = 0; turn < repeats * 4; turn += 1) {
    const rough = yield* bisect({ width }, log);
    if (rough !== null) return rough;
    const pair = log.pair();
    if (pair === null) return DISAGREED;
    const wanting = pair.filter((rate) => log.times(rate) < repeats);
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
      if (decision.kind === 'void') return decision.why;
      if (decision.kind !== 'undecided') return null;
    }
    return null;
  }

  /**
   * The highest rate that met the objectives each time, below every rate that did not; and the lowest that missed them each time,
   * above every rate that met them. A step that stayed undecided shows neither, and one that did not measure the platform nothing.
   */
  ends(): { readonly met: number | null; readonly missed: number | null } {
    const rates = this.#rates();
    const lowestNotMet = rates.find((rate) => !this.#isEach(rate, 'met')) ?? Number.POSITIVE_INFINITY;
    const highestMet = rates.findLast((rate) => this.#isSome(rate, 'met')) ?? 0;
    const met = rates.findLast((rate) => rate < lowestNotMet) ?? null;
    const missed = rates.find((rate) => rate > highestMet && this.#isEach(rate, 'missed')) ?? null;
    return { met, missed };
  }

  /** Both ends; null where one of them is not known. */
  pair(): readonly [met: number, missed: number] | null {
    const { met, missed } = this.ends();
    return met === null || missed === null ? null : [met, missed];
  }

  /** The measured rates between the two, which are no ends: their steps disagreed, or stayed undecided. */
  disagreed(met: number, missed: number): readonly number[] {
    return this.#rates().filter((rate) => rate > met && rate < missed);
  }

  times(rate: number): number {
    return this.#of(rate).length;
  }

  bracket(open: string | null): Bracket {
    return { ...this.ends(), steps: this.#steps, open };
  }

  /** The last look of each measuring decides: an undecided one was looked at longer, unless that looked at something else than the target. */
  #of(rate: number): readonly Step[] {
    const steps = this.#steps.filter((step) => step.ratePerSecond === rate && step.decision.kind !== 'void');
    return steps.filter(
      (step, at) => step.decision.kind !== 'undecided' || step.seconds >= (steps[at + 1]?.seconds ?? 0),
    );
  }

  /** All rates that were measured, in order. */
  #rates(): readonly number[] {
    const telling = this.#steps.filter(({ decision }) => decision.kind !== 'void');
    return [...new Set(telling.map(({ ratePerSecond }) => ratePerSecond))].sort((left, right) => left - right);
  }

  #isEach(rate: number, kind: Decision['kind']): boolean {
    return this.#of(rate).every(({ decision }) => decision.kind === kind);
  }

  #isSome(rate: number, kind: Decision['kind']): boolean {
    return this.#of(rate).some(({ decision }) => decision.kind === kind);
  }

  #spent(): number {
    return this.#steps.reduce((total, { seconds }) => total + seconds, 0);
  }
}
