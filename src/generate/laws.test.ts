// The laws of generated values, over a table of schemas and at random: what is handed out validates, by ajv as it comes; what
// cannot be made is refused with its reason; the same seed gives the same value.
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { BEYOND, RECURSIVE, SATISFIABLE, UNSATISFIABLE } from '../../test/support/generate/schema-table.ts';
import { loadFiles } from '../../test/support/openapi/descriptions.ts';
import type { Description, SchemaHandle } from '../openapi/model/operation.ts';
import { type Drawn, drawnValue } from './drawn.ts';

const SEEDS = Array.from({ length: 25 }, (_, seed) => seed);

async function node(schema: unknown, version = '3.1.0'): Promise<{ description: Description; handle: SchemaHandle }> {
  const components = { schemas: { Node: schema } };
  const description = await loadFiles({
    'node.json': { openapi: version, info: { title: 'Node', version: '1' }, paths: {}, components },
  });
  return { description, handle: { pointer: '/components/schemas/Node', value: { $ref: '#/components/schemas/Node' } } };
}

async function drawAll(schema: unknown, version?: string): Promise<Drawn[]> {
  const { description, handle } = await node(schema, version);
  return SEEDS.flatMap((seed) =>
    [true, false].map((optional) => drawnValue(description, handle, { optional }, { seed, place: 'law' })),
  );
}

function independent(schema: unknown): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false, logger: false, ownProperties: true, multipleOfPrecision: 6 });
  formats.default(ajv);
  ajv.addSchema({ $id: 'https://node.test/', components: { schemas: { Node: schema } } });
  return ajv.compile({ $ref: 'https://node.test/#/components/schemas/Node' });
}

describe('a generated value', () => {
  it.each(Object.entries({ ...SATISFIABLE, ...RECURSIVE }))('of "%s" validates', async (_name, schema) => {
    const validate = independent(schema);
    for (const drawn of await drawAll(schema)) {
      expect(drawn).toMatchObject({ ok: true });
      expect(drawn.ok && !validate(drawn.value) ? drawn.value : null).toBeNull();
    }
  });

  it('is the same for the same seed, and mostly another for another', async () => {
    const [tree] = Object.values(RECURSIVE);
    expect(await drawAll(tree)).toEqual(await drawAll(tree));
    expect(new Set((await drawAll(tree)).map((drawn) => JSON.stringify(drawn))).size).toBeGreaterThan(SEEDS.length);
  });

  it('has no end of optional members, though each could hold as many', async () => {
    for (const schema of Object.values(RECURSIVE))
      for (const drawn of await drawAll(schema)) expect(JSON.stringify(drawn).length).toBeLessThan(50_000);
  });

  it('is what the description shows, where that holds', async () => {
    const values = await drawAll(SATISFIABLE['an example of an object that holds in part']);
    for (const drawn of values) expect(drawn).toMatchObject({ ok: true, value: { a: 'kept' } });
    expect((await drawAll({ type: 'string', example: 'shown' }))[0]).toEqual({ ok: true, value: 'shown' });
    expect((await drawAll({ type: 'integer', default: 7 }))[0]).toEqual({ ok: true, value: 7 });
  });
});

describe('by the dialect of 3.0', () => {
  it.each([
    ['nullable', { type: 'string', nullable: true, enum: ['a', null] }, (value: unknown) => value === 'a'],
    [
      'open bounds',
      { type: 'integer', minimum: 3, exclusiveMinimum: true, maximum: 4 },
      (value: unknown) => value === 4,
    ],
    [
      'no sibling of $ref',
      {
        allOf: [{ $ref: '#/components/schemas/Node/definitions/x', minLength: 9 }],
        definitions: { x: { type: 'string', maxLength: 3, minLength: 1 } },
      },
      (value: unknown) => String(value).length <= 3,
    ],
  ])('%s is obeyed', async (_name, schema, holds) => {
    for (const drawn of await drawAll(schema, '3.0.3')) expect(drawn.ok && holds(drawn.value)).toBe(true);
  });

  it('a discriminator names the alternative that the value takes', async () => {
    const kind = (name: string, required: string) => ({
      allOf: [{ type: 'object', required: ['type', required], properties: { type: { type: 'string' } } }],
      title: name,
    });
    const schema = {
      oneOf: [{ $ref: '#/components/schemas/Node/x-kinds/Card' }, { $ref: '#/components/schemas/Node/x-kinds/Bank' }],
      discriminator: {
        propertyName: 'type',
        mapping: { card: '#/components/schemas/Node/x-kinds/Card', bank: '#/components/schemas/Node/x-kinds/Bank' },
      },
      'x-kinds': { Card: kind('Card', 'number'), Bank: kind('Bank', 'iban') },
    };
    for (const drawn of await drawAll(schema, '3.0.3')) {
      const value = (drawn.ok ? drawn.value : {}) as Record<string, unknown>;
      expect([value.type, 'number' in value, 'iban' in value]).toEqual(
        value.type === 'card' ? ['card', true, false] : ['bank', false, true],
      );
    }
  });
});

describe('what cannot be made', () => {
  it.each(Object.entries(UNSATISFIABLE))('is refused with its reason: %s', async (reason, schema) => {
    for (const drawn of await drawAll(schema))
      expect(drawn).toMatchObject({ ok: false, reason: expect.stringContaining(reason) });
  });

  it.each(Object.entries(BEYOND))('is refused, not guessed: %s', async (_name, schema) => {
    for (const drawn of await drawAll(schema)) expect(drawn.ok).toBe(false);
  });
});
