// What a run narrowed to some clauses sends all the same: some clauses are judged on answers that experiments of others
// bring about, and without those there would be no occasion to judge them.
import { EXCHANGE_CHECKS } from '../checks/exchange-checks.ts';

type IsClause = (clause: string) => boolean;

interface Occasion {
  /** Judged on whatever answer comes. */
  readonly judged: IsClause;
  /** Clauses whose experiments bring about such answers. */
  readonly given: IsClause;
}

const ON_ERRORS: ReadonlySet<string> = new Set([
  ...EXCHANGE_CHECKS.map(({ clause }) => clause).filter((clause) => clause.startsWith('ERR-')),
  ...['ERR-06', 'SCH-06', 'SCH-08'],
]);

const OCCASIONS: readonly Occasion[] = [
  {
    judged: (clause) => ON_ERRORS.has(clause),
    given: (clause) => clause.startsWith('REQ-') || clause.startsWith('AUTH-') || clause === 'ERR-10',
  },
  { judged: (clause) => clause === 'PAG-01' || clause === 'PAG-11', given: (clause) => clause.startsWith('PAG-') },
  { judged: (clause) => clause === 'RATE-05', given: (clause) => clause.startsWith('RATE-') },
  // A public operation that demands a token breaches both; AUTH-06 asks.
  { judged: (clause) => clause === 'SPEC-04', given: (clause) => clause === 'AUTH-06' },
];

export interface Taking {
  /** Clauses that this run judges. */
  readonly inRun: readonly string[];
  /** Whether a run that nothing narrows would judge the clause. */
  readonly possible: IsClause;
  /** Whether something is judged that may want any answer. */
  readonly wantsAll: boolean;
}

/** Whether an experiment for these clauses is to be performed. One for none brings about what others rest on. */
export function wantedBy({ inRun, possible, wantsAll }: Taking): (clauses: readonly string[]) => boolean {
  const taken = new Set(inRun);
  const occasions = OCCASIONS.filter(({ judged }) => inRun.some(judged));
  const isWanted = (clause: string): boolean =>
    taken.has(clause) || (possible(clause) && (wantsAll || occasions.some(({ given }) => given(clause))));
  return (clauses) => clauses.length === 0 || clauses.some(isWanted);
}
