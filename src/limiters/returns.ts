// How a spent limit comes back: asked again and again until a call is admitted.
import type { Observed } from './observed.ts';
import type { BurstResult, Procedure, Trace } from './trace.ts';

/** When a limit came back: after the last refusal, before the first admitted answer. Epoch ms. */
export interface Return {
  readonly earliestMs: number;
  readonly latestMs: number;
  /** When the first call was sent that was admitted, or was not answered and may have been. */
  readonly sentMs: number;
}

/** Gaps stay this small beside the time waited, or the window where it is known. */
const MAX_GAP_SHARE_OF_WAIT = 0.015;
const MIN_GAP_MS = 5;
/** Calls that were not answered may have spent what came back, unseen: so large a share of what there is. */
export const MAX_UNSEEN_SHARE = 0.45;
/** While what a refusal told is ahead, gaps are so many times wider: refusals may be counted, too. */
const GAP_FACTOR_WHILE_TOLD = 3;

/**
 * Asks until a call is admitted. `sinceMs`: when the time began that is waited for; `units`: what comes back at once, where it does.
 * Null where time or calls ran out, or so many answers did not come that it may have come back unseen.
 */
export function* watchReturn(
  trace: Trace,
  sinceMs: number,
  units = Number.POSITIVE_INFINITY,
): Procedure<Return | null> {
  // A generator takes its time to end: what was refused last came back no earlier, and perhaps before now.
  let earliestMs = trace.observed.findLast(({ outcome }) => outcome === 'refused')?.sentMs ?? trace.subject.now();
  let told = toldBy(trace.observed.at(-1));
  const beganMs = trace.subject.now();
  let unansweredMs: number | null = null;
  for (;;) {
    trace.rest(nextGap(trace.subject.now(), sinceMs, told));
    const poll = yield* trace.one();
    if (poll === null) return null;
    if (poll.outcome === 'admitted')
      return { earliestMs, latestMs: poll.answeredMs, sentMs: unansweredMs ?? poll.sentMs };
    if (poll.outcome === 'lost') unansweredMs ??= poll.sentMs;
    if (trace.lostBetween(beganMs, poll.sentMs) > MAX_UNSEEN_SHARE * units) return null;
    if (poll.outcome === 'refused') {
      earliestMs = poll.sentMs;
      unansweredMs = null;
      told ??= toldBy(poll);
    }
  }
}

/** When calls come back as the refusal tells: as its Reset says, or its Retry-After. Not to be believed. */
function toldBy(refusal: Observed | undefined): number | null {
  if (refusal?.outcome !== 'refused') return null;
  const { reset, retryAfterMs, answeredMs } = refusal;
  const times = [reset?.earliestMs ?? null, retryAfterMs === null ? null : answeredMs + retryAfterMs - 1000];
  const known = times.filter((ms) => ms !== null);
  return known.length === 0 ? null : Math.min(...known);
}

function nextGap(nowMs: number, sinceMs: number, told: number | null): number {
  const often = Math.max(MIN_GAP_MS, (nowMs - sinceMs) * MAX_GAP_SHARE_OF_WAIT);
  return told === null || told <= nowMs
    ? often
    : Math.min(often * GAP_FACTOR_WHILE_TOLD, Math.max(often, told - nowMs));
}

/** Spends what there is, in floods of growing size. Null where the bounds allow nothing. */
export function* spend(trace: Trace, first: number, most: number): Procedure<BurstResult | null> {
  let whole = yield* trace.flood(Math.min(first, most));
  for (let size = first * 4; whole !== null && !whole.refused && whole.units < most; size *= 4) {
    const flood: BurstResult | null = yield* trace.flood(Math.min(size, most));
    if (flood === null) return whole;
    whole = { ...flood, startMs: whole.startMs, units: whole.units + flood.units };
  }
  return whole;
}
