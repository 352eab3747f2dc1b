// RATE-03 and RATE-06 on a drained window: whether calls lowered Remaining, whether it came back, and after which wait. Pure.
//
// RATE-03 (must): Remaining falls by at least one per successful call of a key within a window, and comes back after
//   Reset. Tolerance: Cost per endpoint observed. Concurrent calls judged by totals. Continuous refill (token bucket)
//   allowed.
// RATE-06 (must): After waiting as Retry-After says, the call is accepted. Tolerance: One second of slack.
import { breached, holds } from '../../contract/judgement.ts';
import {
  type Drained,
  type DrainTrace,
  isShared,
  leftAtRefusal,
  leftTwice,
  refillBetween,
  refusalsOf,
  successesOf,
  windowAtLeastMs,
} from '../../limiters/drained-window.ts';
import type { RateReading } from '../../limiters/reading.ts';
import { rate } from '../../wording/rate.ts';
import { type Judged, untold } from './judged.ts';
import { isTellingWait, tooShort } from './rate-06-retry-wait.ts';

const TOO_LATE =
  'the key was refused in the last second of its window alone, where a wait of a second is right whatever it is made of';
/** After the wait, and a second later. */
const TRIES_OF_A_WAIT = 2;

/** RATE-03: the calls of the drain lowered Remaining, and it came back after Reset. */
export function judgeFallAndReturn(trace: DrainTrace): Judged {
  return judgeFall(trace) ?? judgeReturn(trace);
}

/** Whether the key's Remaining tells what is spent: it fell with the calls of the drain, and never rose before. */
export function isMeasured(trace: Drained): boolean {
  return trace.isMeasure && judgeFall(trace) === null;
}

/** The totals of the window of the first answer; null when they agree or tell nothing. */
function judgeFall(trace: Drained): Judged | null {
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
  if ((last.remaining ?? 0) === 0 || calls + 1 - fallen <= refillBetween(trace, first, last)) return null;
  const expected = `a fall by at least ${calls + 1}, less what ${elapsedMs} ms can refill`;
  const actual = `a fall by ${fallen} over ${calls + 1} successful calls`;
  const told = `Remaining of key ${trace.key} shows ${actual} (${first.remaining} to ${last.remaining})`;
  return { judgement: breached([rate('rate-03.falls-short', { told, actual, expected })]), readings: [first, last] };
}

/** A refusal after a stated reset counts where it names no later reset, or where that one brought nothing either. */
function judgeReturn(trace: DrainTrace): Judged {
  const { back, key, returns, clock } = trace;
  const refused = refusalsOf(trace).at(-1);
  if (refused === undefined) return untold(`the window of key ${key} could not be exhausted`);
  const refusals = returns.filter(({ isRefused }) => isRefused);
  const inVain = [refused, ...refusals].find((one) => isPast(one, clock.resetOf(one)?.latest)) ?? refusals.at(1);
  if (inVain === undefined && back === null) return untold(`the reset of key ${key} is too far off to wait for`);
  if (inVain === undefined) return { judgement: holds(2), readings: [] };
  if (mayBeTaken(trace)) return untold(othersTook(key));
  const expected = 'an accepted call once Reset has passed';
  const actual = `${inVain.status}, Remaining ${inVain.remaining}`;
  const told = `after the reset that was stated, key ${key} is answered ${actual}`;
  return { judgement: breached([rate('rate-03.no-return', { told, actual, expected })]), readings: [refused, inVain] };
}

function isPast({ sentAt }: RateReading, latest: number | undefined): boolean {
  return latest !== undefined && latest < sentAt;
}

/** RATE-06: the call after the wait is accepted, at the latest a second later. */
export function judgeWait(trace: DrainTrace): Judged {
  const { key, asked, waited } = trace;
  const last = waited.at(-1);
  if (asked === null || asked.retryAfterMs === null)
    return untold(`no 429 with a readable Retry-After was seen of key ${key}`);
  if (last === undefined) return untold(`Retry-After is ${asked.retryAfterMs / 1000} s: too long to wait for`);
  if (!last.isRefused && !isTellingWait(asked, windowAtLeastMs(trace))) return untold(TOO_LATE);
  // One wait is tried twice, a second apart. Where a further one was needed, the first was too short, or others took the call.
  if (!last.isRefused && waited.length <= TRIES_OF_A_WAIT) return { judgement: holds(), readings: [] };
  if (!last.isRefused) return untold(othersMayHaveTaken(key));
  if (mayBeTaken(trace)) return untold(othersTook(key));
  return { judgement: breached([tooShort({ refused: asked, next: last })]), readings: [last, asked] };
}

function othersMayHaveTaken(key: string): string {
  return `key ${key} was refused after the first wait that Retry-After asked for, and accepted after another: another client may have taken what came back`;
}

/** Whether another client may take what comes back: it was seen, or took at once what own calls had left, and did not do so twice alike. */
function mayBeTaken(trace: DrainTrace): boolean {
  return isShared(trace) || (leftAtRefusal(trace) !== null && leftTwice(trace) === null);
}

function othersTook(key: string): string {
  return `another client uses key ${key}, too, or seems to: it may have taken what came back`;
}
