// RATE-03 and RATE-04 over a key's series: no answer tells of more calls left, and no window grants more, than the most generous limiter
// could have that states the same (src/limiters/balance.ts). Resets that move on before they come belong to a bucket, or to a
// sliding log, whose gains come in other ways: then rises tell nothing, and the probes of a quiet target judge. Pure.
//
// RATE-03 (must): Remaining falls by at least one per successful call of a key within a window, and comes back after
//   Reset. Tolerance: Cost per endpoint observed. Concurrent calls judged by totals. Continuous refill (token bucket)
//   allowed.
// RATE-04 (must): No key gets more successful calls in a window than Limit allows; no 429 from the key's limiter while
//   Remaining says calls are left. Tolerance: Burst and cost weights are "not shown": a bucket may refill during the
//   window; judged against the best-fitting model, with the evidence. A 429 with calls left is another throttle
//   (exempt) where it is confined to some operations or a try before Reset succeeds; it is the key's limiter where the
//   key is refused on other operations too, until Reset.
import { type Breach, cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import type { Imbalance } from '../../limiters/balance.ts';
import type { KeyHistory } from '../../limiters/key-history.ts';
import type { RateReading } from '../../limiters/reading.ts';
import { rate } from '../../wording/rate.ts';
import { blaming, blamingLast, onTarget, type RateConclusion, untold } from './series-law.ts';

const MAY_SLIDE =
  'Remaining rises before the stated Reset as that of a log that slides does, and nothing tells a fixed window from one';

/** All that the balance of the key shows. `isExplained`: calls of an operation were shown not to count, and the operation is blamed for what is missing. */
export function judgeBalance(
  history: KeyHistory,
  { isExplained }: { readonly isExplained: boolean },
): readonly RateConclusion[] {
  const { balance, movesEarly, tellingRise, overdrawn } = history;
  balance.settle();
  const { uncounted } = balance;
  const isTold = isExplained || (tellingRise !== null && !movesEarly);
  const blame = (clause: string, breach: Breach, { first, after }: Imbalance) => blaming(clause, breach, first, after);
  return [
    judgeRises(history),
    ...(isTold || uncounted === null ? [] : [blame('RATE-03', uncountedIn(uncounted), uncounted)]),
    ...(overdrawn === null ? [] : [blame('RATE-04', tooManyIn(overdrawn, balance.overdrawn === null), overdrawn)]),
  ];
}

function judgeRises({ balance, movesEarly, tellingRise }: KeyHistory): RateConclusion {
  if (movesEarly) return untold('RATE-03', 'its resets move with every call, as a bucket does');
  if (tellingRise !== null) return blamingLast('RATE-03', riseIn(tellingRise), tellingRise.first, tellingRise.after);
  if (balance.rise !== null) return untold('RATE-03', MAY_SLIDE);
  return balance.compared === 0
    ? untold('RATE-03', 'no two calls of a key surely fell into one window')
    : onTarget('RATE-03', holds(balance.compared));
}

/**
 * Calls of others lower Remaining as well: they hide a call that is not counted, and one that does not come back. `shared`: the
 * key that others were seen to use; null for none.
 */
export function unlessHidden(judgement: Judgement, shared: string | null): Judgement {
  if (judgement.kind === 'breached' || shared === null) return judgement;
  const reason = `another client uses key ${shared}, too: its calls may hide those that are not counted, or that do not come back`;
  return cannotTell('precondition', reason);
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
  const expected = `at most ${Math.max(0, (limit ?? 0) - calls)} calls left: Remaining falls by at least one per successful call within a window`;
  const actual = `${remaining} of ${limit} calls left after ${calls} successful calls in ${elapsedMs(first, after)} ms, before the reset that was stated`;
  return rate('rate-03.does-not-fall', { told: `key ${key} has ${actual}`, actual, expected });
}

function tooManyIn({ first, after, calls }: Imbalance, mayRefill: boolean): Breach {
  const expected = `at most ${after.limit} successes in one window${mayRefill ? ', and what refills meanwhile' : ''}`;
  const actual = `${calls} units within ${elapsedMs(first, after)} ms, before the reset that was stated`;
  return tooMany(after.key, actual, expected);
}

/** The breach of a key that got more calls than its Limit allows. */
export function tooMany(key: string, actual: string, expected: string): Breach {
  return rate('rate-04.too-many', { told: `key ${key} got ${actual}`, actual, expected });
}

function elapsedMs(first: RateReading, after: RateReading): number {
  return after.answeredAt - first.sentAt;
}
