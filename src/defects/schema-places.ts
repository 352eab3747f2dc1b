// Finds the places of a value that a schema speaks of beyond doubt, so that a change there breaks the schema for certain:
// alternatives (oneOf, anyOf) and conditions are left alone.
import { asArray, isObject, type JsonObject } from '../openapi/json.ts';

/** A place in a value and one schema that it must satisfy. */
export interface Place {
  readonly value: unknown;
  readonly schema: JsonObject;
  /** Tokens from the root. */
  readonly path: readonly (string | number)[];
  /** True for a member that its object must have. */
  readonly isRequired: boolean;
  /** True for what stands in the last of several items. */
  readonly isInLast: boolean;
}

/** The schema that a reference leads to; any other as it is. */
export type Resolve = (schema: unknown) => unknown;

const MOST_PLACES = 4000;
const DEEPEST = 12;

/** A place whose schema is not yet looked at. */
interface Given extends Omit<Place, 'schema'> {
  readonly given: unknown;
}

/** All places of the value, the root first. */
export function placesOf(resolve: Resolve, schema: unknown, value: unknown): readonly Place[] {
  const places: Place[] = [];
  const visit = ({ given, ...at }: Given): void => {
    const parts = at.path.length > DEEPEST ? [] : partsOf(resolve, given);
    const required = parts.flatMap((part) => asArray(part.required));
    for (const part of parts) {
      if (places.length >= MOST_PLACES) return;
      places.push({ ...at, schema: part });
      for (const member of membersOf(part, at, required)) visit(member);
      for (const item of itemsOf(part, at)) visit(item);
    }
  };
  visit({ given: schema, value, path: [], isRequired: false, isInLast: false });
  return places;
}

function membersOf(
  { properties }: JsonObject,
  { value, path, isInLast }: Omit<Given, 'given'>,
  required: readonly unknown[],
): readonly Given[] {
  if (!isObject(properties) || !isObject(value)) return [];
  return Object.entries(properties)
    .filter(([name]) => Object.hasOwn(value, name))
    .map(([name, given]) => ({
      ...{ given, value: value[name], path: [...path, name], isRequired: required.includes(name), isInLast },
    }));
}

function itemsOf({ items }: JsonObject, { value, path }: Omit<Given, 'given'>): readonly Given[] {
  if (items === undefined) return [];
  return asArray(value).map((item, index, all) => ({
    ...{ given: items, value: item, path: [...path, index], isRequired: false },
    isInLast: index > 0 && index === all.length - 1,
  }));
}

/** The schema, and those that it names in allOf. */
function partsOf(resolve: Resolve, schema: unknown, depth = 0): readonly JsonObject[] {
  const resolved = resolve(schema);
  if (!isObject(resolved) || depth > DEEPEST) return [];
  return [resolved, ...asArray(resolved.allOf).flatMap((part) => partsOf(resolve, part, depth + 1))];
}

/** All schemas that some value of the schema must satisfy somewhere, each once. */
export function schemasIn(resolve: Resolve, schema: unknown): readonly JsonObject[] {
  const seen = new Set<JsonObject>();
  const visit = (given: unknown, depth: number): void => {
    const resolved = resolve(given);
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

/** A copy of the value with another one at the place; undefined: without the member. */
export function replaced(value: unknown, path: readonly (string | number)[], by: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return by;
  if (Array.isArray(value)) return value.map((item, index) => (index === first ? replaced(item, rest, by) : item));
  if (!isObject(value)) return value;
  return { ...value, [first]: replaced(value[first], rest, by) };
}
