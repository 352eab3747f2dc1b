// Small reports for tests of the history: one clause, one operation.
import type { Finding, Report } from '../../../src/contract/report.ts';

const FINDING = {
  clause: 'ERR-04',
  kind: 'violation',
  service: 'admin',
  operation: 'GET /a',
  cause: 'c',
  occurrences: 2,
};

/** What is special about a run. */
export interface Shape {
  readonly prints?: readonly string[];
  readonly tested?: boolean;
  readonly digest?: string;
  readonly partial?: boolean;
  readonly scope?: string;
  readonly host?: string;
}

/** The report of a run that called one operation, violated as often as `prints` has fingerprints. */
export function sampleRun(id: string, shape: Shape = {}): Report {
  const { prints = [], tested = true, digest = 'd', partial = false, scope = 's', host = 'api.example.com' } = shape;
  const violations = prints.length;
  return {
    tool: { name: 'assay', version: '1' },
    run: { id, startedAt: `2026-01-01T00:00:${id.padStart(2, '0')}.000Z`, durationMs: 10, seed: 1, partial, scope },
    target: { baseUrl: `https://${host}`, environment: 'staging' },
    verdict: violations > 0 ? 'fail' : 'pass',
    counts: { requests: 5, operations: 1, operationsTested: Number(tested), checks: 5, violations, advisories: 0 },
    clauses: [{ id: 'ERR-04', status: violations > 0 ? 'fail' : 'pass', checks: 5, violations, advisories: 0 }],
    findings: prints.map((fingerprint) => ({ ...FINDING, fingerprint }) as Finding),
    services: [{ name: 'admin', digest }],
    operations: [{ service: 'admin', operation: 'GET /a', tested, requests: 5, latency: { '8': 10 } }],
  } as unknown as Report;
}
