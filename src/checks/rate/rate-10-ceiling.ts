// RATE-10 (must): The measured ceiling per plan equals the limit that answers state. Tolerance: Within 1 %; for a
//   bucket the sustained rate times the window counts, its burst is observed. Configured expectations per plan, if
//   any, are judged too.
import { type Breach, breached, cannotTell, holds, type Judgement, resting } from '../../contract/judgement.ts';
import type { Interval } from '../../contract/load-part.ts';
import { algorithmOf } from '../../limiters/algorithm.ts';
import {
  cheapestOf,
  costOf,
  type Drained,
  type DrainFacts,
  type DrainTrace,
  lastWindowOf,
  leftTwice,
  type MeasuredLimit,
  mayRefill,
  refillBetween,
  refusalsOf,
  showsOthers,
  slackOf,
  statedBy,
  successesOf,
  TOLERANCE,
  unexplainedBefore,
} from '../../limiters/drained-window.ts';
import type { RateReading } from '../../limiters/reading.ts';
import { rate } from '../../wording/rate.ts';
import { judgeCallsLeft } from './rate-04-admission.ts';
import { judgeMeasuredRate, judgeRate } from './rate-10-sustained-rate.ts';
import type { Judged } from './series-law.ts';

/** Calls of others whom nobody sees that may fall into the beginning of a window. */
const MAX_UNSEEN_CALLS = 2;
const MAX_SHARE_OF_OTHERS = 0.1;

/** The facts that the drain measured; `burst` is null when the window was not exhausted, or calls of others fell into it. */
export function factsOf(trace: DrainTrace): DrainFacts {
  const { limit, isBucket, cost } = ceilingOf(trace);
  const isKnown = limit !== null && (isBucket || limit.most - limit.least <= unseenSlack(trace, cost));
  return { algorithm: algorithmOf(trace), burst: isKnown ? limit.most : null, calls: trace.readings.length };
}

/** Units that others may have taken before a window was seen; in a short one that slides they may all the time. */
function unseenSlack(trace: Drained, cost: number): number {
  const few = trace.limit * TOLERANCE + MAX_UNSEEN_CALLS * cost;
  return mayRefill(trace) ? Math.max(few, trace.limit * MAX_SHARE_OF_OTHERS) : few;
}

/** Tells whether one window was seen from its beginning until a call was refused, or more were granted than it holds. */
export function isWhole(trace: Drained): boolean {
  return trace.isOverdrawn || (lastWindowOf(trace) !== null && refusalsOf(trace).length > 0);
}

/** RATE-10 of a drained window. `windowSeconds`: as configured, where it is. */
export function judgeDrainedCeiling(trace: DrainTrace, windowSeconds: number | null): Judged {
  const measured = ceilingOf(trace);
  if (measured.isBucket && measured.limit !== null) return judgeRate(trace, measured.limit.best, windowSeconds);
  const judgement = judgeCeiling(measured, windowSeconds);
  const shown = successesOf(trace).slice(-2).concat(refusalsOf(trace).slice(0, 1));
  return { judgement, readings: judgement.kind === 'breached' ? shown : [] };
}

/** Bounds of the ceiling: the units that one window surely admitted, and those that others may have taken of it. */
function ceilingOf(trace: DrainTrace): MeasuredLimit {
  const { key, limit } = trace;
  const cost = costOf(trace);
  const isBucket = algorithmOf(trace) === 'token-bucket';
  const base = {
    ...{ key, stated: limit, windowMs: null, cost, isBucket },
    statedBy: statedBy(trace),
    isUnenforced: false,
  };
  const none = (shown: string): MeasuredLimit => ({ ...base, limit: null, shown });
  const refused = refusalsOf(trace).at(-1);
  if (refused === undefined && !trace.isOverdrawn) return none('its window could not be exhausted');
  if (!trace.isMeasure) return none('its Remaining does not tell what was spent before');
  const inside = lastWindowOf(trace);
  const first = inside?.[0];
  if (inside === null || first?.remaining == null) return none('no window was seen from its beginning to its end');
  const admitted = admittedIn(trace, inside);
  const missing = Math.max(0, limit - first.remaining - cost);
  const unexplained = Math.min(missing, unexplainedBefore(first, trace));
  const isLow = unexplained > unseenSlack(trace, cost);
  // A few calls of others who were seen, or may take what comes back, were admitted like own ones.
  const unseen = isLow || !(showsOthers(trace) || mayRefill(trace)) ? unexplained : 0;
  if (isBucket) return { ...base, limit: exactly(missing + admitted), shown: '' };
  const least = admitted + missing - unseen;
  const isSmaller = isLow && beginsSo(trace, first);
  const isProved = isSmaller || leftTwice(trace) !== null || judgeCallsLeft(trace) !== null;
  const most = isProved ? least : Math.max(limit, least + unseen);
  const shown = `${least} calls were admitted, and ${Math.max(0, most - least)} more were missing, which others, refills, another throttle or a smaller ceiling can explain`;
  // More than Limit is proved where nothing refills.
  if (least > limit && !trace.isOverdrawn) return { ...base, limit: { least: limit, best: least, most: least }, shown };
  return { ...base, limit: { least, best: least, most }, shown };
}

function exactly(units: number): Interval {
  return { least: units, best: units, most: units };
}

/** Units that the window admitted by its calls and by its Remaining, what refilled aside. */
function admittedIn(trace: DrainTrace, inside: readonly RateReading[]): number {
  const [first] = inside;
  if (first === undefined) return 0;
  // The cost of a call: a refill meanwhile makes steps smaller, calls of others make them larger.
  const cost = mayRefill(trace) ? costOf(trace) : cheapestOf(trace);
  const left = [...inside, ...refusalsOf(trace).slice(-1)].map(({ remaining }) => remaining ?? 0);
  const seen = cost * inside.length;
  const said = (first.remaining ?? 0) + cost - (leftTwice(trace) ?? Math.min(...left));
  const isRefilled = mayRefill(trace) && seen - said <= refillBetween(trace, first, inside.at(-1) ?? first);
  return isRefilled ? said : Math.max(seen, said);
}

/** Tells whether windows begin with as little each time, and nobody was seen who takes it: then the ceiling is smaller. */
function beginsSo(trace: DrainTrace, first: RateReading): boolean {
  const { back, soon, later } = trace;
  const left = [back, soon, later].flatMap((one) => (one === null || one.isRefused ? [] : (one.remaining ?? [])));
  const cost = costOf(trace);
  if (mayRefill(trace)) {
    const calls = soon === null ? 1 : 2;
    const isStanding = later?.remaining === (back?.remaining ?? 0) - calls * cost && !trace.movesEarly;
    return isStanding && back?.remaining === first.remaining;
  }
  const isAgain = Math.abs(Math.max(0, ...left) - (first.remaining ?? 0)) <= unseenSlack(trace, cost);
  return isAgain && !showsOthers(trace);
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
