// Examples are valid by the schema they are made from.
import { expect, it } from 'vitest';
import { judgeOf } from './compile.ts';
import { exampleOf } from './example.ts';
import { documentOf } from './served.ts';

const schemas: [string, unknown][] = [
  ['3.0', { type: 'integer', minimum: 3, exclusiveMinimum: true, maximum: 4 }],
  ['3.0', { type: 'string', nullable: true, enum: ['a', null] }],
  [
    '3.0',
    {
      type: 'object',
      required: ['a', 'b'],
      properties: {
        a: { type: 'number', multipleOf: 0.25, maximum: 1, minimum: 0 },
        b: { type: 'string', writeOnly: true },
      },
    },
  ],
  ['3.1', { type: ['string', 'null'], pattern: '^[A-Z]{3}-\\d+$', maxLength: 8 }],
  ['3.1', { type: 'array', uniqueItems: true, minItems: 3, items: { enum: [1, 2, 3, 4] } }],
  [
    '3.0',
    {
      type: 'array',
      uniqueItems: true,
      minItems: 2,
      items: { type: 'string', pattern: '^[0-9]{4}$', example: '0001' },
    },
  ],
  ['3.1', { type: 'array', prefixItems: [{ const: 'x' }, { type: 'boolean' }], minItems: 2 }],
  ['3.1', { type: 'object', minProperties: 2, additionalProperties: { type: 'string', format: 'ipv6' } }],
  ['3.1', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }],
  [
    '3.1',
    {
      oneOf: [
        { type: 'object', required: ['k'], properties: { k: { const: 1 } } },
        { type: 'object', required: ['k'], properties: { k: { const: 2 } } },
      ],
    },
  ],
  ['3.1', { $ref: '#/components/schemas/Tree' }],
  [
    '3.1',
    {
      allOf: [
        { type: 'object', required: ['a'], properties: { a: { type: 'string', minLength: 40 } } },
        { properties: { a: { maxLength: 41 } } },
      ],
    },
  ],
  ...['date-time', 'date', 'time', 'email', 'uuid', 'uri', 'hostname', 'ipv4'].map((format): [string, unknown] => [
    '3.1',
    { type: 'string', format },
  ]),
];
const Tree = {
  type: 'object',
  required: ['children'],
  properties: { children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
};

it.each(schemas)('in dialect %s: %j', (dialect, schema) => {
  const document = documentOf('any', { openapi: `${dialect}.0`, components: { schemas: { Tree } } });
  for (const seed of ['a', 'b', 'c', 'd', 'e']) {
    const value = exampleOf(document, schema, seed);
    expect(judgeOf(document, schema, 'response')(value)).toEqual([]);
    expect(exampleOf(document, schema, seed)).toEqual(value);
  }
});
