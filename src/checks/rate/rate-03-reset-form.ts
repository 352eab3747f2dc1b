// RATE-03 where refusals, or some operations of a service, state Reset in another unit than all other answers of the key: who reads it as those
// have taught waits for a time at which nothing comes back.
//
// RATE-03 (must): Remaining falls by at least one per successful call of a key within a window, and comes back after
//   Reset. Tolerance: Cost per endpoint observed. Concurrent calls judged by totals. Continuous refill (token bucket)
//   allowed.
import { type Breach, breached } from '../../contract/judgement.ts';
import type { RateReading } from '../../limiters/reading.ts';
import { formInWords, type ResetForm } from '../../limiters/reset-forms.ts';
import { rate } from '../../wording/rate.ts';
import type { Concluded, SeriesLaw } from './series-law.ts';

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

  conclude(): readonly Concluded[] {
    const all = [...this.#operations.values()];
    return [...judgeRefusals(all, this.#refusals, this.#longestDeltaMs), ...judgeOperations(all)];
  }
}

function judgeRefusals(all: readonly Told[], refusals: readonly RateReading[], longestDeltaMs: number) {
  const [usual] = all;
  const [refused] = refusals;
  const form = usual?.form ?? null;
  const isOther = ({ reset }: RateReading): boolean =>
    reset?.form !== form || (form === 'delta-seconds' && reset.ms > MIN_FACTOR_OF_OTHER_UNIT * longestDeltaMs);
  const isKnown = all.every((one) => one.form === form) && answersOf(all) >= MIN_USUAL_ANSWERS;
  const isOwn = refusals.length >= MIN_REFUSALS && operationsOf(refusals) >= MIN_OPERATIONS;
  if (usual === undefined || refused === undefined || form === null || !isKnown || !isOwn) return [];
  return refusals.every(isOther) ? [blaming(breachOf(refused, form), usual.last, refused)] : [];
}

/** Where an operation always tells it otherwise than all others of its service do. */
function judgeOperations(all: readonly Told[]): readonly Concluded[] {
  const [[form] = []] = [...Map.groupBy(all, (one) => one.form)].toSorted(
    ([, left], [, right]) => answersOf(right) - answersOf(left),
  );
  if (form == null) return [];
  for (const own of Map.groupBy(all, ({ last }) => last.exchange.plan.service).values()) {
    const [usual, others] = [own.filter((one) => one.form === form), own.filter((one) => one.form !== form)];
    const [known, first] = [usual[0], others[0]];
    const isPure = own.every((one) => one.form !== null);
    if (known === undefined || first === undefined || !isPure) continue;
    if (answersOf(usual) >= MIN_USUAL_ANSWERS && answersOf(others) >= MIN_OTHER_ANSWERS)
      return [blaming(otherwiseOf(first.last, form), known.last, first.last)];
  }
  return [];
}

function answersOf(told: readonly Told[]): number {
  return told.reduce((sum, { answers }) => sum + answers, 0);
}

function operationsOf(readings: readonly RateReading[]): number {
  return new Set(readings.map(({ operation }) => operation)).size;
}

function blaming(breach: Breach, ...readings: readonly RateReading[]): Concluded {
  return { clause: 'RATE-03', judgement: breached([breach]), readings, isNamed: true };
}

function breachOf({ key, status, reset, names }: RateReading, form: ResetForm): Breach {
  const actual = reset?.form === form || reset === null ? 'another unit' : formInWords(reset.form);
  const told = `${names.reset} of a ${status} to key ${key} is told in ${actual}`;
  return rate('rate-03.other-unit', { told, actual, expected: `${formInWords(form)}, as in all other answers` });
}

function otherwiseOf({ key, operation, reset, names }: RateReading, form: ResetForm): Breach {
  const expected = `${formInWords(form)}, as on other operations of the service`;
  const actual = reset === null ? 'nothing' : formInWords(reset.form);
  const told = `${names.reset} of ${operation} to key ${key} is told in ${actual}`;
  return rate('rate-03.other-unit-on-operation', { told, actual, expected });
}
