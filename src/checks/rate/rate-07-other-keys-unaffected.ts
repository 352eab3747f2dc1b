// RATE-07: what one key spends does not touch another's limit. Seen in the other key's own headers before and after: they
// fall by its own calls, and it is not refused. Others may use that key, too: a fall counts where it is more than chance makes
// of what the key falls by while nothing is spent. Another throttle may refuse the key, so a refusal with calls left counts where
// it lasts as long as that of the spender. What that leaves open is decided by a few calls of the spender, again and again: a
// fall by the same part each time counts, one that stays out each time does not, and anything else is not told.
//
// RATE-07 (must): Limits are per key: exhausting one key leaves another's untouched. Tolerance: Needs two keys.
import { type Breach, breached, cannotTell, type Judgement } from '../../contract/judgement.ts';
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
  /** From where `rested` is as long after, in place of `after` or `freed`: their window ended too soon to compare within it. */
  readonly restedSince?: RateReading;
  /** Where the key fell by a part of what was spent: the same in small, again and again. Absent: not done. */
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

/** Minimum share of what was spent that a fall makes up, to be looked at as the spender's doing. */
const MIN_SUSPICIOUS_SHARE = 0.8;
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
/** Others who spend all the time do not spend so many times as much for once. */
const MUCH_MORE = 4;
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
      `no other key could be compared while ${spent} calls of key ${spender} were admitted`,
    );
  const breaches = telling.flatMap((one) => breachOf(spender, spent, one));
  const open = telling.find((one) => !isTold(spent, one));
  if (breaches.length === 0 && open !== undefined)
    return cannotTell(
      'precondition',
      `key ${open.key} went from ${open.before.remaining} to ${open.after.remaining} calls left while key ${spender} made ${spent} calls: ${
        open.clock.isOneWindow(open.before, open.after)
          ? 'by whose doing could not be told'
          : 'its window ended meanwhile'
      }`,
    );
  return breached(breaches, telling.length);
}

/** Tells whether the answers of the key leave open what the spender did: a fall that others may have made, or a window that ended. */
export function isUndecided(spent: number, one: OtherKeyReadings): boolean {
  const { before, after, clock } = one;
  if (before.isRefused) return false;
  // One look cannot tell a spender from others who rest when they are looked for: a fall is looked at again and again.
  if (isSuspicious(spent, one)) return !after.isRefused || mayBeOthers(spent, one);
  return beyondOwn(one) >= MIN_UNEXPLAINED || !clock.isOneWindow(before, after);
}

/** Tells whether it is decided: by the two answers, or by the rounds. */
export function isTold(spent: number, one: OtherKeyReadings): boolean {
  return !isUndecided(spent, one) || isCharged(spent, one) || isUntouched(spent, one);
}

/** Tells whether the spender's calls are shown to charge a key whose two answers leave it open. */
export function isCharged(spent: number, one: OtherKeyReadings): boolean {
  if (isChargedExactly(spent, one)) return true;
  const rounds = roundsOf(one);
  const { units, deviation } = takenIn(rounds);
  const more = rounds.filter(({ spending, resting }) => spending > resting);
  const isOften = rounds.length >= MIN_ROUNDS && more.length >= MIN_SHARE_OF_ROUNDS * rounds.length;
  return isOften && units >= Math.max(MIN_UNEXPLAINED, SURE.breach * deviation);
}

/**
 * Tells whether the key fell by just what was spent, at first and in each round, and by nothing at rest: others do not do that twice, so
 * that one round is enough; none is where nobody else was seen.
 */
export function isChargedExactly(spent: number, one: OtherKeyReadings): boolean {
  const { rounds = [], after } = one;
  if (rounds.length === 0) {
    const isJust = after.isRefused || beyondOwn(one) === spent;
    return isSuspicious(spent, one) && isJust && !mayBeOthers(spent, one);
  }
  const seen = roundsOf(one);
  const isExact = seen.every(({ spending, resting }) => spending === ROUND_CALLS && resting === 0);
  return seen.length > 0 && isExact && beyondOwn(one) === spent;
}

/**
 * Tells whether the rounds show that the spender's calls take nothing; where others are seen at rest, less than the least part, whatever
 * they do by chance. What the key lost at first must have shown again, were it charged.
 */
function isUntouched(spent: number, one: OtherKeyReadings): boolean {
  const rounds = roundsOf(one);
  if (rounds.length < MIN_ROUNDS) return false;
  const { units, deviation } = takenIn(rounds);
  const calls = ROUND_CALLS * rounds.length;
  if (new Set(rounds.map(({ resting }) => resting)).size > 1)
    return units + SURE.untouched * deviation < MIN_PART * calls;
  const share = beyondOwn(one) >= MIN_UNEXPLAINED ? beyondOwn(one) / spent : MIN_PART;
  return units < MIN_UNEXPLAINED && units <= share * calls - MIN_UNEXPLAINED;
}

/** Units by which the key fell beyond what its own calls took; less than 0 where its window ended meanwhile. */
function beyondOwn({ before, after, clock, own }: OtherKeyReadings): number {
  return fallIn(before, after, clock) - (own?.meanwhile ?? 0) - 1;
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

/** Tells whether the key's Remaining fell by about as much as was spent, or it came to be refused: what others do to it, too. */
export function isSuspicious(spent: number, one: OtherKeyReadings): boolean {
  if (one.before.isRefused) return false;
  return one.after.isRefused || beyondOwn(one) + 1 >= Math.max(MIN_SPENT, MIN_SUSPICIOUS_SHARE * spent);
}

function breachOf(spender: string, spent: number, one: OtherKeyReadings) {
  const { key, before, after, refused, freed, own } = one;
  const isOpen = isUndecided(spent, one);
  if (isOpen ? !isCharged(spent, one) : !isSuspicious(spent, one)) return [];
  const expected = `the limit of key ${key} is untouched by what key ${spender} spends`;
  const told = (actual: string): Breach =>
    rate('rate-07.shared', {
      told: `while key ${spender} made ${spent} calls, key ${key} ${actual}`,
      actual,
      expected,
    });
  const fell = `fell from ${before.remaining} to ${after.remaining} calls left`;
  const falls = roundsOf(one).map(({ spending, resting }) => spending - resting);
  if (isOpen && falls.length > 0) return [told(`${fell}, and by ${falls.join(', ')} each time that a few were made`)];
  const made = own === undefined ? 'having made one call' : `its own calls took ${own.meanwhile + 1}`;
  if (!after.isRefused) return [told(`${fell}, ${made}`)];
  if ((after.remaining ?? 0) < 1) return [told(`came to be refused (${after.status}), ${made}`)];
  const isFreed = freed !== null && !freed.isRefused;
  return isFreed && refused.length >= MIN_REFUSED && refused.every(({ isRefused }) => isRefused)
    ? [
        told(
          `was refused (${after.status}) with ${after.remaining ?? 'unknown'} calls left, until the spender was accepted again`,
        ),
      ]
    : [];
}

/** Tells whether others may have made the key fall: it goes on falling in as long a time without the spender. */
function mayBeOthers(
  spent: number,
  { before, after, freed, rested, restedSince, clock, own }: OtherKeyReadings,
): boolean {
  const from = restedSince ?? (after.isRefused ? freed : after);
  // Only others who were seen are an excuse.
  if (from === null || rested === null) return false;
  if (rested.isRefused) return true;
  const fell = after.isRefused ? (before.remaining ?? 0) : (before.remaining ?? 0) - (after.remaining ?? 0);
  const meanwhile = fell - (own?.meanwhile ?? 0);
  const atRest = fallIn(from, rested, clock) - (own?.resting ?? 0);
  // Each fall holds one call of the key itself.
  const chance = SURE.breach * Math.sqrt(Math.max(0, meanwhile + atRest - 2));
  const isMore = meanwhile > MUCH_MORE * atRest && meanwhile - atRest - chance >= MIN_PART * spent;
  return atRest > 1 && !isMore;
}

/** Units by which Remaining fell from one answer to another of the same window; 0 where they are of two. */
function fallIn(before: RateReading, after: RateReading, clock: TargetClock): number {
  return clock.isOneWindow(before, after) ? (before.remaining ?? 0) - (after.remaining ?? before.remaining ?? 0) : 0;
}
