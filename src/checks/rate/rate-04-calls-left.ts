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
import { type Breach, breached } from '../../contract/judgement.ts';
import type { KeyHistory } from '../../limiters/key-history.ts';
import { isAdmitted, type RateReading } from '../../limiters/reading.ts';
import type { TargetClock } from '../../limiters/reset-clock.ts';
import { rate } from '../../wording/rate.ts';
import { type Concluded, type SeriesLaw, untold } from './series-law.ts';

const MIN_REFUSED = 3;
/** With fewer left, a call that costs several is refused rightly; what calls cost is not known here. */
export const MIN_LEFT = 5;
/** Retry-After and Reset are rounded to whole seconds. ms. */
const MAX_SAME_END_MS = 1000;
/** Where nobody tried again before the reset: with this share of the limit left no call of a usual cost is refused rightly. */
const MIN_SHARE_LEFT = 0.1;
/** One episode this long until the reset is no coincidence; shorter ones must come twice. ms. */
const MIN_LONG_MS = 3000;
/** Brief episodes, each with the same calls left and a wait until the reset, that are no coincidence. */
const MIN_ALIKE = 3;
/** With so many left, calls that cost several are no reason for a refusal. */
const MIN_LEFT_OF_ALIKE = 20;
const OTHER_THROTTLE =
  '429s with calls left were confined to some operations or ended before the reset: another throttle';

interface Episode {
  readonly first: RateReading;
  /** In the order answered, the first among them. */
  readonly refused: RateReading[];
  /** Those that were under way as the first one was refused, itself among them. */
  readonly atOnce: number;
  readonly resetMs: number | null;
}

export class CallsLeft implements SeriesLaw {
  readonly #clock: TargetClock;
  readonly #untilReset: Episode[] = [];
  /** Those whose refusals all ask for a wait until the reset, however few. */
  readonly #brief: Episode[] = [];
  #open: Episode | null = null;
  /** True after another throttle refused several operations: any of the others may be its work, too. */
  #isThrottled = false;
  #isAnyOther = false;

  constructor({ clock }: KeyHistory) {
    this.#clock = clock;
  }

  add(reading: RateReading): void {
    const open = this.#open;
    if (reading.isRefused) this.#open = this.#refused(reading);
    else if (open !== null && isAdmitted(reading) && reading.sentAt > open.first.answeredAt) {
      this.#open = null;
      this.#close(open, reading);
    }
  }

  /** Nothing when no 429 had calls left. */
  conclude(): readonly Concluded[] {
    const alike = mostAlike(this.#brief);
    const isAlike = alike.length >= MIN_ALIKE && operationsOf(alike).length > 1;
    if (isAlike && !this.#isThrottled)
      return blaming(
        alike,
        alike.slice(1, MIN_ALIKE).map(({ first }) => first),
      );
    const [worst] = this.#untilReset.toSorted((left, right) => right.refused.length - left.refused.length);
    const isLong = this.#untilReset.some(({ first, resetMs }) => (resetMs ?? 0) - first.answeredAt >= MIN_LONG_MS);
    if (worst !== undefined && !this.#isThrottled && (isLong || this.#untilReset.length > 1))
      return blaming([worst], worst.refused.slice(1).slice(-2));
    return worst !== undefined || this.#isAnyOther ? [{ clause: 'RATE-04', ...untold(OTHER_THROTTLE) }] : [];
  }

  #refused(reading: RateReading): Episode | null {
    const open = this.#open;
    if (reading.remaining === null || reading.remaining < MIN_LEFT) return null;
    if (open === null) {
      const resetMs = this.#clock.resetOf(reading)?.earliest ?? null;
      return { first: reading, refused: [reading], atOnce: 1, resetMs };
    }
    open.refused.push(reading);
    return reading.sentAt > open.first.answeredAt ? open : { ...open, atOnce: open.atOnce + 1 };
  }

  #close(episode: Episode, accepted: RateReading): void {
    const { first, refused, atOnce, resetMs } = episode;
    const isUntilReset = resetMs !== null && accepted.answeredAt >= resetMs;
    const isMany = refused.length > MIN_REFUSED;
    const isWide = operationsOf([episode]).length > 1;
    const isTried = refused.length - atOnce >= MIN_REFUSED;
    const isAsked = isUntilReset && refused.every((one) => this.#asksForReset(one));
    if (isAsked && (first.remaining ?? 0) >= MIN_LEFT_OF_ALIKE) this.#brief.push(episode);
    if (isUntilReset && isWide && isMany && (isTried || isAsked)) this.#untilReset.push(episode);
    else {
      this.#isAnyOther = true;
      this.#isThrottled ||= isWide && (isMany || !isUntilReset);
    }
  }

  /** Tells whether the refusal asks to wait until the reset that it states: it is the key's window that is spent. */
  #asksForReset(reading: RateReading): boolean {
    const { answeredAt, retryAfterMs, remaining, limit } = reading;
    const reset = this.#clock.resetOf(reading);
    if (reset === null || retryAfterMs === null || retryAfterMs <= MAX_SAME_END_MS) return false;
    if (remaining === null || limit === null || remaining < limit * MIN_SHARE_LEFT) return false;
    const again = answeredAt + retryAfterMs;
    return again >= reset.earliest - MAX_SAME_END_MS && again <= reset.latest + MAX_SAME_END_MS;
  }
}

/** The brief episodes with the same calls left, where these are most. */
function mostAlike(brief: readonly Episode[]): readonly Episode[] {
  const [most = []] = [...Map.groupBy(brief, ({ first }) => first.remaining).values()].toSorted(
    (left, right) => right.length - left.length,
  );
  return most;
}

function operationsOf(episodes: readonly Episode[]): readonly string[] {
  return [...new Set(episodes.flatMap(({ refused }) => refused.map(({ operation }) => operation)))];
}

function blaming(episodes: readonly Episode[], further: readonly RateReading[]): readonly Concluded[] {
  const [first] = episodes.map((one) => one.first) as [RateReading];
  const refused = episodes.reduce((sum, one) => sum + one.refused.length, 0);
  const breach = refusedWithCallsLeft(first, operationsOf(episodes), refused - 1);
  return [{ clause: 'RATE-04', judgement: breached([breach]), readings: [first, ...further] }];
}

/** The breach of a 429 by the key's limiter while calls are left. */
export function refusedWithCallsLeft(first: RateReading, operations: readonly string[], refused: number): Breach {
  const expected = `no ${first.status} from the key's limiter while Remaining is above 0`;
  const actual = `${first.status} with Remaining ${first.remaining}`;
  const told = `key ${first.key} is answered ${actual}, then ${refused} times more on ${operations.slice(0, 4).join(', ')} until the reset`;
  return rate('rate-04.calls-left', { told, actual, expected });
}
