// Refusals, and what came of them after the wait that they asked for: RATE-06 over a key's series, and Retry-After in milliseconds
// (RATE-05). A refusal tells how long to wait. When nothing of
// the key was sent before that time, nothing was accepted beside or since and the reset has not moved on, a call of the same
// operation (another may cost more) sent a second after it must be accepted. A wait of R "seconds" whose reset is R milliseconds away, and which R
// milliseconds ended, was written in milliseconds; one of a billion seconds and more is a moment, and no wait. How much sooner
// than told calls succeed is observed: no clause says that a wait may not be longer than it must.
//
// RATE-06 (must): After waiting as Retry-After says, the call is accepted. Tolerance: One second of slack.
import type { Breach } from '../../contract/judgement.ts';
import { header } from '../../exchange/body.ts';
import type { KeyHistory } from '../../limiters/key-history.ts';
import { isAdmitted, type RateReading } from '../../limiters/reading.ts';
import type { TargetClock } from '../../limiters/reset-clock.ts';
import { rate } from '../../wording/rate.ts';
import { blamingLast, ofReturn, type RateConclusion, type SeriesLaw, untold } from './series-law.ts';

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

interface Wait {
  readonly refused: RateReading;
  readonly next: RateReading;
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

  constructor({ clock }: KeyHistory) {
    this.#clock = clock;
  }

  add(reading: RateReading): void {
    if (reading.isRefused) {
      this.#last = reading;
      this.#refused(reading);
    } else if (isAdmitted(reading)) this.#accepted(reading);
  }

  /** Null where no call was sent before the wait that a refusal asked for was over. */
  get tightness(): Tightness | null {
    const [early, closestMs] = [this.#early, this.#closestMs];
    return early === null && closestMs === null ? null : { early, closestMs };
  }

  conclude(): readonly RateConclusion[] {
    const [short, last] = [this.#tooShort, this.#last];
    const waits = ofReturn(
      'RATE-06',
      short && blamingLast('RATE-06', tooShort(short), short.next, short.refused),
      this.#isJudgedElsewhere ? 0 : this.#honoured,
    );
    const isOpen = waits.length === 0 && !this.#isJudgedElsewhere;
    return [...(isOpen && last !== null ? [untold('RATE-06', this.#whyOpen(last))] : waits), ...this.#judgeUnit()];
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
