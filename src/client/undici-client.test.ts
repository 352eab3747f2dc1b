import { describe, expect, it } from 'vitest';
import { CREATE, fixture, KEYED, PAYMENT, PLAN, TOKEN } from '../../test/support/client/fixture.ts';
import { json } from '../../test/support/client/scripted-server.ts';
import type { RequestPlan } from '../exchange/exchange.ts';
import { BudgetSpent, RunStopped } from './client.ts';

const KEYED_PAYMENT: RequestPlan = { ...PAYMENT, ...KEYED };

describe('the retry rules at the socket', () => {
  it.each([400, 404, 409])('sends once when the answer is %i (CLIENT-01)', async (status) => {
    await using run = await fixture((response) => json(response, status, { error: {} }));
    await run.send(PLAN);
    expect(run.server.seen).toHaveLength(1);
  });

  it.each([401, 403])('does not send the same token again after %i (CLIENT-02)', async (status) => {
    await using run = await fixture((response) => json(response, status, { error: {} }));
    await run.send(PLAN);
    await run.send(PLAN);
    expect(run.server.seen).toHaveLength(2);
  });

  it.each([429, 503])('retries %i four times, each after Retry-After (CLIENT-03)', async (status) => {
    await using run = await fixture((response) => json(response, status, {}, { 'retry-after': '3' }));
    const attempts = await run.send(PLAN);
    expect(run.server.seen).toHaveLength(5);
    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5]);
    expect(attempts.map(({ previous }) => previous)).toEqual([null, 'ex-1', 'ex-2', 'ex-3', 'ex-4']);
    const gaps = attempts.slice(1).map((one, index) => one.sentAt - attempts[index]!.sentAt);
    expect(gaps).toEqual([3000, 3000, 3000, 3000]);
  });

  it('doubles its waits from 1000 ms without Retry-After (CLIENT-04)', async () => {
    await using run = await fixture((response) => json(response, 503, {}), { random: () => 0.5 });
    const attempts = await run.send(PLAN);
    const gaps = attempts.slice(1).map((one, index) => one.sentAt - attempts[index]!.sentAt);
    expect(gaps).toEqual([1125, 2125, 4125, 8125]);
  });

  it('tries another 5xx four times, from 250 ms (CLIENT-05)', async () => {
    await using run = await fixture((response) => json(response, 500, {}));
    const attempts = await run.send(PLAN);
    expect(attempts).toHaveLength(4);
    expect(run.clock.sleeps).toEqual([250, 500, 1000]);
  });

  it('tries an operation no longer that failed by the same 5xx each time, until it is served', async () => {
    const statuses = [500, 500, 500, 500, 500, 502, 200, 500, 200];
    await using run = await fixture((response, _, index) => json(response, statuses[index] ?? 200, {}));
    const attempts: number[] = [];
    for (let call = 0; call < 4; call += 1) attempts.push((await run.send(PLAN)).length);
    expect(attempts).toEqual([4, 1, 2, 2]);
  });

  it('resends the same Idempotency-Key (CLIENT-06)', async () => {
    await using run = await fixture((response, _, index) => json(response, index < 2 ? 500 : 201, {}));
    await run.send(KEYED_PAYMENT);
    expect(run.server.seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['idem-1', 'idem-1', 'idem-1']);
  });

  it.each([500, 502, 503])('sends a payment without its key once when the answer is %i (CLIENT-06)', async (status) => {
    await using run = await fixture((response) => json(response, status, {}));
    await run.send(PAYMENT);
    expect(run.server.seen).toHaveLength(1);
  });

  it('sends a payment without its key once when the connection is lost (CLIENT-06)', async () => {
    await using run = await fixture((response) => response.socket?.destroy());
    const [only, ...more] = await run.send(PAYMENT);
    expect(only?.failure?.kind).toBe('reset');
    expect(more).toEqual([]);
    expect(run.server.seen).toHaveLength(1);
  });

  it('does not follow a redirect (CLIENT-07)', async () => {
    await using run = await fixture((response) => response.writeHead(302, { location: '/settings' }).end());
    const [only] = await run.send(PLAN);
    expect(only?.response?.status).toBe(302);
    expect(run.server.seen.map(({ url }) => url)).toEqual(['/api/v1/stores']);
  });
});

describe('what is sent', () => {
  it('carries the token and the content type on every authenticated request, GET too (CLIENT-09)', async () => {
    await using run = await fixture((response) => json(response, 200, []));
    await run.send(PLAN);
    expect(run.server.seen[0]?.headers).toMatchObject({
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
    });
    expect(run.server.seen[0]?.headers).not.toHaveProperty('accept-encoding');
  });

  it('carries no Authorization header without a credential, and the literal value of an invalid one', async () => {
    await using run = await fixture((response) => json(response, 401, {}));
    await run.send({ ...PLAN, credential: { kind: 'none' } });
    await run.send({ ...PLAN, credential: { kind: 'invalid', how: 'wrong-scheme', authorization: 'Basic dXNlcg==' } });
    expect(run.server.seen.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Basic dXNlcg==']);
  });

  it('puts the path of the base address before every other', async () => {
    await using run = await fixture((response) => json(response, 200, []));
    const { client } = await fixture(() => {}, { baseUrl: `${run.server.baseUrl}/eu/` });
    const [only] = await client.send({ ...PLAN, query: 'limit=1&limit=2' });
    await client.close();
    expect(run.server.seen[0]?.url).toBe('/eu/api/v1/stores?limit=1&limit=2');
    expect(only?.request).toMatchObject({
      url: `${run.server.baseUrl}/eu/api/v1/stores?limit=1&limit=2`,
      path: '/api/v1/stores',
    });
  });

  it('keeps raw bodies, lone surrogates in JSON, unregistered methods and odd paths as they are', async () => {
    await using run = await fixture((response) => json(response, 400, {}));
    await run.send({ ...CREATE, body: { kind: 'raw', text: '{"a":"\0\u{1f600}', contentType: 'text/plain' } });
    await run.send({ ...CREATE, body: { kind: 'json', value: { name: '\ud800' } } });
    await run.send({ ...CREATE, body: { kind: 'raw', text: 'a\u00ff', contentType: 'text/plain', isLatin1: true } });
    // node:http itself answers 400 to a method it does not know.
    expect((await run.send({ ...PLAN, method: 'ASSAYX' }))[0]?.response?.status).toBe(400);
    await run.send({ ...PLAN, method: 'PROPFIND', path: '/a b/é', query: 'q=\u{1f600}' });
    expect(run.server.seen.map(({ body }) => body).slice(0, 3)).toEqual([
      '{"a":"\0\u{1f600}',
      '{"name":"\\ud800"}',
      'a\ufffd',
    ]);
    expect(run.server.seen[0]?.headers['content-type']).toBe('text/plain');
    expect(run.server.seen.at(-1)).toMatchObject({ method: 'PROPFIND', url: '/a%20b/%C3%A9?q=%F0%9F%98%80' });
  });
});

describe('what is recorded', () => {
  it('keeps duplicate headers in order, in lower case', async () => {
    await using run = await fixture((response) => {
      response.setHeader('Set-Cookie', ['a=1', 'b=2']).setHeader('X-Trace', 'T').writeHead(204).end();
    });
    const [only] = await run.send(PLAN);
    const headers = only?.response?.headers.filter(([name]) => name === 'set-cookie' || name === 'x-trace');
    expect(headers).toEqual([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['x-trace', 'T'],
    ]);
    expect(only?.response).toMatchObject({ status: 204, body: '', bytes: 0, truncated: false });
  });

  it('answers HEAD without a body', async () => {
    await using run = await fixture((response) => response.writeHead(200, { 'content-length': '10' }).end());
    const [only] = await run.send({ ...PLAN, method: 'HEAD' });
    expect(only?.response).toMatchObject({ status: 200, body: '' });
  });

  it('passes every attempt on before send resolves', async () => {
    await using run = await fixture((response, _, index) => json(response, index === 0 ? 500 : 200, {}));
    const attempts = await run.send(PLAN);
    expect(run.recorded).toEqual(attempts);
  });
});

describe('the budget', () => {
  it('is never overdrawn, retries and concurrency included', async () => {
    await using run = await fixture((response) => json(response, 500, {}), { budget: 50, concurrency: 8 });
    const work = Array.from({ length: 30 }, () => run.client.send(PLAN));
    const ends = await run.clock.drive(Promise.allSettled(work));
    expect(run.server.seen).toHaveLength(50);
    expect(run.client.sent).toBe(50);
    const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    expect(reasons.length).toBeGreaterThan(0);
    expect(reasons.every((reason) => reason instanceof BudgetSpent)).toBe(true);
  });
});

describe('stopping', () => {
  it('records requests in flight as aborted and ends every send with RunStopped', async () => {
    const stop = new AbortController();
    await using run = await fixture(() => setImmediate(() => stop.abort()), { stop: stop.signal, concurrency: 1 });
    const ends = await Promise.allSettled([run.client.send(PLAN), run.client.send(PLAN)]);
    expect(ends.map((end) => end.status === 'rejected' && end.reason instanceof RunStopped)).toEqual([true, true]);
    expect(run.recorded.map(({ failure }) => failure?.kind)).toEqual(['aborted']);
    await expect(run.client.send(PLAN)).rejects.toThrow(RunStopped);
  });

  it('ends a wait for a retry', async () => {
    const stop = new AbortController();
    await using run = await fixture((response) => json(response, 429, {}, { 'retry-after': '60' }), {
      stop: stop.signal,
    });
    const sent = run.client.send(PLAN);
    await expect.poll(() => run.clock.sleeps.length).toBeGreaterThan(0);
    stop.abort();
    await expect(sent).rejects.toThrow(RunStopped);
  });
});

describe('a plan sent once', () => {
  const ONCE: RequestPlan = { ...PLAN, retry: 'once' };

  it.each([429, 500, 503])('gets one attempt when the answer is %i', async (status) => {
    await using run = await fixture((response) => json(response, status, {}, { 'retry-after': '1' }));
    expect(await run.send(ONCE)).toHaveLength(1);
    expect(run.clock.sleeps).toEqual([]);
  });

  it('gets one attempt when the connection is lost, and when the token is refused', async () => {
    await using lost = await fixture((response) => response.socket?.destroy());
    expect(await lost.send(ONCE)).toHaveLength(1);
    await using refused = await fixture((response) => json(response, 401, {}));
    expect(await refused.send(ONCE)).toHaveLength(1);
  });

  it('does not wait for the pace of its key, which begins with one request alone', async () => {
    const waiting: (() => void)[] = [];
    await using run = await fixture((response) => {
      waiting.push(() => json(response, 429, {}, { 'retry-after': '9' }));
      if (waiting.length === 3) for (const answer of waiting) answer();
    });
    const sends = [ONCE, ONCE, ONCE].map((plan) => run.client.send(plan));
    expect(await run.clock.drive(Promise.all(sends))).toHaveLength(3);
    expect(run.clock.sleeps).toEqual([]);
  });
});
