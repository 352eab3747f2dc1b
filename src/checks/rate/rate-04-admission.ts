// RATE-04, by a drained window and by a key's series: no 429 from the key's limiter while Remaining says that calls are left. An episode begins
// with a 429 that has calls left and ends with the first call that is accepted again. It is the key's own limiter's when several operations
// were refused, again and again until the reset, or at once with a Retry-After that ends with the reset; where a try before the reset succeeds,
// or only one operation is refused, another throttle speaks, which is allowed. Where calls follow one another an episode is one refusal: those
// that repeat with the same calls left, on several operations, count together. That more succeed than Limit allows the balance tells
// (src/limiters/balance.ts), and a limit that calls alone showed.
//
// RATE-04 (must): No key gets more successful calls in a window than Limit allows; no 429 from the key's limiter while
//   Remaining says calls are left. Tolerance: Burst and cost weights are "not shown": a bucket may refill during the
//   window; judged against the best-fitting model, with the evidence. A 429 with calls left is another throttle
//   (exempt) where it is confined to some operations or a try before Reset succeeds; it is the key's limiter where the
//   key is refused on other operations too, until Reset.

import { type Breach, breached, holds, type Judgement, resting } from '../../contract/judgement.ts';
import { plural } from '../../contract/numbers.ts';
import { rateOf } from '../../limiters/algorithm.ts';
import { PORTION_MS } from '../../limiters/balance.ts';
import {
  type Drained,
  type Elsewhere,
  lastWindowOf,
  type MeasuredLimit,
  TOLERANCE,
  whyNotExhausted,
} from '../../limiters/drained-window.ts';
import type { KeyHistory } from '../../limiters/key-history.ts';
import { mostAlike } from '../../limiters/observed.ts';
import { isAdmitted, isSuccessful, type RateReading } from '../../limiters/reading.ts';
import type { TargetClock } from '../../limiters/reset-clock.ts';
import { rate } from '../../wording/rate.ts';
import { blaming, onTarget, type RateConclusion, type SeriesLaw, untold } from './series-law.ts';

/** Refused for so long, up to the second in which the reset lies, is refused until the reset. ms. */
const LONG_MS = 2000;
/** Refused for less says nothing. ms. */
const SHORTEST_MS = 250;
/** The last try comes this near to the reset. ms. */
const NEAR_MS = 400;
/** At one time so many times as much comes back as at another. */
const UNEVEN = 2;
/** From this share on all is back. */
const MIN_SHARE_SEEN_AS_ALL = 0.9;
/** An operation was accepted so often while another was refused before and after. */
const MIN_EXEMPT = 3;

/** The window, or the time, of the key's series that granted too many; nothing where none did. */
export function judgeOverdrawn({ balance, overdrawn }: KeyHistory): readonly RateConclusion[] {
  if (overdrawn === null) return [];
  const { first, after, calls } = overdrawn;
  const mayRefill = balance.overdrawn === null;
  const expected = `at most ${after.limit} successes in one window${mayRefill ? ', and what refills meanwhile' : ''}`;
  const actual = `${plural(calls, 'unit')} within ${after.answeredAt - first.sentAt} ms, before the reset that was stated`;
  return [blaming('RATE-04', tooMany(after.key, actual, expected), first, after)];
}

/** The breach of a key that got more calls than its Limit allows. */
function tooMany(key: string, actual: string, expected: string): Breach {
  return rate('rate-04.too-many', { told: `key ${key} got ${actual}`, actual, expected });
}

/** A window was exhausted, and no call was refused by the key's limiter while calls are left. */
export function judgeAdmission(trace: Drained): RateConclusion {
  const found = judgeExempt(trace) ?? judgeCallsLeft(trace);
  if (found !== null) return found;
  const why = whyOpen(trace);
  return why === null ? onTarget('RATE-04', resting(holds(2), { windows: 1 })) : untold('RATE-04', why);
}

/** Why the drain does not tell whether a window admits more than Limit; null where it does. */
function whyOpen(trace: Drained): string | null {
  const { key, isMeasure, dearest } = trace;
  const last = trace.refusals.at(-1);
  if (last === undefined) return `key ${key}: ${whyNotExhausted(trace)}`;
  if (isMeasure && (last.remaining ?? 0) >= dearest)
    return `key ${key} was refused with ${plural(last.remaining ?? 0, 'call')} left, by which limiter could not be told`;
  if (hidesCalls(trace))
    return `another client spent calls of key ${key}, too: how many one window admits could not be counted`;
  return admitsMoreAtOnce(trace) || admitsMoreInWindow(trace)
    ? `key ${key} was admitted more calls at once than Limit and what refilled, and no answer tells why`
    : null;
}

/**
 * Tells whether more calls came before the first refusal than Limit and what the key was seen to regain. Where Reset names the next call, how
 * much of a window that is is not known.
 */
function admitsMoreAtOnce(trace: Drained): boolean {
  const first = trace.successes[0];
  const untold = first?.reset === null ? { high: (1000 * trace.limit) / trace.windowMs / UNEVEN } : null;
  const rate = untold ?? (trace.mayRefill ? rateOf(trace, trace.limit) : null);
  const refusedAt = Math.min(...trace.refusals.map(({ sentAt }) => sentAt));
  const before = trace.successes.filter(({ answeredAt }) => answeredAt <= refusedAt);
  if (rate === null || first === undefined) return false;
  const regained = UNEVEN * rate.high * ((refusedAt - first.sentAt + PORTION_MS) / 1000);
  return trace.cheapest * before.length > (1 + TOLERANCE) * trace.limit + regained;
}

/** Tells whether answers state one reset of more calls than Limit: not all were counted, or nothing tells when that reset is. */
function admitsMoreInWindow(trace: Drained): boolean {
  const inside = lastWindowOf(trace) ?? [];
  const isTold = inside[0] !== undefined && trace.clock.resetOf(inside[0]) !== null;
  return !(isTold && trace.mayRefill) && trace.cheapest * inside.length > (1 + TOLERANCE) * trace.limit;
}

/** Tells whether others were seen to spend calls, and this run was admitted too few to tell that a window admits no more than Limit. */
function hidesCalls(trace: Drained): boolean {
  if (!trace.isShared && !trace.showsOthers) return false;
  return trace.cheapest * (lastWindowOf(trace)?.length ?? 0) < trace.limit;
}

/** More successes in one window than Limit, of a limit that calls alone showed; null where it is not known to be larger than Limit. No share of it is forgiven. */
export function judgeMeasuredAdmission(measured: MeasuredLimit): Judgement | null {
  const { key, stated, limit, windowMs, isBucket, cost, isUnenforced, shown } = measured;
  if (stated === null) return null;
  const expected = `at most ${stated} successes in one window`;
  if (isUnenforced) return breached([tooMany(key, shown, expected)]);
  // How much of a window a bucket's burst is nothing tells.
  if (limit === null || isBucket || limit.least <= stated + cost - 1) return null;
  const actual = `${plural(limit.best, 'unit')}${windowMs === null ? '' : ` within ${Math.round(windowMs.best)} ms`}`;
  return breached([tooMany(key, actual, expected)]);
}

/** An operation that is counted, and goes on succeeding while the key has no calls left; null when none does. */
function judgeExempt(trace: Drained): RateConclusion | null {
  // Calls that come back little by little are there for any operation, though resets in whole seconds do not yet show it.
  if (trace.mayRefill || trace.isShared || isPartlyBack(trace)) return null;
  const exempt = trace.elsewhere.filter(isExempt);
  const [often] = Map.groupBy(exempt, ({ other }) => other.operation)
    .values()
    .filter((same) => same.length >= MIN_EXEMPT);
  const [one] = often ?? [];
  if (often === undefined || one === undefined) return null;
  const expected = 'no success while Remaining is 0';
  const actual = `${often.length} successes of ${one.other.operation}, each between two refused calls of ${one.before.operation}`;
  const breach = rate('rate-04.none-left', { told: `key ${trace.key} has ${actual}`, actual, expected });
  return blaming('RATE-04', breach, one.before, one.after, one.other);
}

/** Tells whether less than all was left when a call was accepted again. */
function isPartlyBack({ back, limit, cost }: Drained): boolean {
  return back !== null && !back.isRefused && (back.remaining ?? limit) < MIN_SHARE_SEEN_AS_ALL * (limit - cost);
}

function isExempt({ before, other, after }: Elsewhere): boolean {
  return isSpent(before) && isSuccessful(other) && isSpent(after) && (other.policy ?? before.policy) === before.policy;
}

function isSpent({ isRefused, remaining }: RateReading): boolean {
  return isRefused && (remaining ?? 0) < 1;
}

/** Null when every 429 came with nothing left, another throttle spoke, or Remaining is no measure. */
export function judgeCallsLeft(trace: Drained): RateConclusion | null {
  const { tries, clock } = trace;
  const first = trace.refusals.at(-1);
  if (first?.remaining == null || first.remaining < trace.dearest || tries.length === 0) return null;
  const reset = clock.resetOf(first);
  const operations = [...new Set(tries.map(({ operation }) => operation))];
  const lastRefused = tries.findLast(({ isRefused }) => isRefused);
  const accepted = tries.find(({ isRefused }) => !isRefused);
  if (reset === null || lastRefused === undefined || operations.length < 2 || !trace.isMeasure) return null;
  if (accepted !== undefined && accepted.sentAt < reset.earliest) return null;
  const isLong = lastRefused.sentAt - first.answeredAt >= LONG_MS && lastRefused.sentAt >= reset.earliest - NEAR_MS;
  const isUntilReset = lastRefused.sentAt >= (reset.earliest + reset.latest) / 2 - NEAR_MS;
  const isInstant = lastRefused.sentAt - first.answeredAt < SHORTEST_MS;
  if (isInstant || (!isLong && !isUntilReset)) return null;
  return refusedWithCallsLeft(first, operations, tries.length, tries.slice(-2));
}

const MIN_REFUSED = 3;
/** With fewer left, a call that costs several is refused rightly; what calls cost is not known here. */
export const MIN_LEFT = 5;
/** Retry-After and Reset are rounded to whole seconds. ms. */
const MAX_SAME_END_MS = 1000;
/** Where nobody tried again before the reset: with this share of the limit left no call of a usual cost is refused rightly. */
const MIN_SHARE_LEFT = 0.1;
/** One episode this long until the reset is no coincidence; shorter ones must come twice. ms. */
const MIN_LONG_MS = 3000;
/** Brief episodes, each with the same calls left and a wait until the reset, that are no coincidence. */
const MIN_ALIKE = 3;
/** With so many left, calls that cost several are no reason for a refusal. */
const MIN_LEFT_OF_ALIKE = 20;
const OTHER_THROTTLE =
  '429s with calls left were confined to some operations or ended before the reset: another throttle';

interface Episode {
  readonly first: RateReading;
  /** In the order answered, the first among them. */
  readonly refused: RateReading[];
  readonly resetMs: number | null;
}

export class CallsLeft implements SeriesLaw {
  readonly #clock: TargetClock;
  readonly #untilReset: Episode[] = [];
  /** Those whose refusals all ask for a wait until the reset, however few. */
  readonly #brief: Episode[] = [];
  #open: Episode | null = null;
  /** True after another throttle refused several operations: any of the others may be its work, too. */
  #isThrottled = false;
  #isAnyOther = false;

  constructor({ clock }: KeyHistory) {
    this.#clock = clock;
  }

  add(reading: RateReading): void {
    const open = this.#open;
    if (reading.isRefused) this.#open = this.#refused(reading);
    else if (open !== null && isAdmitted(reading) && reading.sentAt > open.first.answeredAt) {
      this.#open = null;
      this.#close(open, reading);
    }
  }

  /** Nothing when no 429 had calls left. */
  conclude(): readonly RateConclusion[] {
    const alike = mostAlike(this.#brief, ({ first }) => first.remaining);
    const isAlike = alike.length >= MIN_ALIKE && operationsOf(alike).length > 1;
    if (isAlike && !this.#isThrottled)
      return [
        refusedIn(
          alike,
          alike.slice(1, MIN_ALIKE).map(({ first }) => first),
        ),
      ];
    const [worst] = this.#untilReset.toSorted((left, right) => right.refused.length - left.refused.length);
    const isLong = this.#untilReset.some(({ first, resetMs }) => (resetMs ?? 0) - first.answeredAt >= MIN_LONG_MS);
    if (worst !== undefined && !this.#isThrottled && (isLong || this.#untilReset.length > 1))
      return [refusedIn([worst], worst.refused.slice(1).slice(-2))];
    return worst !== undefined || this.#isAnyOther ? [untold('RATE-04', OTHER_THROTTLE)] : [];
  }

  #refused(reading: RateReading): Episode | null {
    const open = this.#open;
    if (reading.remaining === null || reading.remaining < MIN_LEFT) return null;
    if (open === null) {
      const resetMs = this.#clock.resetOf(reading)?.earliest ?? null;
      return { first: reading, refused: [reading], resetMs };
    }
    open.refused.push(reading);
    return open;
  }

  #close(episode: Episode, accepted: RateReading): void {
    const { first, refused, resetMs } = episode;
    const isUntilReset = resetMs !== null && accepted.answeredAt >= resetMs;
    const isMany = refused.length > MIN_REFUSED;
    const isWide = operationsOf([episode]).length > 1;
    // Others were under way as the first one was refused.
    const isTried = refused.filter(({ sentAt }) => sentAt > first.answeredAt).length >= MIN_REFUSED;
    const isAsked = isUntilReset && refused.every((one) => this.#asksForReset(one));
    if (isAsked && (first.remaining ?? 0) >= MIN_LEFT_OF_ALIKE) this.#brief.push(episode);
    if (isUntilReset && isWide && isMany && (isTried || isAsked)) this.#untilReset.push(episode);
    else {
      this.#isAnyOther = true;
      this.#isThrottled ||= isWide && (isMany || !isUntilReset);
    }
  }

  /** Tells whether the refusal asks to wait until the reset that it states: it is the key's window that is spent. */
  #asksForReset(reading: RateReading): boolean {
    const { answeredAt, retryAfterMs, remaining, limit } = reading;
    const reset = this.#clock.resetOf(reading);
    if (reset === null || retryAfterMs === null || retryAfterMs <= MAX_SAME_END_MS) return false;
    if (remaining === null || limit === null || remaining < limit * MIN_SHARE_LEFT) return false;
    const again = answeredAt + retryAfterMs;
    return again >= reset.earliest - MAX_SAME_END_MS && again <= reset.latest + MAX_SAME_END_MS;
  }
}

function operationsOf(episodes: readonly Episode[]): readonly string[] {
  return [...new Set(episodes.flatMap(({ refused }) => refused.map(({ operation }) => operation)))];
}

function refusedIn(episodes: readonly Episode[], further: readonly RateReading[]): RateConclusion {
  const [first] = episodes.map((one) => one.first) as [RateReading];
  const refused = episodes.reduce((sum, one) => sum + one.refused.length, 0);
  return refusedWithCallsLeft(first, operationsOf(episodes), refused - 1, further);
}

/** A 429 by the key's limiter while calls are left. */
function refusedWithCallsLeft(
  first: RateReading,
  operations: readonly string[],
  refused: number,
  further: readonly RateReading[],
): RateConclusion {
  const expected = `no ${first.status} from the key's limiter while Remaining is above 0`;
  const actual = `${first.status} with Remaining ${first.remaining}`;
  const told = `key ${first.key} is answered ${actual}, then ${refused} times more on ${operations.slice(0, 4).join(', ')} until the reset`;
  return blaming('RATE-04', rate('rate-04.calls-left', { told, actual, expected }), first, ...further);
}
