import { describe, expect, test } from 'vitest';
import type { Latency } from '../../contract/latency.ts';
import type { OperationRow, Report } from '../../contract/report.ts';
import { latencyClass } from '../../grading/latency.ts';
import { curveOf, timingView } from './timing.ts';

const took = (...all: readonly (readonly [ms: number, count: number])[]): Latency =>
  Object.fromEntries(all.map(([ms, count]) => [latencyClass(ms), count]));
const row = (service: string, operation: string, latency?: Latency) =>
  ({ service, operation, ...(latency === undefined ? {} : { latency }) }) as unknown as OperationRow;
const report = (...operations: readonly OperationRow[]) =>
  ({ services: [{ name: 'admin' }, { name: 'ai' }], operations }) as unknown as Report;

describe('timing', () => {
  test('is absent where no operation says how long it took', () => {
    expect(timingView(report(row('admin', 'GET /a')))).toBeNull();
    expect(timingView(report(row('admin', 'GET /a', {})))).toBeNull();
  });

  test('adds up the operations of a service', () => {
    const view = timingView(report(row('admin', 'GET /a', took([10, 90])), row('admin', 'GET /b', took([500, 10]))));
    expect(view?.services).toHaveLength(1);
    const [admin] = view!.services;
    expect(admin).toMatchObject({ name: 'admin', answers: '100' });
    expect(admin!.p50).toBeCloseTo(10, 0);
    expect(admin!.p95).toBeGreaterThan(470);
  });

  test('names the slowest operations first, and none with few answers', () => {
    const view = timingView(
      report(
        row('admin', 'GET /quick', took([5, 20])),
        row('ai', 'POST /slow', took([900, 20])),
        row('ai', 'POST /once', took([9000, 1])),
      ),
    );
    expect(view?.slowest.map(({ operation }) => operation)).toEqual(['POST /slow', 'GET /quick']);
    expect(view?.slowest[0]).toMatchObject({ service: 'ai', href: '#op-ai-POST-/slow' });
  });
});

test('a distribution by percentile rises to where three answers lie above, and no further', () => {
  const curve = curveOf(took([10, 900], [100, 95], [1000, 5]));
  expect(curve.map(([share]) => share)).toEqual([0.9, 0.995]);
  expect(curve[0]?.[1]).toBeGreaterThanOrEqual(10);
  expect(curve[1]?.[1]).toBeCloseTo(110, -1);
  expect(curveOf({})).toEqual([]);
});
