// One pace per key, shared by all workers and fed by the rate-limit headers: a tight plan slows a run, nothing stalls it.
//
// A request enters (at once, or when there is room) and leaves with its answer. Room is what the last answer says is
// left, all requests in flight counted against it, and always at least one. With nothing left, the key is held until the
// reset; then one request alone finds out what came back. Headers earn belief by falling or by a 429, and lose it when
// holding brings nothing back: from then on only a 429 holds. Source: design decision 3, Limits.

import type { Clock } from '../clock/clock.ts';
import type { Awaited } from '../contract/progress.ts';
import { NO_TERMS, type RateTerms } from '../contract/terms.ts';
import { header } from '../exchange/body.ts';
import type { HeaderList } from '../exchange/exchange.ts';
import type { Limited } from '../limiters/reading.ts';
import { type RateState, rateState, resetDelayMs, retryAfterMs } from './rate-headers.ts';
import { LONGEST_WAIT_MS, type Retries, retriesUnder } from './retry.ts';

/** The longest hold that headers alone can cause. ms. */
const LONGEST_HOLD_MS = 60_000;
/** A reset further ahead is no credible window. ms. */
const LONGEST_WINDOW_MS = 3_600_000;
/** The wait for a reset that is due, and after a second 429 in a row at least: whole seconds are often rounded down. ms. */
const ABOUT_NOW_MS = 250;
/** Holding without a sign that it was needed, in sum, before headers lose belief. ms. */
const LARGEST_DOUBT_MS = 5_000;
/** Successes at "none left" before the headers are taken for wrong. */
const MAX_CONTRADICTIONS = 3;

/** Stands for one request from `enter` to `leave`. */
export type Ticket = number;

export interface Answer {
  readonly status: number;
  readonly headers: HeaderList;
}

export interface Pace {
  /** The ticket when the request may go at once, otherwise a promise of it. `null`: the request carries no key's token. */
  enter(key: string | null, operation?: string): Ticket | Promise<Ticket>;
  /** To be called once per ticket, with what it was entered with; null for a request without an answer. */
  leave(key: string | null, ticket: Ticket, answer: Answer | null, operation?: string): void;
  /** The longest Retry-After that is waited for, as it stands with the key. ms. */
  patienceMs(key: string | null): number;
}

/** Told why requests wait until then. Epoch ms. */
export type OnWait = (awaited: Awaited, untilMs: number) => void;

/**
 * `stop` lets all waiting requests through; whoever sends them must look at it. `patienceMs`: the longest hold. `onWait` is told
 * of each hold that a request waits for. `limited`: whose limits are told, and by which headers; absent: those of keys, by the customary ones.
 * `retries`: which answers are a limiter's, and how long clients wait.
 */
export function createPace(
  clock: Clock,
  stop?: AbortSignal,
  patienceMs = LONGEST_WAIT_MS,
  onWait: OnWait = () => {},
  limited: Limited = { terms: null, isAnonymous: false },
  retries: Retries = retriesUnder({ ...NO_TERMS, rateLimits: limited.terms }),
): Pace {
  const lanes = new Map<string | null, KeyPace>();
  const paceOf = (key: string | null) => {
    const isWindowed = key !== null || limited.isAnonymous;
    const waits = (untilMs: number): void => onWait({ what: 'limit', key }, untilMs);
    const manner = { clock, stop, isWindowed, patienceMs, terms: limited.terms, retries, onWait: waits };
    const lane = lanes.get(key) ?? new KeyPace(manner);
    lanes.set(key, lane);
    return lane;
  };
  stop?.addEventListener('abort', () => lanes.forEach((lane) => void lane.pump()), { once: true });
  return {
    enter: (key) => paceOf(key).enter(),
    leave: (key, ticket, answer) => paceOf(key).leave(ticket, answer),
    patienceMs: () => patienceMs,
  };
}

/** How a key is paced. */
interface Manner {
  readonly clock: Clock;
  readonly stop: AbortSignal | undefined;
  /** False for requests without a key: they belong to no window, only their own 429s count. */
  readonly isWindowed: boolean;
  readonly patienceMs: number;
  readonly terms: RateTerms | null;
  readonly retries: Retries;
  /** Told of each hold that a request waits for. */
  readonly onWait: (untilMs: number) => void;
}

class KeyPace {
  readonly #manner: Manner;
  readonly #waiting: ((ticket: Ticket) => void)[] = [];
  #inFlight = 0;
  #lastTicket = 0;
  /** Calls left by the last answer that counts; Infinity when headers tell nothing. A window starts with one request alone. */
  #left: number;
  /** The last ticket given when `#left` was learned: answers to later tickets are newer than it. */
  #learnedAt = 0;
  #holdUntil = 0;
  #waking = false;
  #believed = false;
  #doubtMs = 0;
  #contradictions = 0;
  #refusals = 0;

  constructor(manner: Manner) {
    this.#manner = manner;
    this.#left = manner.isWindowed ? 0 : Number.POSITIVE_INFINITY;
  }

  enter(): Ticket | Promise<Ticket> {
    if (this.#waiting.length === 0 && this.#hasRoom(this.#manner.clock.now())) return this.#admit();
    const ticket = new Promise<Ticket>((resolve) => this.#waiting.push(resolve));
    this.pump();
    return ticket;
  }

  leave(ticket: Ticket, answer: Answer | null): void {
    this.#inFlight -= 1;
    if (answer !== null && this.#manner.retries.isLimited(answer)) this.#refused(ticket, answer.headers);
    else if (answer !== null) this.#accepted(ticket, this.#stateIn(answer.headers));
    if (this.#waiting.length > 0) this.pump();
  }

  /**
   * Lets in whoever has room, and wakes again when a hold ends. Whoever still waits then waits for a request in flight, or for
   * the end of the hold. Both are decided by one look at the clock: by two, a hold that ended in between would have kept
   * requests out, and nothing would have let them in later.
   */
  pump(): void {
    const nowMs = this.#manner.clock.now();
    while (this.#waiting.length > 0 && this.#hasRoom(nowMs)) this.#waiting.shift()?.(this.#admit());
    const holdMs = this.#holdUntil - nowMs;
    if (this.#waiting.length === 0 || holdMs <= 0 || this.#waking) return;
    this.#waking = true;
    this.#manner.onWait(this.#holdUntil);
    void this.#manner.clock.sleep(holdMs, this.#manner.stop).then(() => {
      this.#waking = false;
      this.pump();
    });
  }

  #hasRoom(nowMs: number): boolean {
    if (this.#manner.stop?.aborted) return true;
    if (this.#left === Number.POSITIVE_INFINITY && this.#holdUntil === 0) return true;
    if (nowMs < this.#holdUntil) return false;
    return this.#inFlight < Math.max(1, this.#left);
  }

  #admit(): Ticket {
    this.#inFlight += 1;
    this.#lastTicket += 1;
    return this.#lastTicket;
  }

  #accepted(ticket: Ticket, state: RateState | null): void {
    const isNewer = ticket > this.#learnedAt;
    if (isNewer) this.#refusals = 0;
    if (state === null) {
      if (isNewer && this.#left === 0) this.#forget();
      return;
    }
    const { remaining } = state;
    if (!isNewer && remaining >= this.#left) return;
    if (remaining < this.#left && this.#left < Number.POSITIVE_INFINITY) this.#believed = true;
    const contradicts = isNewer && this.#left === 0;
    this.#learn(remaining);
    if (remaining > 0) {
      this.#doubtMs = 0;
      this.#contradictions = 0;
    } else if (!this.#holdForReset(state)) this.#doubt(contradicts);
  }

  /** Headers that say too often that nothing is left, while calls are accepted, are believed no more. */
  #doubt(contradicts: boolean): void {
    if (contradicts) this.#contradictions += 1;
    if (this.#contradictions >= MAX_CONTRADICTIONS) this.#forget();
  }

  /** A refusal while calls are left is another throttle: it concerns its own request only. */
  #refused(ticket: Ticket, headers: HeaderList): void {
    const state = this.#stateIn(headers);
    if (state !== null && state.remaining > 0) return;
    if (ticket > this.#learnedAt) this.#refusals += 1;
    this.#believed = true;
    this.#doubtMs = 0;
    this.#contradictions = 0;
    this.#learn(0);
    const nowMs = this.#manner.clock.now();
    const stated = retryAfterMs(header(headers, 'retry-after'), header(headers, 'date'), nowMs);
    const doubling = 2 ** Math.max(0, this.#refusals - 1);
    const { base429Ms, capMs } = this.#manner.retries.waits;
    const backoffMs = Math.min(base429Ms * doubling, capMs);
    const waitMs = stated !== null && stated <= LONGEST_WAIT_MS ? stated : (windowMs(state, nowMs) ?? backoffMs);
    const leastMs = this.#refusals > 1 ? Math.min(ABOUT_NOW_MS * doubling, capMs) : 0;
    this.#holdUntil = Math.max(this.#holdUntil, nowMs + Math.min(Math.max(waitMs, leastMs), this.#manner.patienceMs));
  }

  /** Tells whether the headers are believed and name a time worth waiting for. */
  #holdForReset(state: RateState): boolean {
    const nowMs = this.#manner.clock.now();
    const waitMs = this.#believed && this.#doubtMs < LARGEST_DOUBT_MS ? windowMs(state, nowMs) : null;
    if (waitMs === null) return false;
    const holdMs = Math.min(waitMs, this.#manner.patienceMs);
    this.#doubtMs += holdMs;
    this.#holdUntil = Math.max(this.#holdUntil, nowMs + holdMs);
    return true;
  }

  #stateIn(headers: HeaderList): RateState | null {
    return this.#manner.isWindowed ? rateState(headers, this.#manner.terms) : null;
  }

  #learn(left: number): void {
    this.#left = left;
    this.#learnedAt = this.#lastTicket;
  }

  #forget(): void {
    this.#learn(Number.POSITIVE_INFINITY);
    this.#holdUntil = 0;
  }
}

/** The time until the reset, cut to the longest hold; null when there is no credible reset about now or ahead. */
function windowMs(state: RateState | null, nowMs: number): number | null {
  const delayMs = state && resetDelayMs(state.reset, state.date, nowMs);
  if (delayMs === null || delayMs <= -1000 || delayMs > LONGEST_WINDOW_MS) return null;
  return Math.min(Math.max(delayMs, ABOUT_NOW_MS), LONGEST_HOLD_MS);
}
