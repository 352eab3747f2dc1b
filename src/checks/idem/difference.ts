// Tells whether two answers say the same: status, and body as JSON (member order and white space say nothing).
import { exactBody } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { shortened } from '../../facts/answered.ts';
import { appended, isObject } from '../../openapi/json.ts';

export interface Difference {
  /** JSON pointer into the body; "" where the bodies as a whole differ, or where one is no JSON. */
  readonly pointer: string;
  /** The pointer, or "the body". */
  readonly where: string;
  readonly expected: string;
  readonly actual: string;
}

/** Where the body departs from the original's, first in the original's order; null when they are equal. */
export function bodyDifference(original: Exchange, other: Exchange): Difference | null {
  if (original.response !== null && original.response.body === other.response?.body) return null;
  const [left, right] = [exactBody(original), exactBody(other)];
  if (left.ok && right.ok) return firstDifference({ left: left.value, right: right.value, pointer: '' });
  const [expected, actual] = [original.response?.body ?? '', other.response?.body ?? ''];
  return expected === actual ? null : differing({ left: expected, right: actual, pointer: '' });
}

function differing({ left, right, pointer }: Pair): Difference {
  const where = pointer === '' ? 'the body' : pointer;
  return { pointer, where, expected: shortened(left), actual: shortened(right) };
}

/** Two values that stand at one place. */
interface Pair {
  readonly left: unknown;
  readonly right: unknown;
  readonly pointer: string;
}

/** Walks without recursion: answers may be nested without end. */
function firstDifference(root: Pair): Difference | null {
  const open: Iterator<Pair>[] = [[root].values()];
  for (let pairs = open.at(-1); pairs !== undefined; pairs = open.at(-1)) {
    const next = pairs.next();
    if (next.done === true) open.pop();
    else if (!Object.is(next.value.left, next.value.right)) {
      const members = membersOf(next.value);
      if (members === null) return differing(next.value);
      open.push(members);
    }
  }
  return null;
}

/** The values at the places of two objects, or of two arrays of one length; null where there is nothing to lay side by side. */
function membersOf({ left, right, pointer }: Pair): Iterator<Pair> | null {
  if (Array.isArray(left) && Array.isArray(right) && left.length === right.length)
    return left.keys().map((index) => ({ left: left[index], right: right[index], pointer: appended(pointer, index) }));
  if (!isObject(left) || !isObject(right)) return null;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return names
    .values()
    .map((name) => ({ left: own(left, name), right: own(right, name), pointer: appended(pointer, name) }));
}

function own(value: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
