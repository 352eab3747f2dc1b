// The conformance suites shown by vitest, in this process, after the run: what people know from plain vitest is what
// `assay conform` saw too. Two ways of counting one result must agree.
import { extname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { startVitest } from 'vitest/node';
import type { Report } from '../../contract/report.ts';
import { temporaryFolder } from '../../disk/passing.ts';
import { type SuiteCounts, SuiteReporter } from '../../reporters/terminal/vitest.ts';

const SUITES = join(import.meta.dirname, '..', '..', '..', 'suites', 'conformance');

/** Lets vitest show the report at this path, silently. */
export async function showSuites(reportPath: string): Promise<SuiteCounts> {
  const reporter = new SuiteReporter();
  const exitCodeBefore = process.exitCode;
  const silent = new PassThrough().resume();
  const home = await newDataHome();
  const vitest = await startVitest(
    [],
    {
      config: join(SUITES, `vitest.config${extname(import.meta.filename)}`),
      root: SUITES,
      watch: false,
      run: true,
      reporters: [reporter],
      provide: { reportPath },
      // Imported as it is, and nothing kept: the package may lie where nothing can be written.
      configLoader: 'native',
      cache: false,
      fsModuleCache: false,
      coverage: { enabled: false },
    },
    {},
    { stdout: silent, stderr: silent },
  ).finally(home.remove);
  await vitest.close();
  // vitest sets the process's exit code for failing tests; here the run decides.
  process.exitCode = exitCodeBefore;
  return reporter.counts;
}

/**
 * A place for the token that vitest writes into the user's data folder at each start, needed or not: a user without a
 * home, as containers have them, has none.
 */
async function newDataHome(): Promise<{ remove(): Promise<void> }> {
  const before = process.env.XDG_DATA_HOME;
  const folder = await temporaryFolder('vitest');
  process.env.XDG_DATA_HOME = folder.path;
  return {
    async remove() {
      if (before === undefined) delete process.env.XDG_DATA_HOME;
      else process.env.XDG_DATA_HOME = before;
      await folder.remove();
    },
  };
}

/** Where vitest and the report tell different stories; null when they agree. */
export function disagreement(report: Report, seen: SuiteCounts): string | null {
  if (seen.errors.length > 0) return `the conformance suites do not run: ${seen.errors[0]}`;
  const missing = report.clauses.filter(({ id }) => !seen.clauses.has(id)).map(({ id }) => id);
  if (missing.length > 0) return `the conformance suites do not show ${missing.join(', ')}`;
  const differing = report.clauses
    .filter(({ id, status }) => (status === 'fail') !== seen.failed.has(id))
    .map(({ id }) => id);
  return differing.length === 0 ? null : `report and conformance suites differ on ${differing.join(', ')}`;
}
