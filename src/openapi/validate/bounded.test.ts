import { describe, expect, it } from 'vitest';
import { documentWith, judge, loadFiles, responseSchema } from '../../../test/support/openapi/descriptions.ts';
import { TooCostly } from '../patterns/too-costly.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

/** The value within itself, level upon level. */
function nested<T>(levels: number, inner: T, wrap: (inner: T) => T): T {
  let value = inner;
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
}

describe('what takes the square of its size elsewhere is judged in one pass', () => {
  it('uniqueItems of a long list', async () => {
    const items = many<unknown>(200_000, (index) => (index % 2 === 0 ? index : { a: [index] }));
    const unique = { A: { type: 'array', uniqueItems: true } };
    expect(await judge('3.1.0', unique, items)).toEqual([]);
    expect(await judge('3.1.0', unique, [...items, { a: [199_999] }])).toEqual([' uniqueItems']);
  });

  it.each<[unknown[], boolean]>([
    [[1, '1', true, 'true', null, 'null', [], '[]', {}, '{}'], true],
    [[1, 2, 1.0], false],
    [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      false,
    ],
    [['__proto__', 'constructor', '__proto__'], false],
    [[['a'], ['a', 'a'], ['a,a']], true],
    [[0, -0], false],
  ])('uniqueItems of %j: %s', async (items, isUnique) => {
    for (const more of [{}, { items: { type: 'string' } }]) {
      const found = await judge('3.1.0', { A: { type: 'array', uniqueItems: true, ...more } }, items);
      expect(found?.includes(' uniqueItems')).toBe(!isUnique);
    }
  });

  it('a long enumeration', async () => {
    const values = many<unknown>(20_000, (index) => (index % 2 === 0 ? `v${index}` : { a: index, b: 1 }));
    const schemas = { A: { type: 'array', items: { enum: values } } };
    expect(
      await judge(
        '3.1.0',
        schemas,
        many(20_000, () => ({ b: 1, a: 19_999 })),
      ),
    ).toEqual([]);
    expect(await judge('3.1.0', schemas, ['v1'])).toEqual(['/0 enum']);
  });
});

describe('what would be asked of each part of a value in the power of its depth', () => {
  it('is asked once: alternatives that refer to themselves, level upon level', async () => {
    const branch = (...required: string[]) => ({ type: 'object', required, properties: { c: ref('A') } });
    const schemas = { A: { anyOf: [branch('c'), branch('c'), { type: 'string' }] } };
    const description = await loadFiles({ 'shop.json': documentWith('3.1.0', schemas) });
    const validate = description.validator(responseSchema(description), 'response');
    expect(validate?.({ c: { c: 'a' } })).toEqual([]);
    const value = nested<unknown>(40, 5, (c) => ({ c }));
    expect(validate?.(value)).not.toEqual([]);
    expect(description.fits(responseSchema(description), value)).toBe(false);
    expect(
      description.fits(
        responseSchema(description),
        nested<unknown>(40, 'a', (c) => ({ c })),
      ),
    ).toBe(true);
  });
});

describe('what nobody can wait for', () => {
  it.each([
    ['oneOf', { oneOf: many(1_001, () => ({ type: 'string' })) }],
    ['properties', { properties: Object.fromEntries(many(1_001, (index) => [`p${index}`, {}])) }],
    ['it is made of', nested<object>(8, {}, (inner) => ({ anyOf: [inner, inner, inner] }))],
  ])('is no fault of the description: a schema that is too large (%s)', async (word, schema) => {
    const description = await loadFiles({ 'shop.json': documentWith('3.1.0', { A: schema }) });
    expect(description.validator(responseSchema(description), 'response')).toBeNull();
    expect(description.problems).toMatchObject([{ rule: 'schema-too-large', message: expect.stringContaining(word) }]);
    expect(() => description.undescribed(responseSchema(description), {}, 'response')).toThrow(TooCostly);
  });

  const choice = { anyOf: [{ type: 'string', minLength: 2 }, { const: true }] };

  it('is told by what a part of it shows: a list of which every item breaks all of its alternatives', async () => {
    const schemas = { A: { type: 'array', minItems: 9, items: choice } };
    expect(
      await judge(
        '3.1.0',
        schemas,
        many(60_000, () => 'a'),
      ),
    ).toEqual(['/0 minLength']);
  });

  it('is a breach all the same, where not even that is possible', async () => {
    const members = Object.fromEntries(many(60_000, (index) => [`p${index}`, 'a']));
    expect(await judge('3.1.0', { A: { additionalProperties: choice } }, members)).toEqual([' schema']);
  });
});

it('two patterns that are not asked directly do not stand for one another', async () => {
  const schemas = { A: { properties: { a: { pattern: '^(a+)+$' }, b: { pattern: '^(b+)+$' } } } };
  expect(await judge('3.1.0', schemas, { a: 'a'.repeat(99), b: 'b'.repeat(99) })).toEqual([]);
  expect(await judge('3.1.0', schemas, { a: 'b'.repeat(99), b: 'b'.repeat(99) })).toEqual(['/a pattern']);
});
