// Delivers events to the subscribed address until they are accepted, as its rules say.

import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import type { Clock, Timer } from '../../clock/clock.ts';
import type { Attempt, DeliveryRules, PlatformEvent } from './rules.ts';

export interface SenderOptions {
  readonly rules: DeliveryRules;
  readonly secret: string;
  readonly clock: Clock;
  /** One unit of the schedule: the first retry comes after so long. ms. */
  readonly unitMs: number;
}

/** An attempt without an answer is given up after so many units. */
const PATIENCE_UNITS = 10;
/** Events that are under way at once; those beyond are not delivered. */
const MAX_UNDER_WAY = 1000;

export class WebhookSender {
  readonly #options: SenderOptions;
  readonly #timers = new Set<Timer>();
  readonly #stop = new AbortController();
  #url: string | null = null;
  #underWay = 0;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Deliveries go to this address from now on. */
  subscribe(url: string): void {
    this.#url = url;
  }

  /** Something happened; without a subscription nobody is told. */
  announce(type: string, data: unknown): void {
    if (this.#url === null || this.#underWay >= MAX_UNDER_WAY) return;
    this.#underWay += 1;
    const id = `evt_${randomUUID().replaceAll('-', '').slice(0, 20)}`;
    void this.#deliver(this.#url, { id, type, createdAt: this.#options.clock.now(), data }, 1);
  }

  /** No further attempt is made. */
  stop(): void {
    this.#stop.abort();
    for (const timer of this.#timers) timer.cancel();
  }

  async #deliver(url: string, event: PlatformEvent, number: number): Promise<void> {
    const { rules, clock, secret, unitMs } = this.#options;
    const accepted = await this.#attempt(url, { event, number, nowMs: clock.now(), secret });
    const wait = this.#stop.signal.aborted ? null : rules.wait(number, accepted);
    if (wait === null) {
      this.#underWay -= 1;
      return;
    }
    const timer = clock.after(wait * unitMs, () => {
      this.#timers.delete(timer);
      void this.#deliver(url, event, number + 1);
    });
    this.#timers.add(timer);
  }

  /** Tells whether the attempt was answered with a success in time. */
  async #attempt(url: string, attempt: Attempt): Promise<boolean> {
    const { rules, clock, unitMs } = this.#options;
    const { headers, body } = rules.message(attempt);
    const late = new AbortController();
    const timer = clock.after(PATIENCE_UNITS * unitMs, () => late.abort());
    try {
      const signal = AbortSignal.any([late.signal, this.#stop.signal]);
      const answer = await request(url, { method: 'POST', headers, body, signal });
      await answer.body.dump();
      return isSuccess(answer.statusCode);
    } catch {
      // A receiver that cannot be reached or is late has not accepted: the sender tries again.
      return false;
    } finally {
      timer.cancel();
    }
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
