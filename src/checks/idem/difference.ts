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
  const texts = { left: original.response?.body ?? '', right: other.response?.body ?? '', pointer: '' };
  if (texts.left === texts.right) return null;
  const [left, right] = [exactBody(original), exactBody(other)];
  const pair = left.ok && right.ok ? firstDifference({ left: left.value, right: right.value, pointer: '' }) : texts;
  if (pair === null) return null;
  const where = pair.pointer === '' ? 'the body' : pair.pointer;
  return { pointer: pair.pointer, where, expected: shortened(pair.left), actual: shortened(pair.right) };
}

/** Two values that stand at one place. */
interface Pair {
  readonly left: unknown;
  readonly right: unknown;
  readonly pointer: string;
}

/** Walks without recursion: answers may be nested without end. */
function firstDifference(root: Pair): Pair | null {
  const open: Pair[] = [root];
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    if (Object.is(pair.left, pair.right)) continue;
    const members = membersOf(pair);
    if (members === null) return pair;
    for (const member of members.toReversed()) open.push(member);
  }
  return null;
}

/** The values at the places of two objects, or of two arrays of one length; null where there is nothing to lay side by side. */
function membersOf({ left, right, pointer }: Pair): readonly Pair[] | null {
  if (Array.isArray(left) && Array.isArray(right) && left.length === right.length)
    return left.map((value, index) => ({ left: value, right: right[index], pointer: appended(pointer, index) }));
  if (!isObject(left) || !isObject(right)) return null;
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].map((name) => ({
    left: own(left, name),
    right: own(right, name),
    pointer: appended(pointer, name),
  }));
}

function own(value: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
