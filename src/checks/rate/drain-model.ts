// What draining one window of a key shows, as data, and which limiter explains it best.

import type { Judgement } from '../../contract/judgement.ts';
import type { TargetClock } from './moments.ts';
import { isSuccessful, type RateReading } from './reading.ts';

export type Algorithm = 'fixed-window' | 'sliding-window' | 'token-bucket' | 'unknown';

/** What draining a key's window showed. */
export interface DrainFacts {
  readonly algorithm: Algorithm;
  /** Units admitted at once; null when the window was not exhausted. */
  readonly burst: number | null;
  /** How many calls that took. */
  readonly calls: number;
}

/** One key's answers before and after another key was drained. */
export interface Beside {
  readonly key: string;
  readonly before: RateReading;
  readonly after: RateReading;
}

/** The drain itself. */
export interface Drained {
  readonly key: string;
  /** As stated by the first answer. */
  readonly limit: number;
  readonly clock: TargetClock;
  /** Every answer of the key until the first 429 and those under way then, in the order answered. */
  readonly readings: readonly RateReading[];
  /** How many of them, from the beginning, were sent one after the other. */
  readonly alone: number;
}

/** The drain, and how the limit came back. */
export interface DrainTrace extends Drained {
  /** While a 429 left calls over: further tries until the reset, on several operations. */
  readonly tries: readonly RateReading[];
  /** After the wait that the last 429 asked for, and where that was refused a second later: in order. Empty without Retry-After. */
  readonly waited: readonly RateReading[];
  /** The first answer after the stated reset, or after the wait where it was accepted; null when it was too far off. */
  readonly back: RateReading | null;
  /** An answer some time after `back`; null when there is no `back`. */
  readonly later: RateReading | null;
}

/** No window is taken to be shorter. ms. */
export const SHORTEST_WINDOW_MS = 1000;
/** Refills may come in portions of a second's worth. ms. */
export const PORTION_MS = 1000;
/** A measured ceiling agrees with the stated one within this. Source: RATE-10. */
export const TOLERANCE = 0.01;

/** A judgement with the answers that it rests on. */
export interface Judged {
  readonly judgement: Judgement;
  readonly readings: readonly RateReading[];
}

export function successesOf({ readings }: Drained): readonly RateReading[] {
  return readings.filter(isSuccessful);
}

export function refusalsOf({ readings }: Drained): readonly RateReading[] {
  return readings.filter(({ status }) => status === 429);
}

/** What one call costs: the most frequent drop among the calls sent one after the other, the smallest of several; else 1. */
export function costOf(drained: Drained): number {
  const drops = [...Map.groupBy(dropsOf(drained), (drop) => drop).entries()];
  const [top] = drops.toSorted(([one, left], [other, right]) => right.length - left.length || one - other);
  return top?.[0] ?? 1;
}

/** The most that one call can cost: refills meanwhile make a drop look smaller. */
export function dearestOf(drained: Drained): number {
  return Math.max(1, ...dropsOf(drained));
}

function dropsOf({ readings, alone }: Drained): readonly number[] {
  return readings.slice(1, alone).flatMap((after, index) => {
    const drop = (readings[index]?.remaining ?? 0) - (after.remaining ?? 0);
    return drop >= 1 && isSuccessful(after) ? [drop] : [];
  });
}

/** Successes of the window that this answer speaks of: those that state the same reset, and those over before it comes. */
export function inWindowOf(first: RateReading, trace: DrainTrace): readonly RateReading[] {
  const reset = trace.clock.resetOf(first);
  const isAbsolute = first.reset !== null && first.reset.form !== 'delta-seconds';
  return successesOf(trace).filter((one) => {
    if (one.answeredAt < first.answeredAt && one !== first) return false;
    if (isAbsolute && first.reset?.ms === one.reset?.ms) return true;
    return reset !== null && one.answeredAt <= reset.earliest;
  });
}

/** Whether resets moved on during the drain before they came: a bucket, or a window that slides. */
export function movesEarly(trace: DrainTrace): boolean {
  const successes = successesOf(trace);
  return successes.some((first, index) => {
    const reset = trace.clock.resetOf(first);
    const next = successes[index + 1];
    if (reset === null || next === undefined || next.answeredAt > reset.earliest) return false;
    const isAbsolute = first.reset?.form !== 'delta-seconds';
    return isAbsolute && next.reset !== null && first.reset !== null && next.reset.ms > first.reset.ms;
  });
}

/** A lower bound of the window: the longest time to a reset that was stated. ms. */
export function windowAtLeastMs(trace: Drained): number {
  const times = trace.readings.map((reading) => (trace.clock.resetOf(reading)?.earliest ?? 0) - reading.answeredAt);
  return Math.max(SHORTEST_WINDOW_MS, ...times);
}

/**
 * The limiter that explains how calls came back: all at once (fixed window); none for long, then quickly or steadily
 * (sliding window, by log or by counter); steadily from soon on (token bucket).
 */
export function algorithmOf(trace: DrainTrace): Algorithm {
  const { limit, back, later } = trace;
  const last = refusalsOf(trace).at(-1);
  if (last === undefined || back === null || back.remaining === null || limit < 10) return 'unknown';
  if (isSoonBack(trace)) return 'token-bucket';
  const cost = costOf(trace);
  if (back.remaining >= 0.9 * (limit - cost)) return 'fixed-window';
  if (later === null || later.remaining === null) return 'unknown';
  if (later.remaining >= 0.9 * (limit - 2 * cost)) return 'sliding-window';
  const perMs = (later.remaining - back.remaining + cost) / (later.sentAt - back.sentAt);
  if (perMs <= 0) return 'unknown';
  const missedUnits = (back.sentAt - last.answeredAt) * perMs - back.remaining;
  return missedUnits > Math.max(5, 0.2 * limit) ? 'sliding-window' : 'token-bucket';
}

/** Whether single calls were accepted again right after a refusal, with next to nothing left. */
function isSoonBack({ readings, limit }: DrainTrace): boolean {
  const refused = readings.find(({ status }) => status === 429);
  return readings.some(
    (one) =>
      refused !== undefined &&
      isSuccessful(one) &&
      one.sentAt > refused.answeredAt &&
      (one.remaining ?? limit) < limit / 2,
  );
}
