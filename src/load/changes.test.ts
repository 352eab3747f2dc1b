import { describe, expect, it } from 'vitest';
import type { CapacityPart, CapacityStep, LoadPart, PlanCeiling, SoakPart, SpikePart } from '../contract/load-part.ts';
import type { Report } from '../contract/report.ts';
import { latencyClass } from '../grading/latency.ts';
import { loadChanges } from './changes.ts';

const FIGURES = {
  ...{ rps: 120, seconds: 10, answers: 1200, p50Ms: 0, p99Ms: 0, errorRate: 0, limitedRate: 0, dropped: 0 },
  ...{ lateP99Ms: 0, generatorCpu: null, decision: 'met', why: 'met' },
} as const satisfies CapacityStep;
const took = (ms: number, count: number) => ({ [latencyClass(ms)]: count });

function spike(ms: number, changes: Partial<CapacityStep> = {}, count = 1200): Partial<LoadPart> {
  const step = { step: 'spike.peak', fromSeconds: 0, toSeconds: 10, requests: count, limited: 0, errors: {} };
  const latency = took(ms, count);
  return {
    spike: {
      before: { ...FIGURES, rps: 20 },
      peak: { ...FIGURES, step: 'spike.peak', p50Ms: ms, p99Ms: ms, ...changes },
    } as SpikePart,
    series: [{ suite: 'spike', lane: 'spike', everySeconds: 1, rows: [], steps: [{ ...step, latency }] }],
    operations: [{ during: 'the whole run', rows: [operation('GET /a')] }],
  };
}

const operation = (key: string) => ({
  ...{ operation: key, requests: 9, limited: 0, errors: {}, p50Ms: 1, p95Ms: null, p99Ms: null },
});
const report = (load: unknown): Report =>
  ({ run: { id: 'run-1', startedAt: '2026-11-21T00:00:00.000Z' }, verdict: 'pass', load }) as unknown as Report;
const compared = (before: Partial<LoadPart>, now: Partial<LoadPart>) =>
  loadChanges(report(before), report(now), 'It held');
const told = (before: Partial<LoadPart>, now: Partial<LoadPart>) =>
  Object.fromEntries(compared(before, now).figures.map(({ figure, noise }) => [figure, noise ? 'noise' : 'changed']));

describe('a load run beside the last one', () => {
  it('names that run, its verdict and its result', () => {
    expect(compared(spike(20), spike(20))).toMatchObject({
      run: 'run-1',
      verdict: 'pass',
      result: 'It held',
      differs: null,
    });
  });

  it('calls latency changed only where the intervals are apart, by a tenth and by a millisecond', () => {
    expect(told(spike(20), spike(20))).toEqual({
      p50: 'noise',
      p95: 'noise',
      p99: 'noise',
      errors: 'noise',
      rate: 'noise',
    });
    expect(told(spike(20), spike(40))).toMatchObject({ p50: 'changed', p95: 'changed', p99: 'changed' });
    expect(told(spike(0.4), spike(0.8)).p50).toBe('noise');
    const [p50] = compared(spike(20), spike(40)).figures;
    expect(p50).toMatchObject({
      unit: 'ms',
      before: { value: expect.closeTo(20, -1) },
      now: { value: expect.closeTo(40, -1) },
    });
    expect(p50!.before.most!).toBeLessThan(p50!.now.least);
  });

  it('a percentile that few answers carry has wide bounds, and one that too few carry is not compared', () => {
    const mixed = (slow: number): Partial<LoadPart> => {
      const one = spike(20, { p99Ms: slow > 4 ? 200 : 20 }, 400);
      const steps = one.series![0]!.steps.map((step) => ({
        ...step,
        latency: { ...took(20, 400 - slow), ...took(200, slow) },
      }));
      return { ...one, series: [{ ...one.series![0]!, steps }] };
    };
    expect(told(mixed(3), mixed(5)).p99).toBe('noise');
    expect(told(mixed(0), mixed(40)).p99).toBe('changed');
    expect(Object.keys(told(spike(20, {}, 100), spike(20, {}, 100)))).toEqual(['p50', 'p95', 'errors', 'rate']);
  });

  it('holds no errors beside each other where much was never sent', () => {
    const few = told(spike(20), spike(20, { dropped: 6 }));
    const many = told(spike(20), spike(20, { dropped: 516 }));
    expect([few.errors, many.errors, many['429'], many.rate]).toEqual(['noise', undefined, undefined, 'changed']);
  });

  it('calls errors changed where their intervals are apart, and a rate that was not reached', () => {
    expect(told(spike(20, { errorRate: 0.001 }), spike(20, { errorRate: 0.003 })).errors).toBe('noise');
    expect(told(spike(20, { errorRate: 0 }), spike(20, { errorRate: 0.05 })).errors).toBe('changed');
    expect(told(spike(20), spike(20, { limitedRate: 0.3 }))['429']).toBe('changed');
    expect(told(spike(20), spike(20, { dropped: 600 })).rate).toBe('changed');
  });

  it('compares no latency of another load', () => {
    const other = spike(40, { rps: 200 });
    expect(compared(spike(20), other)).toMatchObject({
      differs: 'it sent 20 → 120 requests/s for 10 s, this run 20 → 200 requests/s for 10 s',
      figures: [],
    });
    const elsewhere = { ...spike(40), operations: [{ during: 'the whole run', rows: [operation('GET /b')] }] };
    expect(compared(spike(20), elsewhere).differs).toBe('it called other operations');
  });

  it('compares soaks over all of their slices', () => {
    const soak = (ms: number): Partial<LoadPart> => {
      const { series, operations } = spike(ms);
      const slices = [{ ...FIGURES, step: 'spike.peak', fromSeconds: 0, toSeconds: 10 }];
      return {
        series: series!,
        operations: operations!,
        soak: { ...FIGURES, p50Ms: ms, p99Ms: ms, slices } as unknown as SoakPart,
      };
    };
    expect(told(soak(20), soak(40))).toMatchObject({ p50: 'changed', rate: 'noise' });
  });

  it('compares brackets of capacity: those that have a rate in common may be one', () => {
    const capacity = (met: number | null, missed: number | null, decision = 'missed'): Partial<LoadPart> => ({
      capacity: {
        ...{ met, missed },
        steps: [
          { ...FIGURES, step: 'c.1', rps: met ?? 0 },
          { ...FIGURES, step: 'c.2', rps: missed ?? 0, decision },
        ],
      } as unknown as CapacityPart,
    });
    expect(told(capacity(400, 425), capacity(410, 440)).capacity).toBe('noise');
    expect(told(capacity(400, 425), capacity(600, 625)).capacity).toBe('changed');
    expect(told(capacity(400, 425), capacity(425, 450)).capacity).toBe('noise');
    expect(told(capacity(400, null), capacity(600, 625)).capacity).toBe('noise');
    expect(told(capacity(400, 500, 'void'), capacity(600, 625)).capacity).toBe('noise');
    expect(told(capacity(null, 500), capacity(600, 625))).toEqual({});
  });

  it('compares ceilings key by key, where both were measured', () => {
    const plan = (key: string, limit: number | null) =>
      ({
        key,
        limit,
        limitBounds: limit === null ? null : { least: limit - 1, best: limit, most: limit + 1 },
      }) as PlanCeiling;
    expect(
      told(
        { plans: [plan('a', 100), plan('b', 300), plan('c', null)] },
        { plans: [plan('a', 101), plan('b', 250), plan('c', 9), plan('d', 9)] },
      ),
    ).toEqual({ 'limit of a': 'noise', 'limit of b': 'changed' });
  });

  it('compares nothing where a run measured nothing', () => {
    expect(loadChanges(report(undefined), report(spike(20)), 'Nothing').figures).toEqual([]);
  });
});
