// RATE-04 (must): No key gets more successful calls in a window than Limit allows; no 429 from the key's limiter while
//   Remaining says calls are left. Tolerance: Burst and cost weights are "not shown": a bucket may refill during the
//   window; judged against the best-fitting model, with the evidence. A 429 with calls left is another throttle
//   (exempt) where it is confined to some operations or a try before Reset succeeds; it is the key's limiter where the
//   key is refused on other operations too, until Reset.
import { breached, holds, type Judgement, resting } from '../../contract/judgement.ts';
import { rateOf, refillPerMs } from '../../limiters/algorithm.ts';
import { PORTION_MS } from '../../limiters/balance.ts';
import {
  cheapestOf,
  type Drained,
  type DrainTrace,
  dearestOf,
  type Elsewhere,
  isShared,
  lastWindowOf,
  type MeasuredLimit,
  mayRefill,
  refusalsOf,
  showsOthers,
  successesOf,
  TOLERANCE,
} from '../../limiters/drained-window.ts';
import { isSuccessful, type RateReading } from '../../limiters/reading.ts';
import { rate } from '../../wording/rate.ts';
import { tooMany } from './rate-03-remaining-falls.ts';
import { refusedWithCallsLeft } from './rate-04-calls-left.ts';
import { type Judged, untold } from './series-law.ts';

/** Refused for so long, up to the second in which the reset lies, is refused until the reset. ms. */
const LONG_MS = 2000;
/** Refused for less says nothing. ms. */
const SHORTEST_MS = 250;
/** The last try comes this near to the reset. ms. */
const NEAR_MS = 400;
/** At one time so many times as much comes back as at another. */
const UNEVEN = 2;
/** An operation was accepted so often while another was refused before and after. */
const MIN_EXEMPT = 3;

/** RATE-04: a window was exhausted, and no call was refused by the key's limiter while calls are left. That more succeed than Limit allows the balance tells. */
export function judgeAdmission(trace: DrainTrace): Judged {
  const found = judgeExempt(trace) ?? judgeCallsLeft(trace);
  if (found !== null) return found;
  const last = refusalsOf(trace).at(-1);
  if (last === undefined) return untold(`the window of key ${trace.key} could not be exhausted`);
  if (trace.isMeasure && (last.remaining ?? 0) >= dearestOf(trace))
    return untold(`key ${trace.key} was refused with ${last.remaining} calls left, by which limiter could not be told`);
  if (hidesCalls(trace))
    return untold(
      `another client spent calls of key ${trace.key}, too: how many one window admits could not be counted`,
    );
  if (admitsMoreAtOnce(trace))
    return untold(
      `key ${trace.key} was admitted more calls at once than Limit and what refilled: no answer states its window`,
    );
  return { judgement: resting(holds(2), { windows: 1 }), readings: [] };
}

/**
 * Tells whether more calls came before the first refusal than Limit and what the key was seen to regain. Where Reset names the next call, how
 * much of a window that is is not known.
 */
function admitsMoreAtOnce(trace: DrainTrace): boolean {
  const first = successesOf(trace)[0];
  const untold = first?.reset === null ? { high: (1000 * trace.limit) / trace.windowMs / UNEVEN } : null;
  const rate = untold ?? (mayRefill(trace) ? rateOf(trace, trace.limit) : null);
  const refusedAt = Math.min(...refusalsOf(trace).map(({ sentAt }) => sentAt));
  const before = successesOf(trace).filter(({ answeredAt }) => answeredAt <= refusedAt);
  if (rate === null || first === undefined) return false;
  const regained = UNEVEN * rate.high * ((refusedAt - first.sentAt + PORTION_MS) / 1000);
  return cheapestOf(trace) * before.length > (1 + TOLERANCE) * trace.limit + regained;
}

/** Tells whether others were seen to spend calls, and this run was admitted too few to tell that a window admits no more than Limit. */
function hidesCalls(trace: Drained): boolean {
  if (!isShared(trace) && !showsOthers(trace)) return false;
  return cheapestOf(trace) * (lastWindowOf(trace)?.length ?? 0) < (1 - TOLERANCE) * trace.limit;
}

/** More successes in one window than Limit, of a limit that calls alone showed; null where it is not known to be larger than Limit. No share of it is forgiven. */
export function judgeMeasuredAdmission(measured: MeasuredLimit): Judgement | null {
  const { key, stated, limit, windowMs, isBucket, cost, isUnenforced, shown } = measured;
  if (stated === null) return null;
  const expected = `at most ${stated} successes in one window`;
  if (isUnenforced) return breached([tooMany(key, shown, expected)]);
  // How much of a window a bucket's burst is nothing tells.
  if (limit === null || isBucket || limit.least <= stated + cost - 1) return null;
  const actual = `${limit.best} units${windowMs === null ? '' : ` within ${Math.round(windowMs.best)} ms`}`;
  return breached([tooMany(key, actual, expected)]);
}

/** An operation that is counted, and goes on succeeding while the key has no calls left; null when none does. */
function judgeExempt(trace: DrainTrace): Judged | null {
  // Calls that come back little by little are there for any operation, though resets in whole seconds do not yet show it.
  if (mayRefill(trace) || isShared(trace) || refillPerMs(trace) !== null) return null;
  const exempt = trace.elsewhere.filter(isExempt);
  const [often] = Map.groupBy(exempt, ({ other }) => other.operation)
    .values()
    .filter((same) => same.length >= MIN_EXEMPT);
  const [one] = often ?? [];
  if (often === undefined || one === undefined) return null;
  const expected = 'no success while Remaining is 0';
  const actual = `${often.length} successes of ${one.other.operation}, each between two refused calls of ${one.before.operation}`;
  const breach = rate('rate-04.none-left', { told: `key ${trace.key} has ${actual}`, actual, expected });
  return { judgement: breached([breach]), readings: [one.before, one.after, one.other] };
}

function isExempt({ before, other, after }: Elsewhere): boolean {
  return isSpent(before) && isSuccessful(other) && isSpent(after);
}

function isSpent({ isRefused, remaining }: RateReading): boolean {
  return isRefused && (remaining ?? 0) < 1;
}

/** Null when every 429 came with nothing left, another throttle spoke, or Remaining is no measure. */
export function judgeCallsLeft(trace: DrainTrace): Judged | null {
  const { tries, clock } = trace;
  const first = refusalsOf(trace).at(-1);
  if (first?.remaining == null || first.remaining < dearestOf(trace) || tries.length === 0) return null;
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
  const breach = refusedWithCallsLeft(first, operations, tries.length);
  return { judgement: breached([breach]), readings: [first, ...tries.slice(-2)] };
}
