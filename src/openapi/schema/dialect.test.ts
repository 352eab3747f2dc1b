import { expect, it } from 'vitest';
import { documentWith, judge, loadFiles, responseSchema } from '../../../test/support/openapi/descriptions.ts';

/** Schemas of which each refers to the one below it twice. */
function doubling(keyword: string, levels: number): Record<string, unknown> {
  const levelled = Array.from({ length: levels }, (_, index) => {
    const below = { $ref: `#/components/schemas/S${index + 1}` };
    return [`S${index}`, { [keyword]: [below, below] }] as const;
  });
  return { ...Object.fromEntries(levelled), [`S${levels}`]: { type: 'string' } };
}

it.each(['allOf', 'oneOf', 'anyOf'])(
  'a schema that is doubled by %s level upon level is refused, with the reason',
  async (keyword) => {
    const description = await loadFiles({ 'shop.json': documentWith('3.1.0', doubling(keyword, 30)) });
    expect(description.validator(responseSchema(description), 'response')).toBeNull();
    expect(description.problems.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([
      expect.stringMatching(/^schema-too-large: .* would be judged by more than 20000 schemas$/),
    ]);
  },
);

it('one that is doubled a few times judges as it says', async () => {
  expect(await judge('3.1.0', doubling('allOf', 5), 1)).toEqual([' type']);
  expect(await judge('3.1.0', doubling('anyOf', 5), 'a')).toEqual([]);
});

it('one that is part of itself by its members is no doubling', async () => {
  const schemas = {
    Tree: {
      allOf: [
        { properties: { left: { $ref: '#/components/schemas/Tree' }, right: { $ref: '#/components/schemas/Tree' } } },
      ],
    },
  };
  expect(await judge('3.0.3', schemas, { left: { right: {} } })).toEqual([]);
});

const TREE = {
  $id: 'https://shop.example/tree',
  $dynamicAnchor: 'node',
  required: ['name'],
  properties: { children: { type: 'array', items: { $dynamicRef: '#node' } } },
};

it('a $dynamicRef leads to the outermost schema with its anchor: what extends a tree judges its branches, too', async () => {
  const strict = {
    $id: 'https://shop.example/strict',
    $dynamicAnchor: 'node',
    $ref: 'tree',
    unevaluatedProperties: false,
  };
  const deep = { name: 'a', children: [{ name: 'b', children: [{ name: 'c', weight: 1 }] }] };
  const told = (first: object) => judge('3.1.0', { First: first, Tree: TREE }, deep);
  expect(await told({ ...strict, properties: { name: {} } })).toEqual([
    '/children/0/children/0/weight unevaluatedProperties',
  ]);
  expect(await told({ $ref: '#/components/schemas/Tree' })).toEqual([]);
  expect(await judge('3.1.0', { Tree: TREE }, { name: 'a', children: [{}] })).toEqual(['/children/0/name required']);
});

it('a $dynamicRef in a template takes what the schema that fills it defines', async () => {
  const schemas = {
    Products: {
      $id: 'https://shop.example/products',
      $ref: 'page',
      $defs: { item: { $dynamicAnchor: 'item', type: 'integer' } },
    },
    Page: {
      $id: 'https://shop.example/page',
      properties: { data: { type: 'array', items: { $dynamicRef: '#item' } } },
      $defs: { item: { $dynamicAnchor: 'item', not: {} } },
    },
  };
  expect(await judge('3.1.0', schemas, { data: [1, 2] })).toEqual([]);
  expect(await judge('3.1.0', schemas, { data: [1, 'b'] })).toEqual(['/data/1 type']);
});

it('judges a member that is called __proto__ as any other', async () => {
  const properties = Object.fromEntries([['__proto__', { type: 'integer', minimum: 2 }]]);
  const given = (text: string, more: object, version: '3.0.3' | '3.1.0' = '3.0.3') =>
    judge(version, { Thing: { type: 'object', properties, ...more } }, JSON.parse(text));
  for (const version of ['3.0.3', '3.1.0'] as const) {
    const closed = { additionalProperties: false, patternProperties: { '^x': { type: 'string' } } };
    expect(await given('{"__proto__":2,"x":"y"}', closed, version)).toEqual([]);
    expect(await given('{"__proto__":1,"x":2,"z":3}', closed, version)).toEqual(
      expect.arrayContaining(['/__proto__ minimum', '/x type', '/z additionalProperties']),
    );
    expect(await given('{"__proto__":"x"}', {}, version)).toEqual(['/__proto__ type']);
  }
});
