// RATE-04 over a key's series: no 429 from the key's limiter while Remaining says that calls are left. An episode begins with
// a 429 that has calls left and ends with the first call that is accepted again. It is the key's own limiter's when several
// operations were refused, again and again until the reset, or at once with a Retry-After that ends with the reset; where a try
// before the reset succeeds, or only one operation is refused, another throttle speaks, which is allowed. Where calls follow
// one another an episode is one refusal: those that repeat with the same calls left, on several operations, count together.
//
// RATE-04 (must): No key gets more successful calls in a window than Limit allows; no 429 from the key's limiter while
//   Remaining says calls are left. Tolerance: Burst and cost weights are "not shown": a bucket may refill during the
//   window; judged against the best-fitting model, with the evidence. A 429 with calls left is another throttle
//   (exempt) where it is confined to some operations or a try before Reset succeeds; it is the key's limiter where the
//   key is refused on other operations too, until Reset.
import { type Breach, breached, cannotTell, type Judgement } from '../../contract/judgement.ts';
import { isAdmitted, type RateReading } from '../../limiters/reading.ts';
import type { TargetClock } from '../../limiters/reset-clock.ts';
import { rate } from '../../wording/rate.ts';

const LEAST_REFUSED = 3;
/** With fewer left, a call that costs several is refused rightly; what calls cost is not known here. */
const LEAST_LEFT = 5;
/** Retry-After and Reset are rounded to whole seconds. ms. */
const SAME_END_MS = 1000;
/** Nobody tried again before the reset: so much of the limit must be left, that no call of a usual cost is refused rightly. */
const LEAST_SHARE_LEFT = 0.1;
/** One episode this long until the reset is no coincidence; shorter ones must come twice. ms. */
const LONG_MS = 3000;
/** So many episodes of few refusals, each with the same calls left and a wait until the reset, are no coincidence. */
const LEAST_ALIKE = 3;
/** With so many left, calls that cost several are no reason for a refusal. */
const LEAST_LEFT_ALIKE = 20;

interface Open {
  readonly first: RateReading;
  readonly operations: Set<string>;
  /** After the answer of the first one. */
  readonly refused: RateReading[];
  /** Refusals of calls that were under way as the first one was refused, itself among them. */
  readonly atOnce: RateReading[];
  resetMs: number | null;
}

export class Episodes {
  readonly #clock: TargetClock;
  readonly #untilReset: Open[] = [];
  /** Those whose refusals all ask for a wait until the reset, however few. */
  readonly #brief: Open[] = [];
  #open: Open | null = null;
  /** Of a throttle of one operation. */
  #confined = 0;
  /** Of another throttle that refuses several operations: any of the others may be its work, too. */
  #exempt = 0;
  /** Nobody's: too little was refused to tell. */
  #unclear = 0;

  constructor(clock: TargetClock) {
    this.#clock = clock;
  }

  add(reading: RateReading): void {
    if (reading.isRefused) this.#refused(reading);
    else if (isAdmitted(reading) && this.#open !== null && reading.sentAt > this.#open.first.answeredAt) {
      this.#close(this.#open, reading);
    }
  }

  /** null when no 429 had calls left. */
  conclude(): { readonly judgement: Judgement; readonly evidence: readonly RateReading[] } | null {
    const [worst] = this.#untilReset.toSorted((left, right) => countOf(right) - countOf(left));
    const alike = this.#alike();
    if (alike !== null && this.#exempt === 0) return alike;
    const isLong = this.#untilReset.some((one) => (one.resetMs ?? 0) - one.first.answeredAt >= LONG_MS);
    if (worst !== undefined && this.#exempt === 0 && (isLong || this.#untilReset.length > 1)) {
      const { first, operations, refused, atOnce } = worst;
      const breach = refusedWithCallsLeft(first, [...operations], countOf(worst) - 1);
      return { judgement: breached([breach]), evidence: [first, ...[...atOnce.slice(1), ...refused].slice(-2)] };
    }
    if (worst === undefined && this.#exempt + this.#confined + this.#unclear === 0) return null;
    const reason = '429s with calls left were confined to some operations or ended before the reset: another throttle';
    return { judgement: cannotTell('precondition', reason), evidence: [] };
  }

  /** The brief episodes with the same calls left, where these are enough, and of several operations; null otherwise. */
  #alike(): { readonly judgement: Judgement; readonly evidence: readonly RateReading[] } | null {
    const [most = []] = [...Map.groupBy(this.#brief, ({ first }) => first.remaining).values()].toSorted(
      (left, right) => right.length - left.length,
    );
    const [worst] = most;
    const operations = new Set(most.flatMap((one) => [...one.operations]));
    if (worst === undefined || most.length < LEAST_ALIKE || operations.size < 2) return null;
    const refused = most.reduce((sum, one) => sum + countOf(one), 0);
    const breach = refusedWithCallsLeft(worst.first, [...operations], refused - 1);
    return { judgement: breached([breach]), evidence: most.slice(0, LEAST_ALIKE).map(({ first }) => first) };
  }

  #refused(reading: RateReading): void {
    if (reading.remaining === null || reading.remaining < LEAST_LEFT) {
      this.#open = null;
      return;
    }
    if (this.#open === null) {
      const resetMs = this.#clock.resetOf(reading)?.earliest ?? null;
      this.#open = {
        first: reading,
        operations: new Set([reading.operation]),
        refused: [],
        atOnce: [reading],
        resetMs,
      };
    } else {
      this.#open.operations.add(reading.operation);
      const { refused, atOnce, first } = this.#open;
      (reading.sentAt > first.answeredAt ? refused : atOnce).push(reading);
    }
  }

  #close(episode: Open, accepted: RateReading): void {
    this.#open = null;
    const { operations, refused, atOnce, resetMs } = episode;
    const isUntilReset = resetMs !== null && accepted.answeredAt >= resetMs;
    const isWide = operations.size > 1 && countOf(episode) > LEAST_REFUSED;
    const isTried = refused.length >= LEAST_REFUSED;
    const isAsked = isUntilReset && [...atOnce, ...refused].every((one) => this.#asksForReset(one));
    if (isAsked && (episode.first.remaining ?? 0) >= LEAST_LEFT_ALIKE) this.#brief.push(episode);
    if (isUntilReset && isWide && (isTried || isAsked)) this.#untilReset.push(episode);
    else if (isUntilReset && countOf(episode) <= LEAST_REFUSED) this.#unclear += 1;
    else if (operations.size === 1) this.#confined += 1;
    else this.#exempt += 1;
  }

  /** Whether the refusal asks to wait until the reset that it states: it is the key's window that is spent. */
  #asksForReset(reading: RateReading): boolean {
    const { answeredAt, retryAfterMs, remaining, limit } = reading;
    const reset = this.#clock.resetOf(reading);
    if (reset === null || retryAfterMs === null || retryAfterMs <= SAME_END_MS) return false;
    if (remaining === null || limit === null || remaining < limit * LEAST_SHARE_LEFT) return false;
    const again = answeredAt + retryAfterMs;
    return again >= reset.earliest - SAME_END_MS && again <= reset.latest + SAME_END_MS;
  }
}

/** Calls that were refused in the episode. */
function countOf({ refused, atOnce }: Open): number {
  return refused.length + atOnce.length;
}

/** The breach of a 429 by the key's limiter while calls are left. */
export function refusedWithCallsLeft(first: RateReading, operations: readonly string[], refused: number): Breach {
  const expected = `no ${first.status} from the key's limiter while Remaining is above 0`;
  const actual = `${first.status} with Remaining ${first.remaining}`;
  const told = `key ${first.key} is answered ${actual}, then ${refused} times more on ${operations.slice(0, 4).join(', ')} until the reset`;
  return rate('rate-04.calls-left', { told, actual, expected });
}
