// RATE-04 on a drained window: how many calls it admitted, and whether it refused while calls were left. Pure.
import { breached, cannotTell, holds } from '../../contract/judgement.ts';
import {
  type DrainTrace,
  dearestOf,
  inWindowOf,
  type Judged,
  movesEarly,
  PORTION_MS,
  refusalsOf,
  SHORTEST_WINDOW_MS,
  successesOf,
  TOLERANCE,
  windowAtLeastMs,
} from './drain-model.ts';
import { refusedWithCallsLeft } from './episodes.ts';

/** Refused for so long, up to the second in which the reset lies, is refused until the reset. ms. */
const LONG_MS = 2000;
/** Refused for less says nothing. ms. */
const SHORTEST_MS = 250;
/** The last try comes this near to the reset. ms. */
const NEAR_MS = 400;

/** RATE-04: no more successes than Limit in any window, and no refusal by the key's limiter while calls are left. */
export function judgeAdmission(trace: DrainTrace): Judged {
  const tooMany = judgeTooMany(trace);
  if (tooMany !== null) return tooMany;
  const early = judgeCallsLeft(trace);
  if (early !== null) return early;
  if (refusalsOf(trace).length === 0 && successesOf(trace).length <= trace.limit)
    return {
      judgement: cannotTell('precondition', `the window of key ${trace.key} could not be exhausted`),
      readings: [],
    };
  return { judgement: holds(2), readings: [] };
}

/** More successes in one window than Limit; null when there are not. */
export function judgeTooMany(trace: DrainTrace): Judged | null {
  const { limit, key } = trace;
  // Where resets move, or are never further off than a rounded second, calls may come back one by one meanwhile.
  const isMoving = movesEarly(trace);
  const refills = isMoving || windowAtLeastMs(trace) <= SHORTEST_WINDOW_MS;
  const refillPerMs = refills ? limit / windowAtLeastMs(trace) : 0;
  const windows = successesOf(trace).map((first) => {
    const inside = inWindowOf(first, trace);
    const elapsedMs = (inside.at(-1)?.answeredAt ?? first.answeredAt) - first.sentAt;
    const allowed =
      limit * (1 + TOLERANCE) + (refillPerMs === 0 ? 0 : 1 + refillPerMs * (elapsedMs + (isMoving ? PORTION_MS : 0)));
    return { inside, allowed, elapsedMs };
  });
  const [worst] = windows.toSorted(
    (left, right) => right.inside.length - right.allowed - (left.inside.length - left.allowed),
  );
  if (worst === undefined || worst.inside.length <= worst.allowed) return null;
  const expected = `at most ${limit} successes in one window${refillPerMs === 0 ? '' : ', and what refills meanwhile'}`;
  const actual = `${worst.inside.length} successes within ${worst.elapsedMs} ms, before the reset that was stated`;
  const cause = 'more calls succeed in a window than Limit allows';
  const message = `key ${key} got ${actual}; expected ${expected}`;
  const readings = worst.inside.slice(-3);
  return { judgement: breached([{ weight: 'breach', cause, message, expected, actual }]), readings };
}

/** Null when every 429 came with nothing left, or another throttle spoke. */
export function judgeCallsLeft(trace: DrainTrace): Judged | null {
  const { tries, clock } = trace;
  const first = refusalsOf(trace).at(-1);
  if (first?.remaining == null || first.remaining < dearestOf(trace) || tries.length === 0) return null;
  const reset = clock.resetOf(first);
  const operations = [...new Set(tries.map(({ operation }) => operation))];
  const lastRefused = tries.findLast(({ status }) => status === 429);
  const accepted = tries.find(({ status }) => status !== 429);
  if (reset === null || lastRefused === undefined || operations.length < 2) return null;
  if (accepted !== undefined && accepted.sentAt < reset.earliest) return null;
  const isLong = lastRefused.sentAt - first.answeredAt >= LONG_MS && lastRefused.sentAt >= reset.earliest - NEAR_MS;
  const isUntilReset = lastRefused.sentAt >= (reset.earliest + reset.latest) / 2 - NEAR_MS;
  const isInstant = lastRefused.sentAt - first.answeredAt < SHORTEST_MS;
  if (isInstant || (!isLong && !isUntilReset)) return null;
  const breach = refusedWithCallsLeft(first, operations, tries.length);
  return { judgement: breached([breach]), readings: [first, ...tries.slice(-2)] };
}
