// The user's own checks in one run: guarded, and what becomes of those that fail.
import type { DescriptionCheck, ExchangeCheck } from '../../checks/check.ts';
import { asDescriptionCheck, asExchangeCheck, type BroughtCheck, clauseOfCheck } from '../../checks/own-check.ts';
import type { Clause } from '../../contract/clause.ts';
import type { Ledger } from './ledger.ts';

export class OwnChecks {
  readonly clauses: readonly Clause[];
  readonly onExchanges: readonly ExchangeCheck[];
  readonly onDescriptions: readonly DescriptionCheck[];
  /** Clause → why its check failed. */
  readonly failures = new Map<string, string>();

  constructor(brought: readonly BroughtCheck[]) {
    const failed = (clause: string, sentence: string): unknown => this.failures.set(clause, sentence);
    this.clauses = brought.map(clauseOfCheck);
    this.onExchanges = brought.flatMap((one) => asExchangeCheck(one, failed) ?? []);
    this.onDescriptions = brought.flatMap((one) => asDescriptionCheck(one, failed) ?? []);
  }

  /** What a check judged that turned out not to work counts no more. */
  voidFailed(ledger: Pick<Ledger, 'void'>): void {
    for (const [clause, sentence] of this.failures) ledger.void(clause, sentence);
  }

  /** Whether an exchange check among them takes part: it may want any answer. */
  wantAnything(inRun: (clause: string) => boolean): boolean {
    return this.onExchanges.some(({ clause }) => inRun(clause));
  }
}
