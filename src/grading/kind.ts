// From a breach's weight and its clause's level to the kind of finding. The only place where levels are read.
import type { Clause } from '../contract/clause.ts';
import type { Judgement, Weight } from '../contract/judgement.ts';
import { isIdempotent } from '../contract/platform.ts';
import type { FindingKind } from '../contract/report.ts';
import type { TokenVariables } from '../exchange/curl.ts';

export interface GradingRules {
  /** Clauses whose advisories count as violations. */
  readonly promote: readonly string[];
  /** Discover clauses for which the configuration states an expectation: they are judged as must. */
  readonly expected: readonly string[];
  /** The environment variables that hold tokens, for the commands of findings; absent: none is known. */
  readonly tokenVariables?: TokenVariables;
  /** keep: evidence shows the texts of `error.message`; absent: it does not. */
  readonly errorMessages?: 'keep';
}

/** IDEM speaks of the two operations that are documented to take a key; of others IDEM-06 alone does, which take it silently. */
const OF_THE_TWO = ['IDEM-01', 'IDEM-02', 'IDEM-03', 'IDEM-04', 'IDEM-05'];

/**
 * The judgement as far as the clause binds the operation: what an operation that declares the key beyond the two does with it is told,
 * and breaks nothing. Source: IDEM ("on the two operations"), SPEC-07 ("declared elsewhere: observation").
 */
export function boundTo(clause: string, operation: string | null, judgement: Judgement): Judgement {
  if (judgement.kind !== 'breached' || !OF_THE_TWO.includes(clause)) return judgement;
  if (operation === null || isIdempotent(operation)) return judgement;
  const breaches = judgement.breaches.map((breach) => ({ ...breach, weight: 'observation' as const }));
  return { ...judgement, assertions: 0, breaches };
}

/** The kind of finding that a breach of this weight is, under these rules. */
export function kindOf(clause: Clause, weight: Weight, rules: GradingRules): FindingKind {
  if (weight === 'observation') return 'observation';
  const kind = weight === 'advisory' ? 'advisory' : kindOfLevel(clause, rules);
  return kind === 'advisory' && rules.promote.includes(clause.id) ? 'violation' : kind;
}

function kindOfLevel(clause: Clause, rules: GradingRules): FindingKind {
  if (clause.level === 'must') return 'violation';
  if (clause.level === 'should') return 'advisory';
  return rules.expected.includes(clause.id) ? 'violation' : 'observation';
}
