// RATE-10 on a drained window: the ceiling that was measured, and whether it is the one stated. Pure.
import { type Breach, breached, cannotTell, holds } from '../../contract/judgement.ts';
import { judgeCallsLeft, judgeTooMany } from './admission.ts';
import {
  algorithmOf,
  costOf,
  type DrainFacts,
  type DrainTrace,
  inWindowOf,
  type Judged,
  movesEarly,
  PORTION_MS,
  refusalsOf,
  successesOf,
  TOLERANCE,
  windowAtLeastMs,
} from './drain-model.ts';

/** Fewer successes say nothing of a window. */
const LEAST_CALLS = 5;
/** Calls of the key in the window before the drain begins. */
const START_CALLS = 4;

/** What the drain measured; `burst` is null when the window was not exhausted, or calls of others fell into it. */
export function factsOf(trace: DrainTrace): DrainFacts & { readonly reason: string } {
  const algorithm = algorithmOf(trace);
  const successes = successesOf(trace);
  const cost = costOf(trace);
  const refused = refusalsOf(trace).at(-1);
  const calls = trace.readings.length;
  const none = (reason: string) => ({ algorithm, burst: null, calls, reason });
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
    return { algorithm, burst: before + said, calls, reason: '' };
  return { algorithm, burst: before + Math.max(seen, said), calls, reason: '' };
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
