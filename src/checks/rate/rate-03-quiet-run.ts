// RATE-03 on a quiet target, call by call: one operation again and again, nothing else under way; where a counted one is called
// before and after it, all of its calls may be missing. Each call lowers Remaining, however fast the limit could refill, where a pause
// half as long again as a run of calls brings nothing back: then the run itself can have gained one call by rounding, and no
// more. Replicas that are one call apart hide one more. Pure.
//
// RATE-03 (must): Remaining falls by at least one per successful call of a key within a window, and comes back after
//   Reset. Tolerance: Cost per endpoint observed. Concurrent calls judged by totals. Continuous refill (token bucket)
//   allowed.

import { breached, cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import { plural } from '../../contract/numbers.ts';
import { isSuccessful, isTelling, type RateReading } from '../../limiters/reading.ts';
import type { TargetClock } from '../../limiters/reset-clock.ts';
import { rate } from '../../wording/rate.ts';

/** Calls one after the other, a pause, and calls again. */
export interface QuietRun {
  readonly before: readonly RateReading[];
  readonly after: readonly RateReading[];
}

/** The pause is at least so many times as long as the longer half. */
export const PAUSE_FACTOR = 1.5;
/** In one half: one by rounding, one by replicas apart; the third is no accident. */
const MIN_GAIN = 3;
/** Steps up, or without a fall where calls cost several: no two of them come about by rounding. */
const MIN_ODD = 2;

/** A window that begins meanwhile, or a defect just then, hides what calls cost: another look is taken. Once more so many where one was breached. */
const MAX_LOOKS = 4;
/**
 * Looks that are breached. In one another client can have spent just what came back in the pause, and a log gives back in bursts
 * as its calls leave it.
 */
const MIN_BREACHED = 2;
const MIN_BREACHED_OF_OPERATION = 3;
const MIN_BREACHED_PAST_RESETS = 8;

interface Step {
  readonly from: RateReading;
  readonly to: RateReading;
  readonly fall: number;
  /** True where the reset that was stated came meanwhile: something may have come back. */
  readonly isPastReset: boolean;
}

/** Judges what the looks show together; null where another one is to be taken. */
export function judgeQuietRuns(runs: readonly QuietRun[], clock: TargetClock): Judgement | null {
  const told = runs.map((run) => judgeQuietRun(run, clock));
  const last = told.at(-1);
  if (last === undefined || last.kind === 'holds') return last ?? null;
  const breached = runs.filter((_, index) => told[index]?.kind === 'breached');
  const isPastReset = breached.some((run) => stepsIn(run, clock).some((one) => one.isPastReset));
  const usual = breached.some(isOfSeveral) ? MIN_BREACHED_OF_OPERATION : MIN_BREACHED;
  if (breached.length >= (isPastReset ? MIN_BREACHED_PAST_RESETS : usual)) return last;
  if (runs.length < MAX_LOOKS * (1 + breached.length)) return null;
  return cannotTell('precondition', 'what single calls cost was hidden by what came back');
}

/** Breached where calls did not lower Remaining, though the pause refilled nothing. */
export function judgeQuietRun(run: QuietRun, clock: TargetClock): Judgement {
  const { before, after } = run;
  const halves = [before, after].map((readings) => stepsOf(readings, clock));
  const steps = halves.flat();
  const pause = pauseIn(run, clock);
  const cost = Math.max(1, Math.round(steps.reduce((sum, { fall }) => sum + fall, 0) / steps.length));
  const isRefilled = steps.some(({ isPastReset, fall }) => isPastReset && fall < 0);
  if (pause === undefined || steps.length === 0 || pause.fall !== cost || isRefilled || isPastIn(pause, clock))
    return cannotTell(
      'precondition',
      'calls came back during a pause, another client made some, or a window began: what single calls cost cannot be told',
    );
  const odd = steps.filter(({ fall }) => fall < 1 && fall <= cost - 2);
  const [gaining] = halves.flatMap((half) => gainIn(half) ?? []);
  const [from, to] = odd.length >= MIN_ODD ? [odd[0]?.from, odd[0]?.to] : [gaining?.from, gaining?.to];
  if (from === undefined || to === undefined) return holds(steps.length + 1);
  const expected = 'Remaining falls by at least one per successful call';
  const actual = `${from.remaining}, then ${to.remaining}`;
  const often = `in ${plural(before.length + after.length, 'call')}, ${steps.filter(({ fall }) => fall < 1).length} did not lower it`;
  const told = `Remaining of key ${to.key} is ${actual} on ${to.operation}, called again and again while nothing came back in a pause; ${often}`;
  const code = isOfSeveral(run) ? 'rate-03.uncounted' : 'rate-03.uncounted-in-row';
  return breached([rate(code, { told, actual, expected })]);
}

/** Tells whether another operation was called around the one in question. */
function isOfSeveral({ before }: QuietRun): boolean {
  return new Set(before.map(({ operation }) => operation)).size > 1;
}

function stepsIn({ before, after }: QuietRun, clock: TargetClock): readonly Step[] {
  return [before, after].flatMap((readings) => stepsOf(readings, clock));
}

function pauseIn({ before, after }: QuietRun, clock: TargetClock): Step | undefined {
  return stepsOf([...before.slice(-1), ...after.slice(0, 1)], clock)[0];
}

/** Tells whether another client was seen to use the key: Remaining fell by more in the pause than by any call. */
export function showsOthersIn(run: QuietRun, clock: TargetClock): boolean {
  const falls = stepsIn(run, clock).map(({ fall }) => fall);
  const pause = pauseIn(run, clock);
  return pause !== undefined && falls.length > 0 && pause.fall > Math.max(...falls);
}

/** Tells whether the reset that was stated surely passed in the pause. Past already when it was stated: the limiter goes by another clock than Date does. */
function isPastIn({ from, to }: Step, clock: TargetClock): boolean {
  const reset = clock.resetOf(from);
  return reset !== null && reset.latest < to.sentAt && reset.latest >= from.answeredAt;
}

/** The last step without a fall of those that together gain too much; null where they do not. */
function gainIn(steps: readonly Step[]): Step | null {
  let gain = 0;
  for (const step of steps) {
    gain = Math.max(0, gain + 1 - step.fall);
    if (gain >= MIN_GAIN) return step;
  }
  return null;
}

/** Neighbouring successes of a key. What lies above Limit or below 0 is RATE-02's. */
function stepsOf(readings: readonly RateReading[], clock: TargetClock): readonly Step[] {
  return readings.slice(1).flatMap((to, index) => {
    const from = readings[index];
    if (from === undefined || from.limit !== to.limit || ![from, to].every(isTellingSuccess)) return [];
    const isPastReset = to.answeredAt > (clock.resetOf(from)?.earliest ?? Number.NEGATIVE_INFINITY);
    return [{ from, to, fall: (from.remaining ?? 0) - (to.remaining ?? 0), isPastReset }];
  });
}

function isTellingSuccess(reading: RateReading): boolean {
  return isSuccessful(reading) && isTelling(reading);
}
