// RATE-03 where refusals, or some operations of a service, state Reset in another unit than all other answers of the key: who reads it as those
// have taught waits for a time at which nothing comes back.
//
// RATE-03 (must): Remaining falls by at least one per successful call of a key within a window, and comes back after
//   Reset. Tolerance: Cost per endpoint observed. Concurrent calls judged by totals. Continuous refill (token bucket)
//   allowed.
import { type Breach, breached, type Judgement } from '../../contract/judgement.ts';
import type { RateReading } from '../../limiters/reading.ts';
import { formInWords, type ResetForm } from '../../limiters/reset-forms.ts';
import { rate } from '../../wording/rate.ts';

/** So many answers show how a key's Reset is told. */
const LEAST_ANSWERS = 10;
/** So many refusals, on so many operations, are the key's own limiter's: another throttle may tell its Reset in a way of its own. */
const LEAST_REFUSALS = 3;
const LEAST_OPERATIONS = 2;
const MOST_REFUSALS = 32;
/** So many times as far off as any other reset is another unit. */
const OTHER_UNIT = 100;

/** So many answers of operations that tell it otherwise. */
const LEAST_OTHERWISE = 3;

/** The forms in which an operation's answers tell Reset. */
interface Told {
  readonly service: string | null;
  readonly forms: Set<ResetForm>;
  readonly last: RateReading;
  readonly answers: number;
}

export class RefusedResets {
  readonly #operations = new Map<string, Told>();
  readonly #answers = new Map<ResetForm, number>();
  /** Of refusals with nothing left. */
  readonly #refusals: RateReading[] = [];
  #longestDeltaMs = 0;
  #last: RateReading | null = null;

  add(reading: RateReading): void {
    const { reset, isRefused, remaining } = reading;
    if (reset === null || remaining === null) return;
    if (isRefused) {
      if (remaining < 1 && this.#refusals.length < MOST_REFUSALS) this.#refusals.push(reading);
      return;
    }
    this.#answers.set(reset.form, (this.#answers.get(reset.form) ?? 0) + 1);
    this.#last = reading;
    const { forms = new Set<ResetForm>(), answers = 0 } = this.#operations.get(reading.operation) ?? {};
    const { service } = reading.exchange.plan;
    this.#operations.set(reading.operation, {
      service,
      forms: forms.add(reset.form),
      last: reading,
      answers: answers + 1,
    });
    if (reset.form === 'delta-seconds') this.#longestDeltaMs = Math.max(this.#longestDeltaMs, reset.ms);
  }

  /** Null where all tell it alike, or too little was seen. */
  conclude(): { readonly judgement: Judgement; readonly readings: readonly RateReading[] } | null {
    const [[form, answers] = [null, 0], ...others] = this.#answers;
    const [refused] = this.#refusals;
    if (form === null || others.length > 0 || answers < LEAST_ANSWERS || refused === undefined) return null;
    const operations = new Set(this.#refusals.map(({ operation }) => operation));
    if (this.#refusals.length < LEAST_REFUSALS || operations.size < LEAST_OPERATIONS) return null;
    if (!this.#refusals.every((one) => this.#isOther(one, form))) return null;
    const readings = [...(this.#last === null ? [] : [this.#last]), refused];
    return { judgement: breached([breachOf(refused, form)]), readings };
  }

  /** Null where no operation always tells it otherwise than all others of its service do. */
  concludeOperations(): { readonly judgement: Judgement; readonly readings: readonly RateReading[] } | null {
    const [[form] = []] = [...this.#answers].toSorted(([, left], [, right]) => right - left);
    if (form === undefined) return null;
    const count = (told: readonly Told[]): number => told.reduce((sum, { answers }) => sum + answers, 0);
    for (const own of Map.groupBy(this.#operations.values(), ({ service }) => service).values()) {
      const usual = own.filter(({ forms }) => forms.has(form));
      const others = own.filter(({ forms }) => !forms.has(form));
      const [first, known] = [others[0], usual[0]];
      const isPure = own.every(({ forms }) => forms.size === 1);
      if (first === undefined || known === undefined || !isPure) continue;
      if (count(usual) < LEAST_ANSWERS || count(others) < LEAST_OTHERWISE) continue;
      return { judgement: breached([otherwiseOf(first.last, form)]), readings: [known.last, first.last] };
    }
    return null;
  }

  #isOther({ reset }: RateReading, form: ResetForm): boolean {
    if (reset === null) return false;
    return (
      reset.form !== form || (form === 'delta-seconds' && reset.ms > OTHER_UNIT * Math.max(1000, this.#longestDeltaMs))
    );
  }
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
