// RATE-03 over a key's series: no answer tells of more calls left than the most generous limiter could have that states the same
// (src/limiters/balance.ts). Resets that move on before they come belong to a bucket, or to a
// sliding log, whose gains come in other ways: then rises tell nothing, and the probes of a quiet target judge. Pure.
//
// RATE-03 (must): Remaining falls by at least one per successful call of a key within a window, and comes back after
//   Reset. Tolerance: Cost per endpoint observed. Concurrent calls judged by totals. Continuous refill (token bucket)
//   allowed.

import { type Breach, holds } from '../../contract/judgement.ts';
import { plural } from '../../contract/numbers.ts';
import type { Imbalance } from '../../limiters/balance.ts';
import type { KeyHistory } from '../../limiters/key-history.ts';
import type { RateReading } from '../../limiters/reading.ts';
import { rate } from '../../wording/rate.ts';
import { blaming, blamingLast, onTarget, type RateConclusion, untold } from './series-law.ts';

const MAY_SLIDE =
  'Remaining rises before the stated Reset as that of a log that slides does, and nothing tells a fixed window from one';

/**
 * Judges Remaining by the balance of the key. `isExplained`: calls of an operation were shown not to count, and the operation is blamed
 * for what is missing.
 */
export function judgeBalance(
  history: KeyHistory,
  { isExplained }: { readonly isExplained: boolean },
): readonly RateConclusion[] {
  const { balance, movesEarly, tellingRise } = history;
  balance.settle();
  const { uncounted } = balance;
  const isTold = isExplained || (tellingRise !== null && !movesEarly);
  if (isTold || uncounted === null) return [judgeRises(history)];
  return [judgeRises(history), blaming('RATE-03', uncountedIn(uncounted), uncounted.first, uncounted.after)];
}

function judgeRises({ balance, movesEarly, tellingRise }: KeyHistory): RateConclusion {
  if (movesEarly) return untold('RATE-03', 'its resets move with every call, as a bucket does');
  if (tellingRise !== null) return blamingLast('RATE-03', riseIn(tellingRise), tellingRise.first, tellingRise.after);
  if (balance.rise !== null) return untold('RATE-03', MAY_SLIDE);
  return balance.compared === 0
    ? untold('RATE-03', 'no two calls of a key surely fell into one window')
    : onTarget('RATE-03', holds(balance.compared));
}

function riseIn({ first, after, calls, times }: Imbalance): Breach {
  const expected = 'Remaining falls by at least one per successful call of the key within a window';
  const actual = `${first.remaining} after ${first.operation}, then ${after.remaining} after ${after.operation}, ${elapsedMs(first, after)} ms later`;
  const often = times > 1 ? `; seen ${times} times or more` : '';
  const told = `Remaining of key ${after.key} is ${actual}, a gain of ${calls} before the reset that was stated${often}`;
  return rate('rate-03.rises', { told, actual, expected });
}

function uncountedIn({ first, after, calls }: Imbalance): Breach {
  const { key, limit, remaining } = after;
  const expected = `at most ${plural(Math.max(0, (limit ?? 0) - calls), 'call')} left: Remaining falls by at least one per successful call within a window`;
  const actual = `${remaining} of ${plural(limit ?? 0, 'call')} left after ${plural(calls, 'successful call')} in ${elapsedMs(first, after)} ms, before the reset that was stated`;
  return rate('rate-03.does-not-fall', { told: `key ${key} has ${actual}`, actual, expected });
}

function elapsedMs(first: RateReading, after: RateReading): number {
  return after.answeredAt - first.sentAt;
}
