// Whether two answers say the same: status, and body as JSON (member order and white space say nothing).
import { jsonBody } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { appended, isObject } from '../../openapi/json.ts';
import { shortened } from '../answered.ts';

export interface Difference {
  /** JSON pointer into the body; "" where the bodies as a whole differ, or where one is no JSON. */
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
}

/** Where the body departs from the original's, first in the original's order; null when they are equal. */
export function bodyDifference(original: Exchange, other: Exchange): Difference | null {
  const [left, right] = [jsonBody(original), jsonBody(other)];
  if (left.ok && right.ok) return firstDifference(left.value, right.value, '');
  const [expected, actual] = [original.response?.body ?? '', other.response?.body ?? ''];
  return expected === actual ? null : { pointer: '', expected: shortened(expected), actual: shortened(actual) };
}

function firstDifference(left: unknown, right: unknown, pointer: string): Difference | null {
  if (Object.is(left, right)) return null;
  if (Array.isArray(left) && Array.isArray(right) && left.length === right.length) {
    return firstOf(left.keys(), (index) => firstDifference(left[index], right[index], appended(pointer, index)));
  }
  if (isObject(left) && isObject(right)) {
    const names = new Set([...Object.keys(left), ...Object.keys(right)]);
    return firstOf(names, (name) => firstDifference(own(left, name), own(right, name), appended(pointer, name)));
  }
  return { pointer, expected: shortened(left), actual: shortened(right) };
}

function own(value: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function firstOf<T>(items: Iterable<T>, look: (item: T) => Difference | null): Difference | null {
  for (const item of items) {
    const found = look(item);
    if (found !== null) return found;
  }
  return null;
}
