// Reports for tests of certificates: one in which every clause holds, and what makes others of it.
import type { SelfCheck } from '../../src/certify/statement.ts';
import type { Report, WaiverRow } from '../../src/contract/report.ts';
import { sampleReport } from './reporters/sample-report.ts';

export const ZERO = '0'.repeat(64);
export const SELF_CHECK: SelfCheck = { tool: ZERO, clean: true, faults: 3, caught: 3, missed: [] };

/** A whole run in which every clause of a platform holds. */
export function conforming(): Report {
  const { note: _note, ...run } = sampleReport().run;
  const sample = sampleReport();
  const clauses = sample.clauses.map(({ id, level }) => {
    const numbers = { checks: 9, violations: 0, advisories: 0, operationsInScope: 2, operationsTested: 2 };
    if (/^(HOOK|CLIENT)-/.test(id))
      return {
        id,
        level,
        status: 'not-tested' as const,
        reasonCode: 'other-command' as const,
        ...numbers,
        checks: 0,
      };
    return { id, level, status: level === 'discover' ? ('observed' as const) : ('pass' as const), ...numbers };
  });
  const operations = sample.operations.map(({ reasonCode: _code, reason: _reason, ...row }) => ({
    ...row,
    tested: true,
    clauses: {},
  }));
  return {
    ...sample,
    run: { ...run, partial: false },
    verdict: 'pass',
    clauses,
    findings: [],
    observations: [],
    exchanges: [],
    operations,
    services: sample.services.map((row) => (row.testable ? { ...row, digest: ZERO } : row)),
    counts: {
      requests: 9,
      operations: operations.length,
      operationsTested: operations.length,
      checks: 900,
      violations: 0,
      advisories: 0,
    },
  };
}

export const changed = (change: (report: Report) => object): Report => {
  const report = conforming();
  return { ...report, ...change(report) } as Report;
};
export const WAIVER: WaiverRow = {
  ...{ clause: 'ERR-04', operation: '*', fingerprint: null, reason: 'r', owner: 'o', ticket: null },
  ...{ expires: '2026-12-31', status: 'used', violations: 1 },
};

/** What one violation that somebody waives makes of a report. */
export function waived(status: WaiverRow['status']) {
  const { clauses, counts } = conforming();
  const [model] = sampleReport().findings.filter(({ clause }) => clause === 'ERR-04');
  return {
    clauses: clauses.map((row) =>
      row.id === 'ERR-04' ? { ...row, status: 'fail' as const, violations: 1, accepted: 1 } : row,
    ),
    counts: { ...counts, violations: 1, accepted: 1 },
    findings: [{ ...model!, exchanges: [], waiver: WAIVER }],
    acceptance: { failOn: 'any' as const, baseline: null, waivers: [{ ...WAIVER, status }] },
  };
}
