// A law tried by fast-check against a living target: given cases first, then drawn ones; what breaks it is shrunk within
// an allowance of requests, and the smallest case is told with seed and path.
import * as fc from 'fast-check';
import type { Judgement } from '../../contract/judgement.ts';
import type { PropertyCase } from '../../contract/report.ts';
import { caseAt, placeSeed } from '../../generate/sampling.ts';
import { endedBy, NotSent, type Outcome } from '../probe.ts';
import { declared } from '../world.ts';
import type { KeyedOperation } from './keyed-operation.ts';

/** Requests that shrinking may cost. That the law is broken is worth more than the smallest case that shows it. */
const SHRINKING = { whole: 300, brief: 8 };

export interface Law<T> {
  readonly probe: string;
  readonly cases: fc.Arbitrary<T>;
  /** Tried first; they shrink like drawn ones. */
  readonly given: readonly T[];
  /** How many are drawn beside. */
  readonly drawn: number;
  run(value: T): Promise<readonly Outcome[]>;
  inWords(value: T): string;
}

/** Outcomes of all cases up to the first that breaks something; then of that, and of the smallest it shrinks to. */
export async function tryLaw<T>(on: KeyedOperation, law: Law<T>): Promise<readonly Outcome[]> {
  const { operation } = on.reached;
  const { again, seed } = on.world;
  if (again?.probe === law.probe) return tryOnce(law, again);
  const trial = new Trial(on, law, placeSeed(seed, `${operation.service} ${operation.key} ${law.probe}`));
  const details = await fc.check(
    fc.asyncProperty(law.cases, (value) => trial.run(value)),
    {
      seed: trial.seed,
      numRuns: law.given.length + law.drawn,
      examples: law.given.map((value) => [value]),
    },
  );
  return trial.conclude(details.counterexamplePath ?? '0');
}

class Trial<T> {
  readonly seed: number;
  readonly #on: KeyedOperation;
  readonly #law: Law<T>;
  readonly #held: Outcome[] = [];
  readonly #broken: { readonly value: T; readonly outcomes: readonly Outcome[] }[] = [];
  #runs = 0;
  #failedAt = 0;
  #stopped: { readonly error: unknown } | null = null;
  /** Nothing more may be made: what was seen so far counts. */
  #spent = false;

  constructor(on: KeyedOperation, law: Law<T>, seed: number) {
    this.#on = on;
    this.#law = law;
    this.seed = seed;
  }

  /** An error that ends the run is no breach, and a spent allowance ends the shrinking: everything left passes unsent. */
  async run(value: T): Promise<boolean> {
    const isBroken = this.#broken.length > 0;
    const shrunk = this.#on.history.calls - this.#failedAt;
    if (this.#stopped !== null || this.#spent || (isBroken && shrunk > declared(this.#on.world, SHRINKING)))
      return true;
    try {
      const outcomes = await this.#law.run(value);
      const passes = !outcomes.some(({ judgement }) => isBreach(judgement));
      if (passes && !isBroken) this.#held.push(...told(this.#law, outcomes, 'case', value, this.#at(`${this.#runs}`)));
      if (!passes && this.#broken.push({ value, outcomes }) === 1) this.#failedAt = this.#on.history.calls;
      this.#runs += 1;
      return passes;
    } catch (error) {
      if (error instanceof NotSent) this.#spent = true;
      else this.#stopped = { error };
      return true;
    }
  }

  /** Throws what stopped the trial, with what it had shown by then. `path` is that of the smallest case: the number of the first that broke, then the shrinking. */
  conclude(path: string): readonly Outcome[] {
    if (this.#stopped !== null) throw endedBy(this.#stopped.error, this.#told(path));
    return this.#told(path);
  }

  #told(path: string): readonly Outcome[] {
    const [first, last] = [this.#broken[0], this.#broken.at(-1)];
    if (first === undefined || last === undefined) return this.#held;
    const smallest = told(this.#law, last.outcomes, 'smallest case', last.value, this.#at(path));
    const clauses = new Set(last.outcomes.filter(({ judgement }) => isBreach(judgement)).map(({ clause }) => clause));
    const more = first.outcomes.filter(({ clause, judgement }) => isBreach(judgement) && !clauses.has(clause));
    return [
      ...this.#held,
      ...smallest,
      ...told(this.#law, more, 'case', first.value, this.#at(path.replace(/:.*/, ''))),
    ];
  }

  #at(path: string): PropertyCase {
    return { probe: this.#law.probe, seed: this.seed, path };
  }
}

/** Outcomes of the one case. */
async function tryOnce<T>(law: Law<T>, again: PropertyCase): Promise<readonly Outcome[]> {
  const value = caseAt(law.cases, again, law.given);
  return value === null ? [] : told(law, await law.run(value), 'case', value, again);
}

/** Tells whether something breaches; observations and advisories do not fail a law. */
function isBreach(judgement: Judgement): boolean {
  return judgement.kind === 'breached' && judgement.breaches.some(({ weight }) => weight === 'breach');
}

/** The outcomes, each finding with the case that shows it and where fast-check finds it again. */
function told<T>(
  law: Law<T>,
  outcomes: readonly Outcome[],
  what: 'case' | 'smallest case',
  value: T,
  property: PropertyCase,
): readonly Outcome[] {
  const words = `${what}: ${law.inWords(value)} (seed ${property.seed}, path ${property.path})`;
  return outcomes.map((one) => {
    const { judgement } = one;
    if (judgement.kind !== 'breached') return one;
    const breaches = judgement.breaches.map((breach) => ({
      ...breach,
      message: `${breach.message}; ${words}`,
      property,
    }));
    return { ...one, judgement: { ...judgement, breaches } };
  });
}
