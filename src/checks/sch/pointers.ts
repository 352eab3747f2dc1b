// Pointers into answers, as findings group by them.
import { appended, tokensOf } from '../../openapi/json.ts';

/** The pointer with every array index as `*`: the place in the schema rather than the item. */
export function withoutIndexes(root: unknown, pointer: string): string {
  let value = root;
  let place = '';
  for (const token of tokensOf(pointer)) {
    place = Array.isArray(value) ? `${place}/*` : appended(place, token);
    value = memberOf(value, token);
  }
  return place;
}

function memberOf(value: unknown, token: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return undefined;
  return (value as Record<string, unknown>)[token];
}

/** Whether one pointer leads to the other or into it. */
export function areNested(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}
