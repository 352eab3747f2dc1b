// Defines the state that the stages of a run share.
import type { RateBook } from '../../checks/rate/rate-history.ts';
import type { Catalogue, Described } from '../../openapi/model/catalogue.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import type { Reached, World } from '../../probes/world.ts';
import type { Books } from '../books/books.ts';
import type { CreationBound } from '../books/creation-bound.ts';
import type { CreationWatch } from '../books/creation-watch.ts';
import type { Creations } from '../books/creations.ts';
import type { OwnChecks } from '../books/own-checks.ts';
import type { SpilledUses } from '../books/spilled-uses.ts';
import type { Share } from '../plan/shard.ts';
import { keyOf, type Reaching } from '../reach/reaching.ts';
import type { Sensing } from '../sensitivity/sensing.ts';
import type { Undoer } from './clean-up.ts';
import type { Fit } from './fit.ts';
import type { RunInput } from './input.ts';
import type { Originals } from './originals.ts';
import type { Session } from './session.ts';

/** The input of a run, nothing left open that it needs. */
export type WholeInput = RunInput &
  Required<Pick<RunInput, 'redactor' | 'performed' | 'journal' | 'left'>> & {
    /** Most requests under way at once. */
    readonly width: number;
  };

/** The operations, clauses and laws that take part in a run. */
export interface RunScope {
  readonly catalogue: Catalogue;
  readonly selected: readonly Described[];
  /** The part of `selected` that this run answers for. */
  readonly share: Share;
  readonly inRun: (clause: string) => boolean;
  /** Tells whether an experiment for these clauses is to be performed. */
  readonly wants: (clauses: readonly string[]) => boolean;
  /** Tells whether PAG or IDEM is claimed for the operation. */
  readonly lawful: (operation: Operation, law: 'pagination' | 'idempotency') => boolean;
  /** Discover clauses that are judged as must. */
  readonly expected: readonly string[];
  readonly own: OwnChecks;
}

export interface RunBooks extends Books {
  readonly creations: Creations;
  readonly watch: CreationWatch;
  readonly rates: RateBook;
  /** The memory of ERR-06, on disk: to be closed. */
  readonly firstUses: SpilledUses;
  /** How much the run would notice; null where that was not asked. */
  readonly sensing: Sensing | null;
}

export interface StageState {
  readonly input: WholeInput;
  readonly scope: RunScope;
  readonly books: RunBooks;
  readonly session: Session;
  readonly world: World;
  readonly reaching: Reaching;
  readonly bound: CreationBound;
  readonly undoer: Undoer;
  readonly originals: Originals;
  /** The time that the run fits itself to; null: it takes as long as it takes. */
  readonly fit: Fit | null;
}

/** The operations that were reached, in the order of the descriptions. */
export function reachedInOrder({ scope, reaching }: Pick<StageState, 'scope' | 'reaching'>): readonly Reached[] {
  return scope.selected.flatMap((described) => reaching.reached.get(keyOf(described)) ?? []);
}

/** The reached operations that this run answers for. */
export function ownOf(share: Share, reached: readonly Reached[]): readonly Reached[] {
  return reached.filter(({ operation: { service, key } }) => share.performs({ service, operation: key }));
}
