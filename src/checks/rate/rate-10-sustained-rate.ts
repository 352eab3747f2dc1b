// RATE-10 for a bucket: its sustained rate times its window is the Limit. The rate is measured between two moments with
// little left; the window is the configured one, or the time to full that Reset states while nothing is left. Where only
// rounded seconds are stated, the bounds are as wide as the rounding. A lower rate may be the doing of others, whose calls then
// are missing now and then while the bucket should be full: where they never are, nobody else is there. Pure.
//
// RATE-10 (must): The measured ceiling per plan equals the limit that answers state. Tolerance: Within 1 %; for a
//   bucket the sustained rate times the window counts, its burst is observed. Configured expectations per plan, if
//   any, are judged too.
import { type Breach, breached, cannotTell, holds, type Judgement, resting } from '../../contract/judgement.ts';
import { isNearWhenFull } from '../../limiters/algorithm.ts';
import {
  costOf,
  type DrainTrace,
  dearestOf,
  isShared,
  type MeasuredLimit,
  statedBy,
  TOLERANCE,
} from '../../limiters/drained-window.ts';
import { rate } from '../../wording/rate.ts';
import type { Judged } from './series-law.ts';

/** Wider bounds decide nothing. */
const WIDEST = 0.05;
/** Largest chance that others who explain a lower rate stay unseen. */
const UNSEEN = 0.002;
/** A bucket that was full meanwhile took in less than its rate. */
const NEARLY_FULL = 0.8;
/** Between two looks so many calls come back at the rate that was measured. */
const SPACING = 2;
/** Where the burst is not about the Limit, the time to full is not the window. */
const BURST_TOLERANCE = 0.05;

interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** `burst`: units admitted at once. `windowSeconds`: as configured; null where it is not. */
export function judgeRate(trace: DrainTrace, burst: number, windowSeconds: number | null): Judged {
  const { key, limit, refill } = trace;
  const untold = (why: string): Judged => ({ judgement: unknownRate(key, burst, why), readings: [] });
  const rate = rateOf(trace, burst);
  if (rate === null) return untold('its sustained rate could not be measured; "assay load ceiling" does');
  const window = windowOf(trace, burst, windowSeconds);
  // A reset by which but a call or two come back tells when the next call is granted.
  const isNextCall = window !== null && windowSeconds === null && rate.low * window.low <= 2 * costOf(trace);
  if (window === null || isNextCall) return untold(NO_WINDOW);
  const seconds = refill === null ? 0 : Math.round((refill.to.answeredAt - refill.from.sentAt) / 100) / 10;
  const judgement = judgeRegained(
    { key, burst, stated: limit, statedBy: statedBy(trace), over: `, measured over ${seconds} s` },
    rate,
    window,
    (share) => isAlone(trace, share),
  );
  return { judgement, readings: judgement.kind === 'breached' && refill !== null ? [refill.from, refill.to] : [] };
}

/** The same of a bucket that calls alone showed: nothing tells its window but the configuration, and nothing who else uses the key. */
export function judgeMeasuredRate(
  { key, limit, windowMs, statedBy: named }: MeasuredLimit,
  stated: number,
  windowSeconds: number | null,
): Judgement {
  const burst = limit?.best ?? 0;
  if (windowMs === null || windowSeconds === null) return unknownRate(key, burst, NO_WINDOW);
  const rate = { low: (1000 * burst) / windowMs.most, high: (1000 * burst) / windowMs.least };
  const window = { low: windowSeconds, high: windowSeconds };
  return judgeRegained({ key, burst, stated, statedBy: named, over: '' }, rate, window, () => false);
}

interface Bucket {
  readonly key: string;
  /** Units admitted at once. */
  readonly burst: number;
  readonly stated: number;
  readonly statedBy: string;
  /** Where it is known, in which time that was measured: ", measured over 12 s". */
  readonly over: string;
}

/** `rate`: units a second. `window`: seconds. `isSolely`: whether nobody can be there who takes such a share. */
function judgeRegained(bucket: Bucket, rate: Bounds, window: Bounds, isSolely: (share: number) => boolean): Judgement {
  const { key, burst, stated } = bucket;
  const [low, high] = [rate.low * window.low, rate.high * window.high];
  const slack = stated * TOLERANCE;
  if (low > stated + slack || (high < stated - slack && isSolely(1 - high / stated)))
    return breached([otherRate(bucket, { low, high })]);
  if (high < stated - slack)
    return unknownRate(key, burst, `it regains at most ${Math.round(high)} calls a window: or others use the key`);
  return high - low > 2 * WIDEST * stated
    ? unknownRate(key, burst, 'Reset is too coarse to tell its window')
    : resting(holds(), { windows: 1 });
}

const NO_WINDOW = 'no answer states its window: configure expect.plans with windowSeconds to have its rate judged';

function unknownRate(key: string, burst: number, why: string): Judgement {
  return cannotTell('precondition', `key ${key} is limited by a bucket, its burst is ${burst}; ${why}`);
}

/** Looks at a full bucket that it takes to tell a lower rate from others who use the key. */
export interface Watch {
  readonly looks: number;
  /** Between two looks, so that what the first took has come back. ms. */
  readonly apartMs: number;
  /** Until the bucket is full. ms. */
  readonly waitMs: number;
}

/** Null where the rate is not lower than stated, or others were seen. `burst`, `windowSeconds`: as in `judgeRate`. */
export function watchFor(trace: DrainTrace, burst: number, windowSeconds: number | null): Watch | null {
  const rate = rateOf(trace, burst);
  const window = windowOf(trace, burst, windowSeconds);
  if (rate === null || window === null || isShared(trace)) return null;
  const share = 1 - (rate.high * window.high) / trace.limit;
  if (share <= TOLERANCE) return null;
  const apartMs = (SPACING * 1000 * costOf(trace)) / rate.low;
  return { looks: looksFor(share), apartMs, waitMs: (1000 * trace.limit) / rate.low };
}

/** Others who use this share of the limit show in each look at a full bucket as often: so many looks miss them hardly ever. */
function looksFor(share: number): number {
  return Math.ceil(Math.log(UNSEEN) / Math.log(1 - share));
}

/** Tells whether nothing was ever missing of a full bucket but the call that looked. */
function isAlone(trace: DrainTrace, share: number): boolean {
  const { full = [] } = trace;
  const left = new Set(full.map(({ remaining }) => remaining));
  return !isShared(trace) && full.length >= looksFor(share) && left.size === 1;
}

/** Units per second: what came back between two answers, by the calls admitted meanwhile and by Remaining. Null where nothing was measured. */
export function rateOf(trace: DrainTrace, burst: number): Bounds | null {
  const { refill } = trace;
  if (refill === null || refill.successes < 1) return null;
  const { from, to } = refill;
  const left = to.remaining ?? 0;
  const cost = costOf(trace);
  const dearest = dearestOf(trace);
  const gainedAt = (each: number) => each * refill.successes + left - (from.remaining ?? 0);
  if (gainedAt(cost) < cost || left + cost * refill.successes > NEARLY_FULL * burst) return null;
  const shortest = (to.sentAt - from.answeredAt) / 1000;
  const longest = (to.answeredAt - from.sentAt) / 1000;
  return shortest <= 0
    ? null
    : { low: (gainedAt(cost) - cost) / longest, high: (gainedAt(dearest) + dearest) / shortest };
}

/** The window as configured, else as stated; null where neither tells it. Seconds. */
function windowOf(trace: DrainTrace, burst: number, windowSeconds: number | null): Bounds | null {
  return windowSeconds === null ? statedWindow(trace, burst) : { low: windowSeconds, high: windowSeconds };
}

/** Seconds from empty to full, as stated with little left; null where Reset tells something else, or is not known. */
function statedWindow(trace: DrainTrace, burst: number): Bounds | null {
  const { refill, limit, clock } = trace;
  if (!isNearWhenFull(trace)) return null;
  const reset = refill === null ? null : clock.resetOf(refill.from);
  if (refill === null || reset === null || Math.abs(burst - limit) > BURST_TOLERANCE * limit) return null;
  const missing = 1 - (refill.from.remaining ?? 0) / limit;
  const low = (reset.earliest - refill.from.answeredAt) / 1000 / missing;
  const high = (reset.latest - refill.from.sentAt) / 1000 / missing;
  return missing <= 0 || low <= 1 ? null : { low, high };
}

function otherRate({ key, stated, statedBy: named, over }: Bucket, { low, high }: Bounds): Breach {
  const actual = `${Math.round(low * 10) / 10} to ${Math.round(high * 10) / 10} calls a window`;
  const expected = `${stated}, within 1 %, as ${named} states`;
  return rate('rate-10.other-rate', { told: `key ${key} regains ${actual}${over}`, actual, expected });
}
