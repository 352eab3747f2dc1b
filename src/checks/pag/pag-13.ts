// PAG-13 (discover): Default and maximum page size, order, behaviour past the last page, on every list that does not
//   state them.

/** item_9 before item_10. */
const COLLATOR = new Intl.Collator('en', { numeric: true });
const TIME_LIKE = /(_at|At|time|date|timestamp)$/i;

/** Minimum number of items whose order is sure: chance may make one of fewer. */
const ENOUGH = 8;
/** Minimum number of items whose order says anything. */
const FEWEST = 3;

interface Order {
  /** "by created_at descending"; null when no member tells. */
  readonly inWords: string | null;
  readonly isSure: boolean;
  readonly items: number;
}

/** The order of the items, as the member by which they stand in one; `items` are the first of the list, as answered. */
export function orderOf(items: readonly unknown[]): Order {
  const records = items.filter((item) => typeof item === 'object' && item !== null) as Record<string, unknown>[];
  const [first] = records;
  const none = { inWords: null, isSure: false, items: items.length };
  if (first === undefined || records.length < FEWEST || records.length < items.length) return none;
  const found = Object.keys(first)
    .toSorted((left, right) => Number(TIME_LIKE.test(right)) - Number(TIME_LIKE.test(left)))
    .flatMap((name) => directionOf(records.map((record) => record[name])).map((direction) => `${name} ${direction}`));
  if (found.length === 0) return none;
  return { inWords: `by ${found.slice(0, 2).join(' and by ')}`, isSure: items.length >= ENOUGH, items: items.length };
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
