import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { sampleReport } from '../../../test/support/reporters/sample-report.ts';
import type { Report } from '../../contract/report.ts';
import { disagreement, type SuiteCounts } from './suites.ts';

const REPORT = sampleReport();
const FAILED = REPORT.clauses.filter(({ status }) => status === 'fail').map(({ id }) => id);

/** vitest within vitest would share a process: a process of its own shows the report. */
async function shown(report: Report): Promise<SuiteCounts> {
  const path = join(mkdtempSync(join(tmpdir(), 'assay-suites-')), 'report.json');
  writeFileSync(path, JSON.stringify(report));
  const module = JSON.stringify(join(import.meta.dirname, 'suites.ts'));
  const code = `const { showSuites } = await import(${module});
    const { clauses, failed, ...rest } = await showSuites(${JSON.stringify(path)});
    console.log(JSON.stringify({ clauses: [...clauses], failed: [...failed], exitCode: process.exitCode ?? 0, ...rest }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);
  const { clauses, failed, ...rest } = JSON.parse(stdout);
  return { clauses: new Set(clauses), failed: new Set(failed), ...rest };
}

describe('vitest', () => {
  test('shows every clause once, fails those that the report says fail, and leaves the exit code alone', async () => {
    const seen = await shown(REPORT);
    expect([...seen.failed].sort()).toEqual([...FAILED].sort());
    expect(seen.clauses.size).toBe(REPORT.clauses.length);
    expect(seen).toMatchObject({ errors: [], exitCode: 0 });
    expect(seen.tests).toBeGreaterThan(REPORT.clauses.length);
    expect(disagreement(REPORT, seen)).toBeNull();
  });

  test('never passes a must clause without a check', async () => {
    const hollow = REPORT.clauses.map((row) =>
      row.id === 'ERR-01' ? { ...row, status: 'pass' as const, checks: 0 } : row,
    );
    const report = { ...REPORT, clauses: hollow };
    expect(disagreement(report, await shown(report))).toBe('report and conformance suites differ on ERR-01');
  });
});

describe('a disagreement', () => {
  const seen: SuiteCounts = {
    tests: 500,
    clauses: new Set(REPORT.clauses.map(({ id }) => id)),
    failed: new Set(FAILED),
    errors: [],
  };

  test('is told for a failure that only one of the two saw', () => {
    expect(disagreement(REPORT, { ...seen, failed: new Set(FAILED.slice(1)) })).toContain(FAILED[0]);
    expect(disagreement(REPORT, { ...seen, failed: new Set([...FAILED, 'VER-02']) })).toContain('VER-02');
  });

  test('is told for a clause that vitest did not show and for a suite that does not run', () => {
    expect(disagreement(REPORT, { ...seen, clauses: new Set() })).toMatch(/do not show SPEC-01/);
    expect(disagreement(REPORT, { ...seen, errors: ['boom'] })).toMatch(/do not run: boom/);
  });
});
