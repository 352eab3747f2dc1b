// Knows which answers repeat the first one under their key: what shows no id is told from a replay by nothing else.
import type { Exchange } from '../../exchange/exchange.ts';
import { keyIn } from '../../exchange/idempotency-key.ts';
import type { Catalogue } from '../../openapi/model/catalogue.ts';
import { takesKey } from '../../probes/idempotency/keys.ts';

export class FirstAnswers {
  readonly #catalogue: Catalogue;
  /** Bodies of the first answers, by path, account and key. */
  readonly #bodies = new Map<string, string>();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** Tells whether the success has the body of the first one under its key, of an operation that takes keys. */
  isRepeated({ plan, response }: Exchange): boolean {
    const described = this.#catalogue.operation(plan.operation, plan.service);
    const key = keyIn(plan.headers, described?.operation.keyHeader);
    if (key === null || response === null || described === null || !takesKey(described.operation)) return false;
    const { credential } = plan;
    const place = JSON.stringify([plan.path, credential.kind === 'key' ? credential.name : credential.kind, key]);
    const first = this.#bodies.get(place);
    if (first === undefined) this.#bodies.set(place, response.body);
    return first === response.body;
  }
}
