// Decides what may be sent: what the user left out, what changes something, and what moves money.
import type { Config, RunOptions } from '../../config/config.ts';
import { operationMatcher } from '../../config/operation-glob.ts';
import { skipReason } from '../../config/skip.ts';
import { PAYMENT_OPERATION } from '../../contract/platform.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { isObject } from '../../generate/schema-shape.ts';
import { valueAt } from '../../openapi/json.ts';
import type { Catalogue, Described } from '../../openapi/model/catalogue.ts';
import type { Operation } from '../../openapi/model/operation.ts';

const SAFE = ['GET', 'HEAD', 'OPTIONS'];
const NO_MUTATIONS = 'the configuration does not allow requests that may change something (mutations)';
/** Why no payment is sent. */
export const NO_PAYMENTS = 'payments are not allowed: mutations: { payments: allow } in the configuration allows them';

export class Consent {
  readonly #config: Pick<Config, 'mutations' | 'payments'>;
  readonly #catalogue: Catalogue;
  readonly #skipped: (operationKey: string) => string | null;
  readonly #payments = new Map<string, boolean>();

  constructor(
    config: Pick<Config, 'mutations' | 'payments'>,
    catalogue: Catalogue,
    options: Pick<RunOptions, 'skipped'> = {},
  ) {
    this.#config = config;
    this.#skipped = skipReason(options);
    this.#catalogue = catalogue;
  }

  /** Whether the operation moves money: as the configuration says, else by its name. */
  isPayment({ service, key }: Pick<Operation, 'service' | 'key'>): boolean {
    const known = this.#payments.get(`${service} ${key}`);
    if (known !== undefined) return known;
    const stated = this.#config.payments.operations.find(({ operations }) => operationMatcher([operations])(key));
    const described = this.#catalogue.operation(key, service);
    const found = stated?.isPayment ?? (described !== null && looksLikePayment(described));
    this.#payments.set(`${service} ${key}`, found);
    return found;
  }

  /** Why the operation must not be sent; null where it may. */
  refusal(operation: Pick<Operation, 'service' | 'key' | 'method'>): string | null {
    const { mutations, payments } = this.#config;
    const skipped = this.#skipped(operation.key);
    if (skipped !== null) return skipped;
    if (SAFE.includes(operation.method)) return null;
    if (this.isPayment(operation)) return payments.consent === 'allow' ? null : NO_PAYMENTS;
    return mutations === 'allow' ? null : NO_MUTATIONS;
  }

  /** Why an operation is never called that the plan would call, whatever the plan is for; null where none is. */
  skipOfPlan({ method, path, operation }: RequestPlan): string | null {
    if (operation !== null) return this.#skipped(operation);
    if (SAFE.includes(method)) return null;
    const met = this.#catalogue.match(method, path);
    return met === null ? null : this.#skipped(met.operation.key);
  }

  /** Why a plan changes more than it may; null where it may be sent. */
  refusalOfPlan({ method, service, operation }: RequestPlan): string | null {
    if (SAFE.includes(method)) return null;
    if (operation === null || service === null) return this.#config.mutations === 'allow' ? null : NO_MUTATIONS;
    return this.refusal({ service, key: operation, method });
  }
}

// Which operations move money. Nobody can undo what they do: outside local they are sent only where the configuration says so.
/** Words of paths, operation ids, tags and summaries, whole: "process-payment", "refundOrder", "Checkout". */
const WORDS = new Set(
  'pay pays payment payments charge charges refund refunds payout payouts capture captures checkout checkouts'.split(
    ' ',
  ),
);

/**
 * Whether the operation moves money: it is the contract's own, or it changes something and its path, operation id, a tag or
 * its summary names one of the words. Parameters of the path do not count: POST /payments/{paymentId}/notes is found by
 * "payments".
 */
export function looksLikePayment({ operation, description }: Described): boolean {
  const { key, method, path, operationId, tags, pointer } = operation;
  if (key === PAYMENT_OPERATION) return true;
  if (['GET', 'HEAD', 'OPTIONS', 'DELETE'].includes(method)) return false;
  const described = valueAt(description.document, pointer);
  const summary = isObject(described) && typeof described.summary === 'string' ? described.summary : '';
  const texts = [path.replaceAll(/\{[^}]*\}/g, ''), operationId ?? '', ...tags, summary];
  return texts.some((text) => wordsOf(text).some((word) => WORDS.has(word)));
}

function wordsOf(text: string): readonly string[] {
  return (text.replaceAll(/([a-z])([A-Z])/g, '$1 $2').match(/[A-Za-z]+/g) ?? []).map((word) => word.toLowerCase());
}
