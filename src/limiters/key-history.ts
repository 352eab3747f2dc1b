// Remembers what the answers of one key state of its limit, whoever caused them: bounded, however many there are.

import { Balance, type Imbalance } from './balance.ts';
import type { DrainFacts } from './drained-window.ts';
import { isSuccessful, isTelling, type RateReading } from './reading.ts';
import { precedes, ROUNDING_MS, SAME_RESET_MS, TargetClock } from './reset-clock.ts';
import type { ResetForm } from './reset-forms.ts';

const MAX_TIMES_KEPT = 256;
const MAX_READINGS_KEPT = 32;
const MAX_RESETS_KEPT = 64;
/** More in a row that moved on before they came, by little each, are no coincidence of clocks. */
const MAX_EARLY_BY_CHANCE = 2;

export class KeyHistory {
  readonly clock = new TargetClock();
  readonly balance = new Balance(this.clock);
  /** The last answers that stated a limit, before the one that was added last; refusals are among them. */
  readonly recent: RateReading[] = [];
  /** The last accepted answer that stated a limit, and the answer just before it; null where that stated none. */
  latest: RateReading | null = null;
  #beforeLatest: RateReading | null = null;
  /** The most that was ever left. */
  highest = 0;
  /** The longest wait that a refusal of the spent key asked for; null: none did. ms. */
  longestWaitMs: number | null = null;
  /** How accepted answers told resets: how many in each form, the moments in their order, and the length of a window where it was told last. */
  readonly told = {
    forms: new Map<ResetForm, number>(),
    moments: [] as number[],
    windowSeconds: null as number | null,
  };
  /** True where resets move on before they come, as those of buckets and sliding logs do. */
  movesEarly = false;
  #early = 0;
  /** True where a reset stood still for longer than rounding hides: that of a log that slides moves on with its calls. */
  #stands = false;
  /** The first answer that stated the reset that the last ones state. */
  #first: RateReading | null = null;
  #last: RateReading | null = null;
  /** When the last calls were answered, epoch ms. */
  answered: readonly number[] = [];
  /** How far one call of each operation lowered Remaining. This and what follows experiments find out, of the first limit of the key. */
  readonly costs = new Map<string, number>();
  /** Result of the first drain. */
  drain: DrainFacts | null = null;
  /** True where another client uses the key: its Remaining fell while this run sent nothing. */
  isShared = false;
  /** True where another client may have taken what came back: more is missing than own calls explain. */
  isTaken = false;

  /** The Limit that was stated last. */
  get limit(): number | null {
    return this.latest?.limit ?? null;
  }

  /** The rise that nothing explains, where a log that slides does not; null for none. */
  get tellingRise(): Imbalance | null {
    return this.#stands && !this.balance.isOfLog ? this.balance.rise : null;
  }

  /**
   * The window, or the time, that granted more than Limit and what may refill; null where none did. Calls that are not counted are no
   * success too many: they do not lower Remaining.
   */
  get overdrawn(): Imbalance | null {
    const { overdrawn, flooded, isUncounting } = this.balance;
    return isUncounting || !this.isMeasure ? null : (overdrawn ?? (this.movesEarly ? flooded : null));
  }

  /** True where its Remaining can be relied on: it never rose but as a limit comes back. */
  get isMeasure(): boolean {
    return this.movesEarly || this.tellingRise === null;
  }

  /** The facts of a drain that the whole history shows. `toldMs`: the window as the contract tells it; absent: it does not. */
  drainFacts(toldMs = 0) {
    const { clock, isMeasure, movesEarly } = this;
    const windowMs = Math.max(clock.windowAtLeastMs, toldMs);
    return { clock, isMeasure, movesEarly, windowMs, isOverdrawn: this.overdrawn !== null };
  }

  /** The fall of Remaining by the call, where it was the last one: its cost. Null where that cannot be told. */
  fallBy({ exchange }: RateReading): number | null {
    const [before, after] = [this.#beforeLatest, this.latest];
    if (before === null || after === null || after.exchange.id !== exchange.id) return null;
    // An attempt before this one, a 503, may have been counted.
    if (!isSuccessful(after) || before.limit !== after.limit || exchange.attempt > 1) return null;
    return before.remaining === null || after.remaining === null ? null : before.remaining - after.remaining;
  }

  add(reading: RateReading): void {
    this.answered = [...this.answered.slice(1 - MAX_TIMES_KEPT), reading.answeredAt];
    this.clock.add(reading);
    this.highest = Math.max(this.highest, reading.remaining ?? 0);
    this.#noteReset(reading);
    if (this.#last !== null) this.recent.push(this.#last);
    if (this.recent.length > MAX_READINGS_KEPT) this.recent.shift();
    const before = this.#last;
    this.#last = reading.limit === null ? null : reading;
    this.balance.add(reading, ...this.#follow(reading));
    if (reading.isRefused && reading.retryAfterMs !== null && (reading.remaining ?? 0) < 1)
      this.longestWaitMs = Math.max(this.longestWaitMs ?? 0, reading.retryAfterMs);
    if (reading.limit === null || reading.isRefused) return;
    this.#beforeLatest = before;
    this.latest = reading;
  }

  #noteReset({ reset, windowSeconds, isRefused }: RateReading): void {
    const { forms, moments } = this.told;
    this.told.windowSeconds = windowSeconds ?? this.told.windowSeconds;
    if (reset === null || isRefused) return;
    forms.set(reset.form, (forms.get(reset.form) ?? 0) + 1);
    if (reset.form === 'delta-seconds' || reset.ms <= (moments.at(-1) ?? Number.NEGATIVE_INFINITY)) return;
    moments.push(reset.ms);
    if (moments.length > MAX_RESETS_KEPT) moments.shift();
  }

  /** Tells whether the answer is the first that states a reset, or another one that states it before it came. */
  #follow(reading: RateReading): readonly [opens: boolean, isInside: boolean] {
    const reset = isTelling(reading) ? this.clock.resetOf(reading) : null;
    if (reset === null) return [false, false];
    const first = this.#first;
    const stated = first === null ? null : this.clock.resetOf(first);
    const movedMs = stated === null ? Number.POSITIVE_INFINITY : reset.earliest - stated.earliest;
    const until = first === null ? null : this.clock.surelyNotBefore(first);
    const isBefore = until !== null && reading.answeredAt <= until;
    this.#stands ||= isSuccessful(reading) && movedMs < reading.sentAt - (first?.answeredAt ?? 0) - ROUNDING_MS;
    if (movedMs <= SAME_RESET_MS) return [false, isBefore && movedMs >= -SAME_RESET_MS];
    const isLater = isBefore && first !== null && first.limit === reading.limit && precedes(first, reading);
    this.#early = isBefore ? this.#early + 1 : 0;
    this.movesEarly ||= this.#early > MAX_EARLY_BY_CHANCE || isLater;
    this.#first = reading;
    return [true, false];
  }
}
