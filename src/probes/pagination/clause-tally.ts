// What an examination came to, clause by clause: agreements counted, breaches with their evidence, or why nothing is known.
import type { Flaw } from '../../checks/pag/pag-04-to-09-page.ts';
import { codeOf } from '../../contract/code.ts';
import { type Breach, breached, cannotTell, type Judgement, resting } from '../../contract/judgement.ts';
import type { Grounds } from '../../contract/measures.ts';
import type { ReasonCode } from '../../contract/report.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { outcome } from '../experiment.ts';
import type { Outcome } from '../probe.ts';
import type { ListOperation } from './list-operation.ts';

interface Tally {
  assertions: number;
  readonly breaches: Breach[];
  readonly evidence: Exchange[];
  untold: { readonly reasonCode: ReasonCode; readonly reason: string } | null;
}

export class Verdicts {
  readonly #list: ListOperation;
  readonly #tallies = new Map<string, Tally>();
  readonly #observed: Outcome[] = [];

  constructor(list: ListOperation) {
    this.#list = list;
  }

  agree(clause: string, assertions = 1): void {
    this.#tally(clause).assertions += assertions;
  }

  breach(clause: string, { kind, ...flaw }: Flaw, evidence: readonly Exchange[]): void {
    const tally = this.#tally(clause);
    tally.assertions += 1;
    tally.breaches.push({ ...flaw, code: codeOf(clause, kind) });
    tally.evidence.push(...evidence);
  }

  /** Books an observation by itself, with the exchanges that show it. */
  observe(clause: string, judgement: Judgement, evidence: readonly Exchange[]): void {
    this.#observed.push(outcome(clause, this.#on, judgement, evidence));
  }

  /** Counts only where nothing is found: agreements on a list that changes prove nothing. */
  untold(clause: string, reason: string, reasonCode: ReasonCode = 'precondition'): void {
    this.#tally(clause).untold ??= { reasonCode, reason };
  }

  /** One outcome for each clause that was looked at, and one for each observation. `grounds`: how much of the list was seen. */
  outcomes(grounds: Grounds = {}): readonly Outcome[] {
    const judged = [...this.#tallies].map(([clause, tally]) =>
      outcome(clause, this.#on, resting(judgementOf(tally), groundsOf(clause, tally, grounds)), tally.evidence),
    );
    return [...judged, ...this.#observed];
  }

  get #on(): { readonly service: string; readonly operation: string } {
    const { service, key } = this.#list.reached.operation;
    return { service, operation: key };
  }

  #tally(clause: string): Tally {
    const known = this.#tallies.get(clause);
    if (known !== undefined) return known;
    const tally: Tally = { assertions: 0, breaches: [], evidence: [], untold: null };
    this.#tallies.set(clause, tally);
    return tally;
  }
}

/** A limit above the maximum that was refused shows a maximum by itself; all else rests on the list. */
function groundsOf(clause: string, { assertions }: Tally, grounds: Grounds): Grounds {
  return clause === 'PAG-03' ? { overLimits: assertions } : grounds;
}

function judgementOf({ assertions, breaches, untold }: Tally): Judgement {
  if (breaches.length > 0) return breached(breaches, assertions);
  if (untold !== null) return cannotTell(untold.reasonCode, untold.reason);
  return assertions > 0 ? breached([], assertions) : cannotTell('precondition', 'no page could be compared');
}
