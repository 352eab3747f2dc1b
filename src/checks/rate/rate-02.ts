// RATE-02, of one answer and over a key's series: Limit is constant within a window. A plan may change, once; a Limit that changes twice within
// one window, or within one window and another, did not. Concurrent answers may overtake each other, so only calls that
// surely followed one another count. A refusal by another throttle may state another Limit: a 429 counts where it follows an answer
// that left no call over, and where the key's Limit is afterwards what it was before.
//
// RATE-02 (must): 0 ≤ Remaining ≤ Limit; Limit is constant for one key within a window.
import { type Breach, breached, holds } from '../../contract/judgement.ts';
import type { KeyHistory } from '../../limiters/key-history.ts';
import { limitedBy, type RateReading, readingsOf } from '../../limiters/reading.ts';
import { precedes, SAME_RESET_MS } from '../../limiters/reset-clock.ts';
import { rate } from '../../wording/rate.ts';
import type { ExchangeCheck, Subject } from '../check.ts';
import { blamingLast, onTarget, type RateConclusion, type SeriesLaw } from './series-law.ts';

export const rate02: ExchangeCheck = {
  clause: 'RATE-02',
  title: 'Remaining is at least 0 and at most Limit',
  applies: (subject) => whollyStated(subject).length > 0,
  judge(subject) {
    const stated = whollyStated(subject);
    const breaches = stated.flatMap(({ limit, remaining, names }) => {
      if (remaining >= 0 && remaining <= limit) return [];
      const expected = `a number from 0 to the Limit, ${limit}`;
      const values = { told: `${names.remaining} is ${remaining}`, actual: String(remaining), expected };
      return rate(remaining < 0 ? 'rate-02.negative' : 'rate-02.above-limit', values);
    });
    return breached(breaches, stated.length);
  },
};

/** The limits that the answer states with what is left of them. */
function whollyStated(subject: Subject) {
  return readingsOf(subject.exchange, limitedBy(subject.terms, subject.description?.operations)).flatMap(
    ({ limit, remaining, names }) => (limit === null || remaining === null ? [] : [{ limit, remaining, names }]),
  );
}

const MAX_LIMITS = 16;
/** Where Reset tells no window, there and back within this is one. ms. */
const MAX_SURE_WINDOW_MS = 1000;
/** With no more left, the next refusal is the key's own limiter's. */
const MAX_LEFT_OF_SPENT = 1;

/** Two changes: the first two readings, and the last two, differ in Limit. */
type Flicker = readonly [before: RateReading, between: RateReading, after: RateReading];

export class ConstantLimit implements SeriesLaw {
  readonly #history: KeyHistory;
  readonly #operations = new Map<number, Set<string>>();
  readonly #flickers = new Map<string, Flicker>();
  #looks = 0;
  /** The first reading after the last change within a window. */
  #changed: RateReading | null = null;
  /** An answer that left next to nothing over, and the first refusal after it in its window, which states another Limit. */
  #spent: RateReading | null = null;
  #refused: readonly [before: RateReading, between: RateReading] | null = null;

  constructor(history: KeyHistory) {
    this.#history = history;
  }

  add(reading: RateReading): void {
    const { limit, isRefused, operation } = reading;
    if (limit === null) return;
    if (isRefused) {
      this.#addRefusal(reading);
      return;
    }
    this.#looks += 1;
    if (this.#operations.size < MAX_LIMITS || this.#operations.has(limit))
      this.#operations.set(limit, (this.#operations.get(limit) ?? new Set()).add(operation));
    const between = this.#otherBefore(reading, reading);
    const before = between && this.#otherBefore(between, reading);
    if (between !== undefined && before !== undefined) this.#note([before, between, reading]);
    else if (between !== undefined) this.#noteChange(between, reading);
    this.#compareRefusal(reading);
  }

  /** One judgement for each operation on which another Limit showed, or one that holds; none without two readings. */
  conclude(): readonly RateConclusion[] {
    if (this.#looks < 2) return [];
    if (this.#flickers.size === 0) return [onTarget('RATE-02', holds(this.#looks - 1))];
    return [...this.#flickers].map(([operation, flicker]) => {
      // The reading of the operation that it is about comes last: its curl line reproduces it.
      const isOwn = (one: RateReading): number => Number(one.operation === operation);
      const readings = flicker.toSorted((left, right) => isOwn(left) - isOwn(right));
      return blamingLast('RATE-02', breachOf(flicker), ...readings);
    });
  }

  /** The last answer before this one, in the window of `after`, that states another Limit. */
  #otherBefore(one: RateReading, after: RateReading): RateReading | undefined {
    return this.#history.recent.findLast(
      (other) =>
        !other.isRefused && other.limit !== one.limit && precedes(other, one) && this.#inOneWindow(other, after),
    );
  }

  #addRefusal(between: RateReading): void {
    const before = this.#spent;
    if (before === null || before.limit === between.limit || this.#refused !== null) return;
    if (precedes(before, between) && this.#inOneWindow(before, between)) this.#refused = [before, between];
  }

  /** With the same Limit after a refusal as before it no plan has changed meanwhile. */
  #compareRefusal(reading: RateReading): void {
    if ((reading.remaining ?? Number.POSITIVE_INFINITY) <= MAX_LEFT_OF_SPENT) this.#spent = reading;
    // One that was under way together with it tells nothing of what came later.
    else if (this.#spent !== null && precedes(this.#spent, reading)) this.#spent = null;
    if (this.#refused === null || !precedes(this.#refused[1], reading)) return;
    const [before, between] = this.#refused;
    this.#refused = null;
    if (reading.limit === before.limit && !this.#flickers.has(between.operation))
      this.#flickers.set(between.operation, [before, between, reading]);
  }

  /** One change within a window: only a second one, in another window, counts. */
  #noteChange(from: RateReading, to: RateReading): void {
    const last = this.#changed;
    this.#changed ??= to;
    if (last === null || !precedes(last, from)) return;
    const [stated, now] = [this.#history.clock.resetOf(last), this.#history.clock.resetOf(from)];
    if (stated !== null && now !== null && now.earliest > stated.earliest + SAME_RESET_MS) this.#note([last, from, to]);
  }

  /** The odd one out is the Limit that fewer operations showed. */
  #note(flicker: Flicker): void {
    const [before, between, after] = flicker;
    const spread = ({ limit }: RateReading): number => this.#operations.get(limit ?? 0)?.size ?? 0;
    const { operation } = spread(between) <= spread(before) ? between : after;
    if (!this.#flickers.has(operation)) this.#flickers.set(operation, flicker);
  }

  #inOneWindow(first: RateReading, last: RateReading): boolean {
    if (first.reset === null || last.reset === null) return last.answeredAt - first.sentAt <= MAX_SURE_WINDOW_MS;
    return this.#history.clock.isOneWindow(first, last);
  }
}

function breachOf(flicker: Flicker): Breach {
  const [{ key, names }] = flicker;
  const expected = `one Limit for key ${key} within a window`;
  const actual = flicker.map(({ limit, operation }) => `${limit} (${operation})`).join(', ');
  return rate('rate-02.limit-changes', { told: `${names.limit} changes within a window: ${actual}`, actual, expected });
}
