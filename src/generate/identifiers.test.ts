import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { descriptionWith } from '../../test/support/checks/exchanges.ts';
import { documentWith, loadFiles } from '../../test/support/openapi/descriptions.ts';
import type { Description } from '../openapi/model/operation.ts';
import { listedValues, unknownId } from './identifiers.ts';

const parameter = (schema: unknown = { type: 'string' }) => ({ schema: { pointer: '', value: schema } });
const drawn = (known: string | null, schema?: unknown, seed = 1) =>
  unknownId(descriptionWith(), parameter(schema), known, seed, 'GET /api/v1/stores/{storeId}');

/** As the target's description has it, with a validator for every schema. */
let strict: Description;
beforeAll(async () => {
  strict = await loadFiles({ 'shop.json': documentWith('3.1.0', SCHEMAS) });
});
const SCHEMAS = {
  Country: { type: 'string', pattern: '^[A-Z]{2}$' },
  Provider: { type: 'string', enum: ['google', 'github'] },
  Month: { type: 'integer', minimum: 1, maximum: 12 },
  Short: { type: 'string', maxLength: 3 },
  Serial: { type: 'integer', minimum: 1 },
  Agent: { type: 'string', pattern: '^ag_[0-9]{1,6}$' },
  Shelf: { type: 'string', pattern: '^shelf-[0-9]{1,2}$' },
};
const drawnStrictly = (known: string | null, name: keyof typeof SCHEMAS) => {
  const schema = { pointer: `/components/schemas/${name}`, value: { $ref: `#/components/schemas/${name}` } };
  return unknownId(strict, { schema }, known, 1, 'GET /api/v1/stores/{storeId}');
};

/** Ids as platforms write them. */
const ids = fc.oneof(
  fc.uuid(),
  fc.nat().map(String),
  fc.stringMatching(/^[a-z]{2,5}_[A-Za-z0-9]{3,20}$/),
  fc.stringMatching(/^[0-9a-f]{24}$/),
  fc.stringMatching(/^[0-9A-Z]{26}$/),
  fc.stringMatching(/^[a-z]{3,10}-[a-z]{3,10}$/),
);

/** Letters and digits by class, runs shortened. */
const shape = (id: string): string =>
  id
    .replaceAll(/[0-9]/g, '9')
    .replaceAll(/[a-z]/g, 'a')
    .replaceAll(/[A-Z]/g, 'A')
    .replaceAll(/(.)\1+/g, '$1');

describe('an unknown id', () => {
  it('differs from the known one, and the same seed draws it again', () => {
    fc.assert(
      fc.property(ids, fc.nat(), (known, seed) => {
        const { value } = drawn(known, undefined, seed);
        expect(value).not.toBe(known);
        expect(drawn(known, undefined, seed).value).toBe(value);
      }),
    );
  });

  it.each([
    ['8f14e45f-ceea-467f-a8d9-36d3d0c2a1f4', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
    ['507f1f77bcf86cd799439011', /^[0-9a-f]{24}$/],
    ['store_Ab12Cd34', /^store_[A-Z][a-z]\d\d[A-Z][a-z]\d\d$/],
    ['st-x', /^st-[a-z][1-9]{6}$/],
    ['42', /^\d{10}$/],
    ['summer_collection', /^summer_[a-z]{10}$/],
  ])('keeps the shape of %s', (known, pattern) => {
    expect(drawn(known)).toEqual({ value: expect.stringMatching(pattern), wellFormed: true, mayExist: false });
    if (known.length > 8) expect(shape(drawn(known).value)).toHaveLength(shape(drawn(known).value).length);
  });

  it.each([
    ['an integer', { type: 'integer' }, /^\d{10}$/, true],
    ['a UUID', { type: 'string', format: 'uuid' }, /^[0-9a-f-]{36}$/, true],
    ['a pattern', { type: 'string', pattern: '^cus_[0-9]{8}$' }, /^cus_[0-9]{8}$/, true],
    ['a plain string, which may be called malformed', { type: 'string' }, /^[0-9a-f-]{36}$/, false],
  ])('follows the schema where none is known: %s', (_name, schema, pattern, wellFormed) => {
    expect(drawn(null, schema)).toEqual({ value: expect.stringMatching(pattern), wellFormed, mayExist: false });
  });

  it('has digits where the known one has digits only', () => {
    for (let seed = 0; seed < 20; seed += 1)
      expect(drawn('prd_00000001', undefined, seed).value).toMatch(/^prd_\d{8}$/);
  });

  it('of a known id is called well-formed only where the schema still holds', () => {
    const { value, wellFormed } = drawnStrictly('US', 'Country');
    expect([value, wellFormed]).toEqual([expect.stringMatching(/^[A-Z]{2}$/), true]);
    expect(drawnStrictly('google', 'Provider').wellFormed).toBe(false);
    expect(drawnStrictly('7', 'Serial')).toEqual({
      value: expect.stringMatching(/^\d{10}$/),
      wellFormed: true,
      mayExist: false,
    });
  });

  it.each([
    ['an enumeration', 'google', 'Provider'],
    ['small integers', '3', 'Month'],
    ['texts of three letters', 'abc', 'Short'],
    ['two letters by a pattern', 'US', 'Country'],
    ['two letters by a pattern, none known', null, 'Country'],
    ['two digits after a word', 'shelf-1', 'Shelf'],
    ['two digits after a word, none known', null, 'Shelf'],
  ] as const)('may exist after all among %s', (_name, known, schema) => {
    expect(drawnStrictly(known, schema).mayExist).toBe(true);
  });

  it('is a long one where the schema admits short ones, too: those are taken first', () => {
    for (const known of ['ag_1', null]) {
      const { value, mayExist } = drawnStrictly(known, 'Agent');
      expect([value, mayExist]).toEqual([expect.stringMatching(/^ag_[0-9]{4,6}$/), false]);
    }
  });

  it('is none that the target has shown', () => {
    const draw = (isTaken: (id: string) => boolean) =>
      unknownId(descriptionWith(), parameter(), 'ag_1234', 1, 'GET /api/v1/agents/{agentId}', isTaken);
    const first = draw(() => false).value;
    expect(draw((id) => id === first)).toEqual({
      value: expect.not.stringMatching(first),
      wellFormed: true,
      mayExist: false,
    });
    expect(draw(() => true).mayExist).toBe(true);
  });

  it.each([
    ['a constant', { const: 'google' }],
    ['booleans', { type: 'boolean' }],
  ])('may exist after all among %s', (_name, schema) => {
    expect(drawn(null, schema).mayExist).toBe(true);
  });

  it.each([
    ['integers of any size', { type: 'integer', minimum: 1 }],
    ['integers up to 32 bits', { type: 'integer', maximum: 2_147_483_647 }],
    ['texts of 24 characters', { type: 'string', maxLength: 24 }],
  ])('does not exist among %s', (_name, schema) => {
    expect(drawn(null, schema).mayExist).toBe(false);
  });
});

it.each<[string, unknown, readonly unknown[]]>([
  ['an enumeration, without null', { type: 'string', nullable: true, enum: ['a', 'b', null] }, ['a', 'b']],
  ['a constant', { const: 'a' }, ['a']],
  ['a boolean', { type: ['boolean', 'null'] }, [true, false]],
  ['a small range', { type: 'integer', minimum: 1, maximum: 3 }, [1, 2, 3]],
  ['a range that 3.0 bounds', { type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 2 }, [1, 2]],
  ['a range that 3.1 bounds', { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 3 }, [1, 2]],
  ['a large range', { type: 'integer', minimum: 1, maximum: 100 }, []],
  ['a range without an end', { type: 'integer', minimum: 1 }, []],
  ['any number', { type: 'number', minimum: 0, maximum: 1 }, []],
  ['any text', { type: 'string' }, []],
])('%s lists its values', (_name, schema, expected) => {
  expect(listedValues(descriptionWith(), schema)).toEqual(expected);
});
