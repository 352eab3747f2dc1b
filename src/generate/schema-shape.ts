// A schema as one object, its $refs followed and its allOf folded in, one level deep: for whoever wants to know what it
// says without drawing from it.
import { oncePer } from '../exchange/once-per.ts';
import { isObject } from '../openapi/json.ts';
import type { Description } from '../openapi/model/operation.ts';
import { type Form, memberSchemas, namedMembers } from './schema/form.ts';
import type { Core } from './schema/reading.ts';
import { Schemas } from './schema/schemas.ts';

export type SchemaObject = Readonly<Record<string, unknown>>;

const shapesOf = oncePer((description: Description) => {
  const schemas = Schemas.of(description);
  return oncePer((schema: object) => shapeOfCore(schemas.core(schemas.all([schema]))));
});

/** The schema object behind the value, $refs followed and allOf merged; {} for `true` and for what cannot be resolved. */
export function shapeOf(description: Description, schema: unknown): SchemaObject {
  return isObject(schema) ? shapesOf(description)(schema) : {};
}

/** Whatever the parts say besides, and the intersection of what they demand. */
function shapeOfCore({ form, parts }: Core): SchemaObject {
  const {
    $ref: _,
    $dynamicRef: __,
    allOf: ___,
    exclusiveMinimum: ____,
    exclusiveMaximum: _____,
    ...said
  } = Object.assign({}, ...parts) as Record<string, unknown>;
  const names = namedMembers(form);
  return {
    ...said,
    ...shapeOfForm(form),
    ...(names.length > 0 ? { properties: Object.fromEntries(names.map((name) => [name, memberOf(form, name)])) } : {}),
    ...(form.required.length > 0 ? { required: form.required } : {}),
    ...(form.values !== null && !('const' in said) ? { enum: form.values } : {}),
  };
}

function memberOf(form: Form, name: string): unknown {
  const schemas = memberSchemas(form, name).filter((schema) => schema !== true);
  return schemas.length > 1 ? { allOf: schemas } : (schemas[0] ?? true);
}

/** Demands of a form on a scalar, and the examples that are given of it. */
export const shapeOfForm = oncePer((form: Form): SchemaObject => {
  const types = form.types.map((type) => (type === 'number' && form.whole ? 'integer' : type));
  const [pattern] = form.patterns;
  const [format] = form.formats;
  const type = types.length === 1 ? types[0] : types;
  const demands: readonly (readonly [keyword: string, value: unknown, isMade: boolean])[] = [
    ['type', type, form.typed],
    ['format', format, format !== undefined],
    ['pattern', pattern, pattern !== undefined],
    [form.low.open ? 'exclusiveMinimum' : 'minimum', form.low.value, Number.isFinite(form.low.value)],
    [form.high.open ? 'exclusiveMaximum' : 'maximum', form.high.value, Number.isFinite(form.high.value)],
    ['minLength', form.minLength, form.minLength > 0],
    ['maxLength', form.maxLength, Number.isFinite(form.maxLength)],
    ['minItems', form.minItems, form.minItems > 0],
    ['maxItems', form.maxItems, Number.isFinite(form.maxItems)],
    ['examples', form.given, form.given.length > 0],
  ];
  return Object.fromEntries(demands.filter(([, , isMade]) => isMade));
});

/** JSON types that the schema admits, guessed from its keywords where `type` is absent; empty: any. */
export function typesOf(shape: SchemaObject): readonly string[] {
  const type = shape.type;
  if (typeof type === 'string') return shape.nullable === true ? [type, 'null'] : [type];
  if (Array.isArray(type)) return type.filter((entry): entry is string => typeof entry === 'string');
  if (isObject(shape.properties) || Array.isArray(shape.required)) return ['object'];
  if (shape.items !== undefined || shape.prefixItems !== undefined) return ['array'];
  return [];
}
