// A schema with its references and allOf members folded into one object, which is what examples and echoes are made of.
import { asArray, asObject, dereference, isObject, type JsonObject } from '../json.ts';

const MAX_FOLDS = 40;
const flattened = new WeakMap<object, JsonObject>();

/**
 * The schema as one object without $ref and allOf; `true` is the empty object, `false` is `{ not: {} }`.
 * Members described twice become an allOf of both, to be flattened when they are reached.
 */
export function flatten(root: unknown, schema: unknown): JsonObject {
  if (schema === false) return { not: {} };
  if (!isObject(schema)) return {};
  const known = flattened.get(schema);
  if (known !== undefined) return known;
  const result: JsonObject = {};
  fold(root, schema, result, MAX_FOLDS);
  flattened.set(schema, result);
  return result;
}

function fold(root: unknown, schema: JsonObject, into: JsonObject, budget: number): void {
  if (budget === 0) return;
  if (typeof schema.$ref === 'string') {
    const target = dereference(root, schema);
    if (isObject(target)) fold(root, target, into, budget - 1);
  }
  for (const part of asArray(schema.allOf)) if (isObject(part)) fold(root, part, into, budget - 1);
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === '$ref' || keyword === 'allOf') continue;
    into[keyword] = keyword in into ? joined(keyword, into[keyword], value) : value;
  }
}

function joined(keyword: string, one: unknown, other: unknown): unknown {
  if (keyword === 'required') return [...new Set([...asArray(one), ...asArray(other)])];
  if (keyword === 'properties') return joinedProperties(asObject(one), asObject(other));
  if (keyword.startsWith('min') || keyword.startsWith('exclusiveMin')) return Math.max(Number(one), Number(other));
  if (keyword.startsWith('max') || keyword.startsWith('exclusiveMax')) return Math.min(Number(one), Number(other));
  if (keyword === 'additionalProperties') return one === false ? false : other;
  return other;
}

function joinedProperties(one: JsonObject, other: JsonObject): JsonObject {
  const result: JsonObject = { ...one };
  for (const [name, schema] of Object.entries(other)) {
    result[name] = name in result ? { allOf: [result[name], schema] } : schema;
  }
  return result;
}

/** JSON type names that the flattened schema allows, "null" aside; inferred from its keywords when it names none. */
export function typesOf(flat: JsonObject): readonly string[] {
  const named = asArray(Array.isArray(flat.type) ? flat.type : [flat.type]).filter((type) => typeof type === 'string');
  const types = named.filter((type) => type !== 'null');
  if (named.length > 0) return types.length > 0 ? types : ['null'];
  if ('properties' in flat || 'required' in flat || 'minProperties' in flat) return ['object'];
  if ('items' in flat || 'prefixItems' in flat || 'minItems' in flat) return ['array'];
  if ('pattern' in flat || 'minLength' in flat || 'maxLength' in flat || 'format' in flat) return ['string'];
  if ('minimum' in flat || 'maximum' in flat || 'exclusiveMinimum' in flat || 'multipleOf' in flat) return ['number'];
  return [];
}

const branched = new WeakMap<JsonObject, readonly JsonObject[]>();

/** The alternatives of oneOf or anyOf, each folded together with what stands beside them; the schema itself when it has none. */
export function branches(root: unknown, flat: JsonObject): readonly JsonObject[] {
  const alternatives = asArray(flat.oneOf ?? flat.anyOf);
  if (alternatives.length === 0) return [flat];
  let known = branched.get(flat);
  if (known === undefined) {
    const { oneOf: _one, anyOf: _any, ...rest } = flat;
    known = alternatives.map((alternative) => flatten(root, { allOf: [rest, alternative] }));
    branched.set(flat, known);
  }
  return known;
}
