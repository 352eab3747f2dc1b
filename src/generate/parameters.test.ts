import { describe, expect, it } from 'vitest';
import { operationWith } from '../checks/testing/exchanges.ts';
import type { Parameter } from '../openapi/model/operation.ts';
import { pairsOf, segmentPrefix } from './parameters.ts';

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
    ['deepObject', true, OBJECT, 'p[role]=admin&p[level]=2'],
    ['deepObject', true, { a: { b: [1, 2] } }, 'p[a][b]=1&p[a][b]=2'],
    ['form', true, 5, 'p=5'],
    ['form', true, [], ''],
  ])('of style %s, explode %s, carries %j as %s', (style, explode, value, expected) => {
    expect(text(style, explode, value)).toBe(expected);
  });

  it('described by content carries JSON', () => {
    expect(text('form', true, OBJECT, 'application/json')).toBe('p={"role":"admin","level":2}');
  });
});

it.each([
  ['simple', ''],
  ['label', '.'],
  ['matrix', ';id='],
])('a path parameter of style %s begins with "%s"', (style, prefix) => {
  const parameter: Parameter = {
    name: 'id',
    in: 'path',
    required: true,
    schema: null,
    style,
    explode: false,
    examples: [],
  };
  expect(segmentPrefix(operationWith({ parameters: [parameter] }), 'id')).toBe(prefix);
});
