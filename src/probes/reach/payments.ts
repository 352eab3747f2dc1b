// Which operations move money. Nobody can undo what they do: outside local they are sent only where the configuration says so.
import { PAYMENT_OPERATION } from '../../contract/platform.ts';
import { isObject } from '../../generate/schema-shape.ts';
import { valueAt } from '../../openapi/json.ts';
import type { Described } from '../../openapi/model/catalogue.ts';

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
