// RATE-03 where Reset tells another time than the one at which calls come back, or tells it in another unit now and then:
//
//   late     the stated reset is past, and Remaining has gone on to fall by exactly the calls that were made: nothing came back;
//   early    long before the stated reset all that was spent is there again, and another reset is stated;
//   in vain  a spent key is refused after the reset that its refusals state, and again after the next one, or no next one is stated;
//   unit     refusals, or some operations of a service, tell it otherwise than all other answers of the key: who reads it as those have
//            taught waits for a time at which nothing comes back.
//
// Late and early are to show in two windows at least, of one key or of several. A
// counter whose last window counts by its share gets back calls little by little: the first is asked only where it would have got back
// some. A bucket and a log of calls get back something by any reset that they state, and never all before it.
//
// RATE-03 (must): Remaining falls by at least one per successful call of a key within a window, and comes back after
//   Reset. Tolerance: Cost per endpoint observed. Concurrent calls judged by totals. Continuous refill (token bucket)
//   allowed.

import type { Breach } from '../../contract/judgement.ts';
import { plural } from '../../contract/numbers.ts';
import type { KeyHistory } from '../../limiters/key-history.ts';
import { isAdmitted, isSuccessful, type RateReading } from '../../limiters/reading.ts';
import { type Moment, precedes, SAME_RESET_MS, type TargetClock } from '../../limiters/reset-clock.ts';
import { formInWords, type ResetForm } from '../../limiters/reset-forms.ts';
import { rate } from '../../wording/rate.ts';
import { MIN_LEFT } from './rate-04-admission.ts';
import { blaming, blamingLast, ofReturn, type RateConclusion, type SeriesLaw } from './series-law.ts';

/** One window may have been reset by hand. */
const MIN_WINDOWS = 2;
/** Spent units from which on they tell something. */
const MIN_TELLING_SPENT = 10;
/** A counter would have got back so many. */
const MIN_UNITS_BACK = 4;
/** It is early by at least this share of the time to the reset: in what is left of it a bucket would get back two calls yet. */
const MIN_EARLY_SHARE = 0.2;
const MIN_EARLY_MS = 1000;
/** Calls between two readings beyond which nothing is concluded. */
const MAX_CALLS_BETWEEN = 2048;
/** Longest time after a reset in which it is asked whether anything came back. ms. */
const MAX_OVERDUE_MS = 5000;

/** A reset that is stated, the last answer that states it, and the calls since. */
interface Stated {
  readonly last: RateReading;
  readonly since: RateReading[];
}

interface OtherReset {
  readonly kind: 'late' | 'early';
  readonly before: RateReading;
  readonly after: RateReading;
}

export class StatedResets {
  readonly #clock: TargetClock;
  #stated: Stated | null = null;
  readonly #found: OtherReset[] = [];
  /** How often calls came back by the reset that was stated. */
  #kept = 0;

  constructor({ clock }: KeyHistory) {
    this.#clock = clock;
  }

  add(reading: RateReading): void {
    const { remaining, limit, isRefused } = reading;
    const reset = this.#clock.resetOf(reading);
    const stated = this.#stated;
    const known = stated === null ? null : this.#clock.resetOf(stated.last);
    if (reset === null || remaining === null || limit === null || remaining < 0 || remaining > limit)
      this.#stated = null;
    else if (isRefused && remaining > 0) this.#stated = null;
    else if (stated === null || known === null || stated.last.limit !== limit) this.#begin(reading, reset);
    else this.#compare(stated, reading, reset, known);
  }

  /** All that was found of this kind; nothing where calls of the key came back by the stated reset, too. */
  found(kind: OtherReset['kind']): readonly OtherReset[] {
    return kind === 'late' && this.#kept > 0 ? [] : this.#found.filter((one) => one.kind === kind);
  }

  #begin(reading: RateReading, reset: Moment): void {
    this.#stated = reset.latest > reading.answeredAt ? { last: reading, since: [] } : null;
  }

  #compare(stated: Stated, reading: RateReading, reset: Moment, known: Moment): void {
    const isSame = Math.abs(reset.earliest - known.earliest) <= SAME_RESET_MS;
    const isBefore = reading.answeredAt < known.earliest;
    if (isSame && reading.answeredAt < known.latest) {
      this.#stated = { last: reading, since: [] };
      return;
    }
    if (isBefore && !isSame && isEarly(stated, reading, known))
      this.#found.push({ kind: 'early', before: stated.last, after: reading });
    const isDone = isBefore ? !isSame : this.#lookLate(stated, reading, known);
    stated.since.push(reading);
    if (isDone || stated.since.length > MAX_CALLS_BETWEEN) this.#begin(reading, reset);
  }

  /** The first answers after the reset. Whether it has been told. */
  #lookLate({ last, since }: Stated, reading: RateReading, known: Moment): boolean {
    const overdueMs = reading.sentAt - known.latest;
    if (overdueMs <= 0) return false;
    // With none left it cannot fall further, and a refusal says nothing of what came back.
    const isSpent = [last, reading].some((one) => one.isRefused || (one.remaining ?? 0) < 1);
    if (overdueMs > MAX_OVERDUE_MS || isSpent) return true;
    const calls = [...since, reading];
    const fall = (last.remaining ?? 0) - (reading.remaining ?? 0);
    if (fall < calls.filter(isSuccessful).length) {
      this.#kept += 1;
      return true;
    }
    if (!precedes(last, reading) || !calls.every(isSuccessful) || fall !== calls.length) return true;
    const spent = spentOf(last);
    if (spent < MIN_TELLING_SPENT || (spent * overdueMs) / this.#clock.longest.most < MIN_UNITS_BACK) return false;
    this.#found.push({ kind: 'late', before: last, after: reading });
    return true;
  }
}

/** Tells whether an answer before the reset that states another one shows that all came back before. */
function isEarly({ last, since }: Stated, reading: RateReading, known: Moment): boolean {
  const leftMs = known.earliest - reading.answeredAt;
  // Calls under way since the reset was stated may have been counted before it.
  const isFresh = !reading.isRefused && spentOf(reading) <= since.length + 1;
  const isMuchLeft = leftMs >= Math.max(MIN_EARLY_MS, MIN_EARLY_SHARE * (known.earliest - last.answeredAt));
  return isFresh && isMuchLeft && spentOf(last) >= MIN_TELLING_SPENT + since.length && precedes(last, reading);
}

function spentOf({ limit, remaining }: RateReading): number {
  return (limit ?? 0) - (remaining ?? 0);
}

/** Over all keys, which have limiters of one kind. */
export function judgeStatedResets(keys: readonly StatedResets[]): readonly RateConclusion[] {
  for (const kind of ['late', 'early'] as const) {
    const all = keys.flatMap((key) => key.found(kind));
    const [first] = all;
    if (first === undefined || all.length < MIN_WINDOWS) continue;
    return [blaming('RATE-03', breachOf(first, all.length), first.before, first.after)];
  }
  return [];
}

function breachOf({ kind, before, after }: OtherReset, times: number): Breach {
  const { key, limit, remaining } = after;
  const isLate = kind === 'late';
  const actual = isLate
    ? `${remaining} of ${plural(limit ?? 0, 'call')} left after it, no more than the calls since have left of ${before.remaining}`
    : `${remaining} of ${plural(limit ?? 0, 'call')} left before it, where ${spentOf(before)} had been spent`;
  const cause = isLate ? 'nothing comes back at the stated Reset' : 'all comes back long before the stated Reset';
  return rate(isLate ? 'rate-03.reset-passes' : 'rate-03.back-early', {
    told: `${cause} of key ${key}, in ${plural(times, 'window')}: ${actual}`,
    ...{ actual, expected: 'Remaining comes back at the stated Reset' },
  });
}

const MIN_RESETS_IN_VAIN = 2;
/** Largest share of the limit, and most units, that calls under way may take until one is refused. */
const MAX_LEFT_SHARE = 0.1;
const MAX_LEFT_UNITS = 64;

/** Refusals of a spent key, from the first to the last that states the nearest reset ahead, and how many resets have passed meanwhile. */
interface Spent {
  readonly first: RateReading;
  readonly last: RateReading;
  readonly passed: number;
}

export class ResetsInVain implements SeriesLaw {
  readonly #clock: TargetClock;
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
    if (reading.isRefused) this.#refused(reading, this.#clock.resetOf(reading));
    else if (isAdmitted(reading)) this.#accepted(reading);
  }

  conclude(): readonly RateConclusion[] {
    return ofReturn('RATE-03', this.#inVain && noReturn(this.#inVain), this.#returned);
  }

  /** Calls came back, unless this one was sent before the first refusal, and admitted before it. */
  #accepted(reading: RateReading): void {
    if (this.#admitted === null || this.#admitted.sentAt <= reading.sentAt) this.#admitted = reading;
    const spent = this.#spent;
    if (spent === null || reading.sentAt < spent.first.sentAt) return;
    if (this.#toldToCome(spent.last) <= reading.sentAt) this.#returned += 1;
    this.#spent = null;
  }

  /** When a call is accepted again, by whichever the refusal tells to be sooner: its wait, or its reset. */
  #toldToCome(refused: RateReading): number {
    const { answeredAt, retryAfterMs } = refused;
    const waitedMs = retryAfterMs === null ? Number.POSITIVE_INFINITY : answeredAt + retryAfterMs;
    return Math.min(waitedMs, this.#clock.resetOf(refused)?.latest ?? waitedMs);
  }

  #refused(reading: RateReading, reset: Moment | null): void {
    const before = this.#spent;
    const isOfOthers = before === null && this.#isTakenAtOnce(reading);
    if (reset === null || isOfOthers || (reading.remaining ?? MIN_LEFT) >= MIN_LEFT) return;
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
}

function noReturn({ first, last }: Spent): RateConclusion {
  const actual = `${last.status}, Remaining ${last.remaining}`;
  const told = `after the reset that was stated, key ${last.key} is answered ${actual}`;
  const expected = 'an accepted call once Reset has passed';
  return blaming('RATE-03', rate('rate-03.no-return', { told, actual, expected }), first, last);
}

/** Answers that show how a key's Reset is told. */
const MIN_USUAL_ANSWERS = 10;
/** Answers of operations that tell it otherwise. */
const MIN_OTHER_ANSWERS = 3;
/** As many refusals, on as many operations, are the key's own limiter's: another throttle may tell its Reset in a way of its own. */
const MIN_REFUSALS = 3;
const MIN_OPERATIONS = 2;
const MAX_REFUSALS_KEPT = 32;
/** A reset that is so many times as far off as any other is told in another unit. */
const MIN_FACTOR_OF_OTHER_UNIT = 100;

/** How the answers of an operation tell Reset; null: in several forms. */
interface Told {
  readonly form: ResetForm | null;
  readonly last: RateReading;
  readonly answers: number;
}

export class ResetForms implements SeriesLaw {
  readonly #operations = new Map<string, Told>();
  /** Refusals with nothing left. */
  readonly #refusals: RateReading[] = [];
  #longestDeltaMs = 1000;

  add(reading: RateReading): void {
    const { reset, isRefused, remaining, operation } = reading;
    if (reset === null || remaining === null) return;
    if (isRefused) {
      if (remaining < 1 && this.#refusals.length < MAX_REFUSALS_KEPT) this.#refusals.push(reading);
      return;
    }
    const { form = reset.form, answers = 0 } = this.#operations.get(operation) ?? {};
    this.#operations.set(operation, { form: form === reset.form ? form : null, last: reading, answers: answers + 1 });
    if (reset.form === 'delta-seconds') this.#longestDeltaMs = Math.max(this.#longestDeltaMs, reset.ms);
  }

  conclude(): readonly RateConclusion[] {
    const all = [...this.#operations.values()];
    const [[form = null, usual = []] = []] = [...Map.groupBy(all, (one) => one.form)].toSorted(
      ([, left], [, right]) => answersOf(right) - answersOf(left),
    );
    if (form === null) return [];
    const isOnly = usual.length === all.length;
    return isOnly ? this.#judgeRefusals(form, usual) : judgeOperations(form, all);
  }

  /** Where all other answers tell it in this form. */
  #judgeRefusals(form: ResetForm, all: readonly Told[]): readonly RateConclusion[] {
    const [[usual], [refused]] = [all, this.#refusals];
    const isOther = ({ reset }: RateReading): boolean =>
      reset?.form !== form || (form === 'delta-seconds' && reset.ms > MIN_FACTOR_OF_OTHER_UNIT * this.#longestDeltaMs);
    const operations = new Set(this.#refusals.map(({ operation }) => operation)).size;
    const isOwn = this.#refusals.length >= MIN_REFUSALS && operations >= MIN_OPERATIONS;
    if (usual === undefined || refused === undefined || !isOwn || answersOf(all) < MIN_USUAL_ANSWERS) return [];
    const breach = otherUnit('rate-03.other-unit', refused, form);
    return this.#refusals.every(isOther) ? [blamingLast('RATE-03', breach, usual.last, refused)] : [];
  }
}

/** Where an operation always tells it otherwise than all others of its service do. */
function judgeOperations(form: ResetForm, all: readonly Told[]): readonly RateConclusion[] {
  for (const own of Map.groupBy(all, ({ last }) => last.exchange.plan.service).values()) {
    const [usual, others] = [own.filter((one) => one.form === form), own.filter((one) => one.form !== form)];
    const [[known], [first]] = [usual, others];
    const isPure = own.every((one) => one.form !== null);
    if (known === undefined || first === undefined || !isPure) continue;
    const breach = otherUnit('rate-03.other-unit-on-operation', first.last, form);
    if (answersOf(usual) >= MIN_USUAL_ANSWERS && answersOf(others) >= MIN_OTHER_ANSWERS)
      return [blamingLast('RATE-03', breach, known.last, first.last)];
  }
  return [];
}

function answersOf(told: readonly Told[]): number {
  return told.reduce((sum, { answers }) => sum + answers, 0);
}

type Code = 'rate-03.other-unit' | 'rate-03.other-unit-on-operation';

function otherUnit(code: Code, one: RateReading, form: ResetForm): Breach {
  const { key, operation, status, reset, names } = one;
  const isRefusal = code === 'rate-03.other-unit';
  const actual = reset === null || reset.form === form ? 'another unit' : formInWords(reset.form);
  const expected = `${formInWords(form)}, as ${isRefusal ? 'in all other answers' : 'on other operations of the service'}`;
  const told = `${names.reset} of ${isRefusal ? `a ${status}` : operation} to key ${key} is told in ${actual}`;
  return rate(code, { told, actual, expected });
}
