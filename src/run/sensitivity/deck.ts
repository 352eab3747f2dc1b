// Answers requests from what was answered before: an experiment that is performed again meets the target as it was.
import { jsonText } from '../../exchange/body.ts';
import type { Exchange, RequestPlan } from '../../exchange/exchange.ts';
import type { Answered } from '../../probes/probe.ts';
import type { Take } from './tapes.ts';

export class Deck {
  /** Answers of the experiment itself that were not given yet, by request. */
  readonly #next: Map<string, Answered[]>;
  /** The answer that a request got last. */
  readonly #last: Map<string, Answered>;
  /** The same for requests that differ in no more than the data that they carry. */
  readonly #alike: Map<string, Answered>;

  /** All that it knows, in the order answered. */
  readonly exchanges: readonly Exchange[];

  /** `beside`: what other experiments on the operation sent. */
  constructor(own: readonly Take[], beside: readonly Take[]) {
    this.#next = new Map(
      [...Map.groupBy(own, ({ plan }) => nameOf(plan))].map(([name, takes]) => [
        name,
        takes.map(({ answered }) => answered),
      ]),
    );
    this.#last = new Map(beside.map(({ plan, answered }) => [nameOf(plan), answered]));
    this.exchanges = [...beside, ...own].map(({ answered }) => answered.last);
    this.#alike = new Map([...beside, ...own].map(({ plan, answered }) => [kindOf(plan), answered]));
  }

  /**
   * The next answer to the request; once all were given, the last one again, unless each is to be given `once`; null for a request
   * that is not known.
   */
  answer(plan: RequestPlan, once = false): Answered | null {
    const name = nameOf(plan);
    const next = this.#next.get(name)?.shift();
    if (next !== undefined) this.#last.set(name, next);
    if (once) return next ?? null;
    return next ?? this.#last.get(name) ?? this.#alike.get(kindOf(plan)) ?? null;
  }
}

function kindOf({ method, path, query, headers, credential, body, intent }: RequestPlan): string {
  return jsonText([method, path, query, headers.map(([name]) => name), credential, body.kind, intent ?? 'sound']);
}

function nameOf(plan: RequestPlan): string {
  return `${kindOf(plan)} ${jsonText([plan.headers, plan.body])}`;
}
