import { expect, test } from 'vitest';
import { traceIn } from '../../exchange/trace-context.ts';
import { isTraced, newTraceparent } from './traceparent.ts';

test('names another trace each time, as the run itself reads it', () => {
  const traces = Array.from({ length: 1000 }, () => traceIn([['traceparent', newTraceparent()]])?.traceId);
  expect(traces).not.toContain(undefined);
  expect(new Set(traces).size).toBe(1000);
});

test('is left to requests that have the header', () => {
  expect(isTraced({ 'Content-Type': 'application/json', TraceParent: 'x' })).toBe(true);
  expect(isTraced({ 'Content-Type': 'application/json' })).toBe(false);
});
