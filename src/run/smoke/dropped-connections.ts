// Connections that the target drops without an answer: how often, on which operations, and what a closer look at each shows.
import {
  dropsOf,
  isDrop,
  isMoreThan,
  judgeDrops,
  type Look,
  type OperationDrops,
} from '../../checks/req/req-09-unanswered.ts';
import type { Clock } from '../../clock/clock.ts';
import type { Judgement } from '../../contract/judgement.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import { spotKey } from '../plan/clause-target.ts';
import { assureAlive } from './alive.ts';

/** Repeats until one in seven would have shown again; and so many where one did, until it is clear that chance did not do it. */
const REPEATS = 14;
const REPEATS_WHERE_DROPPED = 60;
const EVIDENCE_KEPT = 4;

interface Watched {
  readonly plan: RequestPlan;
  drops: number;
  readonly evidence: Exchange[];
  readonly looks: Look[];
  /** Until when the last drop that counts was under way. Epoch ms. */
  untilMs: number;
}

/**
 * A dropped connection is looked at again on fresh ones, once an operation: a socket that had served before may simply have
 * been closed. What may change something is not sent again; the operation's next requests go over fresh connections, where a
 * drop is the platform's doing. It is judged at the end, when it is known how many connections were lost elsewhere.
 */
export class DropWatch {
  readonly #send: (plan: RequestPlan) => Promise<readonly Exchange[]>;
  readonly #clock: Clock;
  /** By operation. */
  readonly #sends = new Map<string, number>();
  readonly #watched = new Map<string, Watched>();
  #allSends = 0;
  #allDrops = 0;

  constructor(send: (plan: RequestPlan) => Promise<readonly Exchange[]>, clock: Clock) {
    this.#send = send;
    this.#clock = clock;
  }

  /** The plan as it is sent: over a fresh connection where its operation is known to drop them. */
  onConnection(plan: RequestPlan): RequestPlan {
    return this.#watched.has(spotKey(plan)) ? { ...plan, fresh: true } : plan;
  }

  /** Counts what was sent, whatever came of it. */
  count(attempts: readonly Exchange[]): void {
    this.#allSends += attempts.length;
    for (const { plan } of attempts) this.#sends.set(spotKey(plan), (this.#sends.get(spotKey(plan)) ?? 0) + 1);
  }

  /** Notes that the plan's send failed as `drop`, and repeats it where that is harmless and was not done before. */
  async lookAgain(plan: RequestPlan, drop: Exchange): Promise<void> {
    const key = spotKey(plan);
    const known = this.#watched.get(key);
    const watched = known ?? { plan, drops: 0, evidence: [], looks: [], untilMs: 0 };
    this.#watched.set(key, watched);
    this.#note(watched, drop);
    if (known !== undefined || (plan.method !== 'GET' && plan.method !== 'HEAD')) return;
    const repeats: Exchange[] = [];
    while (repeats.length < (repeats.some(isDrop) ? REPEATS_WHERE_DROPPED : REPEATS)) {
      const answer = (await this.#send({ ...plan, fresh: true })).at(-1);
      if (answer === undefined) break;
      repeats.push(answer);
      this.#note(watched, answer);
      if (answer.failure !== null) await assureAlive(this.#send, answer, this.#clock);
      if (isMoreThan(dropsOf(repeats), this.#elsewhere(key, watched))) break;
    }
    watched.looks.push({ first: drop, repeats });
  }

  /** The judgement on each operation that dropped a connection. */
  conclude(): readonly {
    readonly plan: RequestPlan;
    readonly judgement: Judgement;
    readonly evidence: readonly Exchange[];
  }[] {
    return [...this.#watched].map(([key, watched]) => {
      const { plan, evidence } = watched;
      const own: OperationDrops = { ...watched, sends: this.#sends.get(key) ?? 0 };
      return { plan, judgement: judgeDrops(own, this.#elsewhere(key, watched)), evidence };
    });
  }

  /** Drops that were under way together may have one cause, as where a balancer is restarted, and count as one. */
  #note(watched: Watched, exchange: Exchange): void {
    if (!isDrop(exchange) || exchange.sentAt < watched.untilMs) return;
    watched.untilMs = exchange.sentAt + exchange.durationMs;
    watched.drops += 1;
    this.#allDrops += 1;
    if (watched.evidence.length < EVIDENCE_KEPT) watched.evidence.push(exchange);
  }

  #elsewhere(key: string, { drops }: Watched) {
    return { sends: this.#allSends - (this.#sends.get(key) ?? 0), drops: this.#allDrops - drops };
  }
}
