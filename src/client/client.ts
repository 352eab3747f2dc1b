// The HTTP client as the rest of the program knows it: plans in, exchanges out.
import type { Exchange, RequestPlan } from '../exchange/exchange.ts';

export interface Client {
  /**
   * Sends the plan, retried as it asks, and resolves with every attempt in order (at least one, unless the budget is
   * spent: then `BudgetSpent` is thrown and nothing more was sent). Never rejects for what the target does: a failure is an
   * exchange without a response. Every attempt has also been passed to `onExchange` before this resolves.
   */
  send(plan: RequestPlan): Promise<readonly Exchange[]>;
  /** Requests sent so far, retries included. */
  readonly sent: number;
  /** Closes all connections; waits for nothing. */
  close(): Promise<void>;
}

/** Thrown by `send` when the request budget does not allow one more request; caught by the run. */
export class BudgetSpent extends Error {}
/** Thrown by `send` after the run was stopped (time limit, interruption); caught by the run. */
export class RunStopped extends Error {}
