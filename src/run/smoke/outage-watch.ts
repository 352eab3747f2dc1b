// Watches, while a run goes on, that the target is still up.
//
// It is down where operation after operation answers nothing but 502, 503 or 504. Each of them costs its retries, so soon a call
// that was answered before is asked whether it is the target, and for how long. What an outage answered is not held against the
// operations.
import type { Timing } from '../../clock/clock.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { RunEnded } from '../perform/interruption.ts';
import { spotKey } from '../plan/clause-target.ts';

/** Statuses that a proxy before the target answers for a target that is down. */
const UNAVAILABLE: readonly number[] = [502, 503, 504];
/** Number of operations in a row, with nothing else answered meanwhile, that are reason to ask. */
const OPERATIONS_IN_A_ROW = 3;
const CONTROLS = 2;
/** A bad minute, and some: so long after the first of these answers the run is given up. ms. */
const PATIENCE_MS = 75_000;
const BETWEEN_LOOKS_MS = 5_000;

type Send = (plan: RequestPlan) => Promise<readonly Exchange[]>;

export class OutageWatch {
  readonly #send: Send;
  readonly #clock: Timing;
  readonly #down = new Set<string>();
  #sinceMs = 0;
  /** Reading calls that were answered, those of described operations that were served first. */
  readonly #controls: { readonly plan: RequestPlan; readonly isServed: boolean }[] = [];
  #looking: Promise<boolean> | null = null;

  constructor(send: Send, clock: Timing) {
    this.#send = send;
    this.#clock = clock;
  }

  /** Resolves at once, or when an outage that is being waited for is over. Throws RunEnded (target-lost) where it is not. */
  async over(): Promise<void> {
    await this.#looking;
  }

  /**
   * Notes the last answer to a plan, and whether it `lasts` through all retries. Resolves with whether it was the answer of
   * an outage, which is over then. Throws RunEnded (target-lost) where it is not.
   */
  async observe({ plan, response, limited }: Exchange, lasts: boolean): Promise<boolean> {
    if (response === null || limited === true) return false;
    if (!UNAVAILABLE.includes(response.status)) {
      this.#down.clear();
      this.#keepControl(plan, response.status);
      return false;
    }
    if (this.#down.size === 0) this.#sinceMs = this.#clock.now();
    this.#down.add(spotKey(plan));
    const control = this.#controls.find((one) => spotKey(one.plan) !== spotKey(plan));
    if (control === undefined || (!lasts && this.#down.size < OPERATIONS_IN_A_ROW)) return false;
    this.#looking ??= this.#wait(control.plan, response.status).finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  #keepControl(plan: RequestPlan, status: number): void {
    if (plan.method !== 'GET' || this.#controls.some((one) => spotKey(one.plan) === spotKey(plan))) return;
    const isServed = status < 300 && plan.operation !== null;
    if (!isServed && this.#controls.length >= CONTROLS) return;
    // An idle connection that the target closed would look like a target that is down.
    const control: RequestPlan = { ...plan, probe: 'run/alive', retry: 'once', onlyAlive: true, fresh: true };
    this.#controls.push({ plan: control, isServed });
    this.#controls.sort((left, right) => Number(right.isServed) - Number(left.isServed));
    this.#controls.splice(CONTROLS);
  }

  /** Asks until the call is answered as before, or patience ends; whether it was not at first. */
  async #wait(control: RequestPlan, status: number): Promise<boolean> {
    for (let look = 0; ; look += 1) {
      const { response = null } = (await this.#send(control)).at(-1) ?? {};
      if (response !== null && !UNAVAILABLE.includes(response.status)) {
        this.#down.clear();
        return look > 0;
      }
      const downMs = this.#clock.now() - this.#sinceMs;
      if (downMs >= PATIENCE_MS) {
        const lasted = `for ${Math.round(downMs / 1000)} s`;
        const what = `every operation called answered ${status}`;
        throw new RunEnded(
          'target-lost',
          `the target is down: ${what}, and so did ${control.method} ${control.path}, which was answered before, ${lasted}`,
        );
      }
      await this.#clock.sleep(BETWEEN_LOOKS_MS);
    }
  }
}
