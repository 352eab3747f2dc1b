// Random request schemas for the tests of the generators: satisfiable ones, of keywords that descriptions use.
import * as fc from 'fast-check';
import { jsonBodyType } from '../../../src/generate/bodies.ts';
import type { Description, Operation, SchemaHandle } from '../../../src/openapi/model/operation.ts';
import { loadFiles } from '../openapi/descriptions.ts';

type Schema = Record<string, unknown>;

const NAMES = ['name', 'email', 'slug', 'price', 'currency', 'note', 'tags', 'callbackUrl', 'password', 'storeId'];

const text: fc.Arbitrary<Schema> = fc
  .record({ minLength: fc.integer({ min: 0, max: 30 }), more: fc.integer({ min: 0, max: 40 }) })
  .map(({ minLength, more }) => ({ type: 'string', minLength, maxLength: minLength + more }));

const formatted: fc.Arbitrary<Schema> = fc
  .constantFrom('date-time', 'date', 'email', 'uuid', 'uri', 'hostname', 'ipv4', 'ipv6', 'byte', 'password')
  .map((format) => ({ type: 'string', format }));

const patterned: fc.Arbitrary<Schema> = fc
  .constantFrom('^[a-z0-9-]+$', '^[A-Z]{3}$', '^\\+[1-9]\\d{6,14}$', '^sku_[0-9a-f]{8}$', '^\\d{4}-\\d{2}$')
  .map((pattern) => ({ type: 'string', pattern }));

const whole: fc.Arbitrary<Schema> = fc
  .record({ minimum: fc.integer({ min: -500, max: 500 }), more: fc.integer({ min: 0, max: 50 }) })
  .map(({ minimum, more }) => ({ type: 'integer', minimum, maximum: minimum + more }));

const fractional: fc.Arbitrary<Schema> = fc
  .record({ minimum: fc.integer({ min: -5, max: 5 }), more: fc.integer({ min: 1, max: 50 }) })
  .map(({ minimum, more }) => ({ type: 'number', minimum, maximum: minimum + more }));

const enumerated: fc.Arbitrary<Schema> = fc
  .uniqueArray(fc.constantFrom('draft', 'active', 'archived', 'gone'), { minLength: 1 })
  .map((values) => ({ type: 'string', enum: values }));

const scalar = fc.oneof(text, formatted, patterned, whole, fractional, enumerated, fc.constant({ type: 'boolean' }));

const { schema } = fc.letrec<{ schema: Schema; object: Schema; array: Schema; composed: Schema }>((tie) => ({
  schema: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalar, tie('object'), tie('array'), tie('composed')),
  object: fc
    .uniqueArray(fc.tuple(fc.constantFrom(...NAMES), tie('schema'), fc.boolean()), {
      selector: ([name]) => name,
      maxLength: 4,
    })
    .chain((members) => fc.boolean().map((closed) => objectOf(members, closed))),
  array: fc
    .record({ items: tie('schema'), minItems: fc.integer({ min: 0, max: 3 }) })
    .map(({ items, minItems }) => ({ type: 'array', items, minItems, maxItems: minItems + 1 })),
  composed: fc
    .tuple(fc.constantFrom('oneOf', 'anyOf', 'allOf'), tie('schema'))
    .map(([keyword, inner]) => ({ [keyword]: [inner] })),
}));

function objectOf(members: readonly (readonly [string, Schema, boolean])[], closed: boolean): Schema {
  const required = members.filter(([, , isRequired]) => isRequired).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(members.map(([name, inner]) => [name, inner])),
    ...(required.length > 0 ? { required } : {}),
    ...(closed ? { additionalProperties: false } : {}),
  };
}

/** Schemas of request bodies; every one admits some value. */
export const bodySchemas: fc.Arbitrary<Schema> = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...NAMES), schema, fc.boolean()), {
    selector: ([name]) => name,
    minLength: 1,
    maxLength: 5,
  })
  .map((members) => objectOf(members, true));

export interface Posted {
  readonly description: Description;
  readonly operation: Operation;
  readonly schema: SchemaHandle;
}

/** One POST for each schema, all in one description. */
export async function posting(schemas: readonly unknown[], version = '3.1.0'): Promise<readonly Posted[]> {
  const paths = Object.fromEntries(
    schemas.map((body, index) => [
      `/things/${index}`,
      {
        post: {
          requestBody: { required: true, content: { 'application/json': { schema: body } } },
          responses: { 201: { description: 'Created' } },
        },
      },
    ]),
  );
  const description = await loadFiles({
    'things.json': { openapi: version, info: { title: 'Things', version: '1.0.0' }, paths },
  });
  return description.operations.map((operation) => {
    const declared = jsonBodyType(operation)?.schema;
    if (declared == null) throw new Error(`${operation.key} declares no schema`);
    return { description, operation, schema: declared };
  });
}
