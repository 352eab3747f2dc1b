import { describe, expect, it } from 'vitest';
import type { Exchange } from './exchange.ts';
import { credentialInWords, toReported } from './reported.ts';

const EXCHANGE: Exchange = {
  id: 'ex-7',
  plan: {
    service: 'admin',
    operation: 'POST /api/v1/stores',
    probe: 'happy/valid',
    method: 'POST',
    path: '/api/v1/stores',
    query: '',
    headers: [],
    body: { kind: 'json', value: {} },
    credential: { kind: 'key', name: 'std-1' },
    retry: 'contract',
  },
  attempt: 2,
  previous: 'ex-6',
  sentAt: Date.UTC(2026, 0, 1),
  durationMs: 1.5,
  request: {
    method: 'POST',
    url: 'http://127.0.0.1/api/v1/stores',
    path: '/api/v1/stores',
    query: '',
    headers: [
      ['Authorization', 'Bearer [redacted key std-1]'],
      ['X-Api-Key', 'k'],
      ['Content-Type', 'application/json'],
    ],
    body: 'x'.repeat(20_000),
  },
  response: {
    status: 400,
    headers: [['set-cookie', 'session=abc']],
    body: '{"error":{"message":"ann@example.com"}}',
    bytes: 39,
    truncated: false,
  },
  failure: null,
  echoed: [],
};

describe('toReported', () => {
  it('keeps what a reader needs and nothing personal or secret', () => {
    const { request, response, ...rest } = toReported(EXCHANGE);
    expect(rest).toEqual({
      id: 'ex-7',
      probe: 'happy/valid',
      credential: 'key std-1',
      sentAt: '2026-01-01T00:00:00.000Z',
      durationMs: 1.5,
      attempt: 2,
      failure: null,
    });
    expect(request.headers).toEqual([
      ['Authorization', 'Bearer [redacted key std-1]'],
      ['X-Api-Key', '[redacted, 1 characters]'],
      ['Content-Type', 'application/json'],
    ]);
    expect(request.body).toMatch(/^x{16384}\n\[cut: 16384 of 20000 characters\]$/);
    expect(response).toEqual({
      status: 400,
      headers: [['set-cookie', '[redacted, 11 characters]']],
      body: '{"error":{"message":"[redacted message, 15 characters]"}}',
    });
  });

  it('never shows the value of an Authorization header, a refused one neither', () => {
    const credential = { kind: 'invalid', how: 'alg-none', authorization: 'Bearer e30.e30.' } as const;
    const headers = [['authorization', credential.authorization]] as const;
    const reported = toReported({
      ...EXCHANGE,
      plan: { ...EXCHANGE.plan, credential },
      request: { ...EXCHANGE.request, headers },
      response: null,
      failure: { kind: 'reset', message: 'other side closed', reusedSocket: false },
    });
    expect(reported.request.headers).toEqual([['authorization', 'Bearer [redacted invalid token: alg-none]']]);
    expect(reported).toMatchObject({ response: null, failure: 'reset: other side closed' });
  });
});

describe('credentialInWords', () => {
  it('names every kind', () => {
    expect(credentialInWords({ kind: 'none' })).toBe('no token');
    expect(credentialInWords({ kind: 'locked' })).toBe('locked token');
    expect(credentialInWords({ kind: 'invalid', how: 'alg-none', authorization: '' })).toBe('invalid token: alg-none');
  });
});
