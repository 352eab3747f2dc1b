// RATE-10 (must): The measured ceiling per plan equals what X-RateLimit-Limit states. Tolerance: Within 1 %; for a
//   bucket the sustained rate times the window counts, its burst is observed. Configured expectations per plan, if any,
//   are judged too.
import { type Breach, breached, cannotTell, holds, type Judgement, resting } from '../../contract/judgement.ts';
import { algorithmOf } from '../../limiters/algorithm.ts';
import {
  admitsTooMany,
  cheapestOf,
  costOf,
  type Drained,
  type DrainFacts,
  type DrainTrace,
  firstsOf,
  inWindowOf,
  leftAtRefusal,
  leftTwice,
  type MeasuredLimit,
  mayRefill,
  movesEarly,
  refillBetween,
  refusalsOf,
  showsOthers,
  slackOf,
  statedBy,
  successesOf,
  TOLERANCE,
  unexplainedBefore,
  windowAtLeastMs,
} from '../../limiters/drained-window.ts';
import type { RateReading } from '../../limiters/reading.ts';
import { SHORTEST_WINDOW_MS } from '../../limiters/reset-clock.ts';
import { rate } from '../../wording/rate.ts';
import { judgeCallsLeft } from './rate-04-admission.ts';
import { judgeMeasuredRate, judgeRate } from './rate-10-sustained-rate.ts';
import type { Judged } from './series-law.ts';

/** Fewer successes say nothing of a window. */
const LEAST_CALLS = 5;

/** So many calls of others whom nobody sees may fall into the beginning of a window. */
const OTHERS_CALLS = 2;
/** In a short window that slides, others may take such a share of the Limit all the time. */
const OTHERS_SHARE = 0.1;

/** What the drain measured; `burst` is null when the window was not exhausted, or calls of others fell into it. */
export function factsOf(trace: DrainTrace): DrainFacts & { readonly reason: string } {
  const algorithm = algorithmOf(trace);
  // What refills meanwhile makes steps smaller, what others spend larger.
  const cost = mayRefill(trace) ? costOf(trace) : cheapestOf(trace);
  const refused = refusalsOf(trace).at(-1);
  const calls = trace.readings.length;
  const none = (reason: string) => ({ algorithm, burst: null, calls, reason });
  if (refused === undefined && !admitsTooMany(trace)) return none('its window could not be exhausted');
  if (!trace.isMeasure) return none('its Remaining does not tell what was spent before');
  const first = beginningOf(trace);
  if (first === null || first.remaining === null) return none('no window was seen from its beginning to its end');
  const inside = inWindowOf(first, trace);
  const lowest =
    leftTwice(trace) ?? Math.min(...inside.map(({ remaining }) => remaining ?? 0), refused?.remaining ?? 0);
  // A bucket is judged by what comes back.
  const low = algorithm === 'token-bucket' ? null : startsLow(trace);
  if (low === 'once' || low === 'others')
    return none(
      `its window began with ${unexplainedBefore(first, trace)} calls missing, ${
        low === 'others' ? 'which others or a smaller ceiling explain' : 'and no other client was seen'
      }`,
    );
  if (algorithm !== 'token-bucket' && leftAtRefusal(trace) !== null && leftTwice(trace) === null)
    return none(`it was refused with nothing left, and a moment before ${leftAtRefusal(trace)} calls were`);
  const before = low === 'again' ? 0 : Math.max(0, (startOf(trace) ?? trace.limit) - first.remaining - cost);
  const seen = cost * inside.length;
  const said = first.remaining + cost - lowest;
  const isRefilled =
    mayRefill(trace) && seen > said && seen - said <= refillBetween(trace, first, inside.at(-1) ?? first);
  return { algorithm, burst: before + (isRefilled ? said : Math.max(seen, said)), calls, reason: '' };
}

/**
 * Whether the window begins with much missing that own calls do not explain: where others were seen, or could not be, they may have
 * made them (others); where none were, with so little left each time (again), or this time (once). Null where it does not, and where
 * a window that may refill begins with the same each time.
 */
function startsLow(trace: DrainTrace): 'again' | 'once' | 'others' | null {
  const { limit } = trace;
  const first = beginningOf(trace);
  const cost = cheapestOf(trace);
  const slack = limit * TOLERANCE + OTHERS_CALLS * cost;
  const forgiven = mayRefill(trace) ? Math.max(limit * OTHERS_SHARE, slack) : slack;
  if (first === null || unexplainedBefore(first, trace) <= forgiven) return null;
  if (mayRefill(trace)) return startOf(trace) === null ? 'others' : null;
  if (showsOthers(trace)) return 'others';
  const most = mostLeftAfter(trace);
  return most !== null && Math.abs(most - (first.remaining ?? 0)) <= slack ? 'again' : 'once';
}

/** The most that was left once calls were accepted again; null where none was. */
function mostLeftAfter({ back, soon, later }: DrainTrace): number | null {
  const left = [back, soon, later].flatMap((one) => (one === null || one.isRefused ? [] : (one.remaining ?? [])));
  return left.length === 0 ? null : Math.max(...left);
}

/** Whether one window was seen from its beginning until a call was refused, or more were granted than it holds. */
export function isWhole(trace: Drained): boolean {
  return beginningOf(trace) !== null && (refusalsOf(trace).length > 0 || admitsTooMany(trace));
}

/** The first answer of the window of the refusal; or, where nothing was refused, of the first answer. Null where it was not seen whole. */
function beginningOf(trace: Drained): RateReading | null {
  const last = lastOf(trace);
  const first = firstsOf(trace).find((one) => {
    const inside = inWindowOf(one, trace);
    return last !== undefined && inside.length >= LEAST_CALLS && inside.includes(last);
  });
  return first ?? null;
}

/** The last success; not one that was under way as the first call was refused: it may have been admitted before that, or after. */
function lastOf(trace: Drained): RateReading | undefined {
  const refusedAt = Math.min(...refusalsOf(trace).map(({ answeredAt }) => answeredAt));
  return successesOf(trace).findLast(({ sentAt, answeredAt }) => sentAt > refusedAt || answeredAt <= refusedAt);
}

/** RATE-10 of a drained window. `windowSeconds`: as configured, where it is. */
export function judgeDrainedCeiling(trace: DrainTrace, windowSeconds: number | null): Judged {
  const measured = ceilingOf(trace);
  if (measured.isBucket && measured.limit !== null) return judgeRate(trace, measured.limit.best, windowSeconds);
  const judgement = judgeCeiling(measured, windowSeconds);
  const shown = successesOf(trace).slice(-2).concat(refusalsOf(trace).slice(0, 1));
  return { judgement, readings: judgement.kind === 'breached' ? shown : [] };
}

/** The ceiling that a drain showed. Where something else may explain it, no more is known than that the ceiling lies between it and Limit. */
function ceilingOf(trace: DrainTrace): MeasuredLimit {
  const { key, limit } = trace;
  const { algorithm, burst, reason } = factsOf(trace);
  const cost = costOf(trace);
  const isBucket = algorithm === 'token-bucket';
  const base = {
    ...{ key, stated: limit, windowMs: null, cost, isBucket },
    statedBy: statedBy(trace),
    isUnenforced: false,
  };
  if (burst === null) return { ...base, limit: null, shown: reason };
  const exactly = { ...base, limit: { least: burst, best: burst, most: burst }, shown: '' };
  if (isBucket) return exactly;
  const slack = slackOf(limit, cost);
  const unseen = unseenBefore(trace);
  const isNear = Math.abs(burst - limit) <= slack;
  if (isNear && limit - (burst - unseen) > Math.max(slack, cost)) {
    const shown = `${burst - unseen} calls were admitted in a window that began with ${unseen} missing, and no other client was seen`;
    return { ...base, limit: null, shown };
  }
  if (isNear || isProved(trace, burst)) return exactly;
  const shown = `${burst} calls were admitted, which refills, another user or another throttle can explain`;
  return { ...base, limit: { least: Math.min(burst, limit), best: burst, most: Math.max(burst, limit) }, shown };
}

/** RATE-10: the ceiling that was measured is within 1 % of the Limit stated. `windowSeconds`: as configured, where it is. */
export function judgeCeiling(measured: MeasuredLimit, windowSeconds: number | null): Judgement {
  const { key, stated, limit, windowMs, isBucket, cost, isUnenforced, shown } = measured;
  const unknown = (why: string): Judgement => cannotTell('precondition', `key ${key}: ${why}`);
  if (stated === null) return unknown(`no ${measured.statedBy} to compare with`);
  if (isUnenforced) return breached([otherCeiling(measured, stated, 'every call, without a refusal')]);
  if (limit === null) return unknown(shown);
  if (isBucket) return judgeMeasuredRate(measured, stated, windowSeconds);
  const slack = slackOf(stated, cost);
  if (Math.abs(limit.best - stated) <= slack) return resting(holds(), { windows: 1 });
  if (limit.least <= stated + slack && limit.most >= stated - slack) return unknown(shown);
  const window = windowMs === null ? 'a window' : `${Number((windowMs.best / 1000).toPrecision(3))} s`;
  return breached([otherCeiling(measured, stated, `${limit.best} units in ${window}`)]);
}

function otherCeiling({ key, statedBy }: MeasuredLimit, stated: number, actual: string): Breach {
  const expected = `${stated}, within 1 %, as ${statedBy} states`;
  return rate('rate-10.other-ceiling', { told: `key ${key} was admitted ${actual}`, actual, expected });
}

/** Units that were missing as the window began, and that neither own calls nor anybody who was seen took. */
function unseenBefore(trace: DrainTrace): number {
  const first = beginningOf(trace);
  return first === null || mayRefill(trace) || showsOthers(trace) ? 0 : unexplainedBefore(first, trace);
}

/** Whether a ceiling other than the Limit can have no other reason: above it no refill, below it no other throttle or user. */
function isProved(trace: DrainTrace, burst: number): boolean {
  if (burst > trace.limit) return admitsTooMany(trace);
  return (
    judgeCallsLeft(trace) !== null ||
    leftTwice(trace) !== null ||
    startOf(trace) !== null ||
    startsLow(trace) === 'again'
  );
}

/**
 * Where windows begin below the Limit, as those of a smaller ceiling do: what is left at the beginning, the first call
 * counted. Seen twice, at the drain's beginning and after the reset, and no refill afterwards. Null otherwise.
 */
function startOf(trace: DrainTrace): number | null {
  const { back, soon, later, limit } = trace;
  const cost = costOf(trace);
  const [first] = successesOf(trace);
  if (first?.remaining == null || back?.remaining == null || later?.remaining == null || back.isRefused) return null;
  const isAgain = first.remaining === back.remaining;
  const calls = soon === null ? 1 : 2;
  const isFixed = later.remaining === back.remaining - calls * cost && !movesEarly(trace);
  const start = back.remaining + cost;
  const share = windowAtLeastMs(trace) <= SHORTEST_WINDOW_MS ? OTHERS_SHARE : TOLERANCE;
  return isAgain && isFixed && limit - start > limit * share + OTHERS_CALLS * cost ? start : null;
}
