// Finds the places of a value that a schema speaks of beyond doubt, so that a change there breaks the schema for certain:
// alternatives (oneOf, anyOf) and conditions are left alone.
import { isObject, type JsonObject } from '../openapi/json.ts';
import type { Description } from '../openapi/model/operation.ts';

/** A place in a value and one schema that it must satisfy. */
export interface Place {
  readonly value: unknown;
  readonly schema: JsonObject;
  /** Tokens from the root. */
  readonly path: readonly (string | number)[];
}

const MOST_PLACES = 4000;
const DEEPEST = 12;

/** All places of the value, the root first. */
export function placesOf(description: Description, schema: unknown, value: unknown): readonly Place[] {
  const places: Place[] = [];
  const visit = (given: unknown, at: unknown, path: readonly (string | number)[]): void => {
    const resolved = description.deref(given);
    if (!isObject(resolved) || places.length >= MOST_PLACES || path.length > DEEPEST) return;
    places.push({ value: at, schema: resolved, path });
    const { allOf, properties, items } = resolved;
    if (Array.isArray(allOf)) for (const part of allOf) visit(part, at, path);
    if (isObject(properties) && isObject(at)) {
      for (const [name, own] of Object.entries(properties))
        if (Object.hasOwn(at, name)) visit(own, at[name], [...path, name]);
    }
    if (isObject(items) && Array.isArray(at))
      for (const [index, item] of at.entries()) visit(items, item, [...path, index]);
  };
  visit(schema, value, []);
  return places;
}

/** All schemas that some value of the schema must satisfy somewhere, each once. */
export function schemasIn(description: Description, schema: unknown): readonly JsonObject[] {
  const seen = new Set<JsonObject>();
  const visit = (given: unknown, depth: number): void => {
    const resolved = description.deref(given);
    if (!isObject(resolved) || seen.has(resolved) || seen.size >= MOST_PLACES || depth > DEEPEST) return;
    seen.add(resolved);
    const { allOf, properties, items } = resolved;
    if (Array.isArray(allOf)) for (const part of allOf) visit(part, depth);
    if (isObject(properties)) for (const own of Object.values(properties)) visit(own, depth + 1);
    visit(items, depth + 1);
  };
  visit(schema, 0);
  return [...seen];
}

/** A copy of the value with another one at the place. */
export function replaced(value: unknown, path: readonly (string | number)[], by: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return by;
  if (Array.isArray(value)) return value.map((item, index) => (index === first ? replaced(item, rest, by) : item));
  if (!isObject(value)) return value;
  return { ...value, [first]: replaced(value[first], rest, by) };
}
