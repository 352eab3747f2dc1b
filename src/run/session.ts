// One run's working state: sends what experiments yield, lets every check see every exchange, and books what they say.
import { EXCHANGE_CHECKS } from '../checks/exchange-checks.ts';
import { judgeAnswered } from '../checks/req/unanswered.ts';
import type { RunLaw } from '../checks/run-law.ts';
import { persistent503 } from '../checks/sch/statuses.ts';
import { BudgetSpent, type Client, RunStopped } from '../client/client.ts';
import { TokenUnavailable } from '../client/tokens.ts';
import type { Exchange, RequestPlan } from '../exchange/exchange.ts';
import type { Catalogue } from '../openapi/catalogue.ts';
import type { Operation } from '../openapi/operation.ts';
import type { Answered, Conversation, Experiment, Outcome } from '../probes/probe.ts';
import { mutates } from '../probes/world.ts';
import { assureAlive } from './alive.ts';
import { RunEnded } from './interruption.ts';
import { type Ledger, type Spot, spotKey } from './ledger.ts';

const RECENT = 256;
const CONFIRMATIONS = 2;
const DROP_CONFIRMATIONS = 14;
const ENOUGH_DROPS = 2;
const HANGING_AFTER = 2;

export interface OperationTraffic {
  requests: number;
  readonly statuses: Map<string, number>;
  timeouts: number;
}

export interface SessionOptions {
  readonly ledger: Ledger;
  readonly catalogue: Catalogue;
  readonly docsUrl: string | null;
  readonly laws: readonly RunLaw[];
  /** Whether the clause is part of this run (filters). */
  readonly inRun: (clause: string) => boolean;
  /** Sees every exchange once it was judged. */
  readonly onExchange: (exchange: Exchange, operation: Operation | null) => void;
}

export class Session {
  readonly ledger: Ledger;
  readonly traffic = new Map<string, OperationTraffic>();
  readonly #options: SessionOptions;
  readonly #checks: typeof EXCHANGE_CHECKS;
  readonly #recent = new Map<string, Exchange>();
  /** Violations first seen, by the exchange that showed them; taken by whoever sent it. */
  readonly #fresh = new Map<string, readonly string[]>();
  #client: Client | null = null;
  /** Operations that dropped a connection: from then on each of their requests has one of its own. */
  readonly #dropping = new Set<string>();
  readonly #drops = new Map<string, readonly Exchange[]>();
  /** While the target is not known to be the right one, what it answers is held back from the checks. */
  #held: Exchange[] | null = null;
  /** Requests still planned in the current pass; null outside a pass. */
  planned: number | null = null;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.ledger = options.ledger;
    this.#checks = EXCHANGE_CHECKS.filter((check) => options.inRun(check.clause));
  }

  /** The client whose `onExchange` is this session's `observe`. */
  attach(client: Client): void {
    this.#client = client;
  }

  get sent(): number {
    return this.#client?.sent ?? 0;
  }

  /** From now on exchanges are kept unjudged. */
  hold(): void {
    this.#held = [];
  }

  /** Judges what was held, and from now on every exchange at once. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const exchange of held) this.observe(exchange);
  }

  /** Judges one exchange by every passive check and every law over the run. */
  observe(exchange: Exchange): void {
    if (this.#held !== null) {
      this.#held.push(exchange);
      return;
    }
    this.#remember(exchange);
    if (exchange.failure?.kind === 'aborted') return;
    const { plan } = exchange;
    const described =
      plan.operation === null
        ? this.#options.catalogue.match(plan.method, plan.path)
        : this.#options.catalogue.operation(plan.operation, plan.service);
    const operation = described?.operation ?? null;
    const subject = {
      exchange,
      operation,
      description: described?.description ?? null,
      docsUrl: this.#options.docsUrl,
    };
    const spot: Spot =
      operation === null
        ? { service: null, operation: null }
        : { service: operation.service, operation: operation.key };
    this.#count(spot, exchange);
    const fresh = this.#checks.flatMap((check) =>
      check.applies(subject) ? this.ledger.book(check.clause, spot, check.judge(subject), [exchange]) : [],
    );
    if (fresh.length > 0) this.#fresh.set(exchange.id, fresh);
    for (const law of this.#options.laws) this.#observeLaw(law, exchange, spot);
    this.#options.onExchange(exchange, operation);
  }

  #observeLaw(law: RunLaw, exchange: Exchange, spot: Spot): void {
    if (!this.#options.inRun(law.clause)) return;
    const seen = law.observe(exchange);
    if (seen === null) return;
    const evidence = seen.exchanges.flatMap((id) => this.#recent.get(id) ?? []);
    this.ledger.book(law.clause, spot, seen.judgement, evidence);
  }

  /** Runs an experiment to its end and books its outcomes; a breach of a repeatable one is confirmed by running it again. */
  async perform(experiment: Experiment | Conversation): Promise<void> {
    const outcomes = await this.#drive(experiment);
    const prints = this.#bookAll(outcomes);
    if (!experiment.repeatable || prints.length === 0) return;
    for (let again = 0; again < CONFIRMATIONS; again += 1) {
      const before = prints.map((print) => this.ledger.occurrences(print));
      this.#bookAll(await this.#drive(experiment));
      prints.forEach((print, index) => {
        if (this.ledger.occurrences(print) === before[index]) this.ledger.markIntermittent(print);
      });
    }
  }

  #bookAll(outcomes: readonly Outcome[]): readonly string[] {
    return outcomes
      .filter((entry) => this.#options.inRun(entry.clause))
      .flatMap((entry) => this.ledger.book(entry.clause, entry, entry.judgement, entry.evidence));
  }

  async #drive(experiment: Experiment | Conversation): Promise<readonly Outcome[]> {
    if ('converse' in experiment) return experiment.converse((plan) => this.send(plan));
    const course = experiment.run();
    let step = course.next();
    while (step.done !== true) step = course.next(await this.send(step.value));
    return step.value;
  }

  /** Sends a plan; confirms what passive checks found on a safe request, and looks again where the connection was dropped. */
  async send(plan: RequestPlan): Promise<Answered> {
    const answered = await this.#sendOnce(plan);
    const fresh = answered.attempts.flatMap(({ id }) => this.#takeFresh(id));
    const safe = plan.method === 'GET' || plan.method === 'HEAD';
    // A probe that counts its calls is not helped by more of them.
    if (fresh.length > 0 && safe && plan.retry !== 'once') await this.#confirm(plan, fresh);
    return answered;
  }

  #takeFresh(id: string): readonly string[] {
    const fresh = this.#fresh.get(id) ?? [];
    this.#fresh.delete(id);
    return fresh;
  }

  async #confirm(plan: RequestPlan, prints: readonly string[]): Promise<void> {
    for (let again = 0; again < CONFIRMATIONS; again += 1) {
      const before = prints.map((print) => this.ledger.occurrences(print));
      const { attempts } = await this.#sendOnce(plan);
      for (const { id } of attempts) this.#takeFresh(id);
      prints.forEach((print, index) => {
        if (this.ledger.occurrences(print) === before[index]) this.ledger.markIntermittent(print);
      });
    }
  }

  async #sendOnce(plan: RequestPlan): Promise<Answered> {
    const attempts = await this.#sendRaw(this.#dropping.has(spotKey(plan)) ? { ...plan, fresh: true } : plan);
    const last = attempts.at(-1);
    if (last === undefined) throw new Error('the client sent nothing');
    await this.#judgeAnswered(plan, attempts, last);
    return { attempts, last };
  }

  /** The client's send, its ends told as the run's. */
  async #sendRaw(plan: RequestPlan): Promise<readonly Exchange[]> {
    if (this.#client === null) throw new Error('the session has no client');
    try {
      return await this.#client.send(plan);
    } catch (error) {
      if (error instanceof BudgetSpent) throw new RunEnded('budget', 'the request budget is spent');
      if (error instanceof RunStopped) throw new RunEnded('interrupted', 'the run was stopped');
      if (error instanceof TokenUnavailable) throw new RunEnded('no-credential', error.message);
      throw error;
    }
  }

  /** REQ-09 on ordinary requests, SCH-06 on a 503 that stays. Hostile probes judge REQ-09 themselves. */
  async #judgeAnswered(plan: RequestPlan, attempts: readonly Exchange[], last: Exchange): Promise<void> {
    if (this.#held !== null) return;
    const spot: Spot = { service: plan.service, operation: plan.operation };
    const lasting = persistent503(attempts);
    if (lasting !== null && this.#options.inRun('SCH-06')) this.ledger.book('SCH-06', spot, lasting, attempts);
    const failed = attempts.filter(({ failure }) => failure !== null && failure.kind !== 'aborted');
    const [first] = failed;
    if (first === undefined) return;
    if (last.failure !== null) await assureAlive((health) => this.#sendRaw(health), last);
    if (plan.probe.startsWith('hostile/') || !this.#options.inRun('REQ-09')) return;
    const sends = await this.#lookAgain(plan, last.failure === null ? first : last);
    if (sends.length > 0) this.ledger.book('REQ-09', spot, judgeAnswered(sends, null), sends);
  }

  /**
   * A dropped connection is looked at again on fresh ones, as often as one in seven needs, once an operation: a socket
   * that had served before may simply have been closed. What may change something is not sent again; the operation's
   * next requests go over fresh connections, where a drop is the platform's doing.
   */
  async #lookAgain(plan: RequestPlan, first: Exchange): Promise<readonly Exchange[]> {
    if (first.failure?.kind !== 'reset') return [first];
    const key = spotKey(plan);
    const known = this.#dropping.has(key);
    this.#dropping.add(key);
    if (plan.method !== 'GET' && plan.method !== 'HEAD') return this.#dropsOf(key, first);
    const sends = first.failure.reusedSocket ? [] : [first];
    for (let again = 0; !known && again < DROP_CONFIRMATIONS; again += 1) {
      const answer = (await this.#sendRaw({ ...plan, fresh: true })).at(-1);
      if (answer === undefined) break;
      sends.push(answer);
      if (answer.failure !== null) await assureAlive((health) => this.#sendRaw(health), answer);
      if (sends.filter(({ failure }) => failure?.kind === 'reset').length >= ENOUGH_DROPS) break;
    }
    return sends;
  }

  /** Drops of one operation on fresh connections, gathered over the run: they are not repeated on purpose. */
  #dropsOf(key: string, drop: Exchange): readonly Exchange[] {
    if (drop.failure?.reusedSocket === true) return [];
    const drops = [...(this.#drops.get(key) ?? []), drop];
    this.#drops.set(key, drops.slice(-ENOUGH_DROPS));
    return drops;
  }

  /** Whether the operation let requests run into the time limit often enough to be left alone. */
  hangs(spot: Spot): boolean {
    return (this.traffic.get(spotKey(spot))?.timeouts ?? 0) >= HANGING_AFTER;
  }

  #count(spot: Spot, exchange: Exchange): void {
    const key = spotKey(spot);
    let traffic = this.traffic.get(key);
    if (traffic === undefined) {
      traffic = { requests: 0, statuses: new Map(), timeouts: 0 };
      this.traffic.set(key, traffic);
    }
    const status = exchange.response === null ? 'failed' : String(exchange.response.status);
    traffic.requests += 1;
    traffic.statuses.set(status, (traffic.statuses.get(status) ?? 0) + 1);
    if (exchange.failure?.kind === 'timeout') traffic.timeouts += 1;
    if (exchange.response !== null && this.#options.inRun('REQ-09'))
      this.ledger.book('REQ-09', spot, { kind: 'holds', assertions: 1 }, []);
  }

  #remember(exchange: Exchange): void {
    this.#recent.set(exchange.id, exchange);
    if (this.#recent.size <= RECENT) return;
    const [oldest] = this.#recent.keys();
    if (oldest !== undefined) this.#recent.delete(oldest);
  }
}

/** Whether the operation may be sent at all under the configuration's `mutations`. */
export function sendable(operation: Operation, mutations: boolean): boolean {
  return mutations || !mutates(operation);
}
