// Schemas that descriptions hold, keyword by keyword and in combination, for the laws of generated values.

type Table = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const whole = { type: 'integer' };
const tagged = (kind: string, members: Record<string, unknown>) => ({
  type: 'object',
  required: ['kind'],
  properties: { kind: { const: kind }, ...members },
});
const closed = (properties: Record<string, unknown>, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** Every one admits some value, by JSON Schema 2020-12. */
export const SATISFIABLE: Table = {
  'any value': {},
  'several types': { type: ['string', 'null', 'integer'] },
  const: { const: { a: [1, null] } },
  'enum of several types': { enum: [null, 3, 'x', { a: 1 }] },
  'enum narrowed by a type': { enum: ['a', 1, 'b'], type: 'integer' },
  'enum narrowed by another': { allOf: [{ enum: ['a', 'b', 'c'] }, { enum: ['c', 'd', 'b'] }] },
  'enum without one value': { enum: ['a', 'b'], not: { const: 'a' } },
  lengths: { type: 'string', minLength: 7, maxLength: 7 },
  'long text': { type: 'string', minLength: 3000 },
  pattern: { type: 'string', pattern: '^[A-Z]{2}-\\d{4}(?:-[a-f]+)?$' },
  'pattern unanchored': { type: 'string', pattern: '[0-9]{3}' },
  'pattern with lookaheads': { type: 'string', pattern: '^(?=.*\\d)(?=.*[a-z])(?!admin)\\w{8,12}$' },
  'pattern with a lookbehind': { type: 'string', pattern: '^[a-z-]{3,9}(?<!-)$' },
  'pattern of Unicode letters': { type: 'string', pattern: '^\\p{Lu}\\p{L}+$' },
  'patterns in common': { allOf: [{ pattern: '^a' }, { pattern: 'z$' }, { type: 'string', pattern: '[0-9]' }] },
  'pattern and length': { type: 'string', pattern: '^[a-z]+(-[a-z]+)*$', minLength: 30, maxLength: 32 },
  'pattern of a colour': { type: 'string', pattern: '^#(?:[0-9a-fA-F]{3}){1,2}$' },
  'no match of a pattern': { type: 'string', not: { pattern: '^[a-m]' }, minLength: 2 },
  'every format': closed(
    Object.fromEntries(
      ['date-time', 'date', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uri-reference', 'uuid']
        .concat(['uri-template', 'json-pointer', 'relative-json-pointer', 'regex'])
        .map((format) => [format, { type: 'string', format }]),
    ),
  ),
  'unknown format': { type: 'string', format: 'snowflake', pattern: '^\\d{17,19}$' },
  'format and length': { type: 'string', format: 'email', maxLength: 14 },
  bounds: { type: 'number', minimum: 0.1, maximum: 0.2 },
  'open bounds': { type: 'integer', exclusiveMinimum: 3, exclusiveMaximum: 5 },
  'negative bounds': { type: 'number', maximum: -1e6 },
  'huge bounds': { type: 'integer', minimum: 9_007_199_254_740_000 },
  cents: { type: 'number', multipleOf: 0.01, minimum: 19.985, maximum: 19.995 },
  'common multiples': { allOf: [{ multipleOf: 6 }, { multipleOf: 4 }], type: 'integer', minimum: 13 },
  'unique items': { type: 'array', items: { enum: ['a', 'b', 'c'] }, uniqueItems: true, minItems: 3 },
  'unique objects': { type: 'array', items: closed({ on: { type: 'boolean' } }), uniqueItems: true, minItems: 3 },
  'many items': { type: 'array', items: whole, minItems: 50, maxItems: 50 },
  'prefix items': { type: 'array', prefixItems: [text, whole], items: { type: 'boolean' }, minItems: 4 },
  'prefix items alone': { type: 'array', prefixItems: [text, whole], items: false },
  contains: { type: 'array', items: whole, contains: { minimum: 100 }, minContains: 2 },
  'contains few': { type: 'array', items: whole, contains: { minimum: 5 }, maxContains: 1, minItems: 4 },
  'contains of two kinds': { type: 'array', allOf: [{ contains: { const: 'a' } }, { contains: { const: 'b' } }] },
  'a map': { type: 'object', additionalProperties: whole, minProperties: 3 },
  'a large map': { type: 'object', additionalProperties: whole, minProperties: 40 },
  'a map by pattern': {
    type: 'object',
    patternProperties: { '^x-[a-z]+$': whole },
    additionalProperties: false,
    minProperties: 2,
  },
  'a map of given names': { type: 'object', propertyNames: { enum: ['a', 'b', 'c'] }, minProperties: 2 },
  'a map of named names': { propertyNames: { pattern: '^[a-z]{2}_[A-Z]{2}$' }, type: 'object', minProperties: 1 },
  'members under two rules': {
    type: 'object',
    required: ['x-size'],
    properties: { 'x-size': { minimum: 3 } },
    patternProperties: { '^x-': { type: 'integer', maximum: 3 } },
  },
  'members that need others': {
    type: 'object',
    properties: { card: text, cvc: text, name: text },
    required: ['card'],
    dependentRequired: { card: ['cvc'], cvc: ['name'] },
  },
  'members that bring schemas': {
    type: 'object',
    properties: { card: text },
    required: ['card'],
    dependentSchemas: { card: { required: ['address'], properties: { address: { type: 'string', minLength: 9 } } } },
  },
  'few members': { type: 'object', properties: { a: text, b: text, c: text }, minProperties: 1, maxProperties: 2 },
  'required, not described': { type: 'object', required: ['a', 'b'] },
  'inherited names': closed({ constructor: whole, toString: text, hasOwnProperty: text }, ['toString']),
  'all of': { allOf: [closed({ a: text, b: whole }, ['a']), { properties: { b: { minimum: 5 } }, required: ['b'] }] },
  'all of types': { allOf: [{ type: ['string', 'integer'] }, { type: ['number', 'boolean'] }] },
  'one of tagged': { oneOf: [tagged('card', { number: text }), tagged('bank', { iban: text })] },
  'one of overlapping': {
    oneOf: [
      { type: 'object', properties: { a: text }, required: ['a'] },
      { type: 'object', properties: { b: text }, required: ['b'] },
    ],
  },
  'one of alike but for an optional member': {
    oneOf: [closed({ a: text, mode: { const: 'x' } }, ['a']), closed({ a: text, mode: { const: 'y' } }, ['a'])],
  },
  'one of numbers': { oneOf: [{ type: 'integer' }, { type: 'number', minimum: 10 }] },
  'one of beside one of': {
    oneOf: [{ required: ['a'] }, { required: ['b'] }],
    allOf: [{ oneOf: [{ required: ['c'] }, { required: ['d'] }] }],
    type: 'object',
  },
  'one of, the first impossible': { type: 'string', oneOf: [{ type: 'integer' }, { minLength: 3 }] },
  'one of nested': {
    type: 'array',
    minItems: 1,
    items: {
      oneOf: ['boolean', 'integer', 'string'].map((type) => ({ type: 'object', properties: { value: { type } } })),
    },
  },
  'any of': {
    anyOf: [
      { type: 'string', maxLength: 2 },
      { type: 'string', minLength: 9 },
    ],
    minLength: 5,
  },
  'any of required': {
    type: 'object',
    properties: { a: text, b: text },
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
  },
  not: { type: 'object', properties: { a: text, b: text }, not: { required: ['a', 'b'] }, required: ['a'] },
  'not a type': { not: { type: ['object', 'array', 'string', 'null', 'boolean'] } },
  'not in bounds': { type: 'integer', not: { minimum: 0, maximum: 100 } },
  'if and then': {
    type: 'object',
    properties: { kind: { enum: ['a', 'b'] }, size: whole },
    required: ['kind'],
    if: { properties: { kind: { const: 'a' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['size'] },
    else: { properties: { size: false } },
  },
  'nothing unevaluated': {
    allOf: [{ properties: { a: text } }],
    type: 'object',
    properties: { b: text },
    required: ['a'],
    unevaluatedProperties: false,
  },
  'no item unevaluated': { type: 'array', prefixItems: [text], contains: { type: 'null' }, unevaluatedItems: false },
  'an example that does not hold': { type: 'string', examples: ['x'], default: 'y', minLength: 5 },
  'an example of an object that holds in part': {
    ...closed({ a: text, n: { type: 'integer', maximum: 5 } }, ['a', 'n']),
    examples: [{ a: 'kept', n: 50 }],
  },
};

/** Of references to itself: `#/components/schemas/Node` is the schema. */
export const RECURSIVE: Table = {
  'a tree': {
    type: 'object',
    required: ['name'],
    properties: { name: text, children: { type: 'array', items: { $ref: '#/components/schemas/Node' } } },
  },
  'a list that ends by null': {
    type: 'object',
    required: ['next'],
    properties: { next: { oneOf: [{ type: 'null' }, { $ref: '#/components/schemas/Node' }] } },
  },
  'an expression': {
    oneOf: [
      { type: 'number' },
      { type: 'object', required: ['plus'], properties: { plus: { $ref: '#/components/schemas/Node' } } },
    ],
  },
  'a map of itself': { type: 'object', additionalProperties: { $ref: '#/components/schemas/Node' } },
  'members that each contain it': {
    type: 'object',
    properties: Object.fromEntries([...'abcdefghij'].map((name) => [name, { $ref: '#/components/schemas/Node' }])),
  },
};

/** None of them admits any value: by what the reason tells. */
export const UNSATISFIABLE: Readonly<Record<string, unknown>> = {
  'no type in common': { allOf: [text, whole] },
  'no value is allowed': false,
  'none of the values that it lists': { enum: ['a'], type: 'integer' },
  'no number lies within all of its bounds': { type: 'integer', minimum: 3, exclusiveMaximum: 4, multipleOf: 5 },
  'no string lies within all of its bounds': { type: 'string', minLength: 3, maxLength: 2 },
  'both required and ruled out': { type: 'object', required: ['a'], properties: { a: false } },
  'no text was found that matches ^a$ and ^b$': { type: 'string', allOf: [{ pattern: '^a$' }, { pattern: '^b$' }] },
  'no value is possible for the required member "a"': {
    type: 'object',
    required: ['a'],
    allOf: [{ properties: { a: text } }, { properties: { a: whole } }],
  },
  'no item unlike those before': { type: 'array', items: { type: 'boolean' }, uniqueItems: true, minItems: 3 },
  'contains another one without end': {
    type: 'object',
    required: ['inner'],
    properties: { inner: { $ref: '#/components/schemas/Node' } },
  },
};

/** What admits values of which none is found: refused, and listed in docs/generation.md. */
export const BEYOND: Table = {
  'a pattern with a back reference': { type: 'string', pattern: '^(ab|cd)-\\1$' },
  'a number that is not whole': { type: 'number', not: { type: 'integer' } },
  'a not of what must be evaluated': {
    not: { anyOf: [true, { properties: { foo: true } }], unevaluatedProperties: false },
  },
  'a not of names': { type: 'object', not: { propertyNames: { maxLength: 20 } } },
};
