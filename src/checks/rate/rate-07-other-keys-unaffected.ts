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

const NEARLY_ALL = 0.8;
/** Where others use the key, a part of what was spent that is smaller may be theirs. */
const MIN_PART = 0.15;
/** Beyond the key's own calls: a fall by one more is a matter of rounding. */
const MIN_UNEXPLAINED = 2;
/** Fewer rounds within a window show no pattern. */
const MIN_ROUNDS = 3;
/** Calls that are spent in each. */
export const ROUND_CALLS = 10;
/** A round whose fall is smaller could be anybody's; rounds of one pattern differ by no more. */
const MIN_FALL = 2;
/** A smaller fall, as a multiple of the key's own call, is a pattern only in so many rounds: others come at the right time by chance. */
const CLEAR_FALL = 5;
const ROUNDS_OF_SMALL_FALLS = 8;
/** Standard deviations of what others do by chance, were their calls independent of each other. */
const SURE = { breach: 4, untouched: 2 } as const;
/**
 * Calls that fell upon the key while the spender made some, and none at rest: were they others', each would come at rest as likely.
 * As many come by chance once in 30,000 times; in so many rounds they are no single burst.
 */
const ONLY_WHILE_SPENDING = { calls: 15, rounds: 8 } as const;
/** Others who spend all the time do not spend so many times as much for once. */
const MUCH_MORE = 4;
/** Share of the rounds in which the key falls by more while calls are spent. */
const MIN_SHARE_OF_ROUNDS = 0.75;
/** Refused again so often while the spender is. */
const MIN_REFUSED = 2;
/** Fewer calls could be anybody's. */
export const MIN_SPENT = 10;

/** `spent`: calls of the spender that were admitted between the two answers of each other key. */
export function judgeUntouched(spender: string, spent: number, beside: readonly Compared[]): Judgement {
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
export function isUndecided(spent: number, compared: Compared): boolean {
  const { before, after, clock } = compared;
  if (before.isRefused) return false;
  // One look cannot tell a spender from others who rest when they are looked for: a fall is looked at again and again.
  if (isSuspicious(spent, compared)) return !after.isRefused || mayBeOthers(spent, compared);
  return isUnexplained(compared) || !clock.isOneWindow(before, after);
}

/** Tells whether it is decided: by the two answers, or by the rounds. */
export function isTold(spent: number, compared: Compared): boolean {
  return (
    !isUndecided(spent, compared) ||
    isUntouchedInRounds(spent, compared) ||
    isChargedInRounds(spent, compared) ||
    isShownAtOnce(spent, compared)
  );
}

/** Tells whether the rounds show that the spender's calls charge the key. */
export function isChargedInRounds(spent: number, compared: Compared): boolean {
  return fallsOf(spent, compared) !== null;
}

/**
 * Tells whether the key fell by just what was spent, at first and in each round, and by nothing at rest: others do not do that twice, so
 * that one round is enough.
 */
export function isChargedExactly(spent: number, compared: Compared): boolean {
  const rounds = roundsOf(compared);
  const { before, after, clock, own } = compared;
  return (
    rounds.length > 0 &&
    fallIn(before, after, clock) - (own?.meanwhile ?? 0) === spent + 1 &&
    rounds.every(({ spending, resting }) => spending === ROUND_CALLS + 1 && resting === 1)
  );
}

/** Tells whether the two answers alone show it, where no rounds were made: the key fell by what was spent, and nobody else was seen. */
function isShownAtOnce(spent: number, compared: Compared): boolean {
  const { rounds = [], after } = compared;
  // Others, who may rest whenever they are looked for, spend just as much by chance once in a long time.
  const isJust = after.isRefused || beyondOwn(compared) === spent;
  return rounds.length === 0 && isSuspicious(spent, compared) && isJust && !mayBeOthers(spent, compared);
}

/** Tells whether the key's Remaining fell by more than its own calls took. */
function isUnexplained(compared: Readings): boolean {
  return beyondOwn(compared) >= MIN_UNEXPLAINED;
}

/** Units by which the key fell beyond what its own calls took; less than 0 where its window ended meanwhile. */
function beyondOwn({ before, after, clock, own }: Readings): number {
  return fallIn(before, after, clock) - (own?.meanwhile ?? 0) - 1;
}

/** Those within one window of the key. */
function wholeRoundsOf({ rounds = [], clock }: Compared): readonly Round[] {
  return rounds.filter((one) => clock.isOneWindow(one.before, one.rested) && Object.values(one).every(isSound));
}

interface RoundFalls {
  /** While calls were spent, the key's own call included. */
  readonly spending: number;
  /** While none were. */
  readonly resting: number;
}

function roundsOf(compared: Compared): readonly RoundFalls[] {
  const { clock } = compared;
  return wholeRoundsOf(compared).map(({ before, after, rested }) => ({
    spending: fallIn(before, after, clock),
    resting: fallIn(after, rested, clock),
  }));
}

/**
 * Units by which the spender's calls lowered the key in each round, where it was by just what was spent, by about as much each time, or
 * by more in most of them, and in all by more than chance makes; else null.
 */
function fallsOf(spent: number, compared: Compared): readonly number[] | null {
  const rounds = roundsOf(compared);
  const atRest = rounds.map(({ resting }) => resting);
  // The key's own call of the round, and those of others as far as they come all the time.
  const falls = rounds.map(({ spending }) => spending - Math.min(...atRest));
  if (isChargedExactly(spent, compared)) return falls;
  if (rounds.length < MIN_ROUNDS) return null;
  const isClear = Math.min(...falls) >= CLEAR_FALL * Math.min(...atRest) || rounds.length >= ROUNDS_OF_SMALL_FALLS;
  const isSteady = isClear && spreadOf(falls) <= MIN_FALL && spreadOf(atRest) <= 1;
  if (isOnlyWhileSpending(rounds)) return falls;
  const { units, deviation } = takenIn(rounds);
  const more = rounds.filter(({ spending, resting }) => spending > resting);
  const isMore =
    more.length >= MIN_SHARE_OF_ROUNDS * rounds.length && units - SURE.breach * deviation >= leastPartOf(rounds);
  return (isSteady || isMore) && Math.min(...falls) >= MIN_FALL ? falls : null;
}

/** Tells whether the key falls by its own call alone at rest, in each round, and by many more while calls are spent. */
function isOnlyWhileSpending(rounds: readonly RoundFalls[]): boolean {
  if (isUsedAtRest(rounds)) return false;
  const { units } = takenIn(rounds);
  const more = rounds.filter(({ spending, resting }) => spending > resting);
  return units >= ONLY_WHILE_SPENDING.calls && more.length >= ONLY_WHILE_SPENDING.rounds;
}

/** Tells whether others were seen while nothing was spent. */
function isUsedAtRest(rounds: readonly RoundFalls[]): boolean {
  return spreadOf(rounds.map(({ resting }) => resting)) > 0;
}

/**
 * Units that the spender's calls took in all rounds, and what others may have added or hidden by chance: its standard deviation, as
 * of calls of one unit that come independently, or as the rounds differ where that is more.
 */
function takenIn(rounds: readonly RoundFalls[]): { readonly units: number; readonly deviation: number } {
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
  // Each fall holds one call of the key itself, which is no chance.
  const others = Math.max(0, sum(rounds.map(({ spending, resting }) => spending + resting - 2)));
  const taken = rounds.map(({ spending, resting }) => spending - resting);
  const units = sum(taken);
  const mean = units / Math.max(1, rounds.length);
  const squares = sum(taken.map((one) => (one - mean) ** 2));
  const asSeen = Math.sqrt((squares * rounds.length) / Math.max(1, rounds.length - 1));
  return { units, deviation: Math.max(Math.sqrt(others), asSeen) };
}

/**
 * Tells whether the rounds show that the spender's calls take nothing; where others are seen at rest, less than the least part, whatever
 * they do by chance. What the key lost at first must have shown again, were it charged.
 */
function isUntouchedInRounds(spent: number, compared: Compared): boolean {
  const rounds = roundsOf(compared);
  if (rounds.length < MIN_ROUNDS) return false;
  const { units, deviation } = takenIn(rounds);
  if (isUsedAtRest(rounds)) return units + SURE.untouched * deviation < leastPartOf(rounds);
  const charged = isUnexplained(compared)
    ? (beyondOwn(compared) / spent) * ROUND_CALLS * rounds.length
    : leastPartOf(rounds);
  return units < MIN_UNEXPLAINED && units <= charged - MIN_UNEXPLAINED;
}

/** Units that the least part of the calls of these rounds takes. */
function leastPartOf(rounds: readonly RoundFalls[]): number {
  return MIN_PART * ROUND_CALLS * rounds.length;
}

function spreadOf(numbers: readonly number[]): number {
  return Math.max(...numbers) - Math.min(...numbers);
}

/** Tells whether Remaining lies between 0 and Limit: else it is RATE-02's matter. */
function isSound({ remaining, limit }: RateReading): boolean {
  return remaining === null || limit === null || (remaining >= 0 && remaining <= limit);
}

export type Compared = OtherKeyReadings & { readonly clock: TargetClock };
type Readings = Pick<Compared, 'before' | 'after' | 'clock' | 'own'>;

/** Tells whether the key's Remaining fell by about as much as was spent, or it came to be refused: what others do to it, too. */
export function isSuspicious(spent: number, { before, after, clock, own }: Readings): boolean {
  if (before.isRefused) return false;
  const fall = fallIn(before, after, clock) - (own?.meanwhile ?? 0);
  return after.isRefused || fall >= Math.max(MIN_SPENT, NEARLY_ALL * spent);
}

function breachOf(spender: string, spent: number, compared: Compared) {
  const { key, before, after, refused, freed, own } = compared;
  const isOpen = isUndecided(spent, compared);
  const falls = isOpen ? fallsOf(spent, compared) : null;
  const isShown = isOpen ? isShownAtOnce(spent, compared) : isSuspicious(spent, compared);
  if (falls === null && !isShown) return [];
  const expected = `the limit of key ${key} is untouched by what key ${spender} spends`;
  const told = (actual: string): Breach =>
    rate('rate-07.shared', {
      told: `while key ${spender} made ${spent} calls, key ${key} ${actual}`,
      actual,
      expected,
    });
  const fell = `fell from ${before.remaining} to ${after.remaining} calls left`;
  if (falls !== null) return [told(`${fell}, and by ${falls.join(', ')} each time that a few were made`)];
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
function mayBeOthers(spent: number, { before, after, freed, rested, restedSince, clock, own }: Compared): boolean {
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
