// What the stages of a run share.
import type { RateBook } from '../../checks/rate/rate-history.ts';
import type { Clock } from '../../clock/clock.ts';
import type { Replayed, RunOptions } from '../../config/config.ts';
import type { Redactor } from '../../exchange/secrets/known-secrets.ts';
import type { Catalogue, Described } from '../../openapi/model/catalogue.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import type { Reached, World } from '../../probes/world.ts';
import type { Books } from '../books/books.ts';
import type { CreationBound } from '../books/creation-bound.ts';
import type { Creations, Made } from '../books/creations.ts';
import type { Ledger } from '../books/ledger.ts';
import type { OwnChecks } from '../books/own-checks.ts';
import type { Share } from '../plan/shard.ts';
import { keyOf, type Reaching } from '../reach/reaching.ts';
import type { Sensing } from '../sensitivity/sensing.ts';
import type { Undoer } from './clean-up.ts';
import type { RunEvents } from './events.ts';
import type { Fit } from './fit.ts';
import type { Session } from './session.ts';

export interface StageState {
  /** Knows every secret of the run. */
  readonly redactor: Redactor;
  /** {docs_url} of the configuration; null where it is not configured. */
  readonly docsUrl: string | null;
  readonly clock: Clock;
  /** What the command line and the configuration leave out. */
  readonly options: Pick<RunOptions, 'skipped'>;
  readonly catalogue: Catalogue;
  readonly selected: readonly Described[];
  /** What of `selected` this run answers for. */
  readonly share: Share;
  readonly inRun: (clause: string) => boolean;
  /** Whether an experiment for these clauses is to be performed. */
  readonly wants: (clauses: readonly string[]) => boolean;
  /** Whether PAG or IDEM is claimed for the operation. */
  readonly lawful: (operation: Operation, law: 'pagination' | 'idempotency') => boolean;
  /** Discover clauses that are judged as must. */
  readonly expected: readonly string[];
  readonly ledger: Ledger;
  readonly own: OwnChecks;
  readonly events: RunEvents;
  readonly books: Books;
  readonly session: Session;
  readonly creations: Creations;
  readonly bound: CreationBound;
  readonly undoer: Undoer;
  /** What earlier runs made and did not delete, to be looked for. */
  readonly inherited: readonly Made[];
  readonly rates: RateBook;
  readonly world: World;
  readonly reaching: Reaching;
  /** Names of the experiments performed so far; starts with those of the run that this one goes on from. */
  readonly performed: Set<string>;
  /** How much the run would notice; null where that was not asked. */
  readonly sensing: Sensing | null;
  readonly budget: number | null;
  readonly width: number;
  /** Whether the user set no time limit: depth then has one of its own. */
  readonly unlimited: boolean;
  /** What the run fits itself to; null: it takes as long as it takes. */
  readonly fit: Fit | null;
  /** The one finding that the run looks at; null: it looks at everything. */
  readonly replayed: Replayed | null;
}

/** What was reached, in the order of the descriptions. */
export function reachedInOrder({ selected, reaching }: Pick<StageState, 'selected' | 'reaching'>): readonly Reached[] {
  return selected.flatMap((described) => reaching.reached.get(keyOf(described)) ?? []);
}

/** Of what was reached that which this run answers for. */
export function ownOf(share: Share, reached: readonly Reached[]): readonly Reached[] {
  return reached.filter(({ operation: { service, key } }) => share.performs({ service, operation: key }));
}
