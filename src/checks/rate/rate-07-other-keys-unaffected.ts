// RATE-07: what one key spends does not touch another's limit. Seen in the other key's own headers before and after: they
// fall by its own calls, and it is not refused. Others may use that key, too, so only a fall of nearly all counts, and not
// where the key falls as much while nothing is spent; and another throttle may refuse it, so a refusal with calls left
// counts where it lasts as long as that of the spender. A fall by a part counts where it comes again, by the same part, each time
// that the spender makes a few calls, and stays out while it makes none.
//
// RATE-07 (must): Limits are per key: exhausting one key leaves another's untouched. Tolerance: Needs two keys.
import { type Breach, breached, cannotTell, type Judgement } from '../../contract/judgement.ts';
import type { Beside, Round } from './drained-window.ts';
import type { RateReading } from './reading.ts';
import type { TargetClock } from './reset-clock.ts';

const NEARLY_ALL = 0.8;
/** A fall by less than this part of what was spent is not looked into. */
const LEAST_PART = 0.15;
/** Fewer rounds within a window show no pattern. */
const LEAST_ROUNDS = 3;
/** A round whose fall is smaller could be anybody's; rounds of one pattern differ by no more. */
const LEAST_FALL = 2;
/** Refused again so often while the spender is. */
const LEAST_REFUSED = 2;
/** Fewer calls could be anybody's. */
export const LEAST_SPENT = 10;

/** `spent`: calls of the spender that were admitted between the two answers of each other key. */
export function judgeUntouched(spender: string, spent: number, beside: readonly Compared[]): Judgement {
  const telling = beside.filter(
    (one) => one.before.status !== 429 && (one.before.remaining ?? 0) > 1 && isSound(one.before) && isSound(one.after),
  );
  if (spent < LEAST_SPENT || telling.length === 0)
    return cannotTell(
      'precondition',
      `no other key could be compared while ${spent} calls of key ${spender} were admitted`,
    );
  const breaches = telling.flatMap((one) => breachOf(spender, spent, one));
  const open = telling.find((one) => isUndecided(spent, one) && wholeRoundsOf(one).length < LEAST_ROUNDS);
  if (breaches.length === 0 && open !== undefined)
    return cannotTell(
      'precondition',
      `key ${open.key} went from ${open.before.remaining} to ${open.after.remaining} calls left while key ${spender} made ${spent} calls: ${
        isInPart(spent, open) ? 'by whose doing could not be told' : 'its window ended meanwhile'
      }`,
    );
  return breached(breaches, telling.length);
}

/** Whether the two answers of the key leave open what the spender did: a fall by a good part of it, or a window that ended. */
export function isUndecided(spent: number, compared: Omit<Compared, 'refused' | 'freed' | 'rested'>): boolean {
  const { before, after, clock } = compared;
  if (before.status === 429 || after.status === 429) return false;
  return isInPart(spent, compared) || !isOneWindow(before, after, clock);
}

/** Whether the key's Remaining fell by a good part of what was spent, but not by about as much. */
function isInPart(spent: number, compared: Omit<Compared, 'refused' | 'freed' | 'rested'>): boolean {
  const { before, after, clock, own } = compared;
  if (isSuspicious(spent, compared)) return false;
  return fallIn(before, after, clock) - (own?.meanwhile ?? 0) >= Math.max(LEAST_SPENT, LEAST_PART * spent);
}

/** Those within one window of the key. */
function wholeRoundsOf({ rounds = [], clock }: Compared): readonly Round[] {
  return rounds.filter(({ before, rested }) => isOneWindow(before, rested, clock));
}

/** By how much the spender's calls lowered the key in each round, where it was by about as much each time; else null. */
function fallsOf(compared: Compared): readonly number[] | null {
  const { clock } = compared;
  const whole = wholeRoundsOf(compared);
  const atRest = whole.map(({ after, rested }) => fallIn(after, rested, clock));
  // The key's own call of the round, and those of others as far as they come all the time.
  const falls = whole.map(({ before, after }) => fallIn(before, after, clock) - Math.min(...atRest));
  const isSteady = spreadOf(falls) <= LEAST_FALL && spreadOf(atRest) <= 1;
  return whole.length >= LEAST_ROUNDS && isSteady && Math.min(...falls) >= LEAST_FALL ? falls : null;
}

function spreadOf(numbers: readonly number[]): number {
  return Math.max(...numbers) - Math.min(...numbers);
}

/** What lies above Limit or below 0 is RATE-02's. */
function isSound({ remaining, limit }: RateReading): boolean {
  return remaining === null || limit === null || (remaining >= 0 && remaining <= limit);
}

type Compared = Beside & { readonly clock: TargetClock };

/** Whether the key's Remaining fell by about as much as was spent, or it came to be refused: what others do to it, too. */
export function isSuspicious(
  spent: number,
  { before, after, clock, own }: Omit<Compared, 'refused' | 'freed' | 'rested'>,
): boolean {
  if (before.status === 429) return false;
  const fall = fallIn(before, after, clock) - (own?.meanwhile ?? 0);
  return after.status === 429 || fall >= Math.max(LEAST_SPENT, NEARLY_ALL * spent);
}

function breachOf(spender: string, spent: number, compared: Compared) {
  const { key, before, after, refused, freed, own } = compared;
  const falls = isUndecided(spent, compared) ? fallsOf(compared) : null;
  if (falls === null && (!isSuspicious(spent, compared) || isOthersDoing(compared))) return [];
  const expected = `the limit of key ${key} is untouched by what key ${spender} spends`;
  const told = (actual: string): Breach => ({
    weight: 'breach',
    code: 'rate-07.shared',
    cause: 'one key spends the limit of another',
    message: `while key ${spender} made ${spent} calls, key ${key} ${actual}; expected ${expected}`,
    expected,
    actual,
  });
  if (falls !== null) {
    const each = falls.join(', ');
    return [
      told(
        `fell from ${before.remaining} to ${after.remaining} calls left, and by ${each} each time that a few were made`,
      ),
    ];
  }
  const made = own === undefined ? 'having made one call' : `its own calls took ${own.meanwhile + 1}`;
  if (after.status !== 429) return [told(`fell from ${before.remaining} to ${after.remaining} calls left, ${made}`)];
  if ((after.remaining ?? 0) < 1) return [told(`came to be refused (429), ${made}`)];
  const isFreed = freed !== null && freed.status !== 429;
  return isFreed && refused.length >= LEAST_REFUSED && refused.every(({ status }) => status === 429)
    ? [told(`was refused (429) with ${after.remaining ?? 'unknown'} calls left, until the spender was accepted again`)]
    : [];
}

/** Whether the key falls by half as much, or more, in as long a time without the spender. */
function isOthersDoing({ before, after, freed, rested, restedSince, clock, own }: Compared): boolean {
  const from = restedSince ?? (after.status === 429 ? freed : after);
  if (from === null || rested === null) return false;
  const fell = after.status === 429 ? (before.remaining ?? 0) : (before.remaining ?? 0) - (after.remaining ?? 0);
  const falls = fallIn(from, rested, clock) - (own?.resting ?? 0);
  return rested.status === 429 || 2 * falls >= fell - (own?.meanwhile ?? 0);
}

/** By how much Remaining fell from one answer to another of the same window; 0 where they are of two. */
function fallIn(before: RateReading, after: RateReading, clock: TargetClock): number {
  return isOneWindow(before, after, clock) ? (before.remaining ?? 0) - (after.remaining ?? before.remaining ?? 0) : 0;
}

function isOneWindow(before: RateReading, after: RateReading, clock: TargetClock): boolean {
  const reset = clock.resetOf(before);
  const isAbsolute = before.reset !== null && before.reset.form !== 'delta-seconds';
  return (isAbsolute && before.reset?.ms === after.reset?.ms) || (reset !== null && after.answeredAt <= reset.earliest);
}
