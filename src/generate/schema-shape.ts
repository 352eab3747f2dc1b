// A schema with its $refs followed and its allOf folded in, one level deep: what generator and spoilers look at.
import type { Description } from '../openapi/operation.ts';

export type SchemaObject = Readonly<Record<string, unknown>>;

const MERGED_OBJECT_KEYWORDS = ['properties', 'patternProperties', '$defs'] as const;
const LARGER_WINS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const SMALLER_WINS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const FOLD_DEPTH = 12;

/** Whether the value is a plain JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The schema object behind the value, $refs followed and allOf merged; {} for `true` and for what cannot be resolved. */
export function shapeOf(description: Description, schema: unknown, depth = 0): SchemaObject {
  const resolved = description.deref(schema);
  if (!isObject(resolved)) return {};
  const parts = resolved.allOf;
  if (!Array.isArray(parts) || depth > FOLD_DEPTH) return resolved;
  const { allOf: _folded, ...own } = resolved;
  return parts.reduce<SchemaObject>((whole, part) => merge(whole, shapeOf(description, part, depth + 1)), own);
}

function merge(left: SchemaObject, right: SchemaObject): SchemaObject {
  const merged: Record<string, unknown> = { ...left };
  for (const [keyword, value] of Object.entries(right)) merged[keyword] = mergeKeyword(keyword, merged[keyword], value);
  return merged;
}

function mergeKeyword(keyword: string, left: unknown, right: unknown): unknown {
  if (left === undefined) return right;
  if (keyword === 'required' && Array.isArray(left) && Array.isArray(right)) return [...new Set([...left, ...right])];
  if (keyword === 'enum' && Array.isArray(left) && Array.isArray(right)) {
    const seen = new Set(right.map((entry) => JSON.stringify(entry)));
    return left.filter((entry) => seen.has(JSON.stringify(entry)));
  }
  if (keyword === 'properties' && isObject(left) && isObject(right)) return mergeProperties(left, right);
  if (MERGED_OBJECT_KEYWORDS.includes(keyword as never) && isObject(left) && isObject(right))
    return { ...left, ...right };
  if (typeof left === 'number' && typeof right === 'number') {
    if (LARGER_WINS.includes(keyword)) return Math.max(left, right);
    if (SMALLER_WINS.includes(keyword)) return Math.min(left, right);
  }
  return right;
}

function mergeProperties(left: SchemaObject, right: SchemaObject): SchemaObject {
  const merged: Record<string, unknown> = { ...left };
  for (const [name, schema] of Object.entries(right)) {
    merged[name] = name in merged ? { allOf: [merged[name], schema] } : schema;
  }
  return merged;
}

/** JSON types that the schema admits, guessed from its keywords where `type` is absent; empty: any. */
export function typesOf(shape: SchemaObject): readonly string[] {
  const type = shape.type;
  if (typeof type === 'string') return shape.nullable === true ? [type, 'null'] : [type];
  if (Array.isArray(type)) return type.filter((entry): entry is string => typeof entry === 'string');
  if (isObject(shape.properties) || Array.isArray(shape.required)) return ['object'];
  if (shape.items !== undefined || shape.prefixItems !== undefined) return ['array'];
  return [];
}
