// The user's own checks in one run: guarded, and what becomes of those that fail.
import type { DescriptionCheck, ExchangeCheck } from '../../checks/check.ts';
import {
  asDescriptionCheck,
  asExchangeCheck,
  asItemLaw,
  type BroughtCheck,
  clauseOfCheck,
  type GuardedItemLaw,
} from '../../checks/own-check.ts';
import type { Clause } from '../../contract/clause.ts';
import type { Judgement } from '../../contract/judgement.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Item } from '../../facts/item-history.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import type { Ledger } from './ledger.ts';

/** The judgement of a law on an item. */
interface OnItem {
  readonly clause: string;
  /** The operation that is judged: the last write, or the reading where nothing was written. */
  readonly on: Operation;
  readonly judgement: Judgement;
  readonly evidence: readonly Exchange[];
}

export class OwnChecks {
  readonly clauses: readonly Clause[];
  readonly onExchanges: readonly ExchangeCheck[];
  readonly onDescriptions: readonly DescriptionCheck[];
  readonly onItems: readonly GuardedItemLaw[];
  /** Clause → why its check failed. */
  readonly failures = new Map<string, string>();

  constructor(brought: readonly BroughtCheck[]) {
    const failed = (clause: string, sentence: string): unknown => this.failures.set(clause, sentence);
    this.clauses = brought.map(clauseOfCheck);
    this.onExchanges = brought.flatMap((one) => asExchangeCheck(one, failed) ?? []);
    this.onDescriptions = brought.flatMap((one) => asDescriptionCheck(one, failed) ?? []);
    this.onItems = brought.flatMap((one) => asItemLaw(one, failed) ?? []);
  }

  /** Voids the judgements of checks that turned out not to work. */
  voidFailed(ledger: Pick<Ledger, 'void'>): void {
    for (const [clause, sentence] of this.failures) ledger.void(clause, sentence);
  }

  /** The judgements, by the laws that take part, of the newest fact on the item. */
  judgeItem(item: Item, inRun: (clause: string) => boolean): readonly OnItem[] {
    const now = item.newest;
    if (now === null) return [];
    const { write, before } = item.episode;
    const evidence = [...new Set([before, write, now])].flatMap((fact) => fact?.exchange ?? []);
    return this.onItems.flatMap(({ clause, judge }) => {
      const judgement = inRun(clause) ? judge(item) : null;
      return judgement === null ? [] : [{ clause, on: (write ?? now).by, judgement, evidence }];
    });
  }

  /** Tells whether a check of exchanges or of items among them takes part: it may want any answer. */
  wantAnything(inRun: (clause: string) => boolean): boolean {
    return [...this.onExchanges, ...this.onItems].some(({ clause }) => inRun(clause));
  }
}
