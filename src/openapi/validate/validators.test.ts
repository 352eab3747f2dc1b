import { describe, expect, it } from 'vitest';
import { documentWith, judge, loadFiles, responseSchema } from '../../../test/support/openapi/descriptions.ts';

type Version = '3.0.3' | '3.1.0';
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Breaches of a single schema by a value in a response. */
const breaches = (version: Version, schema: unknown, value: unknown, others: Record<string, unknown> = {}) =>
  judge(version, { A: schema, ...others }, value);

describe('the 3.0 dialect', () => {
  it.each<[unknown, unknown, string[]]>([
    [{ type: 'string', nullable: true }, null, []],
    [{ type: 'string' }, null, [' type']],
    [{ type: 'string', nullable: true, enum: ['a'] }, null, []],
    [{ type: 'string', nullable: true, enum: ['a'] }, 'b', [' enum']],
    [{ nullable: true, allOf: [ref('B')] }, null, []],
    [{ nullable: true, allOf: [ref('B')] }, 'x', [' type']],
    [{ properties: { a: {} } }, null, []],
    [{ minimum: 3, exclusiveMinimum: true }, 3, [' exclusiveMinimum']],
    [{ minimum: 3, exclusiveMinimum: false }, 3, []],
    [{ maximum: 3, exclusiveMaximum: true }, 3, [' exclusiveMaximum']],
    [{ exclusiveMaximum: true }, 3, []],
    [{ ...ref('B'), maximum: 1 }, 2, []],
    [{ ...ref('B'), nullable: true }, null, [' type']],
    [{ type: 'integer', example: 'not judged', 'x-more': 1 }, 1, []],
  ])('%j says of %j: %j', async (schema, value, expected) => {
    expect(await breaches('3.0.3', schema, value, { B: { type: 'integer' } })).toEqual(expected);
  });
});

describe('the 3.1 dialect', () => {
  it.each<[unknown, unknown, string[]]>([
    [{ type: ['string', 'null'] }, null, []],
    [{ type: ['string', 'null'] }, 1, [' type']],
    [{ const: { a: 1 } }, { a: 2 }, [' const']],
    [{ prefixItems: [{ type: 'string' }], items: { type: 'integer' } }, ['a', 'b'], ['/1 type']],
    [{ prefixItems: [{}], items: false }, ['a', 'b'], [' items']],
    [
      { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
      { a: 1, b: 2 },
      ['/b unevaluatedProperties'],
    ],
    [{ ...ref('B'), unevaluatedProperties: false }, { a: 1, b: 2 }, ['/b unevaluatedProperties']],
    [{ ...ref('B'), required: ['b'] }, { a: 'x' }, ['/b required', '/a type']],
    [{ $defs: { in: { type: 'integer' } }, items: { $ref: '#/components/schemas/A/$defs/in' } }, ['x'], ['/0 type']],
    [{ exclusiveMinimum: 3 }, 3, [' exclusiveMinimum']],
    [{ type: 'string', nullable: true }, null, [' type']],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, ['/b dependentRequired']],
    [true, 'anything', []],
    [{ anything: 'unknown', items: false }, [], []],
  ])('%j says of %j: %j', async (schema, value, expected) => {
    const found = await breaches('3.1.0', schema, value, { B: { properties: { a: { type: 'integer' } } } });
    expect(found?.toSorted()).toEqual(expected.toSorted());
  });
});

describe.each<Version>(['3.0.3', '3.1.0'])('in both dialects (%s)', (version) => {
  it.each<[string, string, unknown]>([
    ['date-time', '2024-02-29T10:00:00.5+02:00', '2024-02-30T10:00:00Z'],
    ['date', '2024-02-29', '2023-02-29'],
    ['time', '10:00:00Z', '25:00:00Z'],
    ['time', '10:00:00.5', '10:60:00'],
    ['email', 'a@example.com', 'a.example.com'],
    ['uri', 'https://example.com/a', '/a'],
    ['uuid', 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6', 'f81d4fae'],
    ['hostname', 'a.example.com', 'a..b'],
    ['ipv4', '127.0.0.1', '127.0.0.256'],
    ['ipv6', '::1', ':::1'],
    ['byte', 'aGk=', 'a$'],
  ])('format %s is asserted', async (format, good, bad) => {
    expect(await breaches(version, { type: 'string', format }, good)).toEqual([]);
    expect(await breaches(version, { type: 'string', format }, bad)).toEqual([' format']);
  });

  it('numbers know their formats, and unknown formats say nothing', async () => {
    expect(await breaches(version, { type: 'number', format: 'int32' }, 2 ** 31)).toEqual([' format']);
    expect(await breaches(version, { type: 'integer', format: 'int64' }, 2 ** 31)).toEqual([]);
    expect(await breaches(version, { type: 'integer', format: 'int64' }, -(2 ** 63))).toEqual([]);
    expect(await breaches(version, { type: 'integer', format: 'int64' }, 2 ** 64)).toEqual([' format']);
    expect(await breaches(version, { type: 'number', format: 'double' }, 0.1)).toEqual([]);
    expect(await breaches(version, { type: 'string', format: 'currency' }, '?')).toEqual([]);
  });

  it('multiples tolerate binary fractions', async () => {
    expect(await breaches(version, { multipleOf: 0.01 }, 19.99)).toEqual([]);
    expect(await breaches(version, { multipleOf: 0.01 }, 19.995)).toEqual([' multipleOf']);
  });

  it('recursive schemas judge at any depth', async () => {
    const tree = {
      type: 'object',
      properties: { name: { type: 'string' }, children: { type: 'array', items: ref('A') } },
    };
    const value = { name: 'a', children: [{ name: 'b', children: [{ name: 1 }] }] };
    expect(await breaches(version, tree, value)).toEqual(['/children/0/children/0/name type']);
  });

  it('patterns are read with and without the u flag', async () => {
    expect(await breaches(version, { pattern: '^[\\w\\-]+$' }, 'a-b')).toEqual([]);
    expect(await breaches(version, { pattern: '^\\p{L}$' }, 'é')).toEqual([]);
  });

  it('writeOnly properties are absent from responses and never required there, readOnly ones not in requests', async () => {
    const schemas = {
      A: { type: 'array', items: { allOf: [ref('User'), { required: ['password', 'name'] }] } },
      User: {
        type: 'object',
        required: ['id', 'password'],
        properties: { id: { type: 'string', readOnly: true }, password: ref('Secret'), name: {} },
      },
      Secret: { type: 'string', writeOnly: true },
    };
    expect(await judge(version, schemas, [{ id: 'u1', name: 'a' }])).toEqual([]);
    expect(await judge(version, schemas, [{ id: 'u1', name: 'a', password: 'p' }])).toEqual(['/0/password writeOnly']);
    expect(await judge(version, schemas, [{ name: 'a' }])).toEqual(['/0/id required']);
    expect(await judge(version, schemas, [{ password: 'p', name: 'a' }], 'request')).toEqual([]);
    expect(await judge(version, schemas, [{ name: 'a' }], 'request')).toEqual(['/0/password required']);
    expect(await judge(version, schemas, [{ id: 'x', password: 'p', name: 'a' }], 'request')).toEqual([
      '/0/id readOnly',
    ]);
  });

  it('a whole value whose schema is readOnly or writeOnly, as a parameter may share one, is judged by the rest of it', async () => {
    const schemas = { A: { type: 'integer', readOnly: true, writeOnly: true } };
    for (const direction of ['request', 'response'] as const) {
      expect(await judge(version, schemas, 5, direction)).toEqual([]);
      expect(await judge(version, schemas, 'x', direction)).toEqual([' type']);
    }
  });

  it('properties with the names of inherited members are judged where they are there', async () => {
    const schemas = { A: { type: 'object', properties: { constructor: { type: 'integer' } }, required: ['toString'] } };
    expect(await judge(version, schemas, { toString: 1 })).toEqual([]);
    expect(await judge(version, schemas, { constructor: 'x' })).toEqual(['/toString required', '/constructor type']);
  });

  it.each(['oneOf', 'anyOf'])('a discriminator picks the branch of %s that judges', async (keyword) => {
    const schemas = {
      A: {
        [keyword]: [ref('Cat'), ref('Dog')],
        discriminator: { propertyName: 'kind', mapping: { dog: '#/components/schemas/Dog' } },
      },
      Cat: {
        type: 'object',
        required: ['kind', 'lives'],
        properties: { kind: { type: 'string' }, lives: { type: 'integer' } },
      },
      Dog: {
        type: 'object',
        required: ['kind', 'bark'],
        properties: { kind: { type: 'string' }, bark: { type: 'string' } },
      },
    };
    expect(await judge(version, schemas, { kind: 'dog', bark: 'x', lives: 9 })).toEqual([]);
    expect(await judge(version, schemas, { kind: 'dog', lives: 9 })).toEqual(['/bark required']);
    expect(await judge(version, schemas, { kind: 'Cat', bark: 'x' })).toEqual(['/lives required']);
    expect(await judge(version, schemas, { kind: 'fish' })).toEqual(['/kind enum']);
    expect(await judge(version, schemas, {})).toEqual(['/kind required']);
    expect(await judge(version, schemas, 'dog')).toEqual([' type']);
  });

  it('a discriminator whose branches list their own values goes by those, and one that cannot tell is ignored', async () => {
    const branch = (kind: string, field: string) => ({
      type: 'object',
      required: ['kind', field],
      properties: { kind: { type: 'string', enum: [kind] }, [field]: {} },
    });
    const told = {
      A: { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind' } },
      Cat: branch('c', 'x'),
      Dog: branch('d', 'y'),
    };
    expect(await judge(version, told, { kind: 'd', y: 1 })).toEqual([]);
    expect(await judge(version, told, { kind: 'd', x: 1 })).toEqual(['/y required']);
    const untold = { A: { oneOf: [branch('c', 'x'), { type: 'integer' }], discriminator: { propertyName: 'kind' } } };
    expect(await judge(version, untold, 3)).toEqual([]);
  });

  it('a discriminator of a base schema leads to the schema that builds on it', async () => {
    const schemas = {
      A: {
        type: 'object',
        required: ['kind'],
        discriminator: { propertyName: 'kind', mapping: { cat: 'Cat' } },
        properties: { kind: { type: 'string' } },
      },
      Cat: { allOf: [ref('A'), { required: ['lives'] }] },
    };
    expect(await judge(version, schemas, { kind: 'cat', lives: 9 })).toEqual([]);
    expect(await judge(version, schemas, { kind: 'cat' })).toEqual(['/lives required']);
    expect(await judge(version, schemas, { kind: 'A' })).toEqual([]);
    expect(await judge(version, schemas, { kind: 'other' })).toEqual(['/kind enum']);
    // Without a mapping nothing tells which names there are.
    const open = { ...schemas, A: { ...schemas.A, discriminator: { propertyName: 'kind' } } };
    expect(await judge(version, open, { kind: 'other' })).toEqual([]);
  });

  it('alternatives behind a reference speak as one, too', async () => {
    const one = (name: string) => ({
      type: 'object',
      required: [name, 'id'],
      properties: { [name]: { type: 'string' } },
    });
    const events = {
      B: { type: 'object', properties: { payload: ref('C') } },
      C: { oneOf: [one('a'), one('b'), one('c')] },
    };
    const said = (payload: unknown) => breaches('3.0.3', { type: 'array', items: ref('B') }, [{ payload }], events);
    expect(await said({ b: 'x' })).toEqual(['/0/payload/id required']);
    expect(await said({ a: 'x', b: 'x', id: 1 })).toEqual(['/0/payload oneOf']);
  });

  it('of alternatives the closest one speaks', async () => {
    const card = {
      type: 'object',
      required: ['type', 'card'],
      properties: { type: { enum: ['card'] }, card: { type: 'string' } },
    };
    const bank = {
      type: 'object',
      required: ['type', 'iban'],
      properties: { type: { enum: ['bank'] }, iban: { type: 'string' } },
    };
    const schema = {
      type: 'object',
      required: ['id'],
      properties: { pay: { oneOf: [card, { anyOf: [bank, { type: 'integer' }] }] } },
    };
    expect(await breaches(version, schema, { pay: { type: 'bank', iban: 1 } })).toEqual([
      '/id required',
      '/pay/iban type',
    ]);
    expect(await breaches(version, schema, { id: 1, pay: { type: 'card' } })).toEqual(['/pay/card required']);
    expect(await breaches(version, schema, { id: 1, pay: 'x' })).toEqual(['/pay type']);
    expect(await breaches(version, { oneOf: [{ type: 'number' }, { type: 'integer' }] }, 1)).toEqual([' oneOf']);
  });

  it('of alternatives that are as close the one speaks whose members are there', async () => {
    const [card, bank] = ['card', 'iban'].map((name) => ({
      type: 'object',
      required: [name],
      properties: { [name]: { type: 'string', minLength: 4 } },
    }));
    const said = (value: unknown) => breaches(version, { oneOf: [card, bank] }, value);
    expect(await said({ iban: 5 })).toEqual(['/iban type']);
    expect(await said({ iban: 'x' })).toEqual(['/iban minLength']);
    expect(await said({})).toEqual(['/card required']);
  });

  it('items that fail alike are one breach', async () => {
    const description = await loadFiles({ 'a.json': documentWith(version, { A: { items: { required: ['id'] } } }) });
    const found = description.validator(responseSchema(description), 'response')?.([{}, { id: 1 }, {}, {}]);
    expect(found).toEqual([
      {
        pointer: '/0/id',
        keyword: 'required',
        message: '/0/id is missing, expected it to be present (and 2 more like it)',
        expected: 'it to be present',
      },
    ]);
  });

  it.each<[string, unknown]>([
    ['an unknown type', { type: 'strin' }],
    ['a broken pattern', { pattern: '(' }],
    ['a reference to nothing', { properties: { a: { $ref: '#/components/schemas/No' } } }],
    ['a schema that is a part of itself', { allOf: [ref('A')] }],
  ])('%s cannot be compiled, and a problem tells', async (_, schema) => {
    const description = await loadFiles({ 'a.json': documentWith(version, { A: schema, B: { type: 'string' } }) });
    expect(description.validator(responseSchema(description), 'response')).toBeNull();
    expect(description.problems).toHaveLength(1);
    const fine = { pointer: '/components/schemas/B', value: { type: 'string' } };
    expect(description.validator(fine, 'response')?.(1)).toHaveLength(1);
  });

  it('behind a property, what cannot be compiled leaves the rest judged', async () => {
    const schemas = {
      A: { required: ['id'], properties: { broken: ref('B'), id: { type: 'string' } } },
      B: { type: 'strin' },
    };
    expect(await judge(version, schemas, { id: 1, broken: 2 })).toEqual(['/id type']);
  });

  it('behind a property, breaches speak of the value and of the schema that it broke', async () => {
    const part = { type: 'object', properties: { name: { type: 'string' }, size: { enum: [1, 2] } } };
    const whole = { type: 'object', properties: { part: { $ref: '#/components/schemas/Part' } } };
    const description = await loadFiles({ 'a.json': documentWith('3.0.3', { Whole: whole, Part: part }) });
    const validate = description.validator(responseSchema(description), 'response');
    expect(validate?.({ part: { name: null, size: 3 } }).map(({ message }) => message)).toEqual([
      '/part/name is null, expected string',
      '/part/size is 3, expected one of [1,2]',
    ]);
  });

  it('a validator is compiled once per schema and direction', async () => {
    const description = await loadFiles({ 'a.json': documentWith(version, { A: { type: 'string' } }) });
    const handle = responseSchema(description);
    expect(description.validator(handle, 'response')).toBe(description.validator({ ...handle }, 'response'));
    expect(description.validator(handle, 'request')).not.toBe(description.validator(handle, 'response'));
  });
});

it('a breach is a plain sentence that quotes no error message', async () => {
  const schema = {
    properties: {
      total: { type: 'integer' },
      kind: { enum: ['a', 'b'] },
      names: { maxItems: 1 },
      error: { properties: { message: { pattern: '^x' }, code: { pattern: '^x' } } },
    },
    additionalProperties: false,
  };
  const description = await loadFiles({ 'a.json': documentWith('3.1.0', { A: schema }) });
  const value = { total: '1', kind: 'c', names: ['a', 'b'], more: 1, error: { message: 'Ann Lee', code: 'y' } };
  const found = description.validator(responseSchema(description), 'response')?.(value) ?? [];
  expect(found.map(({ message }) => message).toSorted()).toEqual([
    '/error/code is "y", expected a match of ^x',
    '/error/message is a string, expected a match of ^x',
    '/kind is "c", expected one of ["a","b"]',
    '/more is present, expected no such property or item',
    '/names has 2 items, expected at most 1 item',
    '/total is a string, expected integer',
  ]);
});
