// RATE-04 over a key's series: no 429 from the key's limiter while Remaining says that calls are left. An episode begins with
// a 429 that has calls left and ends with the first call that is accepted again. It is the key's own limiter's when several
// operations were refused again and again until the reset; where a try before the reset succeeds, or only one operation is
// refused, another throttle speaks, which is allowed.
//
// RATE-04 (must): No key gets more successful calls in a window than Limit allows; no 429 from the key's limiter while
//   Remaining says calls are left. Tolerance: Burst and cost weights are "not shown": a bucket may refill during the
//   window; judged against the best-fitting model, with the evidence. A 429 with calls left is another throttle
//   (exempt) where it is confined to some operations or a try before Reset succeeds; it is the key's limiter where the
//   key is refused on other operations too, until Reset.
import { type Breach, breached, cannotTell, type Judgement } from '../../contract/judgement.ts';
import { isAdmitted, type RateReading } from './reading.ts';
import type { TargetClock } from './reset-clock.ts';

const LEAST_REFUSED = 3;
/** With fewer left, a call that costs several is refused rightly; what calls cost is not known here. */
const LEAST_LEFT = 5;
/** One episode this long until the reset is no coincidence; shorter ones must come twice. ms. */
const LONG_MS = 3000;

interface Open {
  readonly first: RateReading;
  readonly operations: Set<string>;
  readonly refused: RateReading[];
  resetMs: number | null;
}

export class Episodes {
  readonly #clock: TargetClock;
  readonly #untilReset: Open[] = [];
  #open: Open | null = null;
  #exempt = 0;

  constructor(clock: TargetClock) {
    this.#clock = clock;
  }

  add(reading: RateReading): void {
    if (reading.status === 429) this.#refused(reading);
    else if (isAdmitted(reading) && this.#open !== null && reading.sentAt > this.#open.first.answeredAt) {
      this.#close(this.#open, reading);
    }
  }

  /** null when no 429 had calls left. */
  conclude(): { readonly judgement: Judgement; readonly evidence: readonly RateReading[] } | null {
    const [worst] = this.#untilReset.toSorted((left, right) => right.refused.length - left.refused.length);
    const isLong = this.#untilReset.some((one) => (one.resetMs ?? 0) - one.first.answeredAt >= LONG_MS);
    if (worst !== undefined && this.#exempt === 0 && (isLong || this.#untilReset.length > 1)) {
      const { first, operations, refused } = worst;
      const breach = refusedWithCallsLeft(first, [...operations], refused.length);
      return { judgement: breached([breach]), evidence: [first, ...refused.slice(-2)] };
    }
    if (worst === undefined && this.#exempt === 0) return null;
    const reason = '429s with calls left were confined to some operations or ended before the reset: another throttle';
    return { judgement: cannotTell('precondition', reason), evidence: [] };
  }

  #refused(reading: RateReading): void {
    if (reading.remaining === null || reading.remaining < LEAST_LEFT) {
      this.#open = null;
      return;
    }
    if (this.#open === null) {
      const resetMs = this.#clock.resetOf(reading)?.earliest ?? null;
      this.#open = { first: reading, operations: new Set([reading.operation]), refused: [], resetMs };
    } else if (reading.sentAt > this.#open.first.answeredAt) {
      this.#open.operations.add(reading.operation);
      this.#open.refused.push(reading);
    }
  }

  #close(episode: Open, accepted: RateReading): void {
    this.#open = null;
    const isWide = episode.operations.size > 1 && episode.refused.length >= LEAST_REFUSED;
    const isUntilReset = episode.resetMs !== null && accepted.answeredAt >= episode.resetMs;
    if (isWide && isUntilReset) this.#untilReset.push(episode);
    else this.#exempt += 1;
  }
}

/** The breach of a 429 by the key's limiter while calls are left. */
export function refusedWithCallsLeft(first: RateReading, operations: readonly string[], refused: number): Breach {
  const expected = "no 429 from the key's limiter while Remaining is above 0";
  const actual = `429 with Remaining ${first.remaining}`;
  return {
    weight: 'breach',
    code: 'rate-04.calls-left',
    cause: "the key's limiter refuses while calls are left",
    message: `key ${first.key} is answered ${actual}, then ${refused} times more on ${operations.slice(0, 4).join(', ')} until the reset; expected ${expected}`,
    expected,
    actual,
  };
}
