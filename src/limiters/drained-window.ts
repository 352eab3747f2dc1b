// The drain of one window of a key, as data, and the facts that can be read off it; beside it, a limit that calls alone showed.

import type { Interval } from '../contract/load-part.ts';
import { number, plural } from '../contract/numbers.ts';
import { PORTION_MS } from './balance.ts';
import type { Explanation, ModelKind } from './models.ts';
import { mostAlike } from './observed.ts';
import { isSuccessful, type RateReading } from './reading.ts';
import { SHORTEST_WINDOW_MS, type TargetClock } from './reset-clock.ts';

/** Result of draining a key's window. */
export interface DrainFacts {
  /** Kinds that explain as well as any how it came back, the likeliest first; empty where none does. */
  readonly kinds: readonly ModelKind[];
  /** The time in which all comes back, by the model that explains it best; null where none does. */
  readonly windowMs: number | null;
  /** Units admitted at once; null when the window was not exhausted. */
  readonly burst: number | null;
  /** How many calls that took, and how long. */
  readonly calls: number;
  readonly tookMs: number;
}

/** A limit that calls alone showed, whatever headers say of it. */
export interface MeasuredLimit {
  readonly key: string;
  /** As headers state, by what these call it; null where they do not. */
  readonly stated: number | null;
  readonly statedBy: string;
  /** Units of a window, for a bucket its burst; null where no model explains what was seen. */
  readonly limit: Interval | null;
  /** For a bucket the time in which its burst comes back; null where it is not known. */
  readonly windowMs: Interval | null;
  readonly isBucket: boolean;
  /** Units of the dearest call. */
  readonly cost: number;
  /** No call was refused, although so many more than stated were sent that some should have been. */
  readonly isUnenforced: boolean;
  /** The last thing seen: why something is not known, or how many were admitted where nothing was refused. */
  readonly shown: string;
}

/** The drain itself. */
export interface Drain {
  readonly key: string;
  /** As stated by the first answer. */
  readonly limit: number;
  readonly clock: TargetClock;
  /** Every answer of the key until the first 429 and those under way then, in the order answered. */
  readonly readings: readonly RateReading[];
  /** Every answer of the key since the experiment began; it grows while the limit comes back. */
  readonly answers: readonly RateReading[];
  /** How many of them, from the beginning, were sent one after the other. */
  readonly alone: number;
  /** A lower bound of the window. ms. */
  readonly windowMs: number;
  /** True where resets move on before they come. */
  readonly movesEarly: boolean;
  /** True where a window was seen to admit more than Limit and what may have refilled. */
  readonly isOverdrawn: boolean;
  /** True where the key's Remaining never rose but as a limit comes back. */
  readonly isMeasure: boolean;
  /** Own calls of the key that its window may still count. */
  readonly callsBefore: number;
  /** Own calls of the key since the run began. */
  readonly callsEver: number;
  /** Remaining, as an earlier window of the drain was refused at once with nothing left. Absent: none was. */
  readonly leftBefore?: number;
}

type Costs = ReturnType<typeof costsIn>;

/** The drain with the facts that its answers show, and how the limit came back. */
export type Drained = Drain & Costs & ReturnType<typeof usersIn> & Recovery;

/** Nobody has watched it come back yet. */
export function drainedOf(drain: Drain): Drained {
  const known = { ...drain, ...costsIn(drain) };
  const unwatched = { elsewhere: [], tries: [], back: null, looks: [], explanations: [], refill: null };
  return { ...known, ...usersIn(known), ...unwatched };
}

/** The cost of calls, and whether it comes back meanwhile. */
function costsIn({ readings, alone, movesEarly, windowMs }: Drain) {
  const successes = readings.filter(isSuccessful);
  // How far Remaining fell with each of the calls sent one after the other; negative: it rose.
  const falls = readings
    .slice(1, alone)
    .flatMap((after, index) =>
      isSuccessful(after) ? [(readings[index]?.remaining ?? 0) - (after.remaining ?? 0)] : [],
    );
  const drops = falls.filter((fall) => fall >= 1);
  const [usualDrop = 1] = mostAlike(drops.toSorted((one, other) => one - other));
  const mean = falls.reduce((sum, fall) => sum + Math.max(0, fall), 0) / falls.length;
  const cost = falls.includes(0) ? Math.max(1, Math.min(usualDrop, Math.round(mean))) : usualDrop;
  const left = [...new Set(successes.map(({ remaining }) => remaining ?? 0))].toSorted((a, b) => b - a);
  const steps = left.slice(1).map((remaining, index) => (left[index] ?? remaining) - remaining);
  return {
    ...{ successes, drops, usualDrop },
    refusals: readings.filter(({ isRefused }) => isRefused),
    /** Units of one call: the most frequent drop, the smallest of several; 1 for none, and where every second call drops by two. */
    cost,
    /** The least that one call can cost, whatever others spend meanwhile: the smallest step of Remaining. */
    cheapest: Math.max(1, Math.min(cost, ...steps)),
    /** The most that one call can cost: refills meanwhile make a drop look smaller. */
    dearest: Math.max(1, ...drops),
    /** True where calls may come back during the drain itself: resets move, or are never further off than a rounded second. */
    mayRefill: movesEarly || windowMs <= SHORTEST_WINDOW_MS,
  };
}

/** Calls of others, or of answers that were lost, by which what is left may fall unseen. */
const MAX_UNSEEN_CALLS = 2;

/** Tells whether others spend the limit, too. */
function usersIn(drain: Drain & Costs) {
  const { drops, usualDrop, refusals, successes, limit, dearest, mayRefill, leftBefore = null } = drain;
  const [first] = drain.readings;
  const endsWithDrop = drops.length > 1 && (drops.at(-1) ?? 0) > Math.max(...drops.slice(0, -1));
  const showsOthers = drops.filter((drop) => drop > usualDrop).length > 1 || endsWithDrop;
  const isShared = (first !== undefined && unexplainedBefore(first, drain) > 0) || endsWithDrop;
  const least = Math.min(...successes.map(({ remaining }) => remaining ?? 0));
  const isLeft = least > Math.max(limit * TOLERANCE, (MAX_UNSEEN_CALLS + 1) * dearest);
  const leftAtRefusal = refusals[0]?.remaining === 0 && !mayRefill && isLeft ? least : null;
  const isAlike = Math.abs((leftAtRefusal ?? 0) - (leftBefore ?? 0)) <= MAX_UNSEEN_CALLS * dearest;
  const leftTwice = leftBefore !== null && !showsOthers && isAlike ? leftAtRefusal : null;
  return {
    /** True where another client was seen: Remaining fell by more than own calls take, between calls or in a pause. */
    showsOthers,
    /** True where another client uses the key: more was spent before than by own calls, or more during a pause than by any of those. */
    isShared,
    /**
     * Remaining after the last successes, where the next call was refused with nothing left, though no call costs as much: another client has
     * taken it, or the ceiling is smaller than the Limit. Null where Remaining fell to none call by call.
     */
    leftAtRefusal,
    /** That of both windows of the drain, where they are alike: a value that repeats is no chance. Null where they differ, or others were seen. */
    leftTwice,
    /** True where another client may take what comes back: it was seen, or took at once what own calls had left, and did not do so twice alike. */
    mayBeTaken: isShared || (leftAtRefusal !== null && leftTwice === null),
  };
}

/** Another operation, called while the key had none left: between two refused calls of the drained operation. */
export interface Elsewhere {
  readonly before: RateReading;
  readonly other: RateReading;
  readonly after: RateReading;
}

/** From one answer with little left, over a pause, to another: what was admitted in between, and what is left, had come back. */
export interface Refill {
  readonly from: RateReading;
  readonly successes: number;
  readonly to: RateReading;
}

interface Recovery {
  readonly elsewhere: readonly Elsewhere[];
  /** While a 429 left calls over: further tries until the reset, on several operations. */
  readonly tries: readonly RateReading[];
  /** The first answer that was accepted again, or the last refusal; null when the reset was too far off. */
  readonly back: RateReading | null;
  /** Accepted answers after `back`, each when it told most of the models apart that were as good then. */
  readonly looks: readonly RateReading[];
  /** The models that explain how it came back, the best first. */
  readonly explanations: readonly Explanation[];
  /** Null where nothing came back before the reset, or all at once. */
  readonly refill: Refill | null;
  /** Answers once all had come back, each so long after the one before that its call had, too. Absent: nobody looked. */
  readonly full?: readonly RateReading[];
}

/** A measured ceiling agrees with the stated one within this share. Source: RATE-10. */
export const TOLERANCE = 0.01;
/** Windows that differ by no more than this share are the same. */
export const WINDOW_TOLERANCE = 0.05;

/** Units by which a measured ceiling may miss the stated one: the cost of one call may not fit in. */
export function slackOf(stated: number, cost: number): number {
  return Math.max(stated * TOLERANCE, cost - 1);
}

export function exactly(value: number): Interval {
  return { least: value, best: value, most: value };
}

export function times({ least, best, most }: Interval, factor: number): Interval {
  return { least: least * factor, best: best * factor, most: most * factor };
}

/** Why no call was refused, where none was: some limiters refuse by another status than the one that is stated. */
export function whyNotExhausted(drained: Drained): string {
  const spent = drained.readings.find((one) => !isSuccessful(one) && (one.remaining ?? 1) < 1);
  return spent === undefined
    ? `its limit of ${number(drained.limit)} was not exhausted by the ${plural(drained.successes.length, 'call')} that it admitted`
    : `with nothing left it is answered ${spent.status}, which is not how a limit is said to refuse`;
}

/** Calls that may be under way, or counted twice, when a key's own calls are held against what it has spent. */
const MAX_MISCOUNTED_CALLS = 2;

/**
 * Tells whether just as much is missing as the key's own calls ever took: then no window came back since the run began,
 * and there is no need of another client to explain it.
 */
function isAllOwn({ cost, callsEver }: Pick<Drained, 'cost' | 'callsEver'>, missing: number): boolean {
  return Math.abs(missing - cost * callsEver) <= MAX_MISCOUNTED_CALLS * cost;
}

/** Units of a window spent before this first answer of it, which own calls do not explain. */
export function unexplainedBefore(first: RateReading, drained: Drain & Costs): number {
  const { cost } = drained;
  const missing = drained.limit - (first.remaining ?? drained.limit);
  if (isAllOwn(drained, missing)) return 0;
  const own = first === drained.readings[0] ? 1 + drained.callsBefore : 1;
  return Math.max(0, missing - cost * own);
}

/** Fewer successes say nothing of a window. */
const MIN_TELLING_CALLS = 5;

/** Successes of the window that the last of them belongs to, from its first on; null where it was not seen. */
export function lastWindowOf(trace: Drained): readonly RateReading[] | null {
  const refusedAt = Math.min(...trace.refusals.map(({ answeredAt }) => answeredAt));
  const successes = trace.successes;
  // One that was under way as the first call was refused may have been admitted before that, or after.
  const last = successes.findLast(({ sentAt, answeredAt }) => sentAt > refusedAt || answeredAt <= refusedAt);
  if (successes.every(({ reset }) => reset === null)) return withoutReset(trace, successes);
  // Where two were under way together and state different resets, the second may belong to the window before.
  const isWith = (first: RateReading, one: RateReading): boolean =>
    one === first ||
    ((one.sentAt >= first.answeredAt || one.reset?.ms === first.reset?.ms) && trace.clock.isOneWindow(first, one));
  const at = successes.findIndex((first) => last !== undefined && isWith(first, last));
  const first = successes[at];
  if (first === undefined) return null;
  const inside = successes.slice(at).filter((one) => isWith(first, one));
  return inside.length < MIN_TELLING_CALLS ? null : inside;
}

/** All successes, of a limit that states no reset, where Remaining fell by each of them: no window ended meanwhile. */
function withoutReset(trace: Drained, successes: readonly RateReading[]): readonly RateReading[] | null {
  const left = successes.map(({ remaining }) => remaining ?? 0);
  const fall = Math.max(...left) - Math.min(...left);
  const isOne = fall >= (successes.length - 1 - MAX_UNSEEN_CALLS) * trace.cheapest;
  return isOne && successes.length >= MIN_TELLING_CALLS ? successes : null;
}

/** At most so many units come back from one answer to another, both ends included. */
export function refillBetween({ limit, windowMs }: Drained, from: RateReading, to: RateReading): number {
  return 1 + (limit * (to.answeredAt - from.sentAt + PORTION_MS)) / windowMs;
}
