import { describe, expect, it } from 'vitest';
import { StepLost } from './caller/caller.ts';
import { groupsOf, paced } from './caller/live.ts';
import { Allowance, capsOf, refusedLoad } from './safety.ts';
import { incompleteness, Tally } from './samples/tally.ts';

const target = (baseUrl: string, environment: 'local' | 'staging' | 'production' = 'staging') => ({
  target: { baseUrl, docsUrl: null, environment },
  services: [],
});

describe('load', () => {
  it.each([
    ['http://127.0.0.1:8080', true],
    ['http://localhost:8080', true],
    ['http://[::1]:8080', true],
    ['https://staging.example.com', true],
    ['https://example.com', false],
    ['https://127.0.0.1.example.com', false],
  ])('to %s is allowed: %s', (baseUrl, allowed) => {
    const load = { allow: ['staging.example.com'] };
    expect(refusedLoad({ ...target(baseUrl), load }, { understood: false }) === null).toBe(allowed);
  });

  it('asks for every host that services have of their own', () => {
    const service = { name: 'shop', spec: null, basePath: null, baseUrl: 'https://shop.example.com' };
    const config = { ...target('http://127.0.0.1:8080'), services: [service] };
    expect(refusedLoad({ ...config, load: {} }, { understood: false })?.why).toBe(
      'load is not allowed to shop.example.com',
    );
    expect(refusedLoad({ ...config, load: { allow: ['shop.example.com'] } }, { understood: false })).toBeNull();
    const inner = { ...target('http://[fd00::7]:8080'), load: { allow: ['fd00::7'] } };
    expect(refusedLoad(inner, { understood: false })).toBeNull();
    expect(refusedLoad({ ...inner, load: {} }, { understood: false })?.hint).toContain('[fd00::7]');
  });

  it('to production needs a word', () => {
    const production = { ...target('http://127.0.0.1:1', 'production'), load: {} };
    expect(refusedLoad(production, { understood: false })?.hint).toContain('--i-understand-this-is-production');
    expect(refusedLoad(production, { understood: true })).toBeNull();
  });

  it('is capped by default, and as configured', () => {
    expect(capsOf({ load: { caps: { requests: 50 } } })).toMatchObject({ requests: 50, ratePerSecond: 5000 });
  });

  it('that would pass what may be sent is not sent', () => {
    const allowance = new Allowance(10);
    allowance.charge(8);
    expect(() => allowance.charge(3)).toThrow(StepLost);
    allowance.refund(1);
    expect(() => allowance.charge(3)).not.toThrow();
  });

  it('keeps its pace and its order', () => {
    const call = { key: 'a', operation: 'GET /a' };
    const calls = paced(
      [0, 0, 0, 100].map((afterMs) => ({ ...call, afterMs })),
      100,
    );
    expect(calls.map(({ afterMs }) => afterMs)).toEqual([0, 10, 20, 100]);
    expect(
      groupsOf(
        calls,
        () => 0,
        () => 0,
      ),
    ).toEqual([
      { key: 0, request: 0, afterMs: 0, everyMs: 10, count: 3 },
      { key: 0, request: 0, afterMs: 100, everyMs: 0, count: 1 },
    ]);
  });
});

describe('a step', () => {
  const request = { step: 's', key: 'k', operation: 'GET /a', dueMs: 0, startMs: 0, durationMs: 1 };
  const headers = { limit: '', remaining: '', reset: '', retryAfter: '', date: '' };

  it.each([
    [3, [200, 429, 200], 5, null],
    [3, [200, 200], 5, '3 requests were begun and 2 samples arrived'],
    [0, [], 5, 'no request was begun: the script failed, or all were dropped'],
    [2, [0, 0], 5, 'not one request was answered'],
    [3, [200, 200, 200], 2, '3 requests were begun, more than the 2 planned'],
  ])('of %d begun and answers %j of %d planned is incomplete because: %s', (started, statuses, planned, why) => {
    const tally = new Tally();
    for (const status of statuses) tally.add({ kind: 'request', ...request, ...headers, status });
    tally.add({ kind: 'started', step: 's', vu: 1, started });
    expect(incompleteness(tally.sums(), planned)).toBe(why);
  });

  it('is broken once half of fifty answers are missing or 5xx', () => {
    const tally = new Tally();
    for (let call = 0; call < 49; call += 1) tally.add({ kind: 'request', ...request, ...headers, status: 503 });
    expect(tally.isBroken()).toBe(false);
    tally.add({ kind: 'request', ...request, ...headers, status: 0 });
    expect(tally.isBroken()).toBe(true);
  });
});
