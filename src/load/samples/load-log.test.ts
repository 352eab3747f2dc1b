import { expect, it } from 'vitest';
import type { CapacityPart, LoadOperation, SpikePart } from '../../contract/load-part.ts';
import { bucketOf, type HistogramSample } from './line.ts';
import { LoadLog, operationsUnder } from './load-log.ts';

function answers(step: string, second: number, changes: Partial<HistogramSample> = {}): HistogramSample {
  const shared = { key: 'std-1', operation: 'GET /a', status: 200, buckets: new Map([[bucketOf(10), 50]]) };
  return { kind: 'histogram', step, second, ...shared, ...changes };
}

it('tells what each step sent, its ramp included, and its errors by kind', () => {
  const log = new LoadLog('capacity');
  log.label('capacity.1', '50 requests/s', 50);
  log.add('capacity', answers('capacity.1/ramp', 100));
  log.add('capacity', answers('capacity.1', 101, { status: 503, buckets: new Map([[bucketOf(1), 3]]) }));
  log.add('capacity', answers('capacity.1', 102, { status: 0, errorCode: 1212, buckets: new Map([[0, 2]]) }));
  log.add('capacity', answers('capacity.1', 102, { status: 429 }));
  const { series = [] } = log.part(90_000);
  expect(series).toMatchObject([
    {
      ...{ suite: 'capacity', lane: 'capacity', everySeconds: 1 },
      rows: [{ atSeconds: 10 }, { atSeconds: 11, serverErrors: 3 }, { atSeconds: 12, unanswered: 2, limited: 50 }],
      steps: [{ step: 'capacity.1', label: '50 requests/s', rps: 50, fromSeconds: 10, toSeconds: 13, requests: 105 }],
    },
  ]);
  expect(series[0]?.steps[0]?.errors).toEqual({ 'HTTP 503': 3, 'connection refused': 2 });
  expect(Object.values(series[0]?.steps[0]?.latency ?? {}).reduce((sum, count) => sum + count, 0)).toBe(55);
});

it('tells single requests by when they were begun, and no single call as a step', () => {
  const log = new LoadLog('ceiling');
  const headers = { limit: '', remaining: '', reset: '', retryAfter: '', date: '' };
  const request = { kind: 'request' as const, key: 'k', operation: 'GET /a', status: 200, dueMs: 0, ...headers };
  for (const startMs of [5000, 5400, 6100])
    log.add('ceiling-k', { ...request, step: 'ceiling-k.2', startMs, durationMs: 3 });
  log.add('ceiling-k', { ...request, step: 'ceiling-k.3', startMs: 9000, durationMs: 3 });
  const [series] = log.part(null).series ?? [];
  expect(series?.rows.map(({ atSeconds, requests }) => [atSeconds, requests])).toEqual([
    [0, 2],
    [1, 1],
    [4, 1],
  ]);
  expect(series?.steps.map(({ step }) => step)).toEqual(['ceiling-k.2']);
});

it('counts requests told one by one until they are among the exchanges', () => {
  const log = new LoadLog('ceiling');
  log.await(1);
  log.await(1);
  expect(log.arrived).toBe(2);
  log.await(-1);
  log.add('capacity', answers('capacity.1', 101));
  expect(log.arrived).toBe(51);
});

it('tells neighbours as one where steps are many, and loses nothing', () => {
  const log = new LoadLog('ceiling');
  for (let step = 1; step <= 450; step += 1)
    for (const second of [step, step + 1]) log.add('lane', answers(`lane.${step}`, second));
  const steps = log.part(0).series?.[0]?.steps ?? [];
  expect(steps.length).toBeLessThanOrEqual(200);
  expect(steps.reduce((sum, { requests }) => sum + requests, 0)).toBe(450 * 100);
  expect(steps[0]?.step).toBe('lane.1 – lane.8');
  expect(log.operations()[0]?.requests).toBe(450 * 100);
  expect(steps.at(-1)).toMatchObject({ toSeconds: 452 });
});

it('names the first step at which an answer violates a clause', () => {
  const log = new LoadLog('capacity');
  expect(log.part(0).conformance).toEqual({ steps: [], brokenAt: null });
  log.label('capacity.2', '200 requests/s');
  log.judged('capacity.1', []);
  log.judged('capacity.2', []);
  log.judged('capacity.2', ['ERR-02', 'SCH-01']);
  log.judged('capacity.3', ['ERR-02']);
  expect(log.part(0).conformance).toEqual({
    steps: [
      { step: 'capacity.1', answers: 1, violations: {} },
      { step: 'capacity.2', label: '200 requests/s', answers: 2, violations: { 'ERR-02': 1, 'SCH-01': 1 } },
      { step: 'capacity.3', answers: 1, violations: { 'ERR-02': 1 } },
    ],
    brokenAt: 'capacity.2',
  });
});

it('tells how each operation fared in the steps that are asked for, and no percentile of too few answers', () => {
  const log = new LoadLog('spike');
  const many = (count: number, ms = 10) => new Map([[bucketOf(ms), count]]);
  log.add('spike', answers('spike.before', 100, { buckets: many(300) }));
  log.add('spike', answers('spike.peak/ramp', 101, { buckets: many(40) }));
  log.add('spike', answers('spike.peak', 101, { operation: 'GET /b', buckets: many(290, 20) }));
  log.add('spike', answers('spike.peak', 101, { operation: 'GET /b', status: 503, buckets: many(10, 20) }));
  log.add('spike', answers('spike.peak', 102, { operation: 'GET /b', status: 429, buckets: many(500, 1) }));
  const close = (ms: number) => expect.closeTo(ms, 0);
  const b = { operation: 'GET /b', requests: 800, limited: 500, errors: { 'HTTP 503': 10 } };
  expect(log.operations(new Set(['spike.peak']))).toEqual([
    { ...b, p50Ms: close(20), p95Ms: close(20), p99Ms: close(20) },
    { operation: 'GET /a', requests: 40, limited: 0, errors: {}, p50Ms: close(10), p95Ms: null, p99Ms: null },
  ]);
  expect(log.operations().map(({ operation, requests, p99Ms }) => [operation, requests, p99Ms === null])).toEqual([
    ['GET /b', 800, false],
    ['GET /a', 340, false],
  ]);
});

const ROW: LoadOperation = {
  operation: 'GET /a',
  requests: 7,
  limited: 0,
  errors: {},
  p50Ms: 1,
  p95Ms: null,
  p99Ms: null,
};
const log = { operations: (steps?: ReadonlySet<string>) => [{ ...ROW, operation: [...(steps ?? ['all'])].join(' ') }] };
const told = (part: Parameters<typeof operationsUnder>[1]) =>
  operationsUnder(log, part).map(({ during, rows }) => [during, rows[0]?.operation]);

it('tells the operations of a peak, of the rate that met the objectives, and of the whole run', () => {
  expect(told({})).toEqual([['the whole run', 'all']]);
  expect(told({ spike: { peak: { step: 'spike.peak', rps: 200 } } as SpikePart })[0]).toEqual([
    'the peak, 200 requests/s',
    'spike.peak',
  ]);
  const step = (name: string, rps: number, decision: string) => ({ step: name, rps, decision });
  const steps = [
    step('c.1', 400.5, 'met'),
    step('c.2', 800, 'missed'),
    step('c.3', 400.5, 'met'),
    step('c.4', 400.5, 'missed'),
  ];
  const capacity = { met: 400.5, steps } as unknown as CapacityPart;
  expect(told({ capacity })[0]).toEqual(['steps that met the objectives at 400.5 requests/s', 'c.1 c.3']);
});

it('tells nothing twice, and nothing of a run that sent nothing', () => {
  const capacity = { met: 100, steps: [{ step: 'c.1', rps: 100, decision: 'met' }] } as unknown as CapacityPart;
  expect(told({ capacity })).toEqual([['the whole run', 'all']]);
  expect(operationsUnder({ operations: () => [] }, {})).toEqual([]);
});
