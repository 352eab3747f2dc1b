// Connections that the target drops without an answer: when a drop is the platform's doing, and when only an idle
// socket's end.
import type { Clock } from '../clock/clock.ts';
import type { Exchange, RequestPlan } from '../exchange/exchange.ts';
import { assureAlive } from './alive.ts';
import { spotKey } from './spot.ts';

const CONFIRMATIONS = 14;
const ENOUGH_DROPS = 2;

/**
 * A dropped connection is looked at again on fresh ones, as often as one in seven needs, once an operation: a socket
 * that had served before may simply have been closed. What may change something is not sent again; the operation's
 * next requests go over fresh connections, where a drop is the platform's doing.
 */
export class DropWatch {
  readonly #send: (plan: RequestPlan) => Promise<readonly Exchange[]>;
  readonly #clock: Clock;
  /** Operations that dropped a connection: from then on each of their requests has one of its own. */
  readonly #dropping = new Set<string>();
  /** Drops on fresh connections, by operation, gathered over the run. */
  readonly #drops = new Map<string, readonly Exchange[]>();

  constructor(send: (plan: RequestPlan) => Promise<readonly Exchange[]>, clock: Clock) {
    this.#send = send;
    this.#clock = clock;
  }

  /** The plan as it is sent: over a fresh connection where its operation is known to drop them. */
  onConnection(plan: RequestPlan): RequestPlan {
    return this.#dropping.has(spotKey(plan)) ? { ...plan, fresh: true } : plan;
  }

  /** What REQ-09 is judged on after the plan's send failed as `first`: it and the sends that repeat it; empty for nothing. */
  async lookAgain(plan: RequestPlan, first: Exchange): Promise<readonly Exchange[]> {
    if (first.failure?.kind !== 'reset') return [first];
    const key = spotKey(plan);
    const known = this.#dropping.has(key);
    this.#dropping.add(key);
    const drops = this.#dropsOf(key, first);
    if (known || (plan.method !== 'GET' && plan.method !== 'HEAD')) return drops;
    const sends = [...drops];
    for (let again = 0; again < CONFIRMATIONS; again += 1) {
      const answer = (await this.#send({ ...plan, fresh: true })).at(-1);
      if (answer === undefined) break;
      sends.push(answer);
      if (answer.failure !== null) await assureAlive(this.#send, answer, this.#clock);
      if (sends.filter(({ failure }) => failure?.kind === 'reset').length >= ENOUGH_DROPS) break;
    }
    return sends;
  }

  #dropsOf(key: string, drop: Exchange): readonly Exchange[] {
    if (drop.failure?.reusedSocket === true) return [];
    const drops = [...(this.#drops.get(key) ?? []), drop].slice(-ENOUGH_DROPS);
    this.#drops.set(key, drops);
    return drops;
  }
}
