import { expect, it } from 'vitest';
import { documentWith, loadFiles, responseSchema } from '../../../test/support/openapi/descriptions.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

async function undescribed(
  schema: unknown,
  value: unknown,
  version: '3.0.3' | '3.1.0' = '3.1.0',
): Promise<readonly string[]> {
  const others = { Name: { type: 'object', properties: { name: {} } }, Tree: { properties: { tree: ref('Tree') } } };
  const description = await loadFiles({ 'a.json': documentWith(version, { A: schema, ...others }) });
  return description.undescribed(responseSchema(description), value, 'response');
}

it.each<[string, unknown, unknown, string[]]>([
  ['a property that no part mentions', { properties: { a: {} } }, { a: 1, b: 2 }, ['/b']],
  ['a property beside a demanded one', { properties: { a: {} }, required: ['b'] }, { b: 1, c: 2 }, ['/c']],
  ['a property of an item', { items: { properties: { a: {} } } }, [{ a: 1 }, { c: 2 }], ['/1/c']],
  ['a value of a map', { additionalProperties: ref('Name') }, { x: { name: 1, more: 2 } }, ['/x/more']],
  ['a property beside allOf', { allOf: [ref('Name')], properties: { a: {} } }, { a: 1, name: 2, b: 3 }, ['/b']],
  ['a property of a branch that does not apply', branches(), { kind: 1, one: 1, two: 2 }, ['/two']],
  [
    'a property that a pattern does not cover',
    { properties: { a: {} }, patternProperties: { '^x': {} } },
    { x1: 1, y: 2 },
    ['/y'],
  ],
  ['a property deep in a recursion', ref('Tree'), { tree: { tree: { leaf: 1 } } }, ['/tree/tree/leaf']],
  ['a property beside a conditional', condition(), { a: 1, b: 2, c: 3 }, ['/c']],
  ['an escaped name', { properties: { a: {} } }, { 'b/c': 1 }, ['/b~1c']],
])('%s is undescribed', async (_, schema, value, expected) => {
  expect(await undescribed(schema, value)).toEqual(expected);
});

it.each<[string, unknown, unknown]>([
  ['an open schema', {}, { a: { b: 1 } }],
  ['true', true, { a: 1 }],
  ['a member that is demanded alone', { properties: { a: {} }, required: ['b'] }, { a: 1, b: 2 }],
  ['a member that is demanded beside allOf', { allOf: [ref('Name')], required: ['b'] }, { name: 1, b: 2 }],
  ['an object without properties', { type: 'object', additionalProperties: true }, { a: 1 }],
  [
    'an object that is open by its own words',
    { properties: { a: {} }, additionalProperties: {} },
    { a: 1, b: { c: 2 } },
  ],
  ['the same, in short', { properties: { a: {} }, additionalProperties: true }, { a: 1, b: 2 }],
  ['the same, composed', { allOf: [ref('Name')], unevaluatedProperties: true }, { name: 1, b: 2 }],
  ['an open property', { properties: { a: {} } }, { a: { anything: [{ b: 1 }] } }],
  ['a scalar', { properties: { a: {} } }, 3],
])('%s describes nothing and yields nothing', async (_, schema, value) => {
  expect(await undescribed(schema, value)).toEqual([]);
});

it('siblings of a reference count in 3.1 only', async () => {
  const schema = { ...ref('Name'), properties: { beside: {} } };
  expect(await undescribed(schema, { name: 1, beside: 2 }, '3.1.0')).toEqual([]);
  expect(await undescribed(schema, { name: 1, beside: 2 }, '3.0.3')).toEqual(['/beside']);
});

function branches(): unknown {
  const branch = (kind: number, name: string) => ({ properties: { kind: { const: kind }, [name]: {} } });
  return { oneOf: [branch(1, 'one'), branch(2, 'two')] };
}

function condition(): unknown {
  return {
    properties: { a: {} },
    if: { required: ['a'] },
    // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword
    then: { properties: { b: {} } },
    else: { properties: { c: {} } },
  };
}

it.each([
  ['a closed object', { properties: { a: {} }, additionalProperties: false }],
  ['a composed closed object', { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }],
])('%s leaves what it does not mention to validation', async (_, schema) => {
  expect(await undescribed(schema, { a: 1, beside: 2 }, '3.1.0')).toEqual([]);
});
