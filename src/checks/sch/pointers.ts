// Pointers into answers, as findings group by them.
import { appended, isObject, tokensOf } from '../../openapi/json.ts';
import type { Description, SchemaHandle } from '../../openapi/operation.ts';

/** A pointer into the answer as its place in the schema: `*` for every index of an array and every key of a map. */
export type Place = (pointer: string) => string;

/** Places in the answer `root`, which the schema describes. */
export function placesOf(root: unknown, schema: SchemaHandle, description: Description): Place {
  const known = new Map<string, string>();
  return (pointer) => {
    const plain = withoutIndexes(root, pointer);
    const place = known.get(plain) ?? withoutKeys(plain, schema.value, description);
    known.set(plain, place);
    return place;
  };
}

function withoutIndexes(root: unknown, pointer: string): string {
  let value = root;
  let place = '';
  for (const token of tokensOf(pointer)) {
    place = Array.isArray(value) ? `${place}/*` : appended(place, token);
    value = memberOf(value, token);
  }
  return place;
}

/** Follows the schema for as long as it says what lies below; what no `properties` names is a key of a map. */
function withoutKeys(pointer: string, schema: unknown, description: Description): string {
  let schemas: readonly unknown[] = [schema];
  let place = '';
  for (const token of tokensOf(pointer)) {
    const parts = schemas.flatMap((one) => partsOf(one, description));
    const named = parts.flatMap(({ properties }) => memberOf(properties, token) ?? []);
    const items = parts.flatMap(({ items, prefixItems }) => [items, prefixItems].flat().filter(isObject));
    const valued = parts.flatMap((part) => [
      part.additionalProperties,
      ...Object.values(isObject(part.patternProperties) ? part.patternProperties : {}),
    ]);
    const isKey = named.length === 0 && token !== '*' && valued.some(isObject);
    place = isKey ? `${place}/*` : appended(place, token);
    schemas = named.length > 0 ? named : token === '*' ? items : valued;
  }
  return place;
}

const COMPOSED_OF = ['allOf', 'oneOf', 'anyOf', 'then', 'else'];
const DEPTH = 8;

/** The schema and all that it is composed of, whatever the value. */
function partsOf(schema: unknown, description: Description, depth = 0): readonly Record<string, unknown>[] {
  const resolved = description.deref(schema);
  if (!isObject(resolved) || depth > DEPTH) return [];
  const parts = COMPOSED_OF.flatMap((keyword) => resolved[keyword] ?? []);
  return [resolved, ...parts.flatMap((part) => partsOf(part, description, depth + 1))];
}

function memberOf(value: unknown, token: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return undefined;
  return (value as Record<string, unknown>)[token];
}

/** Whether one pointer leads to the other or into it. */
export function areNested(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}
