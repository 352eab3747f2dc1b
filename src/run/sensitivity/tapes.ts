// Keeps what a sample of the experiments of a run sent and was answered, so that they can be performed again without a request.
// Bounded: a few experiments of each kind on a sample of operations.

import { jsonText } from '../../exchange/body.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { toKeep } from '../../exchange/kept.ts';
import type { Answered, AnyExperiment } from '../../probes/probe.ts';
import { type Spot, spotKey } from '../plan/clause-target.ts';
import { MOST_OPERATIONS, rankOf } from './plant-book.ts';

/** Experiments for the same clauses that are kept of one operation, and the requests that are kept of one. */
const MOST_ALIKE = 6;
const MOST_TAKES = 400;
/** Experiments may be on operations at which nothing is planted. */
const MOST_KEPT = 2 * MOST_OPERATIONS;

export interface Take {
  readonly plan: RequestPlan;
  readonly answered: Answered;
}

/** One experiment, as it was performed. */
export interface Tape {
  readonly experiment: AnyExperiment;
  readonly takes: Take[];
  /** Set where it sent more than is kept. */
  isCut: boolean;
}

export class Tapes {
  readonly #seed: number;
  readonly #wanted: (clauses: readonly string[]) => boolean;
  /** The recorded experiments, by their clauses, and then by operation. */
  readonly #kept = new Map<string, Map<string, Tape[]>>();
  readonly #dropped = new Set<string>();
  readonly #byExperiment = new Map<AnyExperiment, Tape>();
  readonly #bySpot = new Map<string, Set<Tape>>();

  /** `wanted`: whether an experiment for these clauses can show a planted defect. */
  constructor(seed: number, wanted: (clauses: readonly string[]) => boolean) {
    this.#seed = seed;
    this.#wanted = wanted;
  }

  /** Keeps what the experiment sent, where it is of the sample. */
  record(experiment: AnyExperiment, plan: RequestPlan, answered: Answered): void {
    const tape = this.#byExperiment.get(experiment) ?? this.#begun(experiment);
    if (tape === null) return;
    if (tape.takes.length >= MOST_TAKES) tape.isCut = true;
    else tape.takes.push({ plan, answered: kept(answered) });
  }

  /** The tapes of experiments that judge the clause: on the operation, or anywhere for none. */
  of(clause: string, spot: Spot): readonly Tape[] {
    const tapes = spot.operation === null ? this.#byExperiment.values() : (this.#bySpot.get(spotKey(spot)) ?? []);
    return [...tapes].filter(({ experiment, isCut }) => !isCut && experiment.clauses.includes(clause));
  }

  /** All that was kept of the operation. */
  on(spot: Spot): readonly Take[] {
    return [...(this.#bySpot.get(spotKey(spot)) ?? [])].flatMap(({ takes }) => takes);
  }

  #begun(experiment: AnyExperiment): Tape | null {
    if (!this.#wanted(experiment.clauses)) return null;
    const kind = experiment.clauses.join(' ');
    const key = spotKey(experiment);
    if (this.#dropped.has(`${kind} ${key}`)) return null;
    const byOperation = this.#kept.get(kind) ?? new Map<string, Tape[]>();
    this.#kept.set(kind, byOperation);
    const alike = byOperation.get(key) ?? [];
    if (alike.length >= MOST_ALIKE && key !== '') return null;
    const tape: Tape = { experiment, takes: [], isCut: false };
    byOperation.set(key, [...alike, tape]);
    this.#byExperiment.set(experiment, tape);
    this.#bySpot.set(key, (this.#bySpot.get(key) ?? new Set()).add(tape));
    if (byOperation.size > MOST_KEPT) this.#drop(kind, byOperation);
    return this.#byExperiment.has(experiment) ? tape : null;
  }

  /** Lets go of the operation that the seed draws last: which ones are left does not hang on their order. */
  #drop(kind: string, byOperation: Map<string, Tape[]>): void {
    const rank = (key: string): string => rankOf(key, this.#seed);
    const last = [...byOperation.keys()].reduce((most, key) => (rank(key) > rank(most) ? key : most));
    for (const tape of byOperation.get(last) ?? []) {
      this.#byExperiment.delete(tape.experiment);
      this.#bySpot.get(last)?.delete(tape);
    }
    byOperation.delete(last);
    this.#dropped.add(`${kind} ${last}`);
  }
}

function kept({ attempts, last }: Answered): Answered {
  const one = toKeep(last);
  return { attempts: attempts.length === 1 ? [one] : [...attempts.slice(0, -1).map(toKeep), one], last: one };
}

/** The known answers of an operation, to all experiments on it. It is looked at for every trial and never changes. */
export class Shelf {
  /** All answers, in the order of their experiments. */
  readonly exchanges: readonly Exchange[];
  /** The answer that a request got last. */
  readonly last: ReadonlyMap<string, Answered>;
  /** The same for requests that differ in no more than the data that they carry. */
  readonly alike: ReadonlyMap<string, Answered>;

  constructor(takes: readonly Take[]) {
    this.exchanges = takes.map(({ answered }) => answered.last);
    this.last = new Map(takes.map(({ plan, answered }) => [nameOf(plan), answered]));
    this.alike = new Map(takes.map(({ plan, answered }) => [kindOf(plan), answered]));
  }
}

/** Answers requests from what was answered before: an experiment that is performed again meets the target as it was. */
export class Deck {
  readonly #own: readonly Take[];
  readonly #shelf: Shelf;
  /** Answers of the experiment itself that were not given yet. */
  readonly #open: Set<Take>;
  /** The same by request. */
  readonly #next: ReadonlyMap<string, Take[]>;
  /** The answer of the experiment itself that a request was given last. */
  readonly #given = new Map<string, Answered>();

  /** `own`: what the experiment itself sent. */
  constructor(own: readonly Take[], shelf: Shelf) {
    this.#own = own;
    this.#shelf = shelf;
    this.#open = new Set(own);
    this.#next = Map.groupBy(own, ({ plan }) => nameOf(plan));
  }

  /**
   * The next answer to the request; once all were given, the last one again, unless each is to be given `once`; null for a request
   * that is not known.
   */
  answer(plan: RequestPlan, once = false): Answered | null {
    const name = nameOf(plan);
    const next = this.#next.get(name)?.find((take) => this.#open.has(take));
    if (next !== undefined) {
      this.#open.delete(next);
      this.#given.set(name, next.answered);
    }
    if (once) return next?.answered ?? null;
    const kind = kindOf(plan);
    return (
      next?.answered ??
      this.#given.get(name) ??
      this.#nextAlike(kind) ??
      this.#shelf.last.get(name) ??
      this.#own.findLast((take) => kindOf(take.plan) === kind)?.answered ??
      this.#shelf.alike.get(kind) ??
      null
    );
  }

  /** The next answer to a request that differs in no more than its data: another key, and the body that goes with it. */
  #nextAlike(kind: string): Answered | null {
    const next = [...this.#open].find(({ plan }) => kindOf(plan) === kind);
    if (next !== undefined) this.#open.delete(next);
    return next?.answered ?? null;
  }
}

/** Requests are kept as they were sent, so that each is named once. */
const kinds = new WeakMap<RequestPlan, string>();
const names = new WeakMap<RequestPlan, string>();

function kindOf(plan: RequestPlan): string {
  return remembered(kinds, plan, ({ method, path, query, headers, credential, body, intent }) =>
    jsonText([method, path, query, headers.map(([name]) => name), credential, body.kind, intent ?? 'sound']),
  );
}

function nameOf(plan: RequestPlan): string {
  return remembered(names, plan, ({ headers, body }) => `${kindOf(plan)} ${jsonText([headers, body])}`);
}

function remembered(
  texts: WeakMap<RequestPlan, string>,
  plan: RequestPlan,
  write: (plan: RequestPlan) => string,
): string {
  const text = texts.get(plan) ?? write(plan);
  texts.set(plan, text);
  return text;
}
