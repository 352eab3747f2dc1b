// A body whose lists have a second item: servers that look at the first item of a list alone take whatever comes after it.
import type { Description, SchemaHandle } from '../openapi/model/operation.ts';
import { isValid } from './bodies.ts';
import { isObject } from './schema-shape.ts';

/** Lists of one body that are made longer. */
const MOST_LISTS = 20;
/** Levels of a body that are looked at for lists. */
const DEEPEST = 5;

type Path = readonly string[];

/**
 * The body with a second item in each list of one, as far as the schema admits it. The item comes from the same place of `other`, a body
 * of the same sort with other texts; where that has none it is the first item again.
 */
export function withSecondItems(
  description: Description,
  schema: SchemaHandle,
  body: unknown,
  other: unknown,
): unknown {
  let longer = body;
  const tried = new Set<string>();
  for (let count = 0; count < MOST_LISTS; count += 1) {
    const path = singlesIn(longer, []).find((one) => !tried.has(one.join('\n')));
    if (path === undefined) break;
    tried.add(path.join('\n'));
    const item = valueAt(other, [...path.map(asFirst), '0']) ?? valueAt(longer, [...path, '0']);
    const changed = withItem(longer, path, item);
    if (isValid(description, schema, changed)) longer = changed;
  }
  return longer;
}

/** The places of the lists that have one item, the outer before the inner. */
function singlesIn(value: unknown, path: Path): readonly Path[] {
  if (path.length > DEEPEST || typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([token, one]) => singlesIn(one, [...path, token]));
  return Array.isArray(value) && value.length === 1 ? [path, ...inner] : inner;
}

/** What a second item holds, the first of the other body does. */
function asFirst(token: string): string {
  return /^\d+$/.test(token) ? '0' : token;
}

function valueAt(value: unknown, [token, ...rest]: Path): unknown {
  if (token === undefined) return value;
  return isObject(value) || Array.isArray(value) ? valueAt((value as Record<string, unknown>)[token], rest) : undefined;
}

function withItem(value: unknown, [token, ...rest]: Path, item: unknown): unknown {
  if (token === undefined) return Array.isArray(value) ? [...value, item] : value;
  if (Array.isArray(value))
    return value.map((one, index) => (String(index) === token ? withItem(one, rest, item) : one));
  return isObject(value) ? { ...value, [token]: withItem(value[token], rest, item) } : value;
}
