// PAG-13: what the source does not show of a list: page sizes, order, behaviour past the last page. Observations only.
import type { Breach } from '../../contract/judgement.ts';

/** One thing found out; `cause` is constant per kind. */
export function observation(cause: string, actual: string): Breach {
  return { weight: 'observation', cause, message: `${cause}: ${actual}`, expected: 'not stated', actual };
}

/** item_9 before item_10. */
const COLLATOR = new Intl.Collator('en', { numeric: true });
const TIME_LIKE = /(_at|At|time|date|timestamp)$/i;

/** By which member the items stand in order, in words; "no member" when none tells. `items` are the first of the list, as answered. */
export function orderOf(items: readonly unknown[]): string {
  const records = items.filter((item) => typeof item === 'object' && item !== null) as Record<string, unknown>[];
  const [first] = records;
  if (first === undefined || records.length < 3 || records.length < items.length) return 'no member tells of an order';
  const found = Object.keys(first)
    .toSorted((left, right) => Number(TIME_LIKE.test(right)) - Number(TIME_LIKE.test(left)))
    .flatMap((name) => directionOf(records.map((record) => record[name])).map((direction) => `${name} ${direction}`));
  return found.length === 0 ? 'no member tells of an order' : `by ${found.slice(0, 2).join(' and by ')}`;
}

/** One direction, or none: values of one kind that never go the other way and are not all equal. */
function directionOf(values: readonly unknown[]): readonly string[] {
  const kind = typeof values[0];
  if ((kind !== 'number' && kind !== 'string') || values.some((value) => typeof value !== kind)) return [];
  const steps = values.slice(1).map((value, index) => compare(values[index], value));
  if (steps.every((step) => step === 0)) return [];
  if (steps.every((step) => step <= 0)) return ['ascending'];
  return steps.every((step) => step >= 0) ? ['descending'] : [];
}

function compare(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return COLLATOR.compare(String(left), String(right));
}
