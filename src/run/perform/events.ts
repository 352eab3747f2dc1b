// The run as a stream of events. Whoever sends, judges or makes something tells it here; whoever keeps books of the run subscribes. No
// subscriber knows of another.
import type { Subject } from '../../checks/check.ts';
import type { Awaited, Progress } from '../../contract/progress.ts';
import type { ExperimentName, ReasonCode } from '../../contract/report.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import type { Described } from '../../openapi/model/catalogue.ts';
import type { Answered, AnyExperiment } from '../../probes/probe.ts';
import { HarnessErrors, type Work } from '../books/harness-errors.ts';
import type { Spot } from '../plan/clause-target.ts';

/** Experiments that were left out of a run, and why. */
export interface Cut {
  /** `held`: depth goes only so far on each operation. `fitted`: the run fitted itself to its time. */
  readonly reasonCode: ReasonCode | 'held' | 'fitted';
  readonly experiments: number;
}

/** An exchange of the target, with the operation that it belongs to. */
export interface AnswerEvent {
  readonly kind: 'answer';
  readonly exchange: Exchange;
  readonly subject: Subject;
  readonly described: Described | null;
  readonly spot: Spot;
  /** True where this run answers for it; false: another shard does. */
  readonly isOurs: boolean;
}

export type RunEvent =
  /** The run does something else from now on; `seconds`: how long it takes, where that is known before. */
  | { readonly kind: 'phase'; readonly name: string; readonly seconds?: number | undefined }
  /** Requests that are left of a pass, and when nothing more of it begins any longer, epoch ms; null: no pass, no such time. */
  | { readonly kind: 'planned'; readonly requests: number | null; readonly untilMs: number | null }
  /** How far the run is. */
  | { readonly kind: 'progress'; readonly progress: Progress }
  /** Experiments are left out. */
  | ({ readonly kind: 'cut' } & Cut)
  /** Nothing is sent until then, epoch ms, unless something else is. */
  | { readonly kind: 'waiting'; readonly awaited: Awaited; readonly untilMs: number }
  /** A request is about to be sent. */
  | { readonly kind: 'sending'; readonly plan: RequestPlan }
  /** Nothing more is awaited of a request; its `attempts` are empty where it was not sent. */
  | { readonly kind: 'sent'; readonly plan: RequestPlan; readonly attempts: readonly Exchange[] }
  /** An exchange ended, whoever asked for it, and whether it is judged or not. */
  | { readonly kind: 'exchange'; readonly exchange: Exchange }
  /** The end of the run came before the answer. */
  | { readonly kind: 'stopped'; readonly exchange: Exchange }
  /** An exchange is counted and judged: the target is known to be the right one. */
  | AnswerEvent
  /** A check found violations in an exchange that the run had not seen before, named by their fingerprints. */
  | { readonly kind: 'violations'; readonly exchange: Exchange; readonly prints: readonly string[] }
  /** An experiment that this run answers for has sent a plan, and was answered. */
  | {
      readonly kind: 'performed';
      readonly experiment: AnyExperiment;
      /** Those of its clauses that take part in the run. */
      readonly clauses: readonly string[];
      readonly plan: RequestPlan;
      readonly answered: Answered;
    }
  /** Nothing more is sent: what is judged over the whole run is judged now. */
  | { readonly kind: 'concluding' }
  /** An experiment needs what it made no longer. */
  | { readonly kind: 'released'; readonly experiment: ExperimentName };

type EventOf<Kind extends RunEvent['kind']> = Extract<RunEvent, { readonly kind: Kind }>;

const BOOKS: Work = { clauses: [], where: 'the books of the run' };

export class RunEvents {
  readonly errors = new HarnessErrors();
  readonly #subscribers = new Map<RunEvent['kind'], { hear(event: RunEvent): void; readonly work: Work }[]>();

  /** Subscribers to one kind hear an event in the order in which they came. What one throws is noted as an error of the harness in `work`. */
  on<Kind extends RunEvent['kind']>(kind: Kind, hear: (event: EventOf<Kind>) => void, work: Work = BOOKS): void {
    const known = this.#subscribers.get(kind) ?? [];
    // They are kept by the kind that they hear.
    this.#subscribers.set(kind, [...known, { hear: hear as (event: RunEvent) => void, work }]);
  }

  /** Never throws but for what ends the run. */
  tell(event: RunEvent): void {
    const exchange = 'exchange' in event ? event.exchange : null;
    for (const { hear, work } of this.#subscribers.get(event.kind) ?? [])
      this.errors.attempt(work, exchange, undefined, () => hear(event));
  }
}
