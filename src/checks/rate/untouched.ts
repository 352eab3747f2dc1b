// RATE-07: what one key spends does not touch another's limit. Seen in the other key's own headers before and after: they
// fall by its own calls, and it is not refused. Others may use that key, too, so only a fall of nearly all counts.
import { type Breach, breached, cannotTell, type Judgement } from '../../contract/judgement.ts';
import type { Beside } from './drain-model.ts';
import type { TargetClock } from './moments.ts';

const NEARLY_ALL = 0.8;
/** Fewer calls could be anybody's. */
export const LEAST_SPENT = 10;

/** `spent`: calls of the spender that were admitted between the two answers of each other key. */
export function judgeUntouched(
  spender: string,
  spent: number,
  beside: readonly (Beside & { readonly clock: TargetClock })[],
): Judgement {
  const telling = beside.filter(({ before }) => before.status !== 429 && (before.remaining ?? 0) > 1);
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

function breachOf(
  spender: string,
  spent: number,
  { key, before, after, clock }: Beside & { readonly clock: TargetClock },
) {
  const expected = `the limit of key ${key} is untouched by what key ${spender} spends`;
  const told = (actual: string): Breach => ({
    weight: 'breach',
    cause: 'one key spends the limit of another',
    message: `while key ${spender} made ${spent} calls, key ${key} ${actual}; expected ${expected}`,
    expected,
    actual,
  });
  if (after.status === 429 && (after.remaining ?? 0) < 1)
    return [told('came to be refused (429), having made one call')];
  const reset = clock.resetOf(before);
  const isAbsolute = before.reset !== null && before.reset.form !== 'delta-seconds';
  const isOneWindow =
    (isAbsolute && before.reset?.ms === after.reset?.ms) || (reset !== null && after.answeredAt <= reset.earliest);
  const fall = (before.remaining ?? 0) - (after.remaining ?? before.remaining ?? 0);
  return isOneWindow && fall >= Math.max(LEAST_SPENT, NEARLY_ALL * spent)
    ? [told(`fell from ${before.remaining} to ${after.remaining} calls left, having made one call`)]
    : [];
}
