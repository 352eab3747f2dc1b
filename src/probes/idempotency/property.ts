// A law tried by fast-check against a living target: given cases first, then drawn ones; what breaks it is shrunk within
// an allowance of requests, and the smallest case is told with seed and path.
import * as fc from 'fast-check';
import type { Judgement } from '../../contract/judgement.ts';
import type { PropertyCase } from '../../contract/report.ts';
import { caseAt, placeSeed } from '../../generate/sampling.ts';
import { NotSent, type Outcome } from '../probe.ts';
import { declared } from '../world.ts';
import type { KeyLab } from './lab.ts';

/** Requests that shrinking may cost. That the law is broken is worth more than the smallest case that shows it. */
const SHRINKING = { whole: 300, brief: 8 };

export interface Law<T> {
  readonly cases: fc.Arbitrary<T>;
  /** Tried first; they shrink like drawn ones. */
  readonly given: readonly T[];
  /** How many are drawn beside. */
  readonly drawn: number;
  /** Tries a case by a lab of its own. */
  run(lab: KeyLab, value: T): Promise<void>;
  inWords(value: T): string;
}

/** A case that was tried. */
interface Tried<T> {
  readonly value: T;
  readonly outcomes: readonly Outcome[];
  readonly isBroken: boolean;
  /** Calls on the operation by then. */
  readonly calls: number;
}

/** Adds the outcomes of all cases up to the first that breaks something; then of that, and of the smallest it shrinks to. */
export async function tryLaw<T>(lab: KeyLab, law: Law<T>): Promise<void> {
  const { probe, outcomes, on } = lab;
  const { world, reached, history } = on;
  if (world.again?.probe === probe) return tryOnce(lab, law, world.again);
  const seed = placeSeed(world.seed, `${reached.operation.service} ${reached.operation.key} ${probe}`);
  const tried: Tried<T>[] = [];
  const ended: unknown[] = [];
  /** An error that ends the run is no breach, and a spent allowance ends the shrinking: everything left passes unsent. */
  const passes = async (value: T): Promise<boolean> => {
    const broken = tried.find(({ isBroken }) => isBroken);
    const isSpent = broken !== undefined && history.calls - broken.calls > declared(world, SHRINKING);
    if (ended.length > 0 || isSpent) return true;
    try {
      const one = await shownBy(lab, law, value);
      const isBroken = one.some(({ judgement }) => isBreach(judgement));
      tried.push({ value, outcomes: one, isBroken, calls: history.calls });
      return !isBroken;
    } catch (error) {
      ended.push(error);
      return true;
    }
  };
  const { counterexamplePath } = await fc.check(fc.asyncProperty(law.cases, passes), {
    seed,
    numRuns: law.given.length + law.drawn,
    examples: law.given.map((value) => [value]),
  });
  outcomes.push(...toldOf(law, tried, (path) => ({ probe, seed, path }), counterexamplePath ?? '0'));
  // Where nothing more may be made, what was seen so far counts.
  if (ended.some((error) => !(error instanceof NotSent))) throw ended[0];
}

/** All that the case shows. It counts, though no more may be made: a key that is executed again makes more than it should. */
async function shownBy<T>(lab: KeyLab, law: Law<T>, value: T): Promise<readonly Outcome[]> {
  const one = lab.anew();
  try {
    await law.run(one, value);
  } catch (error) {
    if (!(error instanceof NotSent) || one.outcomes.length === 0) throw error;
  }
  return one.outcomes;
}

/** `path` is that of the smallest case: the number of the first that broke, then the shrinking. */
function toldOf<T>(
  law: Law<T>,
  tried: readonly Tried<T>[],
  at: (path: string) => PropertyCase,
  path: string,
): readonly Outcome[] {
  const broken = tried.filter(({ isBroken }) => isBroken);
  const [first, last] = [broken[0], broken.at(-1)];
  const before = first === undefined ? tried : tried.slice(0, tried.indexOf(first));
  const held = before.flatMap((one, index) => told(law, one, 'case', at(`${index}`)));
  if (first === undefined || last === undefined) return held;
  const clauses = new Set(last.outcomes.flatMap(({ clause, judgement }) => (isBreach(judgement) ? [clause] : [])));
  const more = first.outcomes.filter(({ clause, judgement }) => isBreach(judgement) && !clauses.has(clause));
  return [
    ...held,
    ...told(law, last, 'smallest case', at(path)),
    ...told(law, { ...first, outcomes: more }, 'case', at(path.replace(/:.*/, ''))),
  ];
}

/** Adds the outcomes of the one case. */
async function tryOnce<T>(lab: KeyLab, law: Law<T>, again: PropertyCase): Promise<void> {
  const value = caseAt(law.cases, again, law.given);
  if (value === null) return;
  lab.outcomes.push(...told(law, { value, outcomes: await shownBy(lab, law, value) }, 'case', again));
}

/** Tells whether something breaches; observations and advisories do not fail a law. */
function isBreach(judgement: Judgement): boolean {
  return judgement.kind === 'breached' && judgement.breaches.some(({ weight }) => weight === 'breach');
}

/** The outcomes, each finding with the case that shows it and where fast-check finds it again. */
function told<T>(
  law: Law<T>,
  { value, outcomes }: Pick<Tried<T>, 'value' | 'outcomes'>,
  what: 'case' | 'smallest case',
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
