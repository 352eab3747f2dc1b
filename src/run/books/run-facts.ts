// All that the report of a run is made of.
import type { Config, RunOptions } from '../../config/config.ts';
import type { Absence } from '../../grading/rows.ts';
import type { Description } from '../../openapi/model/operation.ts';
import type { StageState } from '../perform/state.ts';

export interface RunFacts
  extends Pick<
    StageState,
    | 'redactor'
    | 'catalogue'
    | 'selected'
    | 'share'
    | 'ledger'
    | 'own'
    | 'session'
    | 'books'
    | 'creations'
    | 'bound'
    | 'reaching'
    | 'expected'
  > {
  /** How much the run would notice; null or absent where that was not asked. */
  readonly sensing?: StageState['sensing'];
  readonly config: Config;
  readonly options: RunOptions;
  readonly descriptions: readonly Description[];
  readonly runId: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** Set when the run ended early. */
  readonly ended: Absence | null;
}
