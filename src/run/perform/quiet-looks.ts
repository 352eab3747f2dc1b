// Looks once more, while nothing else is sent, at what showed each time that it was sent again at once: where the target wavers, that may have
// been one bad moment of it, which the run's own load brought about.
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import type { Ledger } from '../books/ledger.ts';

export class QuietLooks {
  readonly #ledger: Ledger;
  /** The requests that showed a finding each time, by its fingerprint. */
  readonly #plans = new Map<string, RequestPlan>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Remembers what showed each time, and would be told otherwise if it did not. */
  note(prints: readonly string[], plan: RequestPlan): void {
    for (const print of prints) if (this.#ledger.mayWaver(print)) this.#plans.set(print, plan);
  }

  /** `send` resolves with the answer, null where it could not be sent or the run itself has changed what is asked for. */
  async look(send: (plan: RequestPlan) => Promise<Exchange | null>): Promise<void> {
    for (const [print, plan] of this.#plans) {
      if (!this.#ledger.isShaky(this.#ledger.clauseOf(print) ?? '')) continue;
      const before = this.#ledger.occurrences(print);
      const answer = await send(plan);
      if (answer?.response != null && this.#ledger.occurrences(print) === before) this.#ledger.markIntermittent(print);
    }
  }
}
