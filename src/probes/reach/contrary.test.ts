// Bodies with other values than usual stay valid, and differ where the description leaves a choice.
import { beforeAll, describe, expect, it } from 'vitest';
import { loadShop } from '../../../test/support/probes/world.ts';
import { jsonBodyType } from '../../generate/bodies.ts';
import type { Description, SchemaHandle } from '../../openapi/model/operation.ts';
import { contraryOf, lettersBy, zonedOf } from './contrary.ts';

const NAME = { name: 'a name' };
const SCHEMA = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    active: { type: 'boolean' },
    kind: { enum: ['a', 'b', 'c', null] },
    price: { type: 'integer', minimum: 0 },
    least: { type: 'number', exclusiveMinimum: 0 },
    sku: { type: 'string' },
    phone: { type: 'string' },
    starts: { type: 'string', format: 'date-time' },
    tags: { type: 'array', items: { type: 'string', maxLength: 3 } },
    few: { type: 'array', items: { type: 'string' }, maxItems: 2 },
    notes: { type: 'object', additionalProperties: { type: 'string' } },
    size: { type: 'object', properties: { unit: { enum: ['cm', 'in'] }, width: { type: 'number', minimum: 1 } } },
  },
};

let shop: Description;
let schema: SchemaHandle | null;
beforeAll(async () => {
  const create = { requestBody: { content: { 'application/json': { schema: SCHEMA } } }, responses: {} };
  shop = await loadShop({ '/api/v1/products': { post: create } });
  const operation = shop.operations.find(({ method }) => method === 'POST');
  schema = operation === undefined ? null : (jsonBodyType(operation)?.schema ?? null);
});

describe('a body with other values', () => {
  it.each([
    [{ active: true }, { active: false }],
    [{ kind: 'a' }, { kind: 'c' }],
    [{ price: 9 }, { price: 0 }],
    [{ tags: ['x1'] }, { tags: ['x1', 'x1', 'x2', 'x3', 'x4', 'x5', 'x6'] }],
    [{ notes: { a: 'x1' } }, { notes: { a: 'x1', a2: 'x2', a3: 'x3' } }],
    [{ size: { unit: 'cm', width: 9 } }, { size: { unit: 'in', width: 1 } }],
  ])('has for %j %j', (usual, contrary) => {
    expect(contraryOf(shop, schema, { ...NAME, ...usual })).toEqual({ ...NAME, ...contrary });
  });

  it('keeps what the description leaves no choice for, and is none where nothing could be changed', () => {
    expect(contraryOf(shop, schema, { ...NAME, least: 2, few: ['x'] })).toBeNull();
    expect(contraryOf(shop, schema, { ...NAME, kind: 'c', price: 4 })).toEqual({ ...NAME, kind: 'b', price: 0 });
  });
});

describe('a body with other letters', () => {
  it('has them at the end of each text that may be any', () => {
    const usual = { ...NAME, kind: 'a', tags: ['x1'] };
    expect(lettersBy('\u6f22')(shop, schema, usual)).toEqual({ ...usual, name: 'a name \u6f22' });
  });

  it('leaves codes and numbers as they are, for servers may write them in capitals, or drop what is no digit', () => {
    const usual = { ...NAME, sku: 'ab-1', phone: '+1 555 0100' };
    expect(lettersBy('\u6f22')(shop, schema, usual)).toEqual({ ...usual, name: 'a name \u6f22' });
  });

  it('is none where no text may have them', () => {
    expect(lettersBy('\u6f22')(shop, schema, { kind: 'a', price: 4 })).toBeNull();
  });
});

describe('a body with times of another place', () => {
  it('has the same instants', () => {
    const zoned = zonedOf(shop, schema, { ...NAME, starts: '2026-03-01T20:00:00.250Z' });
    expect(zoned).toEqual({ ...NAME, starts: '2026-03-02T01:30:00+05:30' });
  });

  it('is none where there is no time', () => {
    expect(zonedOf(shop, schema, NAME)).toBeNull();
  });
});
