// A form in the making: takes in one schema after the other, each keyword narrowing what the ones before it left.
import { asArray, asObject, isObject, isSame, type JsonObject, textOf } from '../../openapi/json.ts';
import { lenientPattern } from '../patterns/lenient.ts';
import {
  ANYTHING,
  type Bound,
  type Form,
  JSON_TYPES,
  type JsonType,
  jsonTypeOf,
  memberSchemas,
  type Scope,
} from './form.ts';
import { gridOf } from './numbers.ts';

type Narrowing = { -readonly [Keyword in keyof Form]: Form[Keyword] };
type Apply = (form: Narrowing, value: unknown, schema: JsonObject) => void;

/** Says of a string what no JSON Schema keyword says: it must not match. Only negation makes use of it. */
export const NOT_PATTERN: unique symbol = Symbol('not pattern');

const larger =
  (keyword: 'minLength' | 'minItems' | 'minProperties'): Apply =>
  (form, value) => {
    if (typeof value === 'number') form[keyword] = Math.max(form[keyword], value);
  };
const smaller =
  (keyword: 'maxLength' | 'maxItems' | 'maxProperties'): Apply =>
  (form, value) => {
    if (typeof value === 'number') form[keyword] = Math.min(form[keyword], value);
  };
const collected =
  (keyword: 'patterns' | 'formats' | 'encodings'): Apply =>
  (form, value) => {
    if (typeof value === 'string' && !form[keyword].includes(value)) form[keyword] = [...form[keyword], value];
  };

/** No value is made with more characters, or more items or members: no target is asked to take it. */
const MAX_TEXT_LENGTH = 1_000_000;
const MAX_ITEMS = 20_000;

const APPLY: Readonly<Record<string, Apply>> = {
  type: (form, value) => narrowTypes(form, Array.isArray(value) ? value : [value]),
  const: (form, value) => narrowValues(form, [value]),
  enum: (form, value) => narrowValues(form, asArray(value)),
  minimum: (form, value, schema) => narrowLow(form, value, schema.exclusiveMinimum === true),
  maximum: (form, value, schema) => narrowHigh(form, value, schema.exclusiveMaximum === true),
  exclusiveMinimum: (form, value) => narrowLow(form, value, true),
  exclusiveMaximum: (form, value) => narrowHigh(form, value, true),
  multipleOf: (form, value) => {
    if (typeof value === 'number' && value > 0) form.multiples = [...new Set([...form.multiples, value])];
  },
  minLength: larger('minLength'),
  maxLength: smaller('maxLength'),
  pattern: collected('patterns'),
  format: collected('formats'),
  contentEncoding: collected('encodings'),
  minItems: larger('minItems'),
  maxItems: smaller('maxItems'),
  minProperties: larger('minProperties'),
  maxProperties: smaller('maxProperties'),
  uniqueItems: (form, value) => {
    form.unique ||= value === true;
  },
  required: (form, value) => {
    form.required = [...new Set([...form.required, ...asArray(value).filter((name) => typeof name === 'string')])];
  },
  propertyNames: (form, value) => {
    form.names = [...form.names, value];
  },
  dependentRequired: (form, value) => {
    const added = Object.entries(asObject(value)).map(([name, needed]) => [name, asArray(needed).map(String)] as const);
    form.dependents = [...form.dependents, ...added];
  },
  example: (form, value) => give(form, [value]),
  examples: (form, value) => give(form, asArray(value)),
  'x-example': (form, value) => give(form, [value]),
  default: (form, value) => give(form, [value]),
};

/** Takes the schema's own keywords into the form; those that compose schemas are the reader's. */
export function narrow(form: Narrowing, schema: JsonObject, scopes: readonly Scope[]): void {
  for (const [keyword, value] of Object.entries(schema)) {
    if (value !== undefined && Object.hasOwn(APPLY, keyword)) APPLY[keyword]?.(form, value, schema);
  }
  const unwanted = (schema as { readonly [NOT_PATTERN]?: string })[NOT_PATTERN];
  if (unwanted !== undefined) form.antipatterns = [...form.antipatterns, unwanted];
  addMembers(form, schema, scopes);
  addItems(form, schema, scopes);
}

function give(form: Narrowing, values: readonly unknown[]): void {
  form.given = [...form.given, ...values];
}

function narrowTypes(form: Narrowing, stated: readonly unknown[]): void {
  const admitted = stated.map((type) => (type === 'integer' ? 'number' : type));
  form.types = form.typed
    ? form.types.filter((type) => admitted.includes(type))
    : [...new Set(admitted)].filter((type): type is JsonType => JSON_TYPES.includes(type as JsonType));
  form.typed = true;
  form.whole ||= stated.includes('integer') && !stated.includes('number');
}

function narrowValues(form: Narrowing, stated: readonly unknown[]): void {
  const texts = form.values === null ? null : new Set(stated.map(textOf));
  form.values = form.values?.filter((value) => texts?.has(textOf(value))) ?? stated;
}

function narrowLow(form: Narrowing, value: unknown, open: boolean): void {
  if (typeof value === 'number') form.low = tighter(form.low, { value, open }, 1);
}

function narrowHigh(form: Narrowing, value: unknown, open: boolean): void {
  if (typeof value === 'number') form.high = tighter(form.high, { value, open }, -1);
}

function tighter(left: Bound, right: Bound, direction: 1 | -1): Bound {
  if (left.value === right.value) return { value: left.value, open: left.open || right.open };
  return (right.value - left.value) * direction > 0 ? right : left;
}

function addMembers(form: Narrowing, schema: JsonObject, scopes: readonly Scope[]): void {
  const { properties, patternProperties, additionalProperties: rest } = schema;
  if (!isObject(properties) && !isObject(patternProperties) && rest === undefined) return;
  const patterns = Object.entries(asObject(patternProperties)).flatMap(([source, inner]) => {
    const pattern = lenientPattern(source);
    return pattern === null ? [] : [{ source, pattern, schema: inner }];
  });
  form.members = [...form.members, { properties: asObject(properties), patterns, rest, over: null, scopes }];
}

function addItems(form: Narrowing, schema: JsonObject, scopes: readonly Scope[]): void {
  const { prefixItems, items: rest, contains, minContains, maxContains } = schema;
  if (prefixItems !== undefined || rest !== undefined)
    form.items = [...form.items, { prefix: asArray(prefixItems), rest, over: null, scopes }];
  if (contains === undefined) return;
  const min = typeof minContains === 'number' ? minContains : 1;
  const max = typeof maxContains === 'number' ? maxContains : Number.POSITIVE_INFINITY;
  form.contains = [...form.contains, { schema: contains, min, max, scopes }];
}

/** A fresh form that admits anything. */
export function open(): Narrowing {
  return { ...ANYTHING };
}

/** Leaves only types of which some value is left, and the values that are; the reason where none is. */
export function settle(form: Narrowing): string | null {
  if (form.types.length === 0) return 'its parts admit no type in common';
  const types = form.types.filter((type) => isPossible(form, type));
  const values = form.values?.filter((value) => types.includes(jsonTypeOf(value)) && isPossibleValue(form, value));
  if (values?.length === 0) return 'none of the values that it lists is admitted by its other keywords';
  if (types.length === 0) return reasonOf(form);
  form.types = types;
  form.values = values ?? null;
  return null;
}

function isPossibleValue(form: Form, value: unknown): boolean {
  if (form.whole && typeof value === 'number' && !Number.isInteger(value)) return false;
  return !form.excluded.some((one) => isSame(one, value));
}

function isPossible(form: Form, type: JsonType): boolean {
  switch (type) {
    case 'string':
      return form.minLength <= Math.min(form.maxLength, MAX_TEXT_LENGTH);
    case 'number':
      return gridOf(form) !== null;
    case 'array':
      return (
        form.minItems <= Math.min(form.maxItems, MAX_ITEMS) &&
        form.contains.every(({ min, max }) => min <= Math.min(max, MAX_ITEMS))
      );
    case 'object':
      return (
        form.minProperties <= Math.min(form.maxProperties, MAX_ITEMS) &&
        form.required.length <= Math.min(form.maxProperties, MAX_ITEMS) &&
        !form.required.some((name) => memberSchemas(form, name).includes(false))
      );
    default:
      return !form.excluded.some((value) => value === null) || type !== 'null';
  }
}

function reasonOf(form: Form): string {
  const ruledOut = form.required.find((name) => memberSchemas(form, name).includes(false));
  if (ruledOut !== undefined) return `the member "${ruledOut}" is both required and ruled out`;
  const members = Math.max(
    form.minItems,
    form.minProperties,
    form.required.length,
    ...form.contains.map(({ min }) => min),
  );
  if (form.minLength > MAX_TEXT_LENGTH || members > MAX_ITEMS)
    return `it must be larger than any value that is made: ${MAX_TEXT_LENGTH} characters, ${MAX_ITEMS} items or members`;
  return `no ${form.types.join(' or ')} lies within all of its bounds`;
}
