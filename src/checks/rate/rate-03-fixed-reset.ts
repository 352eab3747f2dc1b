// RATE-03 where resets stand still: whatever limiter states one and the same reset over seconds keeps every call that it
// counted until then. So with the first call a that states a reset, and any later call j answered before it
//
//   Limit - Remaining(j)  must be at least  the successful calls from a on that were answered before j was sent
//
// however fast the limit: unlike the law of rises it leaves no room for refills. A reset that moves on before it came
// belongs to a bucket or a sliding log; then nothing is concluded here.
//
// RATE-03 (must): Remaining falls by at least one per successful call of a key within a window, and comes back after
//   Reset. Tolerance: Cost per endpoint observed. Concurrent calls judged by totals. Continuous refill (token bucket)
//   allowed.
import { type Breach, breached, type Judgement } from '../../contract/judgement.ts';
import type { KeyHistory } from '../../limiters/key-history.ts';
import { isSuccessful, type RateReading } from '../../limiters/reading.ts';
import { rate } from '../../wording/rate.ts';

/** A reset that was stated for so long stands still. ms. */
const STANDING_MS = 3000;
/** So many too few were counted: Remaining may be told before the call itself is counted, and replicas be a call apart. */
const LEAST_MISSING = 3;
/** More calls are never under way at once. */
const MOST_CONCURRENT = 256;

interface Standing {
  readonly first: RateReading;
  successes: number;
  /** When the last of them were answered. */
  readonly answered: number[];
  untilMs: number;
  worst: Uncounted | null;
}

/** `after` says that more calls are left than can be. */
export interface Uncounted {
  readonly first: RateReading;
  readonly after: RateReading;
  /** Successful calls from the one to the other, both included where they succeeded. */
  readonly calls: number;
}

export class StandingResets {
  readonly #history: KeyHistory;
  #current: Standing | null = null;
  #found: Uncounted | null = null;

  constructor(history: KeyHistory) {
    this.#history = history;
  }

  add(reading: RateReading): void {
    const { stretch } = this.#history;
    if (stretch?.isGoingOn !== true) return;
    if (stretch.first === reading) this.#begin(reading);
    else if (this.#current !== null) this.#count(this.#current, reading);
  }

  /** Null where nothing was found. To be asked only of a key whose resets stand still. */
  conclude(): { readonly judgement: Judgement; readonly found: Uncounted } | null {
    this.#settle();
    return this.#found === null ? null : { judgement: breached([breachOf(this.#found)]), found: this.#found };
  }

  #begin(first: RateReading): void {
    this.#settle();
    const answered = isSuccessful(first) ? [first.answeredAt] : [];
    this.#current = { first, successes: answered.length, answered, untilMs: first.answeredAt, worst: null };
  }

  #count(current: Standing, reading: RateReading): void {
    const [remaining, limit] = [reading.remaining ?? 0, reading.limit ?? 0];
    const { first, answered, worst } = current;
    const isLimitKept = limit === first.limit;
    const later = answered.filter((at) => at >= reading.sentAt).length;
    const own = isSuccessful(reading) ? 1 : 0;
    const calls = current.successes - later + own;
    const missing = calls - (limit - remaining);
    const known =
      worst === null ? LEAST_MISSING - 1 : worst.calls - ((worst.after.limit ?? 0) - (worst.after.remaining ?? 0));
    // With none left Remaining cannot fall: what is admitted beyond is RATE-04's.
    if (isLimitKept && remaining > 0 && missing > known) current.worst = { first, after: reading, calls };
    current.successes += own;
    if (own === 1) answered.push(reading.answeredAt);
    if (answered.length > MOST_CONCURRENT) answered.shift();
    current.untilMs = Math.max(current.untilMs, reading.answeredAt);
  }

  /** Only what a reset that stood still showed counts. */
  #settle(): void {
    const { first, untilMs, worst } = this.#current ?? {};
    if (worst == null || first === undefined || untilMs === undefined) return;
    if (untilMs - first.answeredAt >= STANDING_MS) this.#found ??= worst;
  }
}

function breachOf({ first, after, calls }: Uncounted): Breach {
  const { key, limit, remaining } = after;
  const expected = `at most ${(limit ?? 0) - calls} calls left: Remaining falls by at least one per successful call within a window`;
  const actual = `${remaining} of ${limit} calls left after ${calls} successful calls in ${after.answeredAt - first.sentAt} ms, before the reset that was stated`;
  return rate('rate-03.does-not-fall', { told: `key ${key} has ${actual}`, actual, expected });
}
