// The laws over the whole run, fed with every exchange, and the exchanges that they may point back to.
import type { LawJudgement, RunLaw } from '../../checks/run-law.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { HarnessErrors } from './harness-errors.ts';

/** So many exchanges back can evidence lie at least, and twice as many at most. */
const RECENT = 256;

export interface LawOutcome {
  readonly clause: string;
  readonly judgement: LawJudgement['judgement'];
  readonly evidence: readonly Exchange[];
}

export class LawWatch {
  readonly #laws: readonly RunLaw[];
  readonly #errors: HarnessErrors;
  /** Of the latest exchanges, and of as many before them. */
  #recent = new Map<string, Exchange>();
  #earlier: ReadonlyMap<string, Exchange> = new Map();

  constructor(laws: readonly RunLaw[], errors: HarnessErrors) {
    this.#laws = laws;
    this.#errors = errors;
  }

  /** Keeps the exchange as evidence of what comes after it. */
  remember(exchange: Exchange): void {
    this.#recent.set(exchange.id, exchange);
    if (this.#recent.size < RECENT) return;
    this.#earlier = this.#recent;
    this.#recent = new Map();
  }

  /** What the laws say about the exchange: nothing from those that do not speak about it. */
  observe(exchange: Exchange): readonly LawOutcome[] {
    return this.#laws.flatMap((law) => {
      const work = { clauses: [law.clause], where: 'a law over the run' };
      const seen = this.#errors.attempt(work, exchange, null, () => law.observe(exchange));
      if (seen === null) return [];
      const evidence = seen.exchanges.flatMap((id) => this.#recent.get(id) ?? this.#earlier.get(id) ?? []);
      return [{ clause: law.clause, judgement: seen.judgement, evidence }];
    });
  }
}
