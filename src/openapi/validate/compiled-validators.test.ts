import { expect, it } from 'vitest';
import { documentWith, loadFiles, responseSchema } from '../../../test/support/openapi/descriptions.ts';
import type { Description } from '../model/operation.ts';

function load(schemas: Record<string, unknown>): Promise<Description> {
  return loadFiles({ 'a.json': documentWith('3.1.0', schemas) });
}

/** `pointer keyword` of all breaches of these values. */
function judged(description: Description, values: readonly unknown[]): unknown {
  const schema = responseSchema(description);
  const judge = (value: unknown) => (direction: 'request' | 'response') =>
    description
      .validator(
        schema,
        direction,
      )?.(value)
      .map(({ pointer, keyword }) => `${pointer} ${keyword}`);
  return values.map((value) => (['request', 'response'] as const).map(judge(value)));
}

const SCHEMAS = {
  Thing: {
    type: 'object',
    required: ['id', 'secret'],
    properties: {
      id: { type: 'string', format: 'uuid', readOnly: true },
      secret: { type: 'string', writeOnly: true },
      name: { type: 'string', maxLength: 3, pattern: '^\\p{Lu}' },
      slug: { type: 'string', pattern: '^[a-z\\-]+$' },
      price: { type: 'number', multipleOf: 0.01 },
      at: { type: 'string', format: 'date-time' },
      tags: { type: 'array', uniqueItems: true, contains: { const: 'a' }, prefixItems: [{ enum: ['a', { b: 1 }] }] },
      parent: { $ref: '#/components/schemas/Thing' },
      key: { $ref: '#/components/schemas/Key' },
      constructor: { type: 'string' },
      pet: { $ref: '#/components/schemas/Pet' },
    },
  },
  Key: { type: 'string', readOnly: true },
  Pet: {
    oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
    discriminator: { propertyName: 'kind' },
  },
  Cat: {
    type: 'object',
    required: ['kind'],
    properties: { kind: { const: 'Cat' }, lives: { type: 'integer', format: 'int32' } },
  },
  Dog: {
    allOf: [
      { $ref: '#/components/schemas/Cat/properties' },
      { type: 'object', properties: { kind: { const: 'Dog' } } },
    ],
    unevaluatedProperties: false,
  },
};
const ID = '7b4d3e0a-5f0e-4b9c-8a55-0d7c6f2b1a90';
const VALUES: readonly unknown[] = [
  { id: ID },
  { secret: 'x' },
  { id: 'no', secret: 'x' },
  { id: ID, name: 'Éva' },
  { id: ID, name: 'eva1' },
  { id: ID, slug: 'a-b', price: 19.99, at: '2026-01-01T00:00:00Z' },
  { id: ID, slug: 'A', price: 0.001, at: 'now' },
  { id: ID, tags: ['a', 'a'] },
  { id: ID, tags: [{ b: 1 }, 'a'] },
  { id: ID, parent: { id: ID, parent: { id: 3 } } },
  { id: ID, pet: { kind: 'Cat', lives: 9 } },
  { id: ID, pet: { kind: 'Cat', lives: 9.5 } },
  { id: ID, pet: { kind: 'Dog', tail: 1 } },
  { id: ID, pet: { kind: 'Dog' } },
  { secret: 'x', key: 'k' },
  { id: ID, constructor: 1 },
  [],
  null,
];

it('what was let go of is compiled anew', async () => {
  const one = await load(SCHEMAS);
  const expected = judged(one, VALUES);
  one.forget?.();
  expect(judged(one, VALUES)).toEqual(expected);
});
