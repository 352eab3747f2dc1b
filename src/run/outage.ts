// Whether the target is down: operation after operation answers nothing but 502, 503 or 504. Each of them costs its
// retries, so after a few a call that was answered before is asked whether it is the target, and for how long.
import type { Clock } from '../client/clock.ts';
import type { Exchange, RequestPlan } from '../exchange/exchange.ts';
import { RunEnded } from './interruption.ts';
import { spotKey } from './spot.ts';

/** What stands before a target answers for one that is down. */
const UNAVAILABLE: readonly number[] = [502, 503, 504];
/** So many operations in a row, and nothing else answered meanwhile, are reason to ask. */
const OPERATIONS_IN_A_ROW = 3;
/** A bad minute, and some: so long after the first of these answers the run is given up. ms. */
const PATIENCE_MS = 75_000;
const BETWEEN_LOOKS_MS = 5_000;

type Send = (plan: RequestPlan) => Promise<readonly Exchange[]>;

export class OutageWatch {
  readonly #send: Send;
  readonly #clock: Clock;
  readonly #down = new Set<string>();
  #sinceMs = 0;
  /** A reading call that was answered, best one of a described operation that was served. */
  #control: { readonly plan: RequestPlan; readonly isServed: boolean } | null = null;
  #looking: Promise<void> | null = null;

  constructor(send: Send, clock: Clock) {
    this.#send = send;
    this.#clock = clock;
  }

  /** Resolves at once, or when an outage that is being waited for is over. Throws RunEnded (target-lost) where it is not. */
  async over(): Promise<void> {
    await this.#looking;
  }

  /** Notes the last answer to a plan; waits where it may be one of an outage. Throws RunEnded (target-lost). */
  async observe({ plan, response }: Exchange): Promise<void> {
    if (response === null) return;
    if (!UNAVAILABLE.includes(response.status)) {
      this.#down.clear();
      this.#keepControl(plan, response.status);
      return;
    }
    if (this.#down.size === 0) this.#sinceMs = this.#clock.now();
    this.#down.add(spotKey(plan));
    if (this.#down.size < OPERATIONS_IN_A_ROW || this.#control === null) return;
    this.#looking ??= this.#wait(this.#control.plan, response.status).finally(() => {
      this.#looking = null;
    });
    await this.#looking;
  }

  #keepControl(plan: RequestPlan, status: number): void {
    if (plan.method !== 'GET' || this.#control?.isServed === true) return;
    const isServed = status < 300 && plan.operation !== null;
    if (isServed || this.#control === null)
      this.#control = { plan: { ...plan, probe: 'run/alive', retry: 'once' }, isServed };
  }

  /** Asks until the call is answered as before, or patience ends. */
  async #wait(control: RequestPlan, status: number): Promise<void> {
    const operations = this.#down.size;
    for (;;) {
      const { response = null } = (await this.#send(control)).at(-1) ?? {};
      if (response !== null && !UNAVAILABLE.includes(response.status)) break;
      const downMs = this.#clock.now() - this.#sinceMs;
      if (downMs >= PATIENCE_MS) {
        const lasted = `for ${Math.round(downMs / 1000)} s`;
        throw new RunEnded(
          'target-lost',
          `the target is down: ${operations} operations in a row answered ${status}, and so did ${control.method} ${control.path}, which was answered before, ${lasted}`,
        );
      }
      await this.#clock.sleep(BETWEEN_LOOKS_MS);
    }
    this.#down.clear();
  }
}
