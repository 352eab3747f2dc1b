// Keeps the requests of which something may have come that no answer tells of.

import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { keyIn } from '../../exchange/idempotency-key.ts';

export type OpenRequest = RequestPlan & {
  /** Set: it was sent any number of times. */
  readonly isRepeated?: true;
};

export class OpenRequests {
  /** Those that were announced and not answered, or by a failure of the server, by their numbers. */
  readonly #open = new Map<number, OpenRequest>();
  readonly #doubtful = new Set<number>();
  #untold = 0;

  /** Something may come of the request from now on. */
  announce(intent: number, plan: OpenRequest): void {
    this.#open.set(intent, plan);
  }

  all(): readonly OpenRequest[] {
    return [...this.#open.values()];
  }

  /** How many there are, and were of which nobody could tell whether something came of them. */
  get unknown(): number {
    return this.#untold + this.#open.size;
  }

  /** After a failure of the server or the connection the effect may be there; a key ties it to the next attempt's. */
  answer(intent: number, { plan, response }: Exchange): void {
    const isClear = response !== null && response.status < 500;
    if (!isClear && keyIn(plan.headers) === null) this.#doubtful.add(intent);
    if (isClear && !this.#doubtful.has(intent)) this.#open.delete(intent);
  }

  /** Their objects were looked for; nobody can tell what came of `untold` of them. */
  close(untold: number): void {
    this.#open.clear();
    this.#untold += untold;
  }
}
