import { describe, expect, it } from 'vitest';
import { CREATE, KEYED, PAYMENT, PLAN } from '../../test/support/client/fixture.ts';
import { COMMERCE_TERMS } from '../contract/shipped.ts';
import { termsOf } from '../contract/terms-of.ts';
import type { Exchange, Failure, RequestPlan } from '../exchange/exchange.ts';
import { isStaleConnection, LONGEST_WAIT_MS, nextDelay, retriesUnder } from './retry.ts';

const retries = retriesUnder(COMMERCE_TERMS);
const NOW = Date.UTC(2026, 0, 1);
const DATE = new Date(NOW).toUTCString();

function answered(plan: RequestPlan, status: number, headers: Record<string, string> = {}): Exchange {
  const response = { status, headers: Object.entries(headers), body: '', bytes: 0, truncated: false };
  return { ...failed(plan, 'reset', false), response, failure: null };
}

function failed(plan: RequestPlan, kind: Failure['kind'], reusedSocket: boolean): Exchange {
  return {
    id: 'ex-1',
    plan,
    attempt: 1,
    previous: null,
    sentAt: NOW,
    durationMs: 1,
    request: { method: plan.method, url: '', path: plan.path, query: '', headers: [], body: null },
    response: null,
    failure: { kind, message: '', reusedSocket },
    echoed: [],
  };
}

function delays(exchange: Exchange, random = 0, retries = retriesUnder(COMMERCE_TERMS)): (number | null)[] {
  return [1, 2, 3, 4, 5].map((attempt) =>
    nextDelay({ exchange, attempt, nowMs: NOW, patienceMs: LONGEST_WAIT_MS, random: () => random, retries }),
  );
}

describe('nextDelay', () => {
  it.each([200, 302, 400, 401, 403, 404, 405, 409, 422])('lets %i stand (CLIENT-01, CLIENT-02)', (status) => {
    expect(
      nextDelay({
        exchange: answered(PLAN, status),
        attempt: 1,
        nowMs: NOW,
        patienceMs: LONGEST_WAIT_MS,
        random: () => 0,
        retries,
      }),
    ).toBeNull();
  });

  it('lets a 403 of missing rights stand where a limiter refuses by 403, too', () => {
    const { rateLimits } = COMMERCE_TERMS;
    const refused = { status: 403, retryAfter: 'optional' } as const;
    const limited = retriesUnder({ ...COMMERCE_TERMS, rateLimits: rateLimits && { ...rateLimits, refused } });
    expect(delays(answered(PLAN, 403, { 'x-ratelimit-remaining': '7' }), 0, limited)).toEqual(Array(5).fill(null));
    expect(delays(answered(PLAN, 403, { 'x-ratelimit-remaining': '0' }), 0, limited)[0]).toBe(1000);
  });

  it.each([429, 503])('waits as Retry-After says after %i, four times (CLIENT-03)', (status) => {
    expect(delays(answered(PLAN, status, { 'retry-after': '7' }))).toEqual([7000, 7000, 7000, 7000, null]);
  });

  it("reads a Retry-After date against the response's own clock (CLIENT-03)", () => {
    const skewed = new Date(NOW + 3_600_000);
    const until = new Date(skewed.getTime() + 5000).toUTCString();
    const exchange = answered(PLAN, 429, { date: skewed.toUTCString(), 'retry-after': until });
    expect(delays(exchange)[0]).toBe(5000);
  });

  it.each(['soon', '-5', ''])('falls back to its own waits for Retry-After "%s"', (value) => {
    expect(delays(answered(PLAN, 429, { date: DATE, 'retry-after': value }))[0]).toBe(1000);
  });

  it('doubles from 1000 ms with up to 250 ms of jitter without Retry-After (CLIENT-04)', () => {
    expect(delays(answered(PLAN, 503))).toEqual([1000, 2000, 4000, 8000, null]);
    expect(delays(answered(PLAN, 503), 0.9999)).toEqual([1250, 2250, 4250, 8250, null]);
  });

  it('does not wait for a Retry-After beyond two minutes', () => {
    expect(delays(answered(PLAN, 429, { 'retry-after': '121' }))[0]).toBeNull();
  });

  it.each([500, 502, 504, 599])('doubles from 250 ms after %i, four attempts in all (CLIENT-05)', (status) => {
    expect(delays(answered(PLAN, status))).toEqual([250, 500, 1000, null, null]);
  });

  it('retries a lost connection like a 5xx, and a timeout or broken protocol not at all', () => {
    expect(delays(failed(PLAN, 'reset', false))[0]).toBe(250);
    expect(delays(failed(PLAN, 'refused', false))[0]).toBe(250);
    for (const kind of ['timeout', 'protocol', 'aborted'] as const) {
      expect(delays(failed(PLAN, kind, false))[0]).toBeNull();
    }
  });

  it('repeats a POST that may have had an effect only with its key (CLIENT-06)', () => {
    expect(delays(answered(CREATE, 500))[0]).toBeNull();
    expect(delays(failed(CREATE, 'reset', false))[0]).toBeNull();
    expect(delays(answered({ ...CREATE, ...KEYED }, 500))[0]).toBe(250);
    expect(delays(answered(CREATE, 503))[0]).toBe(1000);
    expect(delays(answered(CREATE, 429))[0]).toBe(1000);
  });

  it('repeats a payment without its key only after a 429, which has executed nothing (CLIENT-06)', () => {
    expect(delays(answered(PAYMENT, 503))[0]).toBeNull();
    expect(delays(answered(PAYMENT, 500))[0]).toBeNull();
    expect(delays(answered(PAYMENT, 429))[0]).toBe(1000);
    expect(delays(answered({ ...PAYMENT, ...KEYED }, 503))[0]).toBe(1000);
  });

  it('waits, and keeps from a second effect, as another contract says', () => {
    const clients = { maxRetries: 2, base429Ms: 50, capMs: 80, jitterMs: 0, base5xxMs: 10 };
    const idempotency = { never: ['POST /v2/refunds*'] };
    const stated = retriesUnder(
      termsOf({ name: 'Acme', clients, idempotency, rateLimits: { refused: { status: 420 } } }),
    );
    expect(delays(answered(PLAN, 420), 0, stated)).toEqual([50, 80, null, null, null]);
    expect(delays(answered(PLAN, 502), 0, stated)).toEqual([10, null, null, null, null]);
    expect(delays(answered(PLAN, 420))).toEqual([null, null, null, null, null]);
    const refund = { ...PAYMENT, path: '/v2/refunds/full', operation: 'POST /v2/refunds/{kind}' };
    expect(delays(answered(refund, 503), 0, stated)[0]).toBeNull();
    expect(delays(answered({ ...refund, ...KEYED }, 503), 0, stated)[0]).toBe(50);
    expect(delays(answered(PAYMENT, 503), 0, stated)[0]).toBe(50);
    const named = retriesUnder(termsOf({ name: 'Acme', idempotency: { header: 'X-Once' } }));
    expect(delays(answered({ ...CREATE, headers: [['x-once', 'k1']] }, 500), 0, named)[0]).toBe(250);
  });

  it('retries nothing but 429 and 503 for a plan that says never', () => {
    const plan = { ...PLAN, retry: 'never' } as const;
    expect(delays(answered(plan, 500))[0]).toBeNull();
    expect(delays(failed(plan, 'reset', false))[0]).toBeNull();
    expect(delays(answered(plan, 429))[0]).toBe(1000);
    expect(delays(answered(plan, 503))[0]).toBe(1000);
  });
});

describe('isStaleConnection', () => {
  it('holds for a reset of a used socket before a safe or body-less request was answered', () => {
    expect(isStaleConnection(failed(PLAN, 'reset', true), retries)).toBe(true);
    expect(isStaleConnection(failed({ ...CREATE, body: { kind: 'none' } }, 'reset', true), retries)).toBe(true);
  });

  it('does not hold on a fresh socket, for a body that may have had its effect, or a payment without its key', () => {
    expect(isStaleConnection(failed(PLAN, 'reset', false), retries)).toBe(false);
    expect(isStaleConnection(failed(CREATE, 'reset', true), retries)).toBe(false);
    expect(isStaleConnection(failed({ ...PAYMENT, body: { kind: 'none' } }, 'reset', true), retries)).toBe(false);
    expect(isStaleConnection(failed(PLAN, 'timeout', true), retries)).toBe(false);
  });
});
