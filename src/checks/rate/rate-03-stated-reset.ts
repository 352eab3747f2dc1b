// RATE-03 where Reset tells another time than the one at which calls come back. Two things show it, each in two windows at least, of one key
// or of several:
//
//   late   the stated reset is past, and Remaining has gone on to fall by exactly the calls that were made: nothing came back;
//   early  long before the stated reset all that was spent is there again, and another reset is stated.
//
// A counter whose last window counts by its share gets back calls little by little: the first is asked only where it would have got back
// some. A bucket and a log of calls get back something by any reset that they state, and never all before it.
//
// RATE-03 (must): Remaining falls by at least one per successful call of a key within a window, and comes back after
//   Reset. Tolerance: Cost per endpoint observed. Concurrent calls judged by totals. Continuous refill (token bucket)
//   allowed.
import { type Breach, breached, type Judgement } from '../../contract/judgement.ts';
import { isSuccessful, type RateReading } from '../../limiters/reading.ts';
import { type Moment, precedes, SAME_RESET_MS, type TargetClock } from '../../limiters/reset-clock.ts';
import { rate } from '../../wording/rate.ts';

/** So many windows show it: one may have been reset by hand. */
const LEAST_WINDOWS = 2;
/** What was spent tells something from here on. */
const LEAST_SPENT = 10;
/** A counter would have got back so many. */
const LEAST_BACK = 4;
/** It is early by so much of the time to the reset: in what is left of it a bucket would get back two calls yet. */
const LEAST_EARLY = 0.2;
const LEAST_EARLY_MS = 1000;
/** Calls between two readings beyond which nothing is concluded. */
const MOST_BETWEEN = 2048;
/** So long after a reset it is asked whether anything came back. ms. */
const LATEST_MS = 5000;

/** A reset that is stated, the last answer that states it, and the calls since. */
interface Stated {
  readonly first: RateReading;
  readonly last: RateReading;
  readonly since: RateReading[];
}

export interface OtherReset {
  readonly kind: 'late' | 'early';
  readonly before: RateReading;
  readonly after: RateReading;
}

export class StatedResets {
  readonly #clock: TargetClock;
  #stated: Stated | null = null;
  readonly #found: OtherReset[] = [];
  /** How often calls came back by the reset that was stated. */
  #kept = 0;

  constructor(clock: TargetClock) {
    this.#clock = clock;
  }

  add(reading: RateReading): void {
    const { remaining, limit, isRefused } = reading;
    const reset = this.#clock.resetOf(reading);
    const stated = this.#stated;
    const known = stated === null ? null : this.#clock.resetOf(stated.last);
    if (reset === null || remaining === null || limit === null || remaining < 0 || remaining > limit)
      this.#stated = null;
    else if (isRefused && remaining > 0) this.#stated = null;
    else if (stated === null || known === null || stated.first.limit !== limit) this.#begin(reading, reset);
    else this.#compare(stated, reading, reset, known);
  }

  #compare(stated: Stated, reading: RateReading, reset: Moment, known: Moment): void {
    const isSame = Math.abs(reset.earliest - known.earliest) <= SAME_RESET_MS;
    const isBefore = reading.answeredAt < known.earliest;
    if (isSame && isBefore && precedes(stated.last, reading)) {
      this.#stated = { first: stated.first, last: reading, since: [] };
      return;
    }
    const isDone = isBefore
      ? !isSame && this.#lookEarly(stated, reading, known)
      : this.#lookLate(stated, reading, known);
    stated.since.push(reading);
    if (isDone || stated.since.length > MOST_BETWEEN) this.#begin(reading, reset);
  }

  /** What was found of this kind; nothing where calls of the key came back by the stated reset, too. */
  found(kind: OtherReset['kind']): readonly OtherReset[] {
    return kind === 'late' && this.#kept > 0 ? [] : this.#found.filter((one) => one.kind === kind);
  }

  #begin(reading: RateReading, reset: Moment): void {
    this.#stated = reset.earliest > reading.answeredAt ? { first: reading, last: reading, since: [] } : null;
  }

  /** The first answers after the reset. Whether it has been told. */
  #lookLate({ last, since }: Stated, reading: RateReading, known: Moment): boolean {
    if (reading.sentAt <= known.latest) return false;
    const overdueMs = reading.sentAt - known.latest;
    // With none left it cannot fall further, and a refusal says nothing of what came back: other laws judge it.
    const isSpent = [last, reading].some((one) => one.isRefused || (one.remaining ?? 0) < 1);
    if (overdueMs > LATEST_MS || isSpent) return true;
    const [before, now] = [last.remaining ?? 0, reading.remaining ?? 0];
    const calls = [...since, reading];
    const spent = (last.limit ?? 0) - before;
    // Calls under way together overtake each other.
    const isInOrder = calls.every((one, index) => precedes(calls[index - 1] ?? last, one));
    if (now > before - calls.filter(isSuccessful).length) {
      this.#kept += 1;
      return true;
    }
    if (!isInOrder || !calls.every(isSuccessful) || before - now !== calls.length) return true;
    if (spent < LEAST_SPENT || (spent * overdueMs) / this.#clock.longest.mostMs < LEAST_BACK) return false;
    this.#found.push({ kind: 'late', before: last, after: reading });
    return true;
  }

  /** An answer before the reset that states another one. Whether it has been told. */
  #lookEarly({ last, since }: Stated, reading: RateReading, known: Moment): boolean {
    const leftMs = known.earliest - reading.answeredAt;
    const spent = (last.limit ?? 0) - (last.remaining ?? 0);
    // Calls under way since the reset was stated may have been counted before it.
    const isFresh = !reading.isRefused && (reading.limit ?? 0) - (reading.remaining ?? 0) <= since.length + 1;
    const isEarly = leftMs >= Math.max(LEAST_EARLY_MS, LEAST_EARLY * (known.earliest - last.answeredAt));
    const isTelling = spent >= LEAST_SPENT + since.length && precedes(last, reading);
    if (isFresh && isEarly && isTelling) this.#found.push({ kind: 'early', before: last, after: reading });
    return true;
  }
}

/** Over all keys, which have limiters of one kind. Null where too little was found. */
export function judgeStatedResets(
  keys: readonly StatedResets[],
): { readonly judgement: Judgement; readonly found: OtherReset } | null {
  for (const kind of ['late', 'early'] as const) {
    const found = keys.flatMap((key) => key.found(kind));
    const [first] = found;
    if (first !== undefined && found.length >= LEAST_WINDOWS)
      return { judgement: breached([breachOf(first, found.length)]), found: first };
  }
  return null;
}

function breachOf({ kind, before, after }: OtherReset, times: number): Breach {
  const { key, limit, remaining } = after;
  const isLate = kind === 'late';
  const actual = isLate
    ? `${remaining} of ${limit} calls left after it, no more than the calls since have left of ${before.remaining}`
    : `${remaining} of ${limit} calls left before it, where ${(limit ?? 0) - (before.remaining ?? 0)} had been spent`;
  const cause = isLate ? 'nothing comes back at the stated Reset' : 'all comes back long before the stated Reset';
  return rate(isLate ? 'rate-03.reset-passes' : 'rate-03.back-early', {
    told: `${cause} of key ${key}, in ${times} windows: ${actual}`,
    ...{ actual, expected: 'Remaining comes back at the stated Reset' },
  });
}
