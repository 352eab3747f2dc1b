// RATE-03 over a key's series: within a window Remaining falls by at least one per successful call. For two calls i, j that
// surely followed one another, j answered before the reset that i states, and the calls that surely came between them:
//
//   gain = Remaining(j) - Remaining(i) + successes between, j included  must not exceed  1 + Limit * elapsed / window
//
// which every fixed window, sliding counter and refilling bucket keeps; the window is at least the longest time to a reset
// seen, and a shorter one than three seconds tells nothing by its rises. A reset that moves on before it came belongs to a bucket or a sliding log, whose gains come in other ways: then
// nothing is concluded from the series, and the probes of a quiet target judge.
//
// RATE-03 (must): Remaining falls by at least one per successful call of a key within a window, and comes back after
//   Reset. Tolerance: Cost per endpoint observed. Concurrent calls judged by totals. Continuous refill (token bucket)
//   allowed.
import { type Breach, breached, cannotTell, holds, type Judgement } from '../../contract/judgement.ts';
import type { KeyHistory } from '../../limiters/key-history.ts';
import { isSuccessful, isTelling, type RateReading } from '../../limiters/reading.ts';
import { precedes } from '../../limiters/reset-clock.ts';
import { rate } from '../../wording/rate.ts';

const MOST_KEPT = 6;
/**
 * Resets that are never further away than this say too little: rounded to whole seconds, those of a log that slides look like
 * those of a fixed window. ms.
 */
const SHORTEST_TELLING_MS = 3000;

const TOO_SHORT =
  'Remaining rises before the stated Reset, and windows are too short to tell a log that slides from a fixed window';

export interface Rise {
  readonly before: RateReading;
  readonly after: RateReading;
  readonly gain: number;
  readonly allowed: number;
}

export class Rises {
  readonly #history: KeyHistory;
  readonly #rises: Rise[] = [];
  #compared = 0;

  constructor(history: KeyHistory) {
    this.#history = history;
  }

  add(after: RateReading): void {
    if (!isTelling(after)) return;
    const remaining = after.remaining ?? 0;
    let worst: Rise | null = null;
    // With none left Remaining cannot fall: what is admitted beyond is RATE-04's.
    for (let index = 0; remaining > 0 && index < this.#history.recent.length; index += 1) {
      const rise = this.#compare(index, after);
      if (rise !== null && (worst === null || rise.gain - rise.allowed > worst.gain - worst.allowed)) worst = rise;
    }
    if (worst !== null && this.#rises.length < MOST_KEPT) this.#rises.push(worst);
  }

  /** The rise that nothing explains by most, where windows are long enough to tell; null for none. */
  worst(): Rise | null {
    const [first = null] = this.#unexplained();
    return this.#history.windowAtLeastMs < SHORTEST_TELLING_MS ? null : first;
  }

  /** Where resets do not move on before they come, `rise` is the worst. */
  conclude(): { readonly judgement: Judgement; readonly rise: Rise | null } {
    const untold = (why: string) => ({ judgement: cannotTell('precondition', why), rise: null });
    const rises = this.#unexplained();
    const rise = this.worst();
    if (this.#history.movesEarly) return untold('its resets move with every call, as a bucket does');
    if (rise !== null) return { judgement: breached([breachOf(rise, rises.length)]), rise };
    if (rises.length > 0) return untold(TOO_SHORT);
    if (this.#compared === 0) return untold('no two calls of a key surely fell into one window');
    return { judgement: holds(this.#compared), rise };
  }

  #unexplained(): readonly Rise[] {
    return this.#rises
      .filter((rise) => rise.gain > this.#allowed(rise.before, rise.after))
      .toSorted((left, right) => right.gain - right.allowed - (left.gain - left.allowed));
  }

  /** With the reading at the index of the recent ones. */
  #compare(index: number, after: RateReading): Rise | null {
    const before = this.#history.recent[index] as RateReading;
    if (!precedes(before, after) || before.limit !== after.limit) return null;
    const reset = this.#history.clock.resetOf(before);
    if (reset === null || after.answeredAt > reset.earliest) return null;
    this.#compared += 1;
    const rise = (after.remaining ?? 0) - (before.remaining ?? 0);
    const allowed = this.#allowed(before, after);
    // Not even if all calls answered since had come between.
    if (rise + this.#history.recent.length - index <= allowed) return null;
    const gain = rise + this.#between(before, after, index);
    return gain > allowed ? { before, after, gain, allowed } : null;
  }

  /** Successes sent after the first call was answered and answered before the second was sent; the second too, if it is one. */
  #between(before: RateReading, after: RateReading, index: number): number {
    const own = isSuccessful(after) ? 1 : 0;
    return (
      this.#history.recent
        .slice(index + 1)
        .filter((one) => isSuccessful(one) && precedes(before, one) && precedes(one, after)).length + own
    );
  }

  #allowed(before: RateReading, after: RateReading): number {
    const elapsedMs = after.answeredAt - before.sentAt;
    return 1 + ((after.limit ?? 0) * elapsedMs) / this.#history.windowAtLeastMs;
  }
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

function breachOf({ before, after, gain }: Rise, times: number): Breach {
  const expected = 'Remaining falls by at least one per successful call of the key within a window';
  const actual = `${before.remaining} after ${before.operation}, then ${after.remaining} after ${after.operation}, ${after.answeredAt - before.sentAt} ms later`;
  const often = times > 1 ? `; seen ${times} times or more` : '';
  const told = `Remaining of key ${after.key} is ${actual}, a gain of ${gain} before the reset that was stated${often}`;
  return rate('rate-03.rises', { told, actual, expected });
}
