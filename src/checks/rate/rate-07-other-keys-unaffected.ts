// RATE-07: what one key spends does not touch another's limit. Seen in the other key's own headers before and after: they
// fall by its own calls, and it is not refused. Others may use that key, too: they are seen where it goes on falling while nothing is
// spent. Another throttle may refuse the key, so a refusal with calls left counts where it lasts as long as that of the spender. What
// that leaves open is decided by a few calls of the spender, again and again: a fall by the same part each time counts, one that stays
// out each time does not, and anything else is not told.
//
// RATE-07 (must): Limits are per key: exhausting one key leaves another's untouched. Tolerance: Needs two keys.

import { type Breach, breached, cannotTell, type Judgement } from '../../contract/judgement.ts';
import { plural } from '../../contract/numbers.ts';
import type { RateReading } from '../../limiters/reading.ts';
import type { TargetClock } from '../../limiters/reset-clock.ts';
import { rate } from '../../wording/rate.ts';

/** One key's answers before and after another key was drained. */
export interface OtherKeyReadings {
  readonly key: string;
  readonly clock: TargetClock;
  readonly before: RateReading;
  readonly after: RateReading;
  /** Answers later on, while the drained key was refused, where `after` was refused; in order. */
  readonly refused: readonly RateReading[];
  /** The first answer once the drained key was accepted again; null where it was not asked. */
  readonly freed: RateReading | null;
  /** One more answer, as long after `after` or `freed` as `after` came after `before`, nothing spent meanwhile; null where it was not asked. */
  readonly rested: RateReading | null;
  /** Where these leave it open: the same in small, again and again. Absent: not done. */
  readonly rounds?: readonly Round[];
  /** Units that own calls took between `before` and `after`, and between that (or `freed`) and `rested`, the last call of each aside; absent: none. */
  readonly own?: { readonly meanwhile: number; readonly resting: number };
}

/** A few calls of one key between two answers of another, and as long a time without them. */
export interface Round {
  readonly before: RateReading;
  readonly after: RateReading;
  readonly rested: RateReading;
}

/** Tells whether the spender's calls take units of the key. */
export type Touch = 'charged' | 'untouched' | 'open';

/** Where others use the key, a part of what was spent that is smaller may be theirs. */
const MIN_PART = 0.15;
/** Beyond the key's own calls: a fall by one more is a matter of rounding. */
const MIN_UNEXPLAINED = 2;
/** Fewer rounds within a window show no pattern. */
const MIN_ROUNDS = 3;
/** Calls that are spent in each. */
export const ROUND_CALLS = 10;
/** Standard deviations of what others do by chance, were their calls independent of each other. */
const SURE = { breach: 4, untouched: 2 } as const;
/** Share of the rounds in which the key falls by more while calls are spent. */
const MIN_SHARE_OF_ROUNDS = 0.75;
/** Refused again so often while the spender is. */
const MIN_REFUSED = 2;
/** Fewer calls could be anybody's. */
export const MIN_SPENT = 10;

/** `spent`: calls of the spender that were admitted between the two answers of each other key. */
export function judgeUntouched(spender: string, spent: number, beside: readonly OtherKeyReadings[]): Judgement {
  const telling = beside.filter(
    (one) => !one.before.isRefused && (one.before.remaining ?? 0) > 1 && isSound(one.before) && isSound(one.after),
  );
  if (spent < MIN_SPENT || telling.length === 0)
    return cannotTell(
      'precondition',
      `no other key could be compared while key ${spender} made ${plural(spent, 'admitted call')}`,
    );
  const breaches = telling.flatMap((one) => (touchOf(spent, one) === 'charged' ? [breachOf(spender, spent, one)] : []));
  const open = telling.find((one) => touchOf(spent, one) === 'open');
  if (breaches.length === 0 && open !== undefined)
    return cannotTell(
      'precondition',
      `key ${open.key} went from ${open.before.remaining} to ${plural(open.after.remaining ?? 0, 'call')} left while key ${spender} made ${plural(spent, 'call')}: ${
        open.clock.isOneWindow(open.before, open.after)
          ? 'which calls caused it could not be told'
          : 'its window ended meanwhile'
      }`,
    );
  return breached(breaches, telling.length);
}

/**
 * The touch that all answers of the key show. Open without rounds is a fall by more than its own calls took, unless it is just what was spent and
 * stays out at rest: others hardly do that by chance.
 */
export function touchOf(spent: number, one: OtherKeyReadings): Touch {
  const { before, after, clock, rounds } = one;
  if (after.isRefused && (after.remaining ?? 0) >= 1) return isRefusedWithSpender(one) ? 'charged' : 'untouched';
  const [fell, isJust] = [fallOf(one), fellJust(spent, one)];
  if (rounds !== undefined) return touchIn(roundsOf(one), isJust, fell >= MIN_UNEXPLAINED ? fell / spent : MIN_PART);
  if (isJust && !mayBeOthers(one)) return 'charged';
  return !after.isRefused && fell < MIN_UNEXPLAINED && clock.isOneWindow(before, after) ? 'untouched' : 'open';
}

/** Units by which the key fell beyond its own calls. */
function fallOf({ before, after, clock, own }: OtherKeyReadings): number {
  return fallIn(before, after, clock) - (own?.meanwhile ?? 0) - 1;
}

/** Tells whether the key lost just what was spent, or all that it had: then one round decides that shows the same. */
export function fellJust(spent: number, one: OtherKeyReadings): boolean {
  return one.after.isRefused || fallOf(one) === spent;
}

/** Tells whether the key, with calls left, was refused as long as the spender was, and no longer: another throttle has times of its own. */
function isRefusedWithSpender({ refused, freed }: OtherKeyReadings): boolean {
  return freed?.isRefused === false && refused.length >= MIN_REFUSED && refused.every(({ isRefused }) => isRefused);
}

/** Tells whether others may have made the key fall: it goes on falling at rest, or its window ended meanwhile. Who was not looked for is no excuse. */
function mayBeOthers({ after, freed, rested, clock, own }: OtherKeyReadings): boolean {
  const from = after.isRefused ? freed : after;
  if (from === null || rested === null) return false;
  // The fall holds one call of the key itself.
  const fell = fallIn(from, rested, clock) - (own?.resting ?? 0) - 1;
  return rested.isRefused || !clock.isOneWindow(from, rested) || fell > 0;
}

/** Units by which the key fell beyond its own call, while calls were spent and while none were. */
interface RoundFalls {
  readonly spending: number;
  readonly resting: number;
}

/** Those within one window of the key. */
function roundsOf({ rounds = [], clock }: OtherKeyReadings): readonly RoundFalls[] {
  return rounds
    .filter((one) => clock.isOneWindow(one.before, one.rested) && Object.values(one).every(isSound))
    .map(({ before, after, rested }) => ({
      spending: fallIn(before, after, clock) - 1,
      resting: fallIn(after, rested, clock) - 1,
    }));
}

/**
 * The touch that the rounds show. `isJust`: the key had lost just what was spent before: then one round that shows the same is enough. `share`: of the
 * calls, which it must lose again, were it charged.
 */
function touchIn(rounds: readonly RoundFalls[], isJust: boolean, share: number): Touch {
  const isExact = rounds.every(({ spending, resting }) => spending === ROUND_CALLS && resting === 0);
  if ((isJust && isExact && rounds.length > 0) || showCharge(rounds)) return 'charged';
  return showNone(rounds, share) ? 'untouched' : 'open';
}

/** Tells whether the key falls by more in most rounds while calls are spent, and by more in all than others do by chance. */
function showCharge(rounds: readonly RoundFalls[]): boolean {
  const { units, deviation } = takenIn(rounds);
  const more = rounds.filter(({ spending, resting }) => spending > resting);
  const isOften = rounds.length >= MIN_ROUNDS && more.length >= MIN_SHARE_OF_ROUNDS * rounds.length;
  return isOften && units >= Math.max(MIN_UNEXPLAINED, SURE.breach * deviation);
}

/**
 * Tells whether the rounds show that the spender's calls take nothing; where others are seen at rest, less than the least part, whatever
 * they do by chance.
 */
function showNone(rounds: readonly RoundFalls[], share: number): boolean {
  if (rounds.length < MIN_ROUNDS) return false;
  const { units, deviation } = takenIn(rounds);
  const calls = ROUND_CALLS * rounds.length;
  if (new Set(rounds.map(({ resting }) => resting)).size > 1)
    return units + SURE.untouched * deviation < MIN_PART * calls;
  return units < MIN_UNEXPLAINED && units <= share * calls - MIN_UNEXPLAINED;
}

/**
 * Units that the spender's calls took in all rounds, and what others may have added or hidden by chance: its standard deviation, as
 * of calls of one unit that come independently, or as the rounds differ where that is more.
 */
function takenIn(rounds: readonly RoundFalls[]): { readonly units: number; readonly deviation: number } {
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
  const others = Math.max(0, sum(rounds.map(({ spending, resting }) => spending + resting)));
  const taken = rounds.map(({ spending, resting }) => spending - resting);
  const units = sum(taken);
  const mean = units / Math.max(1, rounds.length);
  const squares = sum(taken.map((one) => (one - mean) ** 2));
  const asSeen = Math.sqrt((squares * rounds.length) / Math.max(1, rounds.length - 1));
  return { units, deviation: Math.max(Math.sqrt(others), asSeen) };
}

/** Tells whether Remaining lies between 0 and Limit: else it is RATE-02's matter. */
function isSound({ remaining, limit }: RateReading): boolean {
  return remaining === null || limit === null || (remaining >= 0 && remaining <= limit);
}

function breachOf(spender: string, spent: number, one: OtherKeyReadings): Breach {
  const { key, before, after, own } = one;
  const falls = roundsOf(one).map(({ spending, resting }) => spending - resting);
  const made = own === undefined ? 'having made one call' : `its own calls took ${own.meanwhile + 1}`;
  const came =
    (after.remaining ?? 0) < 1
      ? `came to be refused (${after.status})`
      : `was refused (${after.status}) with ${plural(after.remaining ?? 0, 'call')} left, until the spender was accepted again`;
  const fell = `fell from ${before.remaining} to ${plural(after.remaining ?? 0, 'call')} left`;
  const seen = after.isRefused ? came : fell;
  const again = after.isRefused ? 'and fell by' : 'and by';
  const actual =
    falls.length > 0 ? `${seen}, ${again} ${falls.join(', ')} each time that a few were made` : `${seen}, ${made}`;
  return shared(spender, key, `while key ${spender} made ${plural(spent, 'call')}, key ${key} ${actual}`, actual);
}

/** The breach of a key that was served before the spender was spent, and `refused` after, in so many windows; no answer tells what is left. */
export function refusedTogether(spender: string, { key, status }: RateReading, windows: number): Breach {
  const actual = `is refused (${status}) as soon as key ${spender} is, in each of ${plural(windows, 'window')}, and was served before`;
  return shared(spender, key, `key ${key} ${actual}`, actual);
}

function shared(spender: string, key: string, told: string, actual: string): Breach {
  return rate('rate-07.shared', {
    told,
    actual,
    expected: `the limit of key ${key} is untouched by what key ${spender} spends`,
  });
}

/** Units by which Remaining fell from one answer to another of the same window; 0 where they are of two. */
function fallIn(before: RateReading, after: RateReading, clock: TargetClock): number {
  return clock.isOneWindow(before, after) ? (before.remaining ?? 0) - (after.remaining ?? before.remaining ?? 0) : 0;
}
