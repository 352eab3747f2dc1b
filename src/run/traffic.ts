// What every operation was asked and answered, counted.
import type { Exchange } from '../exchange/exchange.ts';
import { type Spot, spotKey } from './ledger.ts';

const HANGING_AFTER = 2;

export interface OperationTraffic {
  requests: number;
  readonly statuses: Map<string, number>;
  timeouts: number;
}

export class Traffic {
  readonly #counts = new Map<string, OperationTraffic>();

  /** The counts of one operation, by its spot key; undefined where it was never asked. */
  get(key: string): OperationTraffic | undefined {
    return this.#counts.get(key);
  }

  count(spot: Spot, exchange: Exchange): void {
    const key = spotKey(spot);
    const traffic = this.#counts.get(key) ?? { requests: 0, statuses: new Map(), timeouts: 0 };
    this.#counts.set(key, traffic);
    const status = exchange.response === null ? 'failed' : String(exchange.response.status);
    traffic.requests += 1;
    traffic.statuses.set(status, (traffic.statuses.get(status) ?? 0) + 1);
    if (exchange.failure?.kind === 'timeout') traffic.timeouts += 1;
  }

  /** Whether the operation let requests run into the time limit often enough to be left alone. */
  hangs(spot: Spot): boolean {
    return (this.#counts.get(spotKey(spot))?.timeouts ?? 0) >= HANGING_AFTER;
  }
}
