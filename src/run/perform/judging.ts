// Every check and every law over the run subscribes to the answers of the target; what they say is booked.
import type { ExchangeCheck } from '../../checks/check.ts';
import { EXCHANGE_CHECKS } from '../../checks/exchange-checks.ts';
import type { RunLaw } from '../../checks/run-law.ts';
import { holds, resting } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { toKeep } from '../../exchange/kept.ts';
import type { Ledger } from '../books/ledger.ts';
import type { RunEvents } from './events.ts';

export interface Judges {
  /** The user's own, beside ours. */
  readonly ownChecks: readonly ExchangeCheck[];
  readonly laws: readonly RunLaw[];
  /** Tells whether the clause is part of this run (filters). */
  readonly inRun: (clause: string) => boolean;
}

/** From now on the answers are judged. */
export function judgeAnswers(events: RunEvents, ledger: Ledger, { ownChecks, laws, inRun }: Judges): void {
  const recent = new RecentExchanges();
  events.on('answer', ({ exchange }) => recent.add(toKeep(exchange)));
  if (inRun('REQ-09'))
    events.on('answer', ({ exchange, spot, isOurs }) => {
      const hostile = exchange.plan.intent === 'hostile' ? 1 : 0;
      if (isOurs && exchange.response !== null) ledger.book('REQ-09', spot, resting(holds(), { hostile }), [exchange]);
    });
  for (const check of [...EXCHANGE_CHECKS, ...ownChecks].filter(({ clause }) => inRun(clause)))
    events.on(
      'answer',
      ({ exchange, subject, spot, isOurs }) => {
        if (!isOurs || !check.applies(subject)) return;
        const prints = ledger.book(check.clause, spot, check.judge(subject), [exchange]);
        if (prints.length > 0) events.tell({ kind: 'violations', exchange, prints });
      },
      { clauses: [check.clause], where: 'a check' },
    );
  for (const law of laws.filter(({ clause }) => inRun(clause)))
    events.on(
      'answer',
      ({ exchange, spot, isOurs }) => {
        const told = law.observe(exchange);
        if (told !== null && isOurs) ledger.book(law.clause, spot, told.judgement, recent.named(told.exchanges));
      },
      { clauses: [law.clause], where: 'a law over the run' },
    );
}

/** Minimum number of exchanges back that the evidence of a law can lie; twice as many are the maximum. */
const MIN_RECENT = 256;

/** The latest exchanges, which a law may point back to. */
class RecentExchanges {
  #latest = new Map<string, Exchange>();
  #earlier: ReadonlyMap<string, Exchange> = new Map();

  add(exchange: Exchange): void {
    this.#latest.set(exchange.id, exchange);
    if (this.#latest.size < MIN_RECENT) return;
    this.#earlier = this.#latest;
    this.#latest = new Map();
  }

  named(ids: readonly string[]): readonly Exchange[] {
    return ids.flatMap((id) => this.#latest.get(id) ?? this.#earlier.get(id) ?? []);
  }
}
