// The keywords of JSON Schema 2020-12 that judge a value, by what stands in them.

/** Keywords whose value is a schema. */
export const ONE = [
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
];
/** Keywords whose value is a list of schemas. */
export const LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
/** Keywords whose value is a map of schemas. */
export const MAP = ['properties', 'patternProperties', 'dependentSchemas'];
/** Keywords whose subschemas judge the same value as the schema they stand in. */
export const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas'];
/** Keywords that judge a value without further schemas. */
export const ASSERTIONS = [
  'type',
  'enum',
  'const',
  'multipleOf',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'format',
  'maxItems',
  'minItems',
  'uniqueItems',
  'maxContains',
  'minContains',
  'maxProperties',
  'minProperties',
  'dependentRequired',
];
