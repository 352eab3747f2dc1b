// Negates a schema, as a schema of its own. It may admit less than it could (never a value that it should not, formats
// and the like aside, which whoever draws a value must check).
import { oncePer } from '../../exchange/once-per.ts';
import { asArray, asObject, isObject, type JsonObject } from '../../openapi/json.ts';
import { NOT_PATTERN } from './draft.ts';
import { JSON_TYPES } from './form.ts';

interface Inside {
  of(schema: unknown): unknown;
  isForbidden(schema: unknown): boolean;
}

type Negate = (value: unknown, schema: JsonObject, inside: Inside) => unknown;

const bounded =
  (type: string, keyword: string, by: number): Negate =>
  (value) =>
    typeof value === 'number' ? { type, [keyword]: value + by } : null;

/** Schemas of values that break a keyword, the plainest first; null: none can be told. */
const NEGATE: Readonly<Record<string, Negate>> = {
  required: (value, { properties }, { isForbidden }) => ({
    anyOf: asArray(value)
      .map(String)
      // Members that may not be sent are not missed either.
      .filter((name) => !isForbidden(asObject(properties)[name]))
      .map((name) => ({ type: 'object', properties: { [name]: false } })),
  }),
  type: (value) => withoutTypes(Array.isArray(value) ? value : [value]),
  const: (value) => ({ not: { const: value } }),
  enum: (value) => ({ not: { enum: value } }),
  minimum: (value, { exclusiveMinimum: open }) =>
    open === true ? { type: 'number', maximum: value } : { type: 'number', exclusiveMaximum: value },
  maximum: (value, { exclusiveMaximum: open }) =>
    open === true ? { type: 'number', minimum: value } : { type: 'number', exclusiveMinimum: value },
  exclusiveMinimum: (value) => (typeof value === 'number' ? { type: 'number', maximum: value } : null),
  exclusiveMaximum: (value) => (typeof value === 'number' ? { type: 'number', minimum: value } : null),
  minLength: bounded('string', 'maxLength', -1),
  maxLength: bounded('string', 'minLength', 1),
  minItems: bounded('array', 'maxItems', -1),
  maxItems: bounded('array', 'minItems', 1),
  minProperties: bounded('object', 'maxProperties', -1),
  maxProperties: bounded('object', 'minProperties', 1),
  pattern: (value) => ({ type: 'string', [NOT_PATTERN]: value }),
  format: () => ({ type: 'string' }),
  multipleOf: () => ({ type: 'number' }),
  properties: (value, _, { of, isForbidden }) => ({
    anyOf: Object.entries(asObject(value))
      .filter(([, inner]) => !isForbidden(inner))
      .map(([name, inner]) => ({ type: 'object', required: [name], properties: { [name]: of(inner) } })),
  }),
  items: (value, _, { of }) => ({ type: 'array', contains: of(value) }),
  contains: (value, { minContains }, { of }) =>
    minContains === undefined ? { type: 'array', items: of(value) } : null,
  allOf: (value, _, { of }) => ({ anyOf: asArray(value).map((one) => of(one)) }),
  anyOf: (value, _, { of }) => ({ allOf: asArray(value).map((one) => of(one)) }),
  oneOf: (value, _, { of }) => ({ allOf: asArray(value).map((one) => of(one)) }),
  not: (value) => value,
  uniqueItems: (value) => (value === true ? { type: 'array', minItems: 2 } : null),
};
/** Keywords that narrow a schema in ways whose negation cannot be told. */
const OPAQUE: readonly string[] = [
  'additionalProperties',
  'patternProperties',
  'propertyNames',
  'prefixItems',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedProperties',
  'unevaluatedItems',
  'then',
  'else',
];

/** Schemas that contain themselves are negated so deep. */
const MAX_DEPTH = 5;

export class Negation {
  /** Known values, by depth. */
  private readonly knownOf = oncePer((_: object): unknown[] => []);
  private readonly follow: (schema: JsonObject) => unknown;
  private readonly isNullable: (schema: JsonObject) => boolean;

  /** `follow` answers what a schema's reference leads to, or the schema itself where it has none. */
  constructor(follow: (schema: JsonObject) => unknown, isNullable: (schema: JsonObject) => boolean) {
    this.follow = follow;
    this.isNullable = isNullable;
  }

  /** `true` where nothing can be told; the same object every time. */
  of(schema: unknown, depth = 0): unknown {
    if (typeof schema === 'boolean') return !schema;
    if (!isObject(schema) || depth > MAX_DEPTH) return true;
    const known = this.knownOf(schema);
    known[depth] ??= this.negated(schema, depth);
    return known[depth];
  }

  private negated(schema: JsonObject, depth: number): unknown {
    const target = this.follow(schema);
    if (target !== schema) return this.of(target, depth + 1);
    const inside: Inside = {
      of: (one) => this.of(one, depth + 1),
      isForbidden: (one) => isObject(one) && asObject(this.follow(one)).readOnly === true,
    };
    const spoken = Object.entries(NEGATE).filter(([keyword]) => schema[keyword] !== undefined);
    const isOpaque = OPAQUE.some((keyword) => !isIdle(schema[keyword]));
    const ways = spoken
      .map(([keyword, negate]) => negate(schema[keyword], schema, inside))
      .filter((way) => way !== null && way !== false);
    if (ways.length === 0) return isOpaque || spoken.length > 0;
    if (isOpaque) ways.push(true);
    const broken = ways.length === 1 ? ways[0] : { anyOf: ways };
    return this.isNullable(schema) ? { allOf: [broken, withoutTypes(['null'])] } : broken;
  }
}

/** Tells whether a keyword's schema plainly admits everything. */
function isIdle(value: unknown): boolean {
  if (value === undefined || value === true) return true;
  if (!isObject(value)) return false;
  return Object.entries(value).every(
    ([keyword, inner]) => keyword === 'description' || (keyword === 'allOf' && asArray(inner).every(isIdle)),
  );
}

function withoutTypes(types: readonly unknown[]): unknown {
  const left = JSON_TYPES.filter((type) => !types.includes(type) && !(type === 'number' && types.includes('integer')));
  return left.length === 0 ? null : { type: left };
}
