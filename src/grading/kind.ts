// From a breach's weight and its clause's level to the kind of finding. The only place where levels are read.
import type { Clause } from '../contract/clause.ts';
import type { Weight } from '../contract/judgement.ts';
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
