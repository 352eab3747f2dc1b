// What a run narrowed to some clauses sends all the same: some clauses are judged on answers that experiments of others
// bring about, and without those there would be no occasion to judge them.
import { givesOccasion } from '../../contract/dossiers.ts';

export interface Taking {
  /** Clauses that this run judges. */
  readonly inRun: readonly string[];
  /** Whether a run that nothing narrows would judge the clause. */
  readonly possible: (clause: string) => boolean;
  /** Whether something is judged that may want any answer. */
  readonly wantsAll: boolean;
}

/** Whether an experiment for these clauses is to be performed. One for none brings about what others rest on. */
export function wantedBy({ inRun, possible, wantsAll }: Taking): (clauses: readonly string[]) => boolean {
  const taken = new Set(inRun);
  const isWanted = (clause: string): boolean =>
    taken.has(clause) || (possible(clause) && (wantsAll || inRun.some((judged) => givesOccasion(clause, judged))));
  return (clauses) => clauses.length === 0 || clauses.some(isWanted);
}
