// Lists are told from records that hold a list.
import { expect, it } from 'vitest';
import { documentOf, operationsOf } from './served.ts';
import { listShape, successOf } from './success.ts';

function shapeOfAnswer(properties: Record<string, unknown>) {
  const schema = { type: 'object', properties };
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema } } } };
  const [operation] = operationsOf(
    documentOf('any', { openapi: '3.0.0', paths: { '/orders': { get: { responses } } } }),
  );
  return operation && listShape(operation, successOf(operation, { creates: false }).schema, { likely: false })?.member;
}

const lines = { type: 'array', items: { type: 'object' } };

it('takes the one array beside a count for a list', () => {
  expect(shapeOfAnswer({ total: { type: 'integer' }, lines })).toBe('lines');
  expect(shapeOfAnswer({ data: lines, note: { type: 'string' } })).toBe('data');
});

it('takes an order, whose total is an amount of money, for a record', () => {
  expect(
    shapeOfAnswer({ total: { type: 'object', properties: { amount: { type: 'integer' } } }, lines }),
  ).toBeUndefined();
});
