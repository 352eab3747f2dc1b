// What the made-up report says of load, and of the run before it.
import type { CapacityStep, LoadOperation, LoadPart, LoadRow, LoadStep } from '../../../src/contract/load-part.ts';
import type { Changes, History } from '../../../src/contract/report.ts';

/** A target may have its say in any text. */
const HOSTILE_KIND = '<img src=x onerror="window.hacked = 1">';

/** As the load suites write it: two plans, the steps of a search for capacity, what was sent in them and how it conformed. */
export const SAMPLE_LOAD: LoadPart = {
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
      stated: 100,
      limitBounds: { least: 98, best: 100, most: 103 },
      expected: { limit: 120, windowSeconds: 60 },
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
    met: 400,
    missed: 800,
    open: null,
    confidence: 'both ends measured at least 3 times, in both orders',
    objectives: { p99Ms: 500, errorRate: 0.01 },
    steps: [
      sampleStep(1, 100, 30, 'met'),
      sampleStep(2, 200, 41, 'void'),
      sampleStep(3, 400, 80, 'met'),
      sampleStep(4, 800, 2100, 'missed'),
      sampleStep(5, 600, 480, 'undecided'),
    ],
    requests: 8400,
  },
  operations: [
    {
      during: 'steps that met the objectives at 400 requests/s',
      rows: [
        sampleOperation('GET /api/v1/stores', 900, [12, 60, 80], {}),
        sampleOperation('GET /api/v1/themes', 300, [9, 31, null], { 'HTTP 503': 31, [HOSTILE_KIND]: 1 }),
        sampleOperation('GET /api/v1/themes/{themeId}', 4, [null, null, null], {}),
      ],
    },
    { during: 'the whole run', rows: [sampleOperation('GET /api/v1/stores', 2000, [14, 90, 410], {})] },
  ],
  series: [
    {
      suite: 'capacity',
      lane: 'capacity',
      everySeconds: 1,
      rows: [sampleRow(3, 100, 30), sampleRow(4, 200, 41), sampleRow(9, 800, 2100), sampleRow(10, 20, null)],
      steps: [
        sampleSent('capacity.1', 3, {}),
        sampleSent('capacity.4', 9, { 'HTTP 503': 31, 'connection refused': 4, [HOSTILE_KIND]: 1 }),
      ],
    },
    { suite: 'ceiling', lane: 'ceiling-std-1', everySeconds: 2, rows: [sampleRow(2, 9, 4)], steps: [] },
  ],
  conformance: {
    steps: [
      { step: 'capacity.1', label: '100 requests/s', answers: 20, violations: {} },
      { step: 'capacity.4', label: '800 requests/s', answers: 20, violations: { 'ERR-04': 3, 'SCH-01': 1 } },
    ],
    brokenAt: 'capacity.4',
  },
};

function sampleOperation(
  operation: string,
  requests: number,
  [p50Ms, p95Ms, p99Ms]: readonly [number | null, number | null, number | null],
  errors: LoadOperation['errors'],
): LoadOperation {
  return { operation, requests, limited: 2, errors, p50Ms, p95Ms, p99Ms };
}

function sampleStep(number: number, rps: number, p99Ms: number, decision: CapacityStep['decision']): CapacityStep {
  const dropped = decision === 'missed' ? 320 : 0;
  return {
    ...{ step: `capacity.${number}`, rps, seconds: 4, p50Ms: p99Ms / 4, p99Ms, errorRate: 0, limitedRate: 0 },
    ...{ dropped, lateP99Ms: 3, generatorCpu: 0.2, decision, why: decision },
  };
}

function sampleRow(atSeconds: number, requests: number, p99Ms: number | null): LoadRow {
  const p50Ms = p99Ms === null ? null : p99Ms / 4;
  return { atSeconds, requests, p50Ms, p99Ms, unanswered: 1, serverErrors: 2, otherErrors: 0, limited: 5 };
}

function sampleSent(step: string, fromSeconds: number, errors: LoadStep['errors']): LoadStep {
  const latency = { 24: 40, 32: 200, 40: 15 };
  return { step, fromSeconds, toSeconds: fromSeconds + 5, requests: 260, limited: 5, errors, latency };
}

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
