// From a breach's weight and its clause's level to the kind of finding. The only place where levels are read.
import type { Clause } from '../contract/clause.ts';
import { cannotTell, type Judgement, type Weight } from '../contract/judgement.ts';
import type { FindingKind } from '../contract/report.ts';
import type { TokenVariables } from '../exchange/curl.ts';
import type { RequestPlan } from '../exchange/exchange.ts';

export interface GradingRules {
  /** Clauses whose advisories count as violations. */
  readonly promote: readonly string[];
  /** Tells whether the laws of keys bind the operation; absent: they bind every one. */
  readonly bindsKeys?: (operation: string) => boolean;
  /** Discover clauses for which the configuration states an expectation: they are judged as must. */
  readonly expected: readonly string[];
  /** The environment variables that hold tokens, for the commands of findings; absent: none is known. */
  readonly tokenVariables?: TokenVariables;
  /** Tells whether the request names something that the run made; absent: none does. */
  readonly namesMade?: (plan: RequestPlan) => boolean;
  /** keep: evidence shows the texts of `error.message`; absent: it does not. */
  readonly errorMessages?: 'keep';
}

/** Laws of what operations do with keys. IDEM-06 speaks of the others, which take the header silently. */
const OF_KEYS: ReadonlySet<string> = new Set(['IDEM-01', 'IDEM-02', 'IDEM-03', 'IDEM-04', 'IDEM-05', 'IDEM-08']);
const UNBOUND = cannotTell(
  'not-declared',
  'the laws of keys do not bind this operation: what it does with keys is observed',
);

/**
 * The judgement as far as the clause binds the operation. What an operation does with keys that no law binds is told where it would be a
 * breach, and neither breaks nor passes anything. Source: IDEM ("on the two operations"), SPEC-07 ("declared elsewhere: observation").
 */
export function boundTo(
  clause: string,
  operation: string | null,
  judgement: Judgement,
  { bindsKeys = () => true }: Pick<GradingRules, 'bindsKeys'>,
): Judgement {
  if (!OF_KEYS.has(clause) || operation === null || bindsKeys(operation)) return judgement;
  if (judgement.kind === 'holds') return UNBOUND;
  if (judgement.kind === 'cannot-tell') return judgement;
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
