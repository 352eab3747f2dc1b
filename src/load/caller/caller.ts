// The world that an experiment on limits needs: calls under keys, and time. Live calls go through k6, single ones
// through the run's own client; read from a record nothing is sent, and time is the record's.
import type { Exchange } from '../../exchange/exchange.ts';

/** One call: under which key, of which operation, and when it is due after the begin of the step. ms. */
export interface Call {
  readonly key: string;
  readonly operation: string;
  readonly afterMs: number;
}

export interface Caller {
  /** Epoch ms. */
  now(): number;
  /** Resolves at once when the run is stopped. */
  sleep(delayMs: number): Promise<void>;
  /**
   * Sends the calls, in the order in which they are due, and resolves with their exchanges in the order sent. Each was judged
   * by itself before. `endsAtRefusal`: a sender that is refused sends no more; then fewer come back. Throws `StepLost` where
   * what came back proves nothing.
   */
  call(calls: readonly Call[], endsAtRefusal: boolean): Promise<readonly Exchange[]>;
}

/**
 * A step whose samples are not complete, or that may not be sent: nothing follows from it. Caught where the load's
 * report is made, which says so.
 */
export class StepLost extends Error {
  readonly code: 'incomplete' | 'broken' | 'interrupted' | 'capped';

  constructor(code: StepLost['code'], message: string) {
    super(message);
    this.name = 'StepLost';
    this.code = code;
  }
}
