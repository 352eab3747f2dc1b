// RATE-10: the ceiling of a drained window, or of a limit that calls alone showed, is the stated Limit. For a bucket its sustained rate times its
// window is. The rate is measured between two moments with little left; the window is the configured one, or the time to full that Reset
// states while nothing is left. Where only rounded seconds are stated, the bounds are as wide as the rounding. A lower rate may be the doing
// of others, whose calls then are missing now and then while the bucket should be full: where they never are, nobody else is there. Pure.
//
// RATE-10 (must): The measured ceiling per plan equals the limit that answers state. Tolerance: Within 1 %; for a
//   bucket the sustained rate times the window counts, its burst is observed. Configured expectations per plan, if
//   any, are judged too.

import { type Breach, breached, cannotTell, holds, type Judgement, resting } from '../../contract/judgement.ts';
import type { Interval } from '../../contract/load-part.ts';
import { plural } from '../../contract/numbers.ts';
import { algorithmOf, type Bounds, isNearWhenFull, rateOf } from '../../limiters/algorithm.ts';
import {
  type Drained,
  type DrainFacts,
  exactly,
  lastWindowOf,
  type MeasuredLimit,
  refillBetween,
  slackOf,
  TOLERANCE,
  unexplainedBefore,
  whyNotExhausted,
} from '../../limiters/drained-window.ts';
import type { RateReading } from '../../limiters/reading.ts';
import { rate } from '../../wording/rate.ts';
import { judgeCallsLeft } from './rate-04-admission.ts';
import { onTarget, type RateConclusion } from './series-law.ts';

/** Calls of others whom nobody sees that may fall into the beginning of a window. */
const MAX_UNSEEN_CALLS = 2;
const MAX_SHARE_OF_OTHERS = 0.1;
/** Wider bounds of a bucket's Limit, on either side, decide nothing. */
const MAX_WIDTH_SHARE_OF_LIMIT = 0.05;
/** Largest chance that others who explain a lower rate stay unseen. */
const MAX_CHANCE_UNSEEN = 0.002;
/** Between two looks so many calls come back at the rate that was measured. */
const CALLS_BETWEEN_LOOKS = 2;
/** Where the burst is farther from the Limit, the time to full is not the window. */
const MAX_BURST_SHARE_OFF = 0.05;

/** The facts that the drain measured; `burst` is null when the window was not exhausted, or calls of others fell into it. */
export function factsOf(trace: Drained): DrainFacts {
  const { limit, isBucket, cost } = ceilingOf(trace);
  const isKnown = limit !== null && (isBucket || limit.most - limit.least <= unseenSlack(trace, cost));
  const [{ windowMs = null } = {}] = trace.explanations;
  const kinds = trace.explanations.map(({ kind }) => kind);
  const { readings } = trace;
  const tookMs = (readings.at(-1)?.answeredAt ?? 0) - (readings[0]?.sentAt ?? 0);
  return { kinds, windowMs, burst: isKnown ? limit.most : null, calls: readings.length, tookMs };
}

/** Units that others may have taken before a window was seen; in a short one that slides they may all the time. */
function unseenSlack(trace: Drained, cost: number): number {
  const few = trace.limit * TOLERANCE + MAX_UNSEEN_CALLS * cost;
  return trace.mayRefill ? Math.max(few, trace.limit * MAX_SHARE_OF_OTHERS) : few;
}

/** Tells whether one window was seen from its beginning until a call was refused, or more were granted than it holds. */
export function isWhole(trace: Drained): boolean {
  return trace.isOverdrawn || (lastWindowOf(trace) !== null && trace.refusals.length > 0);
}

/** RATE-10 of a drained window. `windowSeconds`: as configured, where it is. */
export function judgeDrainedCeiling(trace: Drained, windowSeconds: number | null): RateConclusion {
  const measured = ceilingOf(trace);
  const judgement = judgeCeiling(measured, windowSeconds, trace);
  if (judgement.kind !== 'breached') return onTarget('RATE-10', judgement);
  const { refill } = trace;
  const shown = trace.successes.slice(-2).concat(trace.refusals.slice(0, 1));
  return onTarget('RATE-10', judgement, measured.isBucket && refill !== null ? [refill.from, refill.to] : shown);
}

/** Bounds of the ceiling: the units that one window surely admitted, and those that others may have taken of it. */
function ceilingOf(trace: Drained): MeasuredLimit {
  const { key, limit, cost } = trace;
  const isBucket = algorithmOf(trace) === 'token-bucket';
  const statedBy = trace.readings[0]?.names.limit ?? 'the Limit';
  const base = { key, stated: limit, windowMs: null, cost, isBucket, statedBy, isUnenforced: false };
  const none = (shown: string): MeasuredLimit => ({ ...base, limit: null, shown });
  const refused = trace.refusals.at(-1);
  if (refused === undefined && !trace.isOverdrawn) return none(whyNotExhausted(trace));
  if (!trace.isMeasure) return none('its Remaining does not tell what was spent before');
  const inside = lastWindowOf(trace);
  const first = inside?.[0];
  if (inside === null || first?.remaining == null) return none('no window was seen from its beginning to its end');
  const admitted = admittedIn(trace, inside);
  const missing = Math.max(0, limit - first.remaining - cost);
  const unexplained = Math.min(missing, unexplainedBefore(first, trace));
  const isLow = unexplained > unseenSlack(trace, cost);
  // A few calls of others who were seen, or may take what comes back, were admitted like own ones.
  const unseen = isLow || !(trace.showsOthers || trace.mayRefill) ? unexplained : 0;
  if (isBucket) return { ...base, limit: exactly(missing + admitted), shown: '' };
  const least = admitted + missing - unseen;
  // Where more was admitted than it began with, calls came back.
  const isSpent = admitted <= first.remaining + cost + unseenSlack(trace, cost);
  const isSmaller = isLow && isSpent && beginsSo(trace, first);
  const isProved = isSmaller || trace.leftTwice !== null || judgeCallsLeft(trace) !== null;
  const most = isProved ? least : Math.max(limit, least + unseen);
  const shown = `${plural(least, 'call was', 'calls were')} admitted, and ${plural(Math.max(0, most - least), 'more was', 'more were')} missing, which others, refills, another throttle or a smaller ceiling can explain`;
  // More than Limit is proved where nothing refills.
  if (least > limit && !trace.isOverdrawn) return { ...base, limit: { least: limit, best: least, most: least }, shown };
  return { ...base, limit: { least, best: least, most }, shown };
}

/** Units that the window admitted by its calls and by its Remaining, what refilled aside. */
function admittedIn(trace: Drained, inside: readonly RateReading[]): number {
  const [first] = inside;
  if (first === undefined) return 0;
  // The cost of a call: a refill meanwhile makes steps smaller, calls of others make them larger.
  const cost = trace.mayRefill ? trace.cost : trace.cheapest;
  const left = [...inside, ...trace.refusals.slice(-1)].map(({ remaining }) => remaining ?? 0);
  const seen = cost * inside.length;
  const said = (first.remaining ?? 0) + cost - (trace.leftTwice ?? Math.min(...left));
  const isRefilled = trace.mayRefill && seen - said <= refillBetween(trace, first, inside.at(-1) ?? first);
  return isRefilled ? said : Math.max(seen, said);
}

/** Tells whether windows begin with as little each time, and nobody was seen who takes it: then the ceiling is smaller. */
function beginsSo(trace: Drained, first: RateReading): boolean {
  const { back, looks, clock, cost } = trace;
  const left = [back, ...looks].flatMap((one) => (one === null || one.isRefused ? [] : (one.remaining ?? [])));
  if (trace.mayRefill) {
    const isStanding = looks.at(-1)?.remaining === (back?.remaining ?? 0) - looks.length * cost && !trace.movesEarly;
    return isStanding && back?.remaining === first.remaining;
  }
  const isAgain = Math.abs(Math.max(0, ...left) - (first.remaining ?? 0)) <= unseenSlack(trace, cost);
  // Own calls had not come back before the reset: those that did are of others.
  const isOthers = back?.isRefused === false && clock.isOneWindow(first, back);
  return isAgain && !isOthers && !trace.showsOthers;
}

/**
 * RATE-10: the ceiling that was measured is within 1 % of the Limit stated. `windowSeconds`: as configured, where it is. `trace`: the drain that
 * showed it; null where calls alone did, which tell no window of a bucket, and nothing of who else uses the key.
 */
export function judgeCeiling(
  measured: MeasuredLimit,
  windowSeconds: number | null,
  trace: Drained | null = null,
): Judgement {
  const { key, stated, limit, windowMs, isBucket, cost, isUnenforced, shown } = measured;
  const unknown = (why: string): Judgement => cannotTell('precondition', `key ${key}: ${why}`);
  if (stated === null) return unknown(`no ${measured.statedBy} to compare with`);
  if (isUnenforced) return breached([otherCeiling(measured, 'every call, without a refusal')]);
  if (limit === null) return unknown(shown);
  if (isBucket) return judgeRate({ ...measured, limit, stated }, windowSeconds, trace);
  const slack = slackOf(stated, cost);
  if (Math.abs(limit.best - stated) <= slack) return resting(holds(), { windows: 1 });
  if (limit.least <= stated + slack && limit.most >= stated - slack) return unknown(shown);
  const window = windowMs === null ? 'a window' : `${Number((windowMs.best / 1000).toPrecision(3))} s`;
  return breached([otherCeiling(measured, `${plural(limit.best, 'unit')} in ${window}`)]);
}

function otherCeiling({ key, stated, statedBy }: MeasuredLimit, actual: string): Breach {
  const expected = `${stated}, within 1 %, as ${statedBy} states`;
  return rate('rate-10.other-ceiling', { told: `key ${key} was admitted ${actual}`, actual, expected });
}

const NO_WINDOW = 'no answer states its window: configure expect.plans with windowSeconds to have its rate judged';

interface Bucket extends MeasuredLimit {
  readonly limit: Interval;
  readonly stated: number;
}

function judgeRate(bucket: Bucket, windowSeconds: number | null, trace: Drained | null): Judgement {
  const { key, stated } = bucket;
  const burst = bucket.limit.best;
  const unknown = (why: string): Judgement =>
    cannotTell('precondition', `key ${key} is limited by a bucket, its burst is ${burst}; ${why}`);
  const perSecond = trace === null ? rateIn(bucket) : rateOf(trace, burst);
  if (perSecond === null && trace !== null)
    return unknown('its sustained rate could not be measured; "assay load ceiling" does');
  const window = windowOf(trace, burst, windowSeconds);
  if (perSecond === null || window === null) return unknown(NO_WINDOW);
  // A reset by which but a call or two come back tells when the next call is granted.
  if (trace !== null && windowSeconds === null && perSecond.low * window.low <= 2 * trace.cost)
    return unknown(NO_WINDOW);
  const [low, high] = [perSecond.low * window.low, perSecond.high * window.high];
  const slack = stated * TOLERANCE;
  const isLower = high < stated - slack;
  if (low > stated + slack || (isLower && trace !== null && isAlone(trace, 1 - high / stated)))
    return breached([otherRate(bucket, { low, high }, trace)]);
  if (isLower) return unknown(`it regains at most ${plural(Math.round(high), 'call')} a window: or others use the key`);
  return high - low > 2 * MAX_WIDTH_SHARE_OF_LIMIT * stated
    ? unknown(
        windowSeconds === null ? 'Reset is too coarse to tell its window' : 'too few calls came back to tell its rate',
      )
    : resting(holds(), { windows: 1 });
}

/** Units a second of a bucket that calls alone showed; null where they did not. */
function rateIn({ limit, windowMs }: Bucket): Bounds | null {
  if (windowMs === null) return null;
  return { low: (1000 * limit.best) / windowMs.most, high: (1000 * limit.best) / windowMs.least };
}

function otherRate({ key, stated, statedBy }: Bucket, { low, high }: Bounds, trace: Drained | null): Breach {
  const { from, to } = trace?.refill ?? {};
  const seconds = Math.round(((to?.answeredAt ?? 0) - (from?.sentAt ?? 0)) / 100) / 10;
  const over = trace === null ? '' : `, measured over ${seconds} s`;
  const actual = `${Math.round(low * 10) / 10} to ${plural(Math.round(high * 10) / 10, 'call')} a window`;
  const expected = `${stated}, within 1 %, as ${statedBy} states`;
  return rate('rate-10.other-rate', { told: `key ${key} regains ${actual}${over}`, actual, expected });
}

/** Looks at a full bucket that it takes to tell a lower rate from others who use the key. */
export interface Watch {
  readonly looks: number;
  /** Between two looks, so that what the first took has come back. ms. */
  readonly apartMs: number;
  /** Until the bucket is full. ms. */
  readonly waitMs: number;
}

/** Null where the rate is not lower than stated, or others were seen. `burst`: units admitted at once. `windowSeconds`: as configured, where it is. */
export function watchFor(trace: Drained, burst: number, windowSeconds: number | null): Watch | null {
  const perSecond = rateOf(trace, burst);
  const window = windowOf(trace, burst, windowSeconds);
  if (perSecond === null || window === null || trace.isShared) return null;
  const share = 1 - (perSecond.high * window.high) / trace.limit;
  if (share <= TOLERANCE) return null;
  const apartMs = (CALLS_BETWEEN_LOOKS * 1000 * trace.cost) / perSecond.low;
  return { looks: looksFor(share), apartMs, waitMs: (1000 * trace.limit) / perSecond.low };
}

/** Others who use this share of the limit show in each look at a full bucket as often: so many looks miss them hardly ever. */
function looksFor(share: number): number {
  return Math.ceil(Math.log(MAX_CHANCE_UNSEEN) / Math.log(1 - share));
}

/** Tells whether nothing was ever missing of a full bucket but the call that looked. The same of each look is not enough: others may be steady. */
function isAlone(trace: Drained, share: number): boolean {
  const { full = [], limit, cost } = trace;
  return !trace.isShared && full.length >= looksFor(share) && full.every(({ remaining }) => remaining === limit - cost);
}

/** The window as configured, else the seconds from empty to full, as stated with little left; null where neither tells it. */
function windowOf(trace: Drained | null, burst: number, windowSeconds: number | null): Bounds | null {
  if (windowSeconds !== null) return { low: windowSeconds, high: windowSeconds };
  if (trace === null || trace.refill === null || !isNearWhenFull(trace)) return null;
  const { from } = trace.refill;
  const { limit, clock } = trace;
  const reset = clock.resetOf(from);
  if (reset === null || Math.abs(burst - limit) > MAX_BURST_SHARE_OFF * limit) return null;
  const missing = 1 - (from.remaining ?? 0) / limit;
  const low = (reset.earliest - from.answeredAt) / 1000 / missing;
  const high = (reset.latest - from.sentAt) / 1000 / missing;
  return missing <= 0 || low <= 1 ? null : { low, high };
}
