import { describe, expect, it } from 'vitest';
import { documentWith, loadFiles } from '../../test/support/openapi/descriptions.ts';
import type { RequestPlan } from '../exchange/exchange.ts';
import type { Operation, Parameter } from '../openapi/model/operation.ts';
import { pairsOf, pathText, segmentText } from './parameters.ts';
import { sentInput } from './targets/sent.ts';

const LIST = ['a', 'b c'];
const OBJECT = { role: 'admin', level: 2 };

describe('a query parameter', () => {
  const text = (style: string, explode: boolean, value: unknown, contentType?: string) =>
    pairsOf({ name: 'p', style, explode, ...(contentType === undefined ? {} : { contentType }) }, value)
      .map((pair) => pair.join('='))
      .join('&');

  it.each([
    ['form', true, LIST, 'p=a&p=b c'],
    ['form', false, LIST, 'p=a,b c'],
    ['spaceDelimited', false, LIST, 'p=a b c'],
    ['pipeDelimited', false, LIST, 'p=a|b c'],
    ['form', true, OBJECT, 'role=admin&level=2'],
    ['form', false, OBJECT, 'p=role,admin,level,2'],
    ['pipeDelimited', false, OBJECT, 'p=role|admin|level|2'],
    ['deepObject', true, OBJECT, 'p[role]=admin&p[level]=2'],
    ['deepObject', true, { a: { b: [1, 2] } }, 'p[a][b][0]=1&p[a][b][1]=2'],
    ['deepObject', true, [{ a: 1 }, { a: 2 }], 'p[0][a]=1&p[1][a]=2'],
    ['deepObject', true, LIST, 'p[0]=a&p[1]=b c'],
    ['form', true, 5, 'p=5'],
    ['form', true, [], ''],
  ])('of style %s, explode %s, carries %j as %s', (style, explode, value, expected) => {
    expect(text(style, explode, value)).toBe(expected);
  });

  it('described by content carries JSON', () => {
    expect(text('form', true, OBJECT, 'application/json')).toBe('p={"role":"admin","level":2}');
  });
});

// The table of OpenAPI's style examples.
it.each<[string, boolean, unknown, string]>([
  ['simple', false, 'a b', 'a%20b'],
  ['label', false, 'blue', '.blue'],
  ['matrix', false, 'blue', ';color=blue'],
  ['simple', false, ['blue', 'a,b'], 'blue,a,b'],
  ['label', false, ['blue', 'black'], '.blue,black'],
  ['label', true, ['blue', 'black'], '.blue.black'],
  ['matrix', false, ['blue', 'black'], ';color=blue,black'],
  ['matrix', true, ['blue', 'black'], ';color=blue;color=black'],
  ['pipeDelimited', false, ['blue', 'black'], 'blue%7Cblack'],
  ['simple', false, { R: 100, G: 200 }, 'R,100,G,200'],
  ['simple', true, { R: 100, G: 200 }, 'R=100,G=200'],
  ['label', false, { R: 100, G: 200 }, '.R,100,G,200'],
  ['label', true, { R: 100, G: 200 }, '.R=100.G=200'],
  ['matrix', false, { R: 100, G: 200 }, ';color=R,100,G,200'],
  ['matrix', true, { R: 100, G: 200 }, ';R=100;G=200'],
])(
  'a path parameter of style %s, exploded: %s, with %j is written %s, and read back',
  async (style, explode, value, written) => {
    const type = Array.isArray(value) ? 'array' : typeof value;
    const document = documentWith('3.1.0', { Any: {} });
    const parameter = {
      name: 'color',
      in: 'path',
      required: true,
      style,
      explode,
      schema: {
        type,
        ...(type === 'object' ? { properties: { R: { type: 'integer' }, G: { type: 'integer' } } } : {}),
      },
    };
    const paths = { '/paint/{color}': { get: { parameters: [parameter], responses: { 200: { description: 'ok' } } } } };
    const description = await loadFiles({ 'paint.json': { ...document, paths } });
    const operation = description.operations[0] as Operation;
    const text = segmentText(operation.parameters[0] as Parameter, value);
    const path = `/paint/${pathText(description, operation, 'color', text)}`;
    expect(path).toBe(`/paint/${written}`);
    const plan = { path, query: '', headers: [], body: { kind: 'none' } } as unknown as RequestPlan;
    const read = sentInput(description, operation, plan).parameters.get('path color');
    const expected = Array.isArray(value) ? String(value).split(',') : value;
    expect(read).toEqual(expected);
  },
);

it('a query that is one JSON text is read back from it', async () => {
  const schema = { type: 'object', properties: { page: { type: 'integer' }, a: { const: '&=1' } } };
  const all = { name: 'all', in: 'querystring', content: { 'application/json': { schema } } };
  const get = { parameters: [all], responses: { 200: { description: 'OK' } } };
  const document = { openapi: '3.2.0', info: { title: 'Things', version: '1.0.0' }, paths: { '/things': { get } } };
  const description = await loadFiles({ 'things.json': document });
  const [operation] = description.operations as [Operation];
  const [[name, text] = ['none', '']] = pairsOf(operation.parameters[0] as Parameter, { page: 9, a: '&=1' });
  expect([name, text]).toEqual(['', '{"page":9,"a":"&=1"}']);
  const plan = { path: '/things', headers: [], body: { kind: 'none' } } as unknown as RequestPlan;
  const sent = (query: string) => sentInput(description, operation, { ...plan, query }).parameters;
  expect(sent(encodeURIComponent(text))).toEqual(new Map([['query ', { page: 9, a: '&=1' }]]));
  expect(sent('')).toEqual(new Map());
});
