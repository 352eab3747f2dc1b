// RATE-03 for one operation on a quiet target: its successful calls lower Remaining. A bucket refills meanwhile, so each round
// compares a run of the operation's calls with as long a pause without any: what refills, refills in the pause as well.
//
// RATE-03 (must): Remaining falls by at least one per successful call of a key within a window, and comes back after
//   Reset. Tolerance: Cost per endpoint observed. Concurrent calls judged by totals. Continuous refill (token bucket)
//   allowed.
import { breached, cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import { isSuccessful, type RateReading } from '../../limiters/reading.ts';
import { rate } from '../../wording/rate.ts';

/** Answers in the order sent, nothing else under way. */
export interface CountingRound {
  /** A call of a counted operation, before the run. */
  readonly before: RateReading;
  /** Calls of the operation in question, one after the other. */
  readonly run: readonly RateReading[];
  /** Calls of the counted operation around a pause as long as the run. */
  readonly pauseFrom: RateReading;
  readonly pauseTo: RateReading;
  /** Tells whether a Reset that one of them stated came before the last was answered: something may have come back. */
  readonly isPastReset: boolean;
}

const MIN_ROUNDS = 3;
/** A sliding log gives back when its calls leave it, and so in bursts: a run may gain what it cost, and the pause nothing, several times in a row. */
const MIN_ROUNDS_PAST_RESETS = 8;
/** With fewer calls spent, a bucket is full again at once. */
const MIN_SPENT = 8;

/**
 * Breached when in every clear round, of enough, none of the operation's calls was counted, and the pause refilled nothing.
 * `full`: the most that was ever left of the key.
 */
export function judgeCounting(operation: string, rounds: readonly CountingRound[], full: number): Judgement {
  const shown = rounds.map((round) => uncountedIn(round, full));
  if (shown.includes('counted')) return holds();
  const leastRounds = rounds.some(({ isPastReset }) => isPastReset) ? MIN_ROUNDS_PAST_RESETS : MIN_ROUNDS;
  if (shown.filter((one) => one === 'uncounted').length < leastRounds)
    return cannotTell('precondition', 'refills or failed calls hid what the operation costs');
  const sample = rounds.at(-1);
  const values = [sample?.before, ...(sample?.run ?? [])].map((reading) => reading?.remaining).join(', ');
  const expected = 'Remaining falls by at least one per successful call';
  const told = `Remaining stays over calls of ${operation}: ${values}; in each of ${leastRounds} rounds`;
  return breached([rate('rate-03.uncounted', { told, actual: values, expected })]);
}

function uncountedIn(
  { before, run, pauseFrom, pauseTo }: CountingRound,
  full: number,
): 'uncounted' | 'counted' | 'unclear' {
  const all = [before, ...run, pauseFrom, pauseTo];
  const last = run.at(-1);
  if (
    last === undefined ||
    !all.every((one) => isSuccessful(one) && one.remaining !== null && one.limit === before.limit)
  )
    return 'unclear';
  if (full - (pauseTo.remaining ?? 0) < MIN_SPENT) return 'unclear';
  const fall = (before.remaining ?? 0) - (last.remaining ?? 0);
  const refilled = (pauseTo.remaining ?? 0) - (pauseFrom.remaining ?? 0) + 1;
  // One call may be hidden by rounding. A smaller fall may be the call of somebody else.
  if (fall > 0) return fall + Math.max(0, refilled) >= run.length - 1 ? 'counted' : 'unclear';
  // A run gains no more than a pause as long does, but for one by rounding: else the pause's gain was spent by somebody else.
  if (-fall > refilled + 1) return 'unclear';
  // Remaining is rounded down: the run gained more than two calls' worth, the pause less than two.
  return refilled <= 1 ? 'uncounted' : 'unclear';
}
