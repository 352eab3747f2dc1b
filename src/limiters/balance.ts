// Holds the answers of a key against the most generous limiter that could state them: each success takes at least one unit, nothing comes
// back before the reset that is stated, and no more at any time than Limit in the shortest window that there can be.
//
//   in a stated window   Limit - Remaining ≥ successes since its first answer          (any limiter, RATE-03; with none left RATE-04)
//   from call to call    Remaining + successes since ≤ Remaining then + 1 + Limit · elapsed ÷ window       (all but logs, RATE-03)
//   at any time          successes ≤ Limit + 1 + Limit · (elapsed + a second) ÷ window                      (any limiter, RATE-04)
//
// Calls under way together have no known order: only what surely came before or between counts.
import { isSuccessful, isTelling, type RateReading } from './reading.ts';
import { precedes, SAME_RESET_MS, SHORTEST_WINDOW_MS, staleMs, type TargetClock } from './reset-clock.ts';

/** More calls are never under way at once. */
const MAX_CALLS_UNDER_WAY = 256;
/** More calls of a log are not remembered. */
const MAX_CALLS_OF_LOG = 1024;
/** Refills may come in portions of a second's worth. ms. */
export const PORTION_MS = 1000;
/** Calls that are too few to tell: Remaining may be told before the call itself is counted, and replicas be a call apart. */
const MIN_MISSING_CALLS = 3;
/** Shortest time for which a reset was stated, of one that stands still; where it is shorter, so many more are missing. ms. */
const MIN_STANDING_MS = 3000;
const MIN_MISSING_CALLS_AT_ONCE = 6;

/** Calls of an operation that tell what each costs. */
const MIN_TELLING_FALLS = 3;

/** Two answers, and what happened from the first to the second. */
export interface Imbalance {
  readonly first: RateReading;
  readonly after: RateReading;
  /** Successful calls, or units of them, or units that came back. */
  readonly calls: number;
  readonly times: number;
}

/** Calls of the window that the last answers state. */
interface OpenWindow {
  readonly first: RateReading;
  calls: number;
  units: number;
  missing: number;
  untilMs: number;
  worst: Imbalance | null;
}

export class Balance {
  readonly #clock: TargetClock;
  #window: OpenWindow | null = null;
  /** When the last successes of the window were answered. */
  #answered: number[] = [];
  #anchor: { readonly reading: RateReading; spent: number } | null = null;
  #pending: RateReading[] = [];
  #appliedMs = Number.NEGATIVE_INFINITY;
  #burst: { readonly first: RateReading; units: number } | null = null;
  /** The least by which successes of an operation lowered Remaining, nothing else under way. */
  readonly #costs = new Map<string, { readonly least: number; readonly times: number }>();
  /** The last answers that followed one another, at most four. */
  #row: readonly RateReading[] = [];
  /** Answers that were compared with one before. */
  compared = 0;
  /** True where more calls were left than can be, however short the time. */
  isUncounting = false;
  /** The rise that refills explain least; units that came back are `calls`. */
  rise: Imbalance | null = null;
  /** True where, at each time, at most the units came back that were spent one window earlier, as a sliding log gives them back. */
  isOfLog = true;
  /** The last answers that tell what is left. */
  readonly #told: { readonly atMs: number; readonly left: number; readonly own: number }[] = [];
  /** More successes of a window than its Remaining has fallen by. */
  uncounted: Imbalance | null = null;
  /** Most successes of a stated window that left nothing over, and most beyond what refills meanwhile. */
  #fullest: Imbalance | null = null;
  #flooded: Imbalance | null = null;

  constructor(clock: TargetClock) {
    this.#clock = clock;
  }

  /** Units that each call of the operation takes at least, as far as its calls told. */
  unitsOf({ operation }: RateReading): number {
    const { least = 1, times = 0 } = this.#costs.get(operation) ?? {};
    return times < MIN_TELLING_FALLS ? 1 : Math.max(1, least);
  }

  /** `opens`, `isInside`: whether the answer is the first of a stated window, or another one of it. */
  add(reading: RateReading, opens: boolean, isInside: boolean): void {
    this.#measure(reading);
    this.#follow(reading);
    if (isTelling(reading))
      this.#told.push({ atMs: reading.answeredAt, left: reading.remaining ?? 0, own: isSuccessful(reading) ? 1 : 0 });
    if (this.#told.length > MAX_CALLS_OF_LOG) this.#told.shift();
    if (opens) this.#open(reading);
    else if (isInside) this.#count(reading);
    else if (reading.isRefused) this.settle();
    this.#pour(reading);
  }

  /** Looks at the two in the middle of four that followed one another. */
  #measure(reading: RateReading): void {
    const last = this.#row.at(-1);
    this.#row = last !== undefined && precedes(last, reading) ? [...this.#row.slice(-3), reading] : [reading];
    const [, before, after] = this.#row;
    if (this.#row.length < 4 || before === undefined || after === undefined) return;
    const fall = (before.remaining ?? 0) - (after.remaining ?? 0);
    const isClear = isTelling(before) && isTelling(after) && isSuccessful(after) && before.limit === after.limit;
    const { least = fall, times = 0 } = this.#costs.get(after.operation) ?? {};
    if (isClear && fall >= 0) this.#costs.set(after.operation, { least: Math.min(least, fall), times: times + 1 });
  }

  #open(first: RateReading): void {
    this.settle();
    this.#answered = isSuccessful(first) ? [first.answeredAt] : [];
    const calls = this.#answered.length;
    this.#window = {
      first,
      calls,
      units: calls * this.unitsOf(first),
      missing: 0,
      untilMs: first.answeredAt,
      worst: null,
    };
  }

  #count(reading: RateReading): void {
    const window = this.#window;
    if (window === null) return;
    const [limit, remaining] = [reading.limit ?? 0, reading.remaining ?? 0];
    const own = isSuccessful(reading) ? 1 : 0;
    const calls = window.calls - this.#answered.filter((at) => at >= reading.sentAt).length + own;
    const missing = calls - (limit - remaining);
    const isKept = limit === window.first.limit;
    if (isKept && remaining > 0 && missing > window.missing) {
      window.missing = missing;
      this.isUncounting ||= missing >= MIN_MISSING_CALLS;
      if (missing >= MIN_MISSING_CALLS) window.worst = imbalance(window.first, reading, calls);
    }
    window.calls += own;
    window.units += own * this.unitsOf(reading);
    if (own === 1) this.#answered.push(reading.answeredAt);
    if (this.#answered.length > MAX_CALLS_UNDER_WAY) this.#answered.shift();
    window.untilMs = Math.max(window.untilMs, reading.answeredAt);
    if (isKept && remaining < this.unitsOf(reading) && window.missing < MIN_MISSING_CALLS)
      this.#fullest = worse(this.#fullest, imbalance(window.first, reading, window.units - window.missing));
  }

  /** Ends the window: after a refusal nothing more can be counted of it. */
  settle(): void {
    const { worst = null, untilMs = 0, missing = 0 } = this.#window ?? {};
    this.#window = null;
    if (worst === null) return;
    if (untilMs - worst.first.answeredAt >= MIN_STANDING_MS || missing >= MIN_MISSING_CALLS_AT_ONCE)
      this.uncounted ??= worst;
  }

  /** Compares with the answer before that leaves the least room for this one. */
  #follow(after: RateReading): void {
    while (this.#pending[0] !== undefined && precedes(this.#pending[0], after))
      this.#apply(this.#pending.shift() as RateReading);
    this.#pending.push(after);
    const anchor = this.#anchor;
    if (anchor === null || this.#appliedMs >= after.sentAt || !isTelling(after)) return;
    if (!precedes(anchor.reading, after) || !this.#isOfWindow(anchor.reading, after)) return;
    this.compared += 1;
    const gain = this.#gained(anchor.reading, anchor.spent, after);
    // With none left Remaining cannot fall: what is admitted beyond is too many.
    if ((after.remaining ?? 0) > 0 && gain > this.allowedRise(anchor.reading, after))
      this.#note(imbalance(anchor.reading, after, gain));
  }

  #note(rise: Imbalance): void {
    this.rise = worse(this.rise, rise);
    if (!this.isOfLog) return;
    const { least, most } = this.#clock.longest;
    const fromMs = rise.first.sentAt - most - SAME_RESET_MS;
    const untilMs = rise.after.answeredAt - least + SAME_RESET_MS;
    this.isOfLog = rise.calls <= 1 + this.#spentBetween(fromMs, untilMs);
  }

  /** Units that own successes took then at least, or by which what is left fell, whoever called and whatever a call costs. */
  #spentBetween(fromMs: number, untilMs: number): number {
    const begin = this.#told.findIndex(({ atMs }) => atMs >= fromMs);
    let [most, fall, calls] = [this.#told[begin - 1]?.left ?? 0, 0, 0];
    for (const { atMs, left, own } of begin < 0 ? [] : this.#told.slice(begin)) {
      if (atMs > untilMs) break;
      most = Math.max(most, left);
      fall = Math.max(fall, most - left);
      calls += own;
    }
    return Math.max(fall, calls);
  }

  /** Takes note of an answer that surely came before those that are compared from now on. */
  #apply(one: RateReading): void {
    this.#appliedMs = Math.max(this.#appliedMs, one.answeredAt);
    const anchor = this.#anchor;
    const isGone = anchor !== null && !this.#isOfWindow(anchor.reading, one);
    if (anchor === null || isGone) {
      if (isTelling(one)) this.#anchor = { reading: one, spent: 0 };
      return;
    }
    const isAfter = precedes(anchor.reading, one);
    const refilled = isAfter ? this.allowedRise(anchor.reading, one) - 1 : 0;
    const isTighter = isTelling(one) && this.#gained(anchor.reading, anchor.spent, one) <= refilled;
    if (isTighter) this.#anchor = { reading: one, spent: 0 };
    else if (isAfter && isSuccessful(one)) anchor.spent += 1;
  }

  /** Tells whether the second answer came before the reset that the first states, by a limit that is the same. */
  #isOfWindow(before: RateReading, after: RateReading): boolean {
    const until = this.#clock.surelyNotBefore(before);
    return until !== null && after.answeredAt <= until && (before.limit === after.limit || !isTelling(after));
  }

  #gained(before: RateReading, spent: number, after: RateReading): number {
    return (after.remaining ?? 0) - (before.remaining ?? 0) + spent + (isSuccessful(after) ? 1 : 0);
  }

  /** Units that may come back from one answer to another, one of them by rounding. */
  allowedRise(before: RateReading, after: RateReading): number {
    const windowMs = Math.max(SHORTEST_WINDOW_MS, this.#clock.windowAtLeastMs - staleMs(before.reset?.form));
    return 1 + ((after.limit ?? 0) * (after.answeredAt - before.sentAt)) / windowMs;
  }

  /** More successes than Limit in a stated window. */
  get overdrawn(): Imbalance | null {
    const one = this.#fullest;
    return one !== null && one.calls >= (one.after.limit ?? 0) + this.unitsOf(one.after) ? one : null;
  }

  /** More successes than Limit and what refills meanwhile, however long that takes. */
  get flooded(): Imbalance | null {
    const one = this.#flooded;
    return one !== null && one.calls > this.#mostBetween(one.first, one.after) ? one : null;
  }

  #mostBetween(first: RateReading, after: RateReading): number {
    const limit = after.limit ?? 0;
    return limit + 1 + (limit * (after.answeredAt - first.sentAt + PORTION_MS)) / this.#clock.windowAtLeastMs;
  }

  /** Counts the calls since a bucket that refills as fast as any limiter can was full. */
  #pour(reading: RateReading): void {
    const { limit, answeredAt, remaining } = reading;
    if (limit === null || !isSuccessful(reading)) return;
    const perMs = limit / this.#clock.windowAtLeastMs;
    const elapsedMs = this.#burst === null ? 0 : answeredAt - this.#burst.first.sentAt;
    const isFull = this.#burst === null || this.#burst.units <= perMs * elapsedMs;
    if (isFull || this.#burst?.first.limit !== limit) this.#burst = { first: reading, units: 0 };
    const burst = this.#burst as { readonly first: RateReading; units: number };
    burst.units += this.unitsOf(reading);
    if ((remaining ?? 0) < this.unitsOf(reading) && burst.units > this.#mostBetween(burst.first, reading))
      this.#flooded = worse(this.#flooded, imbalance(burst.first, reading, burst.units));
  }
}

function imbalance(first: RateReading, after: RateReading, calls: number): Imbalance {
  return { first, after, calls, times: 1 };
}

/** The one of more calls beyond what was there; how often either was seen. */
function worse(known: Imbalance | null, one: Imbalance): Imbalance {
  if (known === null) return one;
  return { ...(one.calls > known.calls ? one : known), times: known.times + 1 };
}
