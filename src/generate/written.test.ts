// Tries how a receiver reads values out of pairs, by style and schema.
import { expect, it } from 'vitest';
import { documentWith, loadFiles } from '../../test/support/openapi/descriptions.ts';
import { encodedBody } from './encodings.ts';
import type { Pair } from './parameters.ts';
import { readForm, readPairs, readSequence } from './written.ts';

const FILTER = {
  type: 'object',
  required: ['zip'],
  properties: { zip: { type: 'string' }, n: { type: 'integer' }, tags: { type: 'array', items: { type: 'integer' } } },
};

const described = loadFiles({ 'a.json': documentWith('3.1.0', { Filter: FILTER }) });

it.each<[string, string, boolean, readonly Pair[], unknown]>([
  [
    'a deep object',
    'deepObject',
    true,
    [
      ['f[zip]', '123'],
      ['f[n]', '5'],
    ],
    { zip: '123', n: 5 },
  ],
  [
    'a deep object with a list',
    'deepObject',
    true,
    [
      ['f[zip]', '1'],
      ['f[tags]', '1'],
      ['f[tags]', '2'],
    ],
    { zip: '1', tags: [1, 2] },
  ],
  [
    'a deep object with a list in brackets',
    'deepObject',
    true,
    [
      ['f[zip]', '1'],
      ['f[tags][]', '1'],
    ],
    { zip: '1', tags: [1] },
  ],
  [
    'a deep object with names below its scalars, which say nothing of them',
    'deepObject',
    true,
    [
      ['f[zip]', '1'],
      ['f[n][assay]', 'true'],
    ],
    { zip: '1' },
  ],
  ['a deep object whose required scalar has names below it alone', 'deepObject', true, [['f[zip][assay]', '1']], {}],
  ['a deep object that has lost its only member', 'deepObject', true, [], undefined],
  [
    'an exploded object',
    'form',
    true,
    [
      ['zip', '123'],
      ['n', '5'],
      ['other', 'x'],
    ],
    { zip: '123', n: 5 },
  ],
  ['an object that is not exploded', 'form', false, [['f', 'zip,123,n,5']], { zip: '123', n: 5 }],
  ['an object as JSON', 'form', true, [['f', '{"zip":"123"}']], { zip: '123' }],
])('%s', async (_, style, explode, pairs, expected) => {
  const schema = { pointer: '/components/schemas/Filter', value: FILTER };
  expect(readPairs(await described, { name: 'f', style, explode }, schema, pairs)).toEqual(expected);
});

const DEEP = { style: 'deepObject', explode: true };

it('a form is read back as what was written, and what left no trace is not there', async () => {
  const schema = {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string' },
      age: { type: 'integer' },
      vals: { type: 'array', items: { type: 'string' } },
      csv: { type: 'array', items: { type: 'integer' } },
      obj: { type: 'object', required: ['k'], properties: { k: { type: 'string' } } },
      deep: {
        type: 'array',
        items: { type: 'object', properties: { n: { type: 'array', items: { type: 'integer' } } } },
      },
      map: { type: 'object', additionalProperties: { type: 'string' } },
      union: {
        anyOf: [
          {
            type: 'object',
            additionalProperties: {
              type: 'object',
              properties: { n: { type: 'integer' }, t: { type: 'string' }, on: { type: 'boolean' } },
            },
          },
          { type: 'string', enum: [''] },
        ],
      },
      json: { type: 'object', properties: { a: { type: 'number' } } },
    },
  };
  const description = await loadFiles({ 'a.json': documentWith('3.1.0', { Form: schema }) });
  const media = {
    mediaType: 'application/x-www-form-urlencoded',
    schema: { pointer: '/components/schemas/Form', value: schema },
    examples: [],
    encoding: { csv: { style: 'form', explode: false }, obj: DEEP, deep: DEEP, map: DEEP, union: DEEP },
  };
  const readBack = (value: unknown): unknown => {
    const body = encodedBody(description, media, value);
    return readForm(description, media, [...new URLSearchParams(body.kind === 'raw' ? body.text : '')]);
  };
  const whole = {
    name: '1',
    age: 3,
    vals: ['x', 'y'],
    csv: [1, 2],
    obj: { k: 'v' },
    json: { a: 1.5 },
    deep: [{ n: [1] }, { n: [2, 3] }],
    map: { 7: 'x' },
    union: { eur: { n: 1, t: '2', on: true } },
  };
  expect(readBack(whole)).toEqual(whole);
  const { obj: _, vals: __, ...rest } = whole;
  expect(readBack({ ...whole, obj: {}, vals: [] })).toEqual(rest);
});

it.each([
  ['a list', '1\n2\n', [1, 2]],
  ['nothing', '', []],
  ['one item that is a list, where the schema wants that', '[1]\n', [1]],
  ['what is no JSON', '1\nx\n', [1, undefined]],
])('reads %s out of JSON lines', async (_what, text, value) => {
  const schema = { pointer: '', value: { type: 'array', items: { type: 'integer' } } };
  expect(readSequence(await described, { mediaType: 'application/jsonl', schema, examples: [] }, text)).toEqual(value);
});
