// The conformance suites tell what the report tells: vitest has one test for each clause, which fails exactly where the report says
// that the clause is broken, and never passes a must clause without a check.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Report } from '../src/contract/report.ts';
import { ROOT } from './root.ts';
import { sampleReport } from './support/reporters/sample-report.ts';

const SUITES = join(ROOT, 'suites', 'conformance');
const REPORT = sampleReport();

interface ShownTest {
  readonly status: string;
  readonly meta: { readonly clause?: string };
}

/** The tests as which vitest shows the report. Two vitests cannot share a process: one of its own shows it. */
async function shown(report: Report): Promise<readonly ShownTest[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-suites-'));
  try {
    const [reportPath, outputFile] = [join(folder, 'report.json'), join(folder, 'shown.json')];
    writeFileSync(reportPath, JSON.stringify(report));
    const options = { config: join(SUITES, 'vitest.config.ts'), root: SUITES, watch: false, run: true, cache: false };
    const shows = { ...options, configLoader: 'native', reporters: ['json'], outputFile, provide: { reportPath } };
    const code = `const { startVitest } = await import(${JSON.stringify(import.meta.resolve('vitest/node'))});
      await (await startVitest([], ${JSON.stringify(shows)})).close();
      process.exitCode = 0;`;
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { cwd: folder });
    const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8'));
    return testResults.flatMap(({ assertionResults }: { assertionResults: ShownTest[] }) => assertionResults);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('vitest shows every clause once, and fails those that the report says fail or pass without a check', async () => {
  const clauses = REPORT.clauses.map((row) =>
    row.id === 'ERR-01' ? { ...row, status: 'pass' as const, checks: 0 } : row,
  );
  const failing = clauses.filter(({ id, status }) => id === 'ERR-01' || status === 'fail').map(({ id }) => id);
  expect(failing.length).toBeGreaterThan(1);
  const tests = await shown({ ...REPORT, clauses });
  const ofClauses = tests.filter(({ meta }) => meta.clause !== undefined);
  expect(ofClauses.map(({ meta }) => meta.clause).sort()).toEqual(clauses.map(({ id }) => id).sort());
  const failed = ofClauses.filter(({ status }) => status === 'failed');
  expect(failed.map(({ meta }) => meta.clause).sort()).toEqual(failing.sort());
  expect(tests.length).toBeGreaterThan(clauses.length);
});
