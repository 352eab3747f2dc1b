// JSON Schema (OpenAPI 3.0 dialect and 2020-12) to fast-check arbitraries, for request bodies and parameters.
// readOnly properties are left out. Keywords that are not understood here are settled by the caller, who validates.
import * as fc from 'fast-check';
import type { Description } from '../openapi/operation.ts';
import { formatArbitrary } from './formats.ts';
import { words } from './sampling.ts';
import { isObject, type SchemaObject, shapeOf, typesOf } from './schema-shape.ts';

export interface Appetite {
  /** Optional properties: none, or all of them. */
  readonly optional: boolean;
  /** A value the caller prefers for a named string property; undefined: none. */
  readonly preferred?: (name: string, shape: SchemaObject) => unknown;
}

const DEPTH_LIMIT = 6;

/** Values of the schema. `name` is the property or parameter that will hold the value. */
export function arbitraryOf(
  description: Description,
  schema: unknown,
  appetite: Appetite,
  name = '',
  depth = 0,
): fc.Arbitrary<unknown> {
  const shape = shapeOf(description, schema);
  const fixed = fixedValues(shape);
  if (fixed.length > 0) return fc.constantFrom(...fixed);
  const preferred = appetite.preferred?.(name, shape);
  if (preferred !== undefined) return fc.constant(preferred);
  const given = givenValue(shape);
  if (given !== undefined) return fc.constant(given);
  const branches = shape.oneOf ?? shape.anyOf;
  if (Array.isArray(branches) && branches.length > 0) {
    return branchArbitrary(description, shape, branches, appetite, name, depth);
  }
  return typedArbitrary(description, shape, appetite, name, depth);
}

/** const, or the values of an enumeration. */
function fixedValues(shape: SchemaObject): readonly unknown[] {
  if ('const' in shape) return [shape.const];
  if (!Array.isArray(shape.enum)) return [];
  const offered = shape.enum.filter((entry) => entry !== null);
  return offered.length > 0 ? offered : shape.enum;
}

/** The description's own example or default. */
export function givenValue(shape: SchemaObject): unknown {
  const [first] = Array.isArray(shape.examples) ? shape.examples : [];
  return shape.example ?? first ?? shape.default ?? undefined;
}

function branchArbitrary(
  description: Description,
  shape: SchemaObject,
  branches: readonly unknown[],
  appetite: Appetite,
  name: string,
  depth: number,
): fc.Arbitrary<unknown> {
  const { oneOf: _one, anyOf: _any, discriminator, ...common } = shape;
  const usable = branches.filter((branch) => !isNullOnly(typesOf(shapeOf(description, branch))));
  const branch = usable[0] ?? branches[0];
  const merged = Object.keys(common).length > 0 ? { allOf: [common, branch] } : branch;
  const drawn = arbitraryOf(description, merged, appetite, name, depth + 1);
  const tag = discriminatorValue(discriminator, branch);
  if (tag === null) return drawn;
  return drawn.map((value) => (isObject(value) ? { ...value, [tag.property]: tag.value } : value));
}

function isNullOnly(types: readonly string[]): boolean {
  return types.length > 0 && types.every((type) => type === 'null');
}

/** The property and value by which a discriminator names a branch given by $ref; null where there is none. */
function discriminatorValue(discriminator: unknown, branch: unknown): { property: string; value: string } | null {
  if (!isObject(discriminator) || typeof discriminator.propertyName !== 'string') return null;
  if (!isObject(branch) || typeof branch.$ref !== 'string') return null;
  const reference = branch.$ref;
  const mapping = isObject(discriminator.mapping) ? discriminator.mapping : {};
  const mapped = Object.entries(mapping).find(([, target]) => target === reference || reference.endsWith(`/${target}`));
  const value = mapped?.[0] ?? reference.slice(reference.lastIndexOf('/') + 1);
  return { property: discriminator.propertyName, value };
}

function typedArbitrary(
  description: Description,
  shape: SchemaObject,
  appetite: Appetite,
  name: string,
  depth: number,
): fc.Arbitrary<unknown> {
  const type = typesOf(shape).find((candidate) => candidate !== 'null');
  switch (type) {
    case 'object':
      return objectArbitrary(description, shape, appetite, depth);
    case 'array':
      return arrayArbitrary(description, shape, appetite, name, depth);
    case 'string':
      return stringArbitrary(shape);
    case 'integer':
      return integerArbitrary(shape);
    case 'number':
      return numberArbitrary(shape);
    case 'boolean':
      return fc.boolean();
    default:
      return typesOf(shape).includes('null') ? fc.constant(null) : openArbitrary(name, depth);
  }
}

/** A schema that says nothing: a body becomes an empty object, a member a short string. */
function openArbitrary(name: string, depth: number): fc.Arbitrary<unknown> {
  return depth === 0 && name === '' ? fc.constant({}) : words(6, 12);
}

function objectArbitrary(
  description: Description,
  shape: SchemaObject,
  appetite: Appetite,
  depth: number,
): fc.Arbitrary<unknown> {
  const properties = isObject(shape.properties) ? shape.properties : {};
  const required = new Set(Array.isArray(shape.required) ? shape.required : []);
  const members: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [key, schema] of Object.entries(properties)) {
    if (shapeOf(description, schema).readOnly === true) continue;
    if (required.has(key) || (appetite.optional && depth < 3)) {
      members[key] =
        depth > DEPTH_LIMIT ? fc.constant(null) : arbitraryOf(description, schema, appetite, key, depth + 1);
    }
  }
  for (const key of required) {
    if (typeof key !== 'string' || key in properties) continue;
    const rest = isObject(shape.additionalProperties) ? shape.additionalProperties : true;
    members[key] = arbitraryOf(description, rest, appetite, key, depth + 1);
  }
  return fc.record(members);
}

function arrayArbitrary(
  description: Description,
  shape: SchemaObject,
  appetite: Appetite,
  name: string,
  depth: number,
): fc.Arbitrary<unknown> {
  const prefix = Array.isArray(shape.prefixItems) ? shape.prefixItems : [];
  const heads = prefix.map((schema) => arbitraryOf(description, schema, appetite, name, depth + 1));
  const minimum = typeof shape.minItems === 'number' ? shape.minItems : 1;
  const maximum = typeof shape.maxItems === 'number' ? shape.maxItems : Math.max(minimum, 1);
  const restLength = Math.max(0, Math.min(Math.max(minimum, 1), maximum) - heads.length);
  if (depth > DEPTH_LIMIT) return fc.constant([]);
  const item = arbitraryOf(description, shape.items ?? true, appetite, name, depth + 1);
  const length = { minLength: restLength, maxLength: restLength };
  const rest = shape.uniqueItems === true ? distinct(item, restLength) : fc.array(item, length);
  return fc
    .tuple(fc.tuple(...heads), shape.items === false ? fc.constant([]) : rest)
    .map(([head, tail]) => [...head, ...tail]);
}

/** Up to `count` values that differ; fewer where the items do not vary enough. */
function distinct(item: fc.Arbitrary<unknown>, count: number): fc.Arbitrary<unknown[]> {
  const tries = { minLength: count * 4, maxLength: count * 4 };
  return fc.array(item, tries).map((drawn) => {
    const byText = new Map(drawn.map((value) => [JSON.stringify(value), value]));
    return [...byText.values()].slice(0, count);
  });
}

function stringArbitrary(shape: SchemaObject): fc.Arbitrary<unknown> {
  const minLength = typeof shape.minLength === 'number' ? shape.minLength : 0;
  const maxLength = typeof shape.maxLength === 'number' ? shape.maxLength : Math.max(minLength, 12);
  if (typeof shape.pattern === 'string') {
    const matching = patternArbitrary(
      shape.pattern,
      minLength,
      shape.maxLength === undefined ? Number.POSITIVE_INFINITY : maxLength,
    );
    if (matching !== null) return matching;
  }
  const formatted = typeof shape.format === 'string' ? formatArbitrary(shape.format) : null;
  if (formatted !== null) return formatted;
  return words(Math.min(Math.max(minLength, 6), maxLength), Math.min(maxLength, Math.max(minLength, 12)));
}

const PATTERN_TRIES = 12;
const patterns = new Map<string, fc.Arbitrary<string> | null>();

/** Strings that match; of several drawn the first whose length fits. A pattern that cannot have that length yields one that does not. */
function patternArbitrary(pattern: string, minLength: number, maxLength: number): fc.Arbitrary<string> | null {
  const key = `${pattern}\n${minLength}\n${maxLength}`;
  const known = patterns.get(key);
  if (known !== undefined) return known;
  const made = makePatternArbitrary(pattern, minLength, maxLength);
  patterns.set(key, made);
  return made;
}

function makePatternArbitrary(pattern: string, minLength: number, maxLength: number): fc.Arbitrary<string> | null {
  try {
    const expression = new RegExp(pattern, 'u');
    const sizes = (['small', 'medium', 'max'] as const).map((size) => fc.stringMatching(expression, { size }));
    const fits = (text: string): boolean => text.length >= minLength && text.length <= maxLength;
    const tries = (arbitrary: fc.Arbitrary<string>): fc.Arbitrary<string[]> =>
      fc.array(arbitrary, { minLength: PATTERN_TRIES, maxLength: PATTERN_TRIES });
    const [small = fc.constant(''), ...larger] = sizes;
    const needsLength = minLength > 0;
    const drawn = needsLength
      ? fc.tuple(tries(small), ...larger.map(tries)).map((lists) => lists.flat())
      : tries(small);
    return drawn.map((texts) => texts.find(fits) ?? texts[0] ?? '');
  } catch {
    return null;
  }
}

function integerArbitrary(shape: SchemaObject): fc.Arbitrary<unknown> {
  const { low, high } = bounds(shape, 1);
  const step = typeof shape.multipleOf === 'number' && Number.isInteger(shape.multipleOf) ? shape.multipleOf : 1;
  const min = Math.ceil(low / step);
  const max = Math.max(min, Math.floor(high / step));
  return fc.integer({ min, max }).map((count) => count * step);
}

function numberArbitrary(shape: SchemaObject): fc.Arbitrary<unknown> {
  const step = typeof shape.multipleOf === 'number' ? shape.multipleOf : fineStep(shape);
  const { low, high } = bounds(shape, step);
  const min = Math.ceil(low / step);
  const max = Math.max(min, Math.floor(high / step));
  return fc.integer({ min, max }).map((count) => Number((count * step).toPrecision(12)));
}

/** A quarter, or less where the bounds lie closer. */
function fineStep(shape: SchemaObject): number {
  const low = typeof shape.minimum === 'number' ? shape.minimum : shape.exclusiveMinimum;
  const high = typeof shape.maximum === 'number' ? shape.maximum : shape.exclusiveMaximum;
  const width = typeof high === 'number' ? high - (typeof low === 'number' ? low : Math.min(0, high)) : 1;
  return width >= 1 || width <= 0 ? 0.25 : width / 4;
}

/** Inclusive bounds; exclusive ones (boolean in 3.0, number in 2020-12) are moved inwards by one step. */
function bounds(shape: SchemaObject, step: number): { low: number; high: number } {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = shape;
  const lows: number[] = [];
  const highs: number[] = [];
  if (typeof minimum === 'number') lows.push(exclusiveMinimum === true ? minimum + step : minimum);
  if (typeof exclusiveMinimum === 'number') lows.push(exclusiveMinimum + step);
  if (typeof maximum === 'number') highs.push(exclusiveMaximum === true ? maximum - step : maximum);
  if (typeof exclusiveMaximum === 'number') highs.push(exclusiveMaximum - step);
  const high = highs.length > 0 ? Math.min(...highs) : null;
  const low = lows.length > 0 ? Math.max(...lows) : Math.min(1, high ?? 1);
  return { low, high: high ?? low + 100 };
}
