// Defines the input of a judging run.
import type { BroughtCheck } from '../../checks/own-check.ts';
import type { CallHooks } from '../../client/call-hooks.ts';
import type { Socket } from '../../client/connections.ts';
import type { Clock } from '../../clock/clock.ts';
import type { Config, RunOptions } from '../../config/config.ts';
import type { Report } from '../../contract/report.ts';
import type { Redactor } from '../../exchange/secrets/known-secrets.ts';
import type { Description } from '../../openapi/model/operation.ts';
import type { CreationJournal, JournalledObject } from '../books/journal.ts';
import type { RunEvents } from './events.ts';
import type { StrayErrors } from './stray-errors.ts';

export interface RunInput {
  readonly config: Config;
  readonly options: RunOptions;
  readonly descriptions: readonly Description[];
  readonly clock: Clock;
  /** Opens the sockets to the target; absent: real ones. */
  readonly open?: () => Socket;
  /** In [0, 1), for the jitter of waits; absent: it is drawn anew in every run. */
  readonly random?: () => number;
  /** Code of the user around each request; null or absent: none. */
  readonly hooks?: CallHooks | null;
  /** The user's own checks; absent: none. */
  readonly checks?: readonly BroughtCheck[];
  /** Subscribes to what happens in the run, behind its own books; absent: nobody does. */
  readonly listen?: (events: RunEvents) => void;
  /** Aborted: the run stops where it stands, and the report says so. */
  readonly stop: AbortSignal;
  /** Learns the secrets of the run, so that others may mask what they say of it; absent: one of its own. */
  readonly redactor?: Redactor;
  /** Names of the experiments that an earlier part of the run performed; grows with those of this one. */
  readonly performed?: Set<string>;
  /** Gets the report as it stands, at the begin and every so often: it is what is left of a run that is killed. Never rejects. */
  readonly onCheckpoint?: (report: Report) => Promise<void>;
  /** Tells what is thrown where nothing waits for it; absent: it ends the process. */
  readonly strays?: StrayErrors;
  /** Where what the run makes is written down before it is sent; absent: nowhere. */
  readonly journal?: CreationJournal;
  /** The objects that earlier runs wrote down as made on this target and not as deleted, newest first; absent: none. */
  readonly left?: readonly JournalledObject[];
}
