// Writes histories for tests and benchmarks: two targets and two branches, runs of conformance and of load, with clauses that
// broke, were mended, and come and go. The same number of runs gives the same history.
import type { LoadPart } from '../../../src/contract/load-part.ts';
import type { ClauseRow, Finding, OperationRow, Report } from '../../../src/contract/report.ts';
import { recordRuns } from '../../../src/run/history/record.ts';
import { sampleReport } from './sample-report.ts';

const HOSTS = ['https://api.staging.example.com', 'https://api.preview.example.com'];
const FIRST_MS = Date.parse('2025-03-03T09:00:00Z');
const HALF_A_DAY_MS = 12 * 3600 * 1000;
/** Every so many runs one of load. */
const LOAD_EVERY = 12;

/** Records so many runs, the oldest first: two a day. */
export function manyRuns(file: string, count: number): void {
  const sample = sampleReport();
  recordRuns(
    file,
    Array.from({ length: count }, (_, at) => ({
      report: at % LOAD_EVERY === LOAD_EVERY - 1 ? loadRun(sample, at, count) : conformRun(sample, at, count),
      revision: { branch: at % 5 === 4 ? 'feature/cart' : 'main', commit: commitAt(Math.floor(at / 3)) },
    })),
  );
}

/** Forty hexadecimal digits, other ones for each number. */
function commitAt(number: number): string {
  return ((number + 1) * 0x9e3779b1).toString(16).padStart(10, '0').repeat(4).slice(0, 40);
}

function runAt(sample: Report, at: number): Pick<Report, 'run' | 'target'> {
  const startedAt = new Date(FIRST_MS + at * HALF_A_DAY_MS).toISOString();
  const { note: _note, ...run } = sample.run;
  const id = `${startedAt.slice(0, 10).replaceAll('-', '')}-${String(at).padStart(6, '0')}`;
  return {
    run: { ...run, id, startedAt, partial: at % 40 === 39 },
    target: { baseUrl: HOSTS[at % 7 === 6 ? 1 : 0]!, environment: 'staging' },
  };
}

/** ERR-04 broke in the last fifth, PAG-02 was mended after the first third, RATE-03 comes and goes. */
function brokenAt(at: number, count: number): readonly string[] {
  return [
    ...(at >= 0.8 * count ? ['ERR-04'] : []),
    ...(at < count / 3 ? ['PAG-02'] : []),
    ...(at % 9 === 5 ? ['RATE-03'] : []),
  ];
}

function conformRun(sample: Report, at: number, count: number): Report {
  const broken = brokenAt(at, count);
  const clauses = sample.clauses.map((row): ClauseRow => {
    const violations = broken.includes(row.id) ? 2 : 0;
    const status =
      violations > 0 ? 'fail' : row.status === 'fail' || ['PAG-02', 'RATE-03'].includes(row.id) ? 'pass' : row.status;
    return { ...row, status, violations };
  });
  const findings = broken.map(
    (clause): Finding => ({ ...sample.findings[0]!, clause, fingerprint: `fingerprint-${clause}` }),
  );
  const operations = sample.operations.map(
    (row, index): OperationRow => ({
      ...row,
      latency: { [30 + index + Math.floor((8 * at * (index % 3)) / count)]: 400 },
    }),
  );
  return {
    ...sample,
    ...runAt(sample, at),
    verdict: broken.length > 0 ? 'fail' : 'pass',
    counts: {
      ...sample.counts,
      violations: 2 * broken.length,
      operationsTested: sample.counts.operations - (at % 20 === 0 ? 2 : 0),
    },
    ...{ clauses, findings, operations, load: undefined },
    sensitivity: {
      planted: 1200,
      caught: 1200 - (at % 11),
      families: {},
      clauses: {},
      places: 1200,
      missed: [],
      faults: {},
    },
  };
}

function loadRun(sample: Report, at: number, count: number): Report {
  const met = 400 + Math.round((120 * at) / count) + (at % 3) * 8;
  const objectives = { p99Ms: 300, errorRate: 0.01 };
  const told = { kneeRps: met, p50Ms: 12, p99Ms: 80 + (at % 5), errorRate: 0, met, missed: met + 40, open: null };
  const limitBounds = { least: 98, best: 100, most: 103 };
  const load: LoadPart = {
    suite: 'capacity',
    plans: [
      {
        plan: 'standard',
        key: 'std-1',
        limit: 100,
        windowSeconds: 60,
        algorithm: 'sliding-window',
        burst: 100,
        confidence: 'sure',
        costs: {},
        limitBounds,
      },
    ],
    capacity: { ...told, confidence: 'settled', objectives, steps: [], requests: 9000 },
  };
  return {
    ...sample,
    ...runAt(sample, at),
    verdict: 'pass',
    counts: { ...sample.counts, violations: 0 },
    findings: [],
    load,
  };
}
