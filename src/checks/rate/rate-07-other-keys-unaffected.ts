// RATE-07: what one key spends does not touch another's limit. Seen in the other key's own headers before and after: they
// fall by its own calls, and it is not refused. Others may use that key, too, so only a fall of nearly all counts, and not
// where the key falls as much while nothing is spent; and another throttle may refuse it, so a refusal with calls left
// counts where it lasts as long as that of the spender.
//
// RATE-07 (must): Limits are per key: exhausting one key leaves another's untouched. Tolerance: Needs two keys.
import { type Breach, breached, cannotTell, type Judgement } from '../../contract/judgement.ts';
import type { Beside } from './drained-window.ts';
import type { RateReading } from './reading.ts';
import type { TargetClock } from './reset-clock.ts';

const NEARLY_ALL = 0.8;
/** Refused again so often while the spender is. */
const LEAST_REFUSED = 2;
/** Fewer calls could be anybody's. */
export const LEAST_SPENT = 10;

/** `spent`: calls of the spender that were admitted between the two answers of each other key. */
export function judgeUntouched(spender: string, spent: number, beside: readonly Compared[]): Judgement {
  const telling = beside.filter(
    ({ before, after }) => before.status !== 429 && (before.remaining ?? 0) > 1 && isSound(before) && isSound(after),
  );
  if (spent < LEAST_SPENT || telling.length === 0)
    return cannotTell(
      'precondition',
      `no other key could be compared while ${spent} calls of key ${spender} were admitted`,
    );
  return breached(
    telling.flatMap((one) => breachOf(spender, spent, one)),
    telling.length,
  );
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
  if (!isSuspicious(spent, compared) || isOthersDoing(compared)) return [];
  const expected = `the limit of key ${key} is untouched by what key ${spender} spends`;
  const told = (actual: string): Breach => ({
    weight: 'breach',
    code: 'rate-07.shared',
    cause: 'one key spends the limit of another',
    message: `while key ${spender} made ${spent} calls, key ${key} ${actual}; expected ${expected}`,
    expected,
    actual,
  });
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
  const reset = clock.resetOf(before);
  const isAbsolute = before.reset !== null && before.reset.form !== 'delta-seconds';
  const isOneWindow =
    (isAbsolute && before.reset?.ms === after.reset?.ms) || (reset !== null && after.answeredAt <= reset.earliest);
  return isOneWindow ? (before.remaining ?? 0) - (after.remaining ?? before.remaining ?? 0) : 0;
}
