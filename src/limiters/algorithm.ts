// Which limiter explains best how the calls of a drained window came back. Pure.
import type { Algorithm, Drained } from './drained-window.ts';
import type { RateReading } from './reading.ts';

/** Smaller limits say nothing of how they come back. */
const MIN_TELLING_LIMIT = 10;
/** From this share on all counts as back. */
const MIN_SHARE_SEEN_AS_ALL = 0.9;
/** Fewer units coming back say nothing of how steadily they do. */
const MIN_TELLING_GAIN_UNITS = 4;
/** A reset within this share of the window is near. */
const MAX_NEAR_SHARE_OF_WINDOW = 0.3;
/** A bucket that was full meanwhile, above this share, took in less than its rate. */
const MAX_TELLING_SHARE_OF_BURST = 0.8;
/** A steady refill brings what is expected of it within this share. */
const MAX_STEADY_DIFFERENCE_SHARE = 0.35;

/**
 * All at once: fixed window. Little at the reset of the first calls, all soon after: sliding window, by log. None for long,
 * then steadily: sliding window, by counter. Steadily from soon on: token bucket. A kind is named where the next slower one would
 * not have given back as much by then.
 */
export function algorithmOf(trace: Drained): Algorithm {
  const { limit, clock, cost, back, soon } = trace;
  const last = trace.refusals.at(-1);
  if (last === undefined || back === null || back.remaining === null || limit < MIN_TELLING_LIMIT) return 'unknown';
  const spentMs = trace.successes.at(-1)?.answeredAt ?? last.answeredAt;
  const { gained = null, expected = 0 } = soonBackIn(trace) ?? {};
  // Nothing came back in a time in which a steady refill shows: all had come back at once.
  if (gained !== null && gained <= 0 && soon !== null && clock.isOneWindow(back, soon)) return 'fixed-window';
  if (back.remaining >= MIN_SHARE_SEEN_AS_ALL * (limit - cost))
    return back.sentAt < spentMs + clock.longest.best ? 'fixed-window' : 'unknown';
  const isSteady =
    gained !== null && Math.abs(gained - expected) <= Math.max(2, MAX_STEADY_DIFFERENCE_SHARE * expected);
  if (isSteady && isNearWhenFull(trace)) return 'token-bucket';
  return gradualOf(trace, last);
}

/** The kind of a limiter that gave back a part at first: by what came back some time later. */
function gradualOf(trace: Drained, refused: RateReading): Algorithm {
  const { limit, clock, back, later } = trace;
  if (back?.remaining == null || later?.remaining == null) return 'unknown';
  const [cost, gained, elapsedMs] = [trace.cost, later.remaining - back.remaining, later.sentAt - back.sentAt];
  if (later.remaining >= MIN_SHARE_SEEN_AS_ALL * (limit - 2 * cost))
    return elapsedMs < (gained / limit) * clock.longest.best ? 'sliding-window' : 'unknown';
  const perMs = (gained + cost) / elapsedMs;
  if (perMs <= 0) return 'unknown';
  const missedUnits = (back.sentAt - refused.answeredAt) * perMs - back.remaining;
  return missedUnits > Math.max(5, 0.2 * limit) ? 'sliding-window' : 'token-bucket';
}

/** Units that came back from the first accepted answer until soon after, and those that a steady refill brings; null where these are few. */
function soonBackIn(trace: Drained): { readonly gained: number; readonly expected: number } | null {
  const { back, soon } = trace;
  const perMs = refillPerMs(trace);
  if (perMs === null || back?.remaining == null || soon?.remaining == null) return null;
  const expected = perMs * (soon.sentAt - back.sentAt);
  return expected < MIN_TELLING_GAIN_UNITS ? null : { gained: soon.remaining - back.remaining + trace.cost, expected };
}

/** Units per ms that came back until the first accepted answer; null where it tells nothing, or all came back at once. */
export function refillPerMs(trace: Drained): number | null {
  const { limit, back, cost } = trace;
  const last = trace.refusals.at(-1);
  if (last === undefined || back === null || back.isRefused || back.remaining === null) return null;
  if (back.remaining >= MIN_SHARE_SEEN_AS_ALL * (limit - cost) || back.sentAt <= last.answeredAt) return null;
  return (back.remaining + cost) / (back.sentAt - last.answeredAt);
}

/**
 * Tells whether the reset was near when next to nothing was missing: as a bucket states it, and not at the end of a
 * window that just began.
 */
export function isNearWhenFull(trace: Drained): boolean {
  const [first] = trace.successes;
  const reset = first === undefined ? null : trace.clock.resetOf(first);
  if (first === undefined || first.remaining === null || reset === null) return false;
  const missing = 1 - first.remaining / trace.limit;
  return reset.earliest - first.answeredAt <= (missing + MAX_NEAR_SHARE_OF_WINDOW) * trace.windowMs;
}

export interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** Units per second: what came back between two answers, by the calls admitted meanwhile and by Remaining. Null where nothing was measured. */
export function rateOf(trace: Drained, burst: number): Bounds | null {
  const { refill, cost, dearest } = trace;
  if (refill === null || refill.successes < 1) return null;
  const { from, to, successes } = refill;
  const left = to.remaining ?? 0;
  const gainedAt = (each: number) => each * successes + left - (from.remaining ?? 0);
  if (gainedAt(cost) < cost || left + cost * successes > MAX_TELLING_SHARE_OF_BURST * burst) return null;
  const shortest = (to.sentAt - from.answeredAt) / 1000;
  const longest = (to.answeredAt - from.sentAt) / 1000;
  if (shortest <= 0) return null;
  return { low: (gainedAt(cost) - cost) / longest, high: (gainedAt(dearest) + dearest) / shortest };
}
