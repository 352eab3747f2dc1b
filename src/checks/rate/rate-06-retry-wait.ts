// RATE-06 over a key's series, and Retry-After in milliseconds (RATE-05). A refusal tells how long to wait. When nothing of
// the key was sent before that time, nothing was accepted beside or since and the reset has not moved on, a call of the same
// operation (another may cost more) sent a second after it must be accepted. A wait of R "seconds" whose reset is R milliseconds away, and which R
// milliseconds ended, was written in milliseconds; one of a billion seconds and more is a moment, and no wait. How much sooner
// than told calls succeed is observed: no clause says that a wait may not be longer than it must.
//
// RATE-06 (must): After waiting as Retry-After says, the call is accepted. Tolerance: One second of slack.
import { type Breach, breached, holds, type Judgement } from '../../contract/judgement.ts';
import { isAdmitted, type RateReading } from '../../limiters/reading.ts';
import type { TargetClock } from '../../limiters/reset-clock.ts';
import { rate } from '../../wording/rate.ts';

const SLACK_MS = 1000;
/** Timers may fire this early. ms. */
const TIMER_MS = 20;
const MOST_WAITING = 32;
/** In a window no longer than this a wait of a second is as long as most. */
const SHORT_WINDOW_MS = 4000;
/** A wait shorter than this can be seconds, too. */
const SHORTEST_IN_MS = 100;
const MS_SLACK_MS = 2500;
/** No wait lasts for decades: from here on it is a moment since 1970. s. */
const EPOCH_SECONDS = 1e9;

export interface Wait {
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

export class Waits {
  readonly #clock: TargetClock;
  #waiting: RateReading[] = [];
  #acceptedAt = 0;
  /** Refusals while another call was accepted: that call may have taken what they were told to wait for. */
  readonly #beside = new WeakSet<RateReading>();
  #honoured = 0;
  #tooShort: Wait | null = null;
  /** Whether a wait was not enough, and whoever waited says why: others that were enough are no pass then. */
  #isJudgedElsewhere = false;
  #inMilliseconds: Wait | null = null;
  #epoch: RateReading | null = null;
  #early: Tightness['early'] = null;
  #closestMs: number | null = null;
  #longestToResetMs = 0;

  constructor(clock: TargetClock) {
    this.#clock = clock;
  }

  add(reading: RateReading): void {
    const reset = this.#clock.resetOf(reading);
    if (reset !== null) this.#longestToResetMs = Math.max(this.#longestToResetMs, reset.earliest - reading.answeredAt);
    if (reading.isRefused) this.#refused(reading);
    else if (isAdmitted(reading)) this.#accepted(reading);
  }

  /** Null where no call was sent before the wait that a refusal asked for was over. */
  get tightness(): Tightness | null {
    const isKnown = this.#early !== null || this.#closestMs !== null;
    return isKnown ? { early: this.#early, closestMs: this.#closestMs } : null;
  }

  /** RATE-06; null when no wait could be judged. */
  concludeAccepted(): { readonly judgement: Judgement; readonly wait: Wait | null } | null {
    if (this.#tooShort !== null) return { judgement: breached([tooShort(this.#tooShort)]), wait: this.#tooShort };
    return this.#honoured === 0 || this.#isJudgedElsewhere ? null : { judgement: holds(this.#honoured), wait: null };
  }

  /** RATE-05: a Retry-After that was written in milliseconds, or as a moment; null when none was. */
  concludeUnit(): { readonly judgement: Judgement; readonly readings: readonly RateReading[] } | null {
    const wait = this.#inMilliseconds;
    if (wait !== null) return { judgement: breached([inMilliseconds(wait)]), readings: [wait.next, wait.refused] };
    return this.#epoch === null ? null : { judgement: breached([asMoment(this.#epoch)]), readings: [this.#epoch] };
  }

  #accepted(reading: RateReading): void {
    this.#acceptedAt = Math.max(this.#acceptedAt, reading.answeredAt);
    for (const refused of this.#waiting) {
      if (reading.sentAt <= refused.answeredAt) continue;
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
    if ((reading.retryAfterMs ?? 0) >= EPOCH_SECONDS * 1000) this.#epoch ??= reading;
    for (const refused of this.#waiting) {
      const leftMs = toldMs(refused) - reading.sentAt;
      if (refused.operation === reading.operation && reading.sentAt > refused.answeredAt && leftMs > 0)
        this.#closestMs = Math.min(this.#closestMs ?? leftMs, leftMs);
    }
    const undisturbed = this.#waiting.filter(
      (refused) => reading.sentAt <= refused.answeredAt || reading.sentAt >= toldMs(refused) - TIMER_MS,
    );
    const late = undisturbed.find(
      (refused) =>
        !this.#beside.has(refused) &&
        !this.#movedOn(refused, reading) &&
        refused.operation === reading.operation &&
        reading.sentAt >= toldMs(refused) + SLACK_MS,
    );
    if (late !== undefined && isJudged) this.#tooShort ??= { refused: late, next: reading };
    this.#isJudgedElsewhere ||= late !== undefined && !isJudged;
    if (this.#acceptedAt > reading.sentAt) this.#beside.add(reading);
    this.#waiting = isTold(reading) ? [...undisturbed, reading].slice(-MOST_WAITING) : undisturbed;
  }

  /**
   * Whether the wait was enough: the call came right after it. A call that came later tells of a wait that reaches to the stated
   * reset alone, since what was missing may have come back with that.
   */
  #isHonoured(refused: RateReading, accepted: RateReading): boolean {
    if (!isTold(refused) || accepted.sentAt < toldMs(refused) - TIMER_MS) return false;
    const reset = this.#clock.resetOf(refused);
    if (!isTellingWait(refused, this.#longestToResetMs)) return false;
    const isInTime = accepted.sentAt <= toldMs(refused) + SLACK_MS;
    return isInTime || (reset !== null && reset.earliest <= toldMs(refused) + SLACK_MS);
  }

  /** Whether the reset moved on: calls came back meanwhile, and somebody else took them. */
  #movedOn(refused: RateReading, next: RateReading): boolean {
    const [before, now] = [this.#clock.resetOf(refused), this.#clock.resetOf(next)];
    return before !== null && now !== null && now.earliest > before.latest;
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

/** Whether the wait tells of waits: a second may be told whatever is left, and near the end of a long window that is right by chance. */
export function isTellingWait({ retryAfterMs }: RateReading, windowMs: number): boolean {
  return retryAfterMs !== null && (retryAfterMs > SLACK_MS || windowMs <= SHORT_WINDOW_MS);
}

function isTold({ retryAfterMs }: RateReading): boolean {
  return retryAfterMs !== null;
}

function toldMs({ answeredAt, retryAfterMs }: RateReading): number {
  return answeredAt + (retryAfterMs ?? 0);
}

/** The breach of a wait that was too short; `next` was refused. */
export function tooShort({ refused, next }: Wait): Breach {
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
