// unevaluatedProperties and unevaluatedItems beyond what the official suite asks: which member is told, and where schemas refer.
import { expect, it } from 'vitest';
import { judge } from '../../../test/support/openapi/descriptions.ts';

const BASE = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } };
const REF = { $ref: '#/components/schemas/Base' };
const CARD = { type: 'object', required: ['card'], properties: { card: { type: 'string' } } };
const IBAN = { type: 'object', required: ['iban'], properties: { iban: { type: 'string' } } };
const closed = { unevaluatedProperties: false };

const told = async (schema: object, value: unknown): Promise<readonly string[] | null> =>
  judge('3.1.0', { Case: schema, Base: BASE, Card: CARD, Iban: IBAN }, value);

const IF_ONE = {
  if: { properties: { b: { const: 1 } }, required: ['b'] },
  // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
  then: { properties: { one: { type: 'boolean' } } },
};
const ORDER = { ...closed, allOf: [REF, { properties: { b: { type: 'integer' } } }], ...IF_ONE };
const COUPON = { ...closed, allOf: [REF], dependentSchemas: { code: { properties: { code: {}, off: {} } } } };
const PAYMENT = { ...REF, ...closed, oneOf: [CARD, IBAN] };
const REFERRED = {
  allOf: [REF],
  ...closed,
  anyOf: [{ $ref: '#/components/schemas/Card' }, { $ref: '#/components/schemas/Iban' }],
};

it.each<[string, object, unknown, readonly string[]]>([
  ['a condition that fails', ORDER, { a: 'x', b: 2 }, []],
  ['what a failed condition would allow', ORDER, { a: 'x', b: 2, one: true }, ['/one unevaluatedProperties']],
  ['what a condition that holds allows', ORDER, { a: 'x', b: 1, one: true }, []],
  ['a dependent schema without its member', COUPON, { a: 'x' }, []],
  ['a dependent schema with its member', COUPON, { a: 'x', code: 1, off: 2 }, []],
  ['what a dependent schema would allow', COUPON, { a: 'x', off: 2 }, ['/off unevaluatedProperties']],
  ['the second alternative beside a reference', PAYMENT, { a: 'x', iban: 'y' }, []],
  ['a member of no alternative', PAYMENT, { a: 'x', card: 'y', q: 1 }, ['/q unevaluatedProperties']],
  ['a wrong member of an alternative, which is not told as one too many', PAYMENT, { a: 'x', card: 1 }, ['/card type']],
  ['a wrong member of a reference, which is not told as one too many', PAYMENT, { a: 1, card: 'y' }, ['/a type']],
  ['two alternatives that both hold', REFERRED, { a: 'x', card: 'y', iban: 'z' }, []],
  [
    'a member of a reference that does not hold',
    REFERRED,
    { a: 'x', card: 'y', iban: 1 },
    ['/iban unevaluatedProperties'],
  ],
  [
    'a schema for what is left',
    { ...PAYMENT, unevaluatedProperties: { type: 'integer' } },
    { a: 'x', card: 'y', n: 'z' },
    ['/n type'],
  ],
  ['items after a prefix', { prefixItems: [{}], unevaluatedItems: false }, [1, 2], ['/1 unevaluatedItems']],
  [
    'items that contains has looked at',
    { contains: { const: 1 }, unevaluatedItems: false },
    [1, 2, 1],
    ['/1 unevaluatedItems'],
  ],
  [
    'names that objects inherit',
    { ...closed, properties: { a: {} } },
    { constructor: 1 },
    ['/constructor unevaluatedProperties'],
  ],
  ['a null beside a closed object', { ...closed, type: ['object', 'null'], properties: { a: {} } }, null, []],
])('%s', async (_, schema, value, expected) => {
  expect(await told(schema, value)).toEqual(expected);
});

it('closed schemas within closed schemas, many levels deep, are compiled in code that grows with their number', async () => {
  const nested = (depth: number): object =>
    depth === 0 ? CARD : { ...closed, properties: { [`m${depth}`]: {} }, oneOf: [nested(depth - 1), { type: 'null' }] };
  expect(await told(nested(16), { card: 'x' })).toEqual([]);
  expect(await told(nested(16), { card: 'x', m16: 1 })).not.toEqual([]);
});
