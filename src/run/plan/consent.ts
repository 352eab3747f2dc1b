// Decides what may be sent: what the user left out, what changes something, and what moves money.
import type { Config, RunOptions } from '../../config/config.ts';
import { skipReason } from '../../config/skip.ts';
import { operationMatcher } from '../../contract/operation-glob.ts';
import type { RequestPlan } from '../../exchange/exchange.ts';
import { isSafe } from '../../exchange/methods.ts';
import { isObject, valueAt } from '../../openapi/json.ts';
import type { Catalogue, Described } from '../../openapi/model/catalogue.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { NotSent } from '../../probes/probe.ts';

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

  /** Tells whether the operation moves money: as the configuration says, else by its name. */
  isPayment({ service, key }: Pick<Operation, 'service' | 'key'>): boolean {
    const known = this.#payments.get(`${service} ${key}`);
    if (known !== undefined) return known;
    const stated = this.#config.payments.operations.find(({ operations }) => operationMatcher([operations])(key));
    const described = this.#catalogue.operation(key, service);
    const found = stated?.isPayment ?? (described !== null && looksLikePayment(described));
    this.#payments.set(`${service} ${key}`, found);
    return found;
  }

  /** Tells whether the configuration calls the operation itself, by no glob, an ordinary one: it is sent whatever it reaches. */
  isNamedOrdinary({ key }: Pick<Operation, 'key'>): boolean {
    return this.#config.payments.operations.some(({ operations, isPayment }) => operations === key && !isPayment);
  }

  /** Why the operation must not be sent; null where it may. */
  refusal(operation: Pick<Operation, 'service' | 'key' | 'method'>): string | null {
    const { mutations, payments } = this.#config;
    const skipped = this.#skipped(operation.key);
    if (skipped !== null) return skipped;
    if (isSafe(operation.method)) return null;
    if (this.isPayment(operation)) return payments.consent === 'allow' ? null : NO_PAYMENTS;
    return mutations === 'allow' ? null : NO_MUTATIONS;
  }

  /** Why the plan must not be sent; null where it may: what the user left out is never called, whatever it is called for. */
  forbidding(plan: RequestPlan): NotSent | null {
    const skipped = this.#skipOf(plan);
    if (skipped !== null) return new NotSent('filtered', skipped);
    const refused = this.#refusalOf(plan);
    return refused === null ? null : new NotSent('mutations-denied', refused);
  }

  #skipOf({ method, path, operation }: RequestPlan): string | null {
    if (operation !== null) return this.#skipped(operation);
    if (isSafe(method)) return null;
    const met = this.#catalogue.match(method, path);
    return met === null ? null : this.#skipped(met.operation.key);
  }

  #refusalOf({ method, service, operation }: RequestPlan): string | null {
    if (isSafe(method)) return null;
    if (operation === null || service === null) return this.#config.mutations === 'allow' ? null : NO_MUTATIONS;
    return this.refusal({ service, key: operation, method });
  }
}

// Which operations move money. Nobody can undo what they do: outside local they are sent only where the configuration says so.

/** Words of paths, operation ids, tags and summaries, whole: "capture-payment", "refundOrder", "Checkout". */
const WORDS = new Set(
  'pay pays payment payments charge charges refund refunds payout payouts capture captures checkout checkouts'.split(
    ' ',
  ),
);

/** Words that follow one of payments and name a thing that moves no money: a payment method is kept, not paid. */
const KEPT = new Set(
  'method methods setting settings preference preferences provider providers processor processors gateway gateways profile profiles term terms type types option options policy policies configuration configurations config template templates reason reasons'.split(
    ' ',
  ),
);

/**
 * Tells whether the operation moves money: it changes something and its path, operation id, a tag or its summary names
 * one of the words. Parameters of the path do not count: POST /payments/{paymentId}/notes is found by "payments". Where
 * the path ends in something that is kept (/payment-methods), neither do the words that name it, nor tags, which name a
 * group: POST /payment-methods/{methodId}/charge moves money, POST /payment-methods does not.
 */
export function looksLikePayment({ operation, description }: Described): boolean {
  const { method, path, operationId, tags, pointer } = operation;
  if (isSafe(method) || method === 'DELETE') return false;
  const described = valueAt(description.document, pointer);
  const summary = isObject(described) && typeof described.summary === 'string' ? described.summary : '';
  const literal = path.replaceAll(/\{[^}]*\}/g, '');
  const isKept = namesKept(wordsOf(literal.split('/').findLast((segment) => segment !== '') ?? ''));
  const texts = [literal, operationId ?? '', ...(isKept ? [] : tags), summary];
  return texts.some((text) =>
    wordsOf(text).some((word, index, words) => WORDS.has(word) && !(isKept && KEPT.has(words[index + 1] ?? ''))),
  );
}

/** Tells whether the words end in a thing that is kept for payments: "payment methods". */
function namesKept(words: readonly string[]): boolean {
  return WORDS.has(words.at(-2) ?? '') && KEPT.has(words.at(-1) ?? '');
}

function wordsOf(text: string): readonly string[] {
  return (text.replaceAll(/([a-z])([A-Z])/g, '$1 $2').match(/[A-Za-z]+/g) ?? []).map((word) => word.toLowerCase());
}
