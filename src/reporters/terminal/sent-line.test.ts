import { expect, test } from 'vitest';
import type { Exchange } from '../../exchange/exchange.ts';
import { sentLine } from './sent-line.ts';

const SENT = {
  id: 'ex-7',
  attempt: 2,
  request: { method: 'GET', path: '/api/v1/stores', query: 'limit=5' },
  durationMs: 11.6,
  plan: {
    probe: 'pagination/walk',
    credential: { kind: 'key', name: 'std-1' },
  },
  response: { status: 200 },
  failure: null,
} as unknown as Exchange;

test('a request is told with its answer, its key and what it is sent for', () => {
  expect(sentLine(SENT)).toBe('ex-7 GET /api/v1/stores?limit=5 → 200 in 12 ms (std-1, pagination/walk, attempt 2)');
});

test('a request without an answer says why, and control characters reach no terminal', () => {
  const lost = { ...SENT, response: null, failure: { message: 'reset\u001b[2J' } } as unknown as Exchange;
  expect(sentLine(lost)).toContain('→ no answer: reset in');
});
