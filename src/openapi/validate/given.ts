// Functions that the code of judges calls besides ajv's own.
import { textOf } from '../json.ts';
import { patternOf } from '../patterns/pattern.ts';
import { isMultipleOf } from '../schema/multiples.ts';
import { spend } from './spending.ts';

export const GIVEN = { patternOf, firstTwins, isOneOf, isMultipleOf, spend } as const;

/** The first two equal items by their indexes, the later one first; null where all differ. */
export function firstTwins(items: readonly unknown[]): readonly [later: number, earlier: number] | null {
  const places = new Map<unknown, number>();
  for (const [index, item] of items.entries()) {
    const key = keyOf(item);
    const earlier = places.get(key);
    if (earlier !== undefined) return [index, earlier];
    places.set(key, index);
  }
  return null;
}

/** Tells whether a value is one of these. */
function isOneOf(values: readonly unknown[]): (value: unknown) => boolean {
  const keys = new Set(values.map(keyOf));
  return (value) => keys.has(keyOf(value));
}

/** Equal for equal values: a scalar itself, the text of an object or a list. No string is the text of either. */
function keyOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null
    ? `\0${textOf(value)}`
    : typeof value === 'string'
      ? `"${value}`
      : value;
}
