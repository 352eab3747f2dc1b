// What a drained window says of the limiter: RATE-03 (recovery and totals), -04, -06 and -10. Pure.
import { type Breach, breached, cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import {
  algorithmOf,
  costOf,
  type DrainFacts,
  type DrainTrace,
  inWindowOf,
  movesEarly,
  refusalsOf,
  successesOf,
  windowAtLeastMs,
} from './drain-model.ts';
import { refusedWithCallsLeft } from './episodes.ts';
import type { RateReading } from './reading.ts';
import { tooShort } from './waits.ts';

const TOLERANCE = 0.01;
/** Fewer successes say nothing of a window. */
const LEAST_CALLS = 5;
/** Refills may come in portions of a second's worth. ms. */
const PORTION_MS = 1000;

/** Calls of the key in the window before the drain begins. */
const START_CALLS = 4;
/** Refused for so long, up to the second in which the reset lies, is refused until the reset. ms. */
const LONG_MS = 2000;
/** The last try comes this near to the reset. ms. */
const NEAR_MS = 400;

/** A judgement with the answers that it rests on. */
export interface Judged {
  readonly judgement: Judgement;
  readonly readings: readonly RateReading[];
}

/** RATE-03: the calls of the drain lowered Remaining, and it came back after Reset. */
export function judgeFallAndReturn(trace: DrainTrace): Judged {
  return judgeFall(trace) ?? judgeReturn(trace);
}

/** The totals of the window of the first answer; null when they agree or tell nothing. */
function judgeFall(trace: DrainTrace): Judged | null {
  const [first] = successesOf(trace);
  if (first === undefined) return null;
  const reset = trace.clock.resetOf(first);
  const last = successesOf(trace).findLast((one) => reset !== null && one.answeredAt <= reset.earliest);
  if (last === undefined || last === first) return null;
  const calls = successesOf(trace).filter(
    (one) => first.answeredAt < one.sentAt && one.answeredAt < last.sentAt,
  ).length;
  const fallen = (first.remaining ?? 0) - (last.remaining ?? 0);
  const elapsedMs = last.answeredAt - first.sentAt;
  const allowed = 1 + (trace.limit * (elapsedMs + PORTION_MS)) / windowAtLeastMs(trace);
  if ((last.remaining ?? 0) === 0 || calls + 1 - fallen <= allowed) return null;
  const expected = `a fall by at least ${calls + 1}, less what ${elapsedMs} ms can refill`;
  const actual = `a fall by ${fallen} over ${calls + 1} successful calls`;
  const cause = 'Remaining falls by less than the calls of its window';
  const message = `Remaining of key ${trace.key} shows ${actual} (${first.remaining} to ${last.remaining}), expected ${expected}`;
  return { judgement: breached([{ weight: 'breach', cause, message, expected, actual }]), readings: [first, last] };
}

function judgeReturn(trace: DrainTrace): Judged {
  const { back, key, later } = trace;
  const refused = refusalsOf(trace).at(-1);
  if (refused === undefined)
    return { judgement: cannotTell('precondition', `the window of key ${key} could not be exhausted`), readings: [] };
  if (back === null)
    return {
      judgement: cannotTell('precondition', `the reset of key ${key} is too far off to wait for`),
      readings: [],
    };
  const expected = 'an accepted call, and Remaining above 0 again, once Reset has passed';
  const told = (actual: string): Judged => {
    const cause = 'Remaining does not come back after Reset';
    const message = `after the reset that was stated, key ${key} is answered ${actual}; expected ${expected}`;
    const readings = [refused, back, ...(later === null ? [] : [later])];
    return { judgement: breached([{ weight: 'breach', cause, message, expected, actual }]), readings };
  };
  if (back.status === 429) return told(`${back.status}, Remaining ${back.remaining}`);
  const stays = later !== null && later.status !== 429 && later.remaining === 0 && back.remaining === 0;
  const isLate = later !== null && isFull(trace, later);
  if (stays && isLate && trace.limit > 5) return told(`${back.status} with Remaining 0, and again so`);
  return { judgement: holds(2), readings: [] };
}

/** Whether by then the reset of the last refusal has passed, by which a window, or a bucket, is full. */
function isFull(trace: DrainTrace, reading: RateReading): boolean {
  const refused = refusalsOf(trace).at(-1);
  const reset = refused === undefined ? null : trace.clock.resetOf(refused);
  return reset !== null && reading.sentAt >= reset.latest && !movesEarly(trace);
}

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

function judgeTooMany(trace: DrainTrace): Judged | null {
  const { limit, key } = trace;
  const refillPerMs = movesEarly(trace) ? limit / windowAtLeastMs(trace) : 0;
  const windows = successesOf(trace).map((first) => {
    const inside = inWindowOf(first, trace);
    const elapsedMs = (inside.at(-1)?.answeredAt ?? first.answeredAt) - first.sentAt;
    const allowed = limit * (1 + TOLERANCE) + (refillPerMs === 0 ? 0 : 1 + refillPerMs * (elapsedMs + PORTION_MS));
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
function judgeCallsLeft(trace: DrainTrace): Judged | null {
  const { tries, clock } = trace;
  const first = refusalsOf(trace).at(-1);
  const cost = costOf(trace);
  if (first === undefined || first.remaining === null || first.remaining < cost || tries.length === 0) return null;
  const reset = clock.resetOf(first);
  const operations = [...new Set(tries.map(({ operation }) => operation))];
  const lastRefused = tries.findLast(({ status }) => status === 429);
  const accepted = tries.find(({ status }) => status !== 429);
  if (reset === null || lastRefused === undefined || operations.length < 2) return null;
  if (accepted !== undefined && accepted.sentAt < reset.earliest) return null;
  const isLong = lastRefused.sentAt - first.answeredAt >= LONG_MS && lastRefused.sentAt >= reset.earliest - NEAR_MS;
  const isUntilReset = lastRefused.sentAt >= (reset.earliest + reset.latest) / 2 - NEAR_MS;
  if (!isLong && !isUntilReset) return null;
  const breach = refusedWithCallsLeft(first, operations, tries.length);
  return { judgement: breached([breach]), readings: [first, ...tries.slice(-2)] };
}

/** RATE-06: the call after the wait is accepted, at the latest a second later. */
export function judgeWait(trace: DrainTrace): Judged {
  const refused = refusalsOf(trace).at(-1);
  const last = trace.waited.at(-1);
  if (refused === undefined || refused.retryAfterMs === null)
    return {
      judgement: cannotTell('precondition', `no 429 with a readable Retry-After was seen of key ${trace.key}`),
      readings: [],
    };
  if (last === undefined)
    return {
      judgement: cannotTell('precondition', `Retry-After is ${refused.retryAfterMs / 1000} s: too long to wait for`),
      readings: [],
    };
  if (last.status !== 429) return { judgement: holds(), readings: [] };
  return { judgement: breached([tooShort({ refused, next: last })]), readings: [last, refused] };
}

/** What the drain measured; `burst` is null when the window was not exhausted, or calls of others fell into it. */
export function factsOf(trace: DrainTrace): DrainFacts & { readonly reason: string } {
  const algorithm = algorithmOf(trace);
  const successes = successesOf(trace);
  const cost = costOf(trace);
  const refused = refusalsOf(trace).at(-1);
  const none = (reason: string) => ({ algorithm, burst: null, reason });
  if (refused === undefined && judgeTooMany(trace) === null) return none('its window could not be exhausted');
  // The window of the refusal; or, where nothing was refused, of the first answer.
  const states = successes.filter((first) => inWindowOf(first, trace).length >= LEAST_CALLS);
  const last = successes.at(-1);
  const first = states.find((one) => last !== undefined && inWindowOf(one, trace).includes(last));
  if (first === undefined || first.remaining === null) return none('no window was seen from its beginning to its end');
  const inside = inWindowOf(first, trace);
  const lowest = Math.min(...inside.map(({ remaining }) => remaining ?? 0), refused?.remaining ?? 0);
  const before = (startOf(trace) ?? trace.limit) - first.remaining - cost;
  const seen = cost * inside.length;
  const said = first.remaining + cost - lowest;
  const gained = seen - said;
  const elapsedMs = (inside.at(-1)?.answeredAt ?? 0) - first.sentAt;
  if (
    movesEarly(trace) &&
    gained > 0 &&
    gained <= 1 + (trace.limit * (elapsedMs + PORTION_MS)) / windowAtLeastMs(trace)
  )
    return { algorithm, burst: before + said, reason: '' };
  return { algorithm, burst: before + Math.max(seen, said), reason: '' };
}

/** RATE-10: the ceiling measured, within 1 % of the Limit stated. */
export function judgeCeiling(trace: DrainTrace): Judged {
  const { key, limit } = trace;
  const { algorithm, burst, reason } = factsOf(trace);
  if (burst === null) return { judgement: cannotTell('precondition', `key ${key}: ${reason}`), readings: [] };
  const slack = Math.max(limit * TOLERANCE, costOf(trace) - 1);
  const isNear = Math.abs(burst - limit) <= slack;
  if (!isNear && algorithm !== 'token-bucket' && !isProved(trace, burst)) {
    const why = `key ${key}: ${burst} calls were admitted, which refills or another throttle can explain`;
    return { judgement: cannotTell('precondition', why), readings: [] };
  }
  if (algorithm === 'token-bucket') {
    const why = `key ${key} is limited by a bucket: its burst is ${burst}; its sustained rate takes "assay load ratelimit"`;
    return { judgement: cannotTell('precondition', why), readings: [] };
  }
  if (isNear) return { judgement: holds(), readings: [] };
  const breach: Breach = {
    weight: 'breach',
    cause: 'the measured ceiling is not the stated Limit',
    message: `key ${key} was admitted ${burst} calls in a window, expected ${limit} as X-RateLimit-Limit states, within 1 %`,
    expected: `${limit}, within 1 %`,
    actual: String(burst),
  };
  return {
    judgement: breached([breach]),
    readings: successesOf(trace).slice(-2).concat(refusalsOf(trace).slice(0, 1)),
  };
}

/** Whether a ceiling other than the Limit can have no other reason: above it no refill, below it no other throttle or user. */
function isProved(trace: DrainTrace, burst: number): boolean {
  if (burst > trace.limit) return judgeTooMany(trace) !== null;
  return judgeCallsLeft(trace) !== null || startOf(trace) !== null;
}

/**
 * Where windows begin below the Limit, as those of a smaller ceiling do: what is left at the beginning, the first call
 * counted. Seen twice, at the drain's beginning and after the reset, and no refill afterwards. Null otherwise.
 */
function startOf(trace: DrainTrace): number | null {
  const { back, later, limit } = trace;
  const cost = costOf(trace);
  const [first] = successesOf(trace);
  if (first?.remaining == null || back?.remaining == null || later?.remaining == null || back.status === 429)
    return null;
  const isAgain = first.remaining <= back.remaining && first.remaining >= back.remaining - START_CALLS * cost;
  const isFixed = later.remaining === back.remaining - cost && !movesEarly(trace);
  const start = back.remaining + cost;
  return isAgain && isFixed && start < limit * (1 - TOLERANCE) - cost ? start : null;
}
