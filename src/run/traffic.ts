// What every operation was asked and answered, counted.
import type { Exchange } from '../exchange/exchange.ts';
import { type Spot, spotKey } from './ledger.ts';

/** So many requests that ran into the time limit, or stayed 503 through all retries, and the operation is left alone. */
const SILENT_AFTER = 2;

export interface OperationTraffic {
  requests: number;
  readonly statuses: Map<string, number>;
  /** Requests without an answer worth waiting for: time-outs, and 503 that stayed. */
  silences: number;
}

export class Traffic {
  readonly #counts = new Map<string, OperationTraffic>();

  /** The counts of one operation, by its spot key; undefined where it was never asked. */
  get(key: string): OperationTraffic | undefined {
    return this.#counts.get(key);
  }

  count(spot: Spot, exchange: Exchange): void {
    const key = spotKey(spot);
    const traffic = this.#counts.get(key) ?? { requests: 0, statuses: new Map(), silences: 0 };
    this.#counts.set(key, traffic);
    const status = exchange.response === null ? 'failed' : String(exchange.response.status);
    traffic.requests += 1;
    traffic.statuses.set(status, (traffic.statuses.get(status) ?? 0) + 1);
    if (exchange.failure?.kind === 'timeout') traffic.silences += 1;
  }

  /** Notes a 503 that stayed through all retries. */
  stayedUnavailable(spot: Spot): void {
    const traffic = this.#counts.get(spotKey(spot));
    if (traffic !== undefined) traffic.silences += 1;
  }

  /** Whether the operation cost so much waiting that it is left alone. */
  hangs(spot: Spot): boolean {
    return (this.#counts.get(spotKey(spot))?.silences ?? 0) >= SILENT_AFTER;
  }
}
