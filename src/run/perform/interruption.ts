// Why a run ended early, and the errors that carry it up.
import { HookFailed } from '../../client/call-hooks.ts';
import { BudgetSpent, RunStopped } from '../../client/client.ts';
import { TokenUnavailable } from '../../client/tokens.ts';
import type { ReasonCode } from '../../contract/report.ts';

/** Thrown to end the run where it stands: caught by the run, whose report says why. */
export class RunEnded extends Error {
  readonly reasonCode: ReasonCode;

  constructor(reasonCode: ReasonCode, sentence: string) {
    super(sentence);
    this.reasonCode = reasonCode;
  }
}

/** The run's end for the client's reasons to send no more; any other error as it is. */
export function asRunEnd(error: unknown): unknown {
  if (error instanceof BudgetSpent) return new RunEnded('budget', 'the request budget is spent');
  if (error instanceof RunStopped) return new RunEnded('interrupted', 'the run was stopped');
  if (error instanceof TokenUnavailable) return new RunEnded('no-credential', error.message);
  if (error instanceof HookFailed) return new RunEnded('harness-error', error.message);
  return error;
}
