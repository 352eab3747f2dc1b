import { describe, expect, test } from 'vitest';
import { sampleLoadRun } from '../../../test/support/reporters/sample-load-run.ts';
import { HOSTILE } from '../../../test/support/reporters/sample-report.ts';
import type { LoadStep } from '../../contract/load-part.ts';
import type { Report } from '../../contract/report.ts';
import { ceilingLines } from '../load/suite-lines.ts';
import { renderHtml } from './html.ts';
import { loadView } from './load.ts';

const view = (load: object) => loadView({ load: { plans: [], ...load } } as unknown as Report);
const step = (name: string, fromSeconds: number, rps?: number): Partial<LoadStep> => ({
  ...{ step: name, fromSeconds, toSeconds: fromSeconds + 5, requests: 700, limited: 0, errors: {} },
  latency: { 8: 690, 24: 10 },
  ...(rps === undefined ? {} : { rps }),
});
const rows = [{ atSeconds: 0, requests: 10, p50Ms: 1, p99Ms: 2 }];
const series = (suite: string, steps: readonly unknown[]) =>
  view({ series: [{ suite, lane: suite, rows, steps }] })!.series[0]!;

describe('a load run', () => {
  const { spike, ...load } = sampleLoadRun().load as Record<string, unknown>;

  test('has a band for each rate; what a suite cuts into many steps of one rate is one', () => {
    const [lane] = view({ spike, ...load })!.series;
    expect(lane?.bands).toEqual([
      { name: '20/s', rps: 20, from: 0, to: 5 },
      { name: '120/s', rps: 120, from: 5, to: 10 },
      { name: '20/s', rps: 20, from: 10, to: 25 },
    ]);
    expect(lane?.groups.map(({ name }) => name)).toEqual(['20/s', '120/s', '20/s again']);
  });

  test('has a band for each step of a search, and of steps without a rate, none over the next', () => {
    const search = series('capacity', [step('c.1', 0, 100), step('c.2', 4, 100), step('c.3', 9, 212.5)]);
    expect(search.bands.map(({ name, from, to }) => [name, from, to])).toEqual([
      ['100/s', 0, 4],
      ['100/s', 4, 9],
      ['212.5/s', 9, 14],
    ]);
    const drain = series('ratelimit', [step('r.1', 0), step('r.2', 5)]);
    expect(drain.bands.map(({ name, rps }) => [name, rps])).toEqual([
      ['r.1', null],
      ['r.2', null],
    ]);
    expect(drain.groups.map(({ name }) => name)).toEqual(['all answers but 429']);
  });

  test('tells no percentile of a step whose answers are too few', () => {
    const [few, many] = series('soak', [{ ...step('s.1', 0, 20), latency: { 8: 59 } }, step('s.2', 5, 20)]).steps;
    expect([few?.p50, few?.p95, few?.p99]).toEqual([1.9, null, null]);
    expect(many?.p99).toBeGreaterThan(many?.p50 ?? 0);
  });

  test('tells its objectives, and none where they are of another shape', () => {
    expect(view({ spike, ...load })?.objectives).toEqual({ p99Ms: 300, errorPercent: 1 });
    expect(view({ ...load, soak: { objectives: { p99Ms: 'soon' } } })?.objectives).toEqual({
      p99Ms: null,
      errorPercent: null,
    });
    expect(view(load)?.objectives).toBeNull();
  });

  test('tells of each operation its share, percentiles and errors', () => {
    const [peak, whole] = view({ spike, ...load })!.operations;
    expect(peak).toMatchObject({ during: 'the peak, 120 requests/s', requests: '600 requests' });
    expect(peak?.rows[0]).toMatchObject({
      ...{ operation: 'GET /api/v1/stores', requests: '400', share: '66.67 %', p50: '2.2', p99: '7.84' },
      errors: '12 (3 %)',
    });
    expect(peak?.rows[0]?.kinds).toContain('11 HTTP 503, 1 ');
    expect(peak?.rows[1]).toMatchObject({ p99: '–', errors: '0', kinds: '', ms: [2.2, 5.9, null] });
    expect(whole?.rows).toHaveLength(1);
    expect(view({ ...load, spike, operations: [null, { rows: 7 }] })?.operations).toEqual([]);
  });

  test('leaves limits that headers state to the suites that measure limits', () => {
    const plans = [{ plan: 'a', key: 'a-1', limit: 1_000_000, windowSeconds: 1, costs: {}, confidence: 'stated' }];
    const kept = (suite: string) => view({ spike, ...load, suite, plans })?.plans.length;
    expect([kept('spike'), kept('capacity'), kept('ratelimit')]).toEqual([0, 0, 1]);
    expect(view({ spike, ...load, plans: [{ ...plans[0], confidence: 'sure' }] })?.plans).toHaveLength(1);
  });

  test('tells a limit and its window in the digits of the terminal', () => {
    const row = { plan: 'a', key: 'a-1', limit: 12_345, windowSeconds: 3.9846, costs: {}, algorithm: 'unknown' };
    const plans = [{ ...row, burst: null, stated: 12_345, confidence: 'sure' }];
    expect(view({ suite: 'ceiling', plans })?.plans).toMatchObject([
      { limit: '12,345', stated: '12,345', windowSeconds: '3.98' },
    ]);
    expect(ceilingLines({ suite: 'ceiling', plans })[1]).toContain('12,345 in 3.98 s');
  });

  test('answers on the first screen by the chart of its suite, and by none where several runs are told as one', () => {
    const { spike, suite: _, ...load } = sampleLoadRun().load as Record<string, unknown>;
    const bounds = { limitBounds: { least: 99, best: 100, most: 101 }, windowSeconds: 60, burst: null };
    const plans = [{ plan: 'a', key: 'a-1', limit: 100, ...bounds, costs: {}, algorithm: 'unknown' }];
    expect(view({ spike, ...load, suite: 'spike' })?.first?.chart).toBe('overTime');
    expect(view({ suite: 'ceiling', plans })?.first?.chart).toBe('plans');
    expect(view({ spike, ...load })?.first).toBeNull();
    const page = renderHtml(sampleLoadRun());
    expect(page.match(/data-chart="overTime"/g)).toHaveLength(1);
    expect(page.indexOf('data-chart="overTime"')).toBeLessThan(page.indexOf('<main'));
    expect(page).not.toContain('Not judged, and what would change that');
  });

  test('has no unit for a window that is not known', () => {
    const row = { plan: 'a', key: 'a-1', limit: null, windowSeconds: null, costs: {}, algorithm: 'unknown' };
    const load = { ...(sampleLoadRun().load as Record<string, unknown>), suite: 'ceiling', plans: [row] };
    const page = renderHtml({ ...sampleLoadRun(), load } as never);
    expect(page).toContain('data-label="window">–<');
    expect(page).not.toContain('– s<');
  });

  test('is no markup of the target, in whichever text', () => {
    const page = renderHtml(sampleLoadRun());
    expect(page).not.toContain(HOSTILE);
    expect(page).toContain('Since the last run');
  });
});
