import { expect, test } from 'vitest';
import { traceIn, traceparentOf, tracesOf } from './trace-context.ts';

test('gives each request of a run a trace of its own, and another run others', () => {
  const traces = tracesOf('run-1');
  const all = Array.from({ length: 500 }, (_, serial) => traces(serial)).concat(tracesOf('run-2')(0));
  expect(new Set(all.map(({ traceId }) => traceId)).size).toBe(501);
  expect(new Set(all.map(({ spanId }) => spanId)).size).toBe(501);
  expect(tracesOf('run-1')(7)).toEqual(traces(7));
});

test('writes what it reads', () => {
  const context = tracesOf('run-1')(1);
  const value = traceparentOf(context);
  expect(value).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(traceIn([['Traceparent', value]])).toEqual(context);
});

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const span = '00f067aa0ba902b7';

test.each([
  [`00-${'0'.repeat(32)}-${span}-01`],
  [`00-${trace}-${'0'.repeat(16)}-01`],
  [`ff-${trace}-${span}-01`],
  [`00-${trace.toUpperCase()}-${span}-01`],
  [`00-${trace}-${span}`],
  ['[redacted header traceparent]'],
  [''],
])('names no trace for %s', (value) => {
  expect(traceIn([['traceparent', value]])).toBeNull();
});

test('reads versions to come by the fields that it knows', () => {
  expect(traceIn([['traceparent', `01-${trace}-${span}-01-more`]])).toEqual({ traceId: trace, spanId: span });
  expect(traceIn([['x-trace', `00-${trace}-${span}-01`]])).toBeNull();
});
