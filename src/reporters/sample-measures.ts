// What the made-up report says of load, and of the run before it.
import type { Changes, History } from '../contract/report.ts';

/** As the load suites write it: two plans, and the steps of a search for capacity. */
export const SAMPLE_LOAD = {
  plans: [
    {
      plan: 'standard',
      key: 'std-1',
      limit: 100,
      windowSeconds: 60,
      algorithm: 'sliding-window',
      burst: 100,
      confidence: 'sure',
      costs: { 'GET /api/v1/stores': 1 },
    },
    {
      plan: 'growth',
      key: 'gro-1',
      limit: 600,
      windowSeconds: 60,
      algorithm: 'token-bucket',
      burst: 50,
      confidence: 'likely',
      costs: {},
    },
  ],
  capacity: {
    kneeRps: 400,
    p50Ms: 12,
    p99Ms: 80,
    errorRate: 0.001,
    steps: [
      { rps: 100, p50Ms: 9, p99Ms: 30, errorRate: 0 },
      { rps: 200, p50Ms: 10, p99Ms: 41, errorRate: 0 },
      { rps: 400, p50Ms: 12, p99Ms: 80, errorRate: 0.001 },
      { rps: 800, p50Ms: 240, p99Ms: 2100, errorRate: 0.04 },
    ],
  },
};

/** One finding is new, two are gone, two clauses changed. */
export function sampleChanges(): Changes {
  const gone = (fingerprint: string, operation: string) => ({
    fingerprint,
    clause: 'ERR-08',
    kind: 'violation' as const,
    service: 'admin',
    operation,
    cause: 'timestamp without a zone',
  });
  return {
    run: '20250228-101500-a1b2',
    startedAt: '2025-02-28T10:15:00.000Z',
    verdict: 'fail',
    appeared: ['sch01-1'],
    gone: [gone('err08-1', 'GET /api/v1/themes'), gone('err08-2', 'GET /api/v1/stores')],
    unknown: 1,
    clauses: [
      { id: 'SCH-01', before: 'pass', now: 'fail' },
      { id: 'ERR-08', before: 'fail', now: 'pass' },
    ],
  };
}

/** Four runs, the last this one; one finding comes and goes. */
export function sampleHistory(): History {
  const run = (day: number, violations: number, p99Ms: number | null) => ({
    id: `202502${day}-101500-a1b2`,
    startedAt: `2025-02-${day}T10:15:00.000Z`,
    verdict: violations > 0 ? ('fail' as const) : ('pass' as const),
    partial: p99Ms === null,
    requests: 1200,
    operationsTested: 7,
    violations,
    advisories: 1,
    p50Ms: p99Ms === null ? null : 12.34,
    p99Ms,
  });
  return {
    runs: [run(25, 0, 80), run(26, 4, 90), run(27, 0, null), run(28, 8, 410)],
    flaky: [
      {
        fingerprint: 'sch01-1',
        clause: 'SCH-01',
        service: 'ai',
        operation: 'POST /api/v1/ai/chat',
        cause: 'body breaks its schema',
        seen: 2,
        judged: 4,
      },
    ],
  };
}
