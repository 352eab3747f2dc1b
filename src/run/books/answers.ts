// Tells which exchanges are answers of the target, and of which operation. Until the target is known to be the right one they are held back.
import { AcceptedInput } from '../../checks/sch/accepted-input.ts';
import type { ContractName } from '../../contract/contract.ts';
import type { Terms } from '../../contract/terms.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import type { Catalogue, Described } from '../../openapi/model/catalogue.ts';
import type { AnswerEvent, RunEvents } from '../perform/events.ts';

export interface AnswersOptions {
  readonly catalogue: Catalogue;
  readonly docsUrl: string | null;
  readonly contract: ContractName;
  readonly terms: Terms;
}

export class Answers {
  readonly #events: RunEvents;
  readonly #options: AnswersOptions;
  readonly #accepted = new AcceptedInput();
  /** The exchanges that are held back; null: none is. */
  #held: Exchange[] | null = null;

  constructor(events: RunEvents, options: AnswersOptions) {
    this.#events = events;
    this.#options = options;
    events.on('sending', ({ plan }) => this.#accepted.sent(plan));
    events.on('exchange', ({ exchange }) => this.#take(exchange));
  }

  /** True while nothing has shown yet that the target is the right one. */
  get isHolding(): boolean {
    return this.#held !== null;
  }

  /** From now on exchanges are held back. */
  hold(): void {
    this.#held = [];
  }

  /** Tells of what was held back, and from now on of every exchange at once. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const exchange of held) this.#take(exchange);
  }

  #take(exchange: Exchange): void {
    if (this.#held !== null) this.#held.push(exchange);
    else if (exchange.failure?.kind === 'aborted') this.#events.tell({ kind: 'stopped', exchange });
    else this.#tell(exchange);
  }

  #tell(exchange: Exchange): void {
    this.#accepted.observe(exchange);
    const answer = answerOf(exchange, this.#options);
    this.#events.tell({ ...answer, subject: { ...answer.subject, accepted: this.#accepted } });
  }
}

/** The exchange as a judge is shown it. */
export function answerOf(exchange: Exchange, { catalogue, ...under }: AnswersOptions): AnswerEvent {
  const described = describedBy(catalogue, exchange.plan);
  const { operation, description } = described ?? { operation: null, description: null };
  const subject = { exchange, operation, description, ...under };
  const spot = { service: operation?.service ?? null, operation: operation?.key ?? null };
  return { kind: 'answer', exchange, subject, described, spot, isOurs: exchange.plan.elsewhere === undefined };
}

/** The operation that the plan calls: the one that it names, else the one that its path falls under. */
export function describedBy(catalogue: Catalogue, { operation, service, method, path }: RequestPlan): Described | null {
  return operation === null ? catalogue.match(method, path) : catalogue.operation(operation, service);
}
