// Refusals, and what came of them after the time that they told: RATE-06 and RATE-03 over a key's series, and Retry-After in milliseconds
// (RATE-05). A refusal tells how long to wait. When nothing of
// the key was sent before that time, nothing was accepted beside or since and the reset has not moved on, a call of the same
// operation (another may cost more) sent a second after it must be accepted. A wait of R "seconds" whose reset is R milliseconds away, and which R
// milliseconds ended, was written in milliseconds; one of a billion seconds and more is a moment, and no wait. How much sooner
// than told calls succeed is observed: no clause says that a wait may not be longer than it must. The reset that it states breaches RATE-03
// where a spent key is refused after it, and again after the next one, or no next one is stated.
//
// RATE-03 (must): Remaining falls by at least one per successful call of a key within a window, and comes back after
//   Reset. Tolerance: Cost per endpoint observed. Concurrent calls judged by totals. Continuous refill (token bucket)
//   allowed.
// RATE-06 (must): After waiting as Retry-After says, the call is accepted. Tolerance: One second of slack.
import { type Breach, holds } from '../../contract/judgement.ts';
import { header } from '../../exchange/body.ts';
import type { KeyHistory } from '../../limiters/key-history.ts';
import { isAdmitted, type RateReading } from '../../limiters/reading.ts';
import type { Moment, TargetClock } from '../../limiters/reset-clock.ts';
import { rate } from '../../wording/rate.ts';
import { MIN_LEFT } from './rate-04-admission.ts';
import { blaming, blamingLast, onTarget, type RateConclusion, type SeriesLaw, untold } from './series-law.ts';

const SLACK_MS = 1000;
/** Timers may fire this early. ms. */
const TIMER_MS = 20;
const MAX_WAITING = 32;
/** In a window no longer than this a wait of a second is as long as most. */
const SHORT_WINDOW_MS = 4000;
/** A wait shorter than this can be seconds, too. */
const SHORTEST_IN_MS = 100;
const MS_SLACK_MS = 2500;
/** No wait lasts for decades: from here on it is a moment since 1970. s. */
const EPOCH_SECONDS = 1e9;
const MIN_RESETS_IN_VAIN = 2;
/** Largest share of the limit, and most units, that calls under way may take until one is refused. */
const MAX_LEFT_SHARE = 0.1;
const MAX_LEFT_UNITS = 64;

interface Wait {
  readonly refused: RateReading;
  readonly next: RateReading;
}

/** Refusals of a spent key, from the first to the last that states the nearest reset ahead, and how many resets have passed meanwhile. */
interface Spent {
  readonly first: RateReading;
  readonly last: RateReading;
  readonly passed: number;
}

/** How tight waits are: by how much sooner than told a call was accepted, and how close to the told moment one was still refused. ms. */
export interface Tightness {
  /** The longest, with the wait that was told; null where none was accepted sooner. */
  readonly early: { readonly byMs: number; readonly toldMs: number } | null;
  /** null where none was sent before it was told to be. */
  readonly closestMs: number | null;
}

export class RetryWaits implements SeriesLaw {
  readonly #clock: TargetClock;
  #waiting: readonly RateReading[] = [];
  #acceptedAt = 0;
  /** Refusals while another call was accepted: that call may have taken what they were told to wait for. */
  readonly #beside = new WeakSet<RateReading>();
  #honoured = 0;
  /** The last refusal; null: none came. */
  #last: RateReading | null = null;
  #tooShort: Wait | null = null;
  /** Tells whether a wait was not enough, and whoever waited says why: others that were enough are no pass then. */
  #isJudgedElsewhere = false;
  #inMilliseconds: Wait | null = null;
  #epoch: RateReading | null = null;
  #early: Tightness['early'] = null;
  #closestMs: number | null = null;
  #spent: Spent | null = null;
  #inVain: Spent | null = null;
  /** The accepted call that was sent last: one that is answered late tells what was left long before. */
  #admitted: RateReading | null = null;
  /** How often a spent key was accepted again after a stated reset, or the wait that was asked for. */
  #returned = 0;

  constructor({ clock }: KeyHistory) {
    this.#clock = clock;
  }

  add(reading: RateReading): void {
    if (reading.isRefused) {
      this.#last = reading;
      this.#followResets(reading, this.#clock.resetOf(reading));
      this.#refused(reading);
    } else if (isAdmitted(reading)) this.#accepted(reading);
  }

  /** Null where no call was sent before the wait that a refusal asked for was over. */
  get tightness(): Tightness | null {
    const [early, closestMs] = [this.#early, this.#closestMs];
    return early === null && closestMs === null ? null : { early, closestMs };
  }

  conclude(): readonly RateConclusion[] {
    const [inVain, short, last] = [this.#inVain, this.#tooShort, this.#last];
    const waits = ofReturn(
      'RATE-06',
      short && blamingLast('RATE-06', tooShort(short), short.next, short.refused),
      this.#isJudgedElsewhere ? 0 : this.#honoured,
    );
    const isOpen = waits.length === 0 && !this.#isJudgedElsewhere;
    return [
      ...ofReturn('RATE-03', inVain && noReturn(inVain), this.#returned),
      ...(isOpen && last !== null ? [untold('RATE-06', this.#whyOpen(last))] : waits),
      ...this.#judgeUnit(),
    ];
  }

  #whyOpen({ key, status, exchange, retryAfterMs }: RateReading): string {
    if (header(exchange.response?.headers ?? [], 'retry-after') === null)
      return `the ${status} of key ${key} has no Retry-After`;
    const early =
      this.#early === null ? '' : `, and a call was accepted ${this.#early.byMs / 1000} s before the end of one`;
    return retryAfterMs === null
      ? `the Retry-After of key ${key} cannot be read`
      : `no wait that key ${key} was asked for was waited out: the last one is of ${retryAfterMs / 1000} s${early}`;
  }

  /** A Retry-After that was written in milliseconds, or as a moment. */
  #judgeUnit(): readonly RateConclusion[] {
    const wait = this.#inMilliseconds;
    if (wait !== null) return [blamingLast('RATE-05', inMilliseconds(wait), wait.next, wait.refused)];
    return this.#epoch === null ? [] : [blamingLast('RATE-05', asMoment(this.#epoch), this.#epoch)];
  }

  #accepted(reading: RateReading): void {
    this.#endSpent(reading);
    this.#admitted = sentLast(this.#admitted, reading);
    this.#acceptedAt = Math.max(this.#acceptedAt, reading.answeredAt);
    // A call that was under way with the refusal may have taken what it was told to wait for.
    if (this.#tooShort !== null && reading.sentAt <= this.#tooShort.next.answeredAt) this.#tooShort = null;
    for (const refused of this.#waiting.filter(({ answeredAt }) => answeredAt < reading.sentAt)) {
      const byMs = toldMs(refused) - reading.sentAt;
      if (byMs > (this.#early?.byMs ?? 0) && refused.operation === reading.operation)
        this.#early = { byMs, toldMs: refused.retryAfterMs ?? 0 };
      if (this.#isMilliseconds(refused, reading)) this.#inMilliseconds ??= { refused, next: reading };
      if (this.#isHonoured(refused, reading)) this.#honoured += 1;
    }
    this.#waiting = this.#waiting.filter((refused) => reading.answeredAt <= refused.sentAt);
  }

  #refused(reading: RateReading): void {
    // Where whoever waited says why a refusal came, it does not count here.
    const isJudged = reading.exchange.plan.ownWaits !== true;
    const isOwn = ({ operation, answeredAt }: RateReading): boolean =>
      operation === reading.operation && answeredAt < reading.sentAt;
    if ((reading.retryAfterMs ?? 0) >= EPOCH_SECONDS * 1000) this.#epoch ??= reading;
    const lefts = this.#waiting.filter(isOwn).map((refused) => toldMs(refused) - reading.sentAt);
    for (const leftMs of lefts) if (leftMs > 0) this.#closestMs = Math.min(this.#closestMs ?? leftMs, leftMs);
    const undisturbed = this.#waiting.filter(
      (refused) => reading.sentAt <= refused.answeredAt || reading.sentAt >= toldMs(refused) - TIMER_MS,
    );
    const late = undisturbed.find((one) => isOwn(one) && this.#isTooLate(one, reading));
    if (late !== undefined && isJudged) this.#tooShort ??= { refused: late, next: reading };
    this.#isJudgedElsewhere ||= late !== undefined && !isJudged;
    if (this.#acceptedAt > reading.sentAt) this.#beside.add(reading);
    this.#waiting = reading.retryAfterMs === null ? undisturbed : [...undisturbed, reading].slice(-MAX_WAITING);
  }

  /** When a call is accepted again, by whichever the refusal tells to be sooner: its wait, or its reset. */
  #toldToCome(refused: RateReading): number {
    const waitedMs = refused.retryAfterMs === null ? Number.POSITIVE_INFINITY : toldMs(refused);
    return Math.min(waitedMs, this.#clock.resetOf(refused)?.latest ?? waitedMs);
  }

  /** Calls came back, unless this one was sent before the first refusal, and admitted before it. */
  #endSpent(reading: RateReading): void {
    const spent = this.#spent;
    if (spent === null || reading.sentAt < spent.first.sentAt) return;
    if (this.#toldToCome(spent.last) <= reading.sentAt) this.#returned += 1;
    this.#spent = null;
  }

  #followResets(reading: RateReading, reset: Moment | null): void {
    const before = this.#spent;
    if (
      reset === null ||
      (before === null && this.#isTakenAtOnce(reading)) ||
      (reading.remaining ?? MIN_LEFT) >= MIN_LEFT
    )
      return;
    const known = before === null ? null : this.#clock.resetOf(before.last);
    const isPast = known !== null && known.latest < reading.sentAt;
    // The nearest of the resets ahead counts.
    if (before !== null && !isPast && reset.latest >= (known?.latest ?? 0)) return;
    const passed = (before?.passed ?? 0) + (isPast ? 1 : 0);
    this.#spent = { first: before?.first ?? reading, last: reading, passed };
    // A refusal whose stated reset is past already leaves nothing to wait for.
    if (passed >= MIN_RESETS_IN_VAIN || reset.latest < reading.sentAt) this.#inVain ??= this.#spent;
  }

  /** Tells whether own calls had left much before this refusal: others took it at once, and may go on to. */
  #isTakenAtOnce({ limit }: RateReading): boolean {
    const most = MIN_LEFT + Math.min(MAX_LEFT_SHARE * (limit ?? 0), MAX_LEFT_UNITS);
    return (this.#admitted?.remaining ?? 0) > most;
  }

  /** Tells whether the call came a second after it was told to, and nobody took what it waited for: its reset did not move on. */
  #isTooLate(refused: RateReading, next: RateReading): boolean {
    const [before, now] = [this.#clock.resetOf(refused), this.#clock.resetOf(next)];
    const isMovedOn = before !== null && now !== null && now.earliest > before.latest;
    return !isMovedOn && !this.#beside.has(refused) && next.sentAt >= toldMs(refused) + SLACK_MS;
  }

  /**
   * Tells whether the wait was enough: the call came right after it. A call that came later tells of a wait that
   * reaches to the stated reset alone, since what was missing may have come back with that.
   */
  #isHonoured(refused: RateReading, accepted: RateReading): boolean {
    if (refused.retryAfterMs === null || accepted.sentAt < toldMs(refused) - TIMER_MS) return false;
    if (!isTellingWait(refused, this.#clock.longest.least)) return false;
    const reset = this.#clock.resetOf(refused);
    const isInTime = accepted.sentAt <= toldMs(refused) + SLACK_MS;
    return isInTime || (reset !== null && reset.earliest <= toldMs(refused) + SLACK_MS);
  }

  #isMilliseconds(refused: RateReading, accepted: RateReading): boolean {
    const seconds = (refused.retryAfterMs ?? 0) / 1000;
    const reset = this.#clock.resetOf(refused);
    if (seconds < SHORTEST_IN_MS || refused.remaining !== 0 || reset === null) return false;
    const meant = refused.answeredAt + seconds;
    const agrees = meant >= reset.earliest - SLACK_MS && meant <= reset.latest + SLACK_MS;
    return agrees && accepted.sentAt <= meant + MS_SLACK_MS;
  }
}

/**
 * Tells whether the wait tells of waits: none of no time does. A second may be told whatever is left, and near the end of a long window that
 * is right by chance. `windowMs`: 0 where no answer tells it.
 */
function isTellingWait({ retryAfterMs }: RateReading, windowMs: number): boolean {
  return retryAfterMs !== null && retryAfterMs > 0 && (retryAfterMs > SLACK_MS || windowMs <= SHORT_WINDOW_MS);
}

/** A breach; without one, that calls were accepted as told so many times. */
function ofReturn(clause: string, breach: RateConclusion | null, times: number): readonly RateConclusion[] {
  if (breach !== null) return [{ ...breach, isOfReturn: true }];
  return times === 0 ? [] : [onTarget(clause, holds(times))];
}

function sentLast(one: RateReading | null, other: RateReading): RateReading {
  return one !== null && one.sentAt > other.sentAt ? one : other;
}

function toldMs({ answeredAt, retryAfterMs }: RateReading): number {
  return answeredAt + (retryAfterMs ?? 0);
}

/** The breach of a wait that was too short; `next` was refused. */
function tooShort({ refused, next }: Wait): Breach {
  const waitedSeconds = Math.floor((next.sentAt - refused.answeredAt) / 100) / 10;
  const expected = `an answer other than ${refused.status} after waiting as Retry-After says, one second of slack`;
  const actual = `${refused.status} after ${waitedSeconds} s, told ${(refused.retryAfterMs ?? 0) / 1000} s`;
  return rate('rate-06.too-short', { told: `key ${next.key} is answered ${actual}`, actual, expected });
}

function noReturn({ first, last }: Spent): RateConclusion {
  const actual = `${last.status}, Remaining ${last.remaining}`;
  const told = `after the reset that was stated, key ${last.key} is answered ${actual}`;
  const expected = 'an accepted call once Reset has passed';
  return blaming('RATE-03', rate('rate-03.no-return', { told, actual, expected }), first, last);
}

function asMoment({ status, retryAfterMs }: RateReading): Breach {
  const actual = String((retryAfterMs ?? 0) / 1000);
  const told = `the Retry-After of the ${status} is ${actual}, a moment in seconds since 1970`;
  return rate('rate-05.moment', { told, actual, expected: 'whole seconds to wait, or an HTTP date' });
}

function inMilliseconds({ refused, next }: Wait): Breach {
  const seconds = (refused.retryAfterMs ?? 0) / 1000;
  const actual = `${seconds}, and a call was accepted ${next.sentAt - refused.answeredAt} ms later, as ${next.names.reset} says`;
  const told = `the Retry-After of the ${refused.status} is ${actual}`;
  return rate('rate-05.milliseconds', { told, actual, expected: 'whole seconds, or an HTTP date' });
}
