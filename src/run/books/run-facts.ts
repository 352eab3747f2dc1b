// All that the report of a run is made of.
import type { Absence } from '../../grading/rows.ts';
import type { RunBooks, RunScope, StageState, WholeInput } from '../perform/state.ts';

export interface RunFacts extends Pick<StageState, 'session' | 'bound' | 'reaching' | 'originals'> {
  readonly input: Pick<WholeInput, 'config' | 'options' | 'descriptions' | 'redactor'>;
  readonly scope: Pick<RunScope, 'catalogue' | 'selected' | 'share' | 'expected' | 'own'>;
  readonly books: Omit<RunBooks, 'rates' | 'firstUses' | 'watch'>;
  readonly runId: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** Set when the run ended early. */
  readonly ended: Absence | null;
}
