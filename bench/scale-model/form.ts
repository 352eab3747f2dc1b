// How the two dialects write what differs between them.
import { asArray, type JsonObject } from '../../src/platform/json.ts';

export interface Form {
  readonly dialect: '3.0' | '3.1';
  /** The schema, or null. */
  nullable(schema: JsonObject): JsonObject;
  /** Above zero. */
  positive(schema: JsonObject): JsonObject;
  /** With an example value. */
  example(schema: JsonObject, value: unknown): JsonObject;
  /** One string and no other. */
  only(value: string): JsonObject;
  /** A reference with a description of its own: siblings of $ref count in 3.1 alone. */
  described(reference: JsonObject, description: string): JsonObject;
}

export const OPENAPI_30: Form = {
  dialect: '3.0',
  // The letter of 3.0.3 wants a type beside nullable; generators write a reference so.
  nullable: (schema) => ('$ref' in schema ? { nullable: true, allOf: [schema] } : { ...schema, nullable: true }),
  positive: (schema) => ({ ...schema, minimum: 0, exclusiveMinimum: true }),
  example: (schema, value) => ({ ...schema, example: value }),
  only: (value) => ({ type: 'string', enum: [value] }),
  described: (reference, description) => ({ description, allOf: [reference] }),
};

export const OPENAPI_31: Form = {
  dialect: '3.1',
  nullable: (schema) =>
    typeof schema.type === 'string'
      ? { ...schema, type: [schema.type, 'null'] }
      : { anyOf: [schema, { type: 'null' }] },
  positive: (schema) => ({ ...schema, exclusiveMinimum: 0 }),
  example: (schema, value) => ({ ...schema, examples: [...asArray(schema.examples), value] }),
  only: (value) => ({ type: 'string', const: value }),
  described: (reference, description) => ({ ...reference, description }),
};
