// A law tried by fast-check against a living target: given cases first, then drawn ones; what breaks it is shrunk within
// an allowance of requests, and the smallest case is told with seed and path.
import * as fc from 'fast-check';
import type { Judgement } from '../../contract/judgement.ts';
import { placeSeed } from '../../generate/sampling.ts';
import type { Outcome } from '../probe.ts';
import type { Ground } from './ground.ts';

/** Requests that shrinking may cost. */
const SHRINKING = 300;

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
export async function tryLaw<T>(ground: Ground, law: Law<T>): Promise<readonly Outcome[]> {
  const { operation } = ground.reached;
  const held: Outcome[] = [];
  const broken: { readonly value: T; readonly outcomes: readonly Outcome[] }[] = [];
  let failedAt = 0;
  let stopped: { readonly error: unknown } | null = null;
  const property = fc.asyncProperty(law.cases, async (value) => {
    // What ends the run is no breach, and a spent allowance ends the shrinking: everything left passes unsent.
    if (stopped !== null || (broken.length > 0 && ground.calls - failedAt > SHRINKING)) return true;
    try {
      const outcomes = await law.run(value);
      const passes = !outcomes.some(({ judgement }) => isBreach(judgement));
      if (passes && broken.length === 0) held.push(...outcomes);
      if (!passes && broken.push({ value, outcomes }) === 1) failedAt = ground.calls;
      return passes;
    } catch (error) {
      stopped = { error };
      return true;
    }
  });
  const details = await fc.check(property, {
    seed: placeSeed(ground.world.seed, `${operation.service} ${operation.key} ${law.probe}`),
    numRuns: law.given.length + law.drawn,
    examples: law.given.map((value) => [value]),
  });
  if (stopped !== null) throw (stopped as { readonly error: unknown }).error;
  const [first, last] = [broken[0], broken.at(-1)];
  if (first === undefined || last === undefined) return held;
  const where = `(seed ${details.seed}, path ${details.counterexamplePath ?? '0'})`;
  const smallest = last.outcomes.map((one) => told(one, `smallest case: ${law.inWords(last.value)} ${where}`));
  const clauses = new Set(last.outcomes.filter(({ judgement }) => isBreach(judgement)).map(({ clause }) => clause));
  const more = first.outcomes
    .filter(({ clause, judgement }) => isBreach(judgement) && !clauses.has(clause))
    .map((one) => told(one, `case: ${law.inWords(first.value)} ${where}`));
  return [...held, ...smallest, ...more];
}

/** Whether something breaches; observations and advisories do not fail a law. */
function isBreach(judgement: Judgement): boolean {
  return judgement.kind === 'breached' && judgement.breaches.some(({ weight }) => weight === 'breach');
}

function told(outcome: Outcome, how: string): Outcome {
  const { judgement } = outcome;
  if (judgement.kind !== 'breached') return outcome;
  const breaches = judgement.breaches.map((breach) => ({ ...breach, message: `${breach.message}; ${how}` }));
  return { ...outcome, judgement: { ...judgement, breaches } };
}
