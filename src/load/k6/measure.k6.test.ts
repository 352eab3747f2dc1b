import { readdirSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { k6Path, served, WITH_K6 } from '../../../test/support/load/k6/k6.ts';
import { termsOf } from '../../contract/terms-of.ts';
import { refusedStatus } from '../../limiters/reading.ts';
import { limitHeaders } from '../samples/exchange.ts';
import type { RequestSample, Sample } from '../samples/line.ts';
import { Generator, type Measured } from './measure.ts';
import { type RequestsPlan, SECRET } from './requests-plan.ts';

const TOKEN = 'secret-token-of-std-1';

describe.skipIf(k6Path === null)(WITH_K6, () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-measure-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function measured(
    lane: string,
    baseUrl: string,
    changes: Partial<RequestsPlan> = {},
    stop = new AbortController().signal,
  ): Promise<{ step: Measured; samples: Sample[] }> {
    const samples: Sample[] = [];
    const environment = { ASSAY_KEY_0: TOKEN };
    const generator = new Generator({
      k6: k6Path ?? '',
      folder,
      lane,
      stop,
      outputs: [],
      environment,
      conceal: (line) => line,
      watch: () => {},
    });
    const plan: RequestsPlan = {
      step: lane,
      vus: 4,
      calls: [{ request: 0, key: 0, afterMs: 0, everyMs: 0, count: 60 }],
      requests: [
        {
          operation: 'GET /a',
          method: 'GET',
          url: `${baseUrl}/a`,
          headers: { authorization: `Bearer ${SECRET}` },
          body: null,
        },
      ],
      keys: [{ name: 'std-1', variable: 'ASSAY_KEY_0' }],
      limits: limitHeaders(null),
      refusedStatus: 429,
      endsAtRefusal: false,
      bodyVus: 1,
      answerLimitSeconds: 5,
      timeLimitSeconds: 20,
      ...changes,
    };
    const planned = plan.calls.reduce((sum, { count }) => sum + count, 0);
    const onSample = (sample: Sample): number => samples.push(sample);
    const step = await generator.measure({ script: 'requests', plan, planned, timeLimitSeconds: 30, onSample });
    return { step, samples };
  }
  const requestsIn = (samples: readonly Sample[]): readonly RequestSample[] =>
    samples.filter((one) => one.kind === 'request');

  it('every request planned is sent under its key, and has its sample with the headers of its answer', async () => {
    const seen: (string | undefined)[] = [];
    const target = await served((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(200, { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': String(100 - seen.length) });
      response.end('{"a":1}');
    });
    const { step, samples } = await measured('whole', target.baseUrl);
    await target.close();
    expect(step).toMatchObject({ started: 60, received: 60, dropped: 0, incomplete: null });
    expect(new Set(seen)).toEqual(new Set([`Bearer ${TOKEN}`]));
    const remaining = requestsIn(samples).map((one) => Number(one.remaining));
    expect(remaining.toSorted((left, right) => left - right)).toEqual(Array.from({ length: 60 }, (_, at) => at + 40));
    expect(samples.filter(({ kind }) => kind === 'body')).toMatchObject([{ status: 200, answer: { body: '{"a":1}' } }]);
    expect(await readFile(join(folder, 'samples-whole.tsv'), 'utf8')).not.toContain(TOKEN);
    expect(readdirSync(folder)).toEqual(['samples-whole.tsv']);
  });

  it('every request names a trace of its own, which its sample tells; none does where none is to', async () => {
    const seen: (string | undefined)[] = [];
    const target = await served((request, response) => {
      seen.push(request.headers.traceparent as string | undefined);
      response.writeHead(200).end('{}');
    });
    const { samples } = await measured('traced', target.baseUrl);
    const traced = seen.splice(0);
    expect(new Set(traced).size).toBe(60);
    for (const value of traced) expect(value).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(new Set(requestsIn(samples).map(({ traceparent }) => traceparent))).toEqual(new Set(traced));
    const kept = samples.flatMap((one) => (one.kind === 'body' ? [one.answer.traceparent] : []));
    expect(traced).toEqual(expect.arrayContaining(kept));
    const plain = await measured('untraced', target.baseUrl, { trace: 'none' });
    const own = { authorization: `Bearer ${SECRET}`, Traceparent: 'its own' };
    const requests = [{ operation: 'GET /a', method: 'GET', url: `${target.baseUrl}/a`, headers: own, body: null }];
    await measured('own', target.baseUrl, { requests });
    await target.close();
    expect(requestsIn(plain.samples).some((sample) => 'traceparent' in sample)).toBe(false);
    expect(new Set(seen)).toEqual(new Set([undefined, 'its own']));
  });

  it('calls are sent when they are due, and a VU that is refused sends no more', async () => {
    let calls = 0;
    const target = await served((_request, response) => {
      calls += 1;
      response.writeHead(calls > 20 ? 429 : 200).end();
    });
    const calmly = [{ request: 0, key: 0, afterMs: 100, everyMs: 10, count: 60 }];
    const { step, samples } = await measured('refused', target.baseUrl, { calls: calmly, endsAtRefusal: true });
    await target.close();
    expect(step).toMatchObject({ started: 24, received: 24, dropped: 36, incomplete: null });
    expect(requestsIn(samples).every(({ startMs, dueMs }) => startMs >= dueMs)).toBe(true);
    const dues = requestsIn(samples).map(({ dueMs }) => dueMs);
    expect(dues.every((due) => (due - Math.min(...dues)) % 10 === 0)).toBe(true);
    expect(new Set(dues).size).toBe(24);
  });

  it('samples keep the headers that a contract names, and a VU ends with the status that it states', async () => {
    const { rateLimits } = termsOf({
      ...{ name: 'Acme' },
      rateLimits: { headers: { limit: 'X-Quota', remaining: 'X-QUOTA-left' }, refused: { status: 503 } },
    });
    let calls = 0;
    const target = await served((_request, response) => {
      calls += 1;
      response.writeHead(calls > 20 ? 503 : 200, { 'x-quota': '20', 'x-quota-left': String(20 - calls) }).end();
    });
    const { step, samples } = await measured('named', target.baseUrl, {
      calls: [{ request: 0, key: 0, afterMs: 100, everyMs: 10, count: 60 }],
      ...{ limits: limitHeaders(rateLimits), refusedStatus: refusedStatus(rateLimits), endsAtRefusal: true },
    });
    await target.close();
    expect(step).toMatchObject({ started: 24, received: 24 });
    const [first] = requestsIn(samples);
    expect([first?.limit, first?.reset]).toEqual(['20', '']);
    expect(Number(first?.remaining)).toBeGreaterThan(10);
  });

  it('a run in which every connection is refused proves nothing', async () => {
    const target = await served((_request, response) => response.end());
    await target.close();
    const { step } = await measured('nobody', target.baseUrl, {
      calls: [{ request: 0, key: 0, afterMs: 0, everyMs: 0, count: 20 }],
    });
    expect(step.incomplete).toContain('not one request was answered');
  });

  it('a run in which every iteration throws proves nothing', async () => {
    const { step } = await measured('throwing', 'http://127.0.0.1:9', { requests: [] });
    expect(step).toMatchObject({ received: 0 });
    expect(step.incomplete).toMatch(/requests were begun and 0 samples arrived/);
  });

  it('a script that k6 does not take proves nothing', async () => {
    const { step } = await measured('unread', 'http://127.0.0.1:9', { vus: 0 });
    expect(step).toMatchObject({ started: 0 });
    expect(step.incomplete).toMatch(/^no request was begun.*k6: /);
  });

  it("the target's errors end the step", async () => {
    let calls = 0;
    const target = await served((_request, response) => {
      calls += 1;
      response.writeHead(500).end();
    });
    const often = [{ request: 0, key: 0, afterMs: 0, everyMs: 5, count: 4000 }];
    const { step } = await measured('broken', target.baseUrl, { calls: often });
    await target.close();
    expect(step.broken).toBe(true);
    expect(step.incomplete).toContain("the target's errors ended the step");
    expect(calls).toBeLessThan(2000);
  });

  it('an interruption ends k6 at once', async () => {
    const stop = new AbortController();
    const target = await served((_request, response) => {
      stop.abort();
      response.end();
    });
    const calmly = [{ request: 0, key: 0, afterMs: 0, everyMs: 50, count: 300 }];
    const { step } = await measured('stopped', target.baseUrl, { calls: calmly }, stop.signal);
    await target.close();
    expect(step).toMatchObject({ incomplete: 'the run was interrupted', ended: { stopped: 'interrupted' } });
    expect(step.received).toBeLessThan(200);
  });
});
