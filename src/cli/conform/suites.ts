// The conformance suites shown by vitest, in this process, after the run: what people know from plain vitest is what
// `assay conform` saw too. Two ways of counting one result must agree.
import { extname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { type Reporter, startVitest, type TestCase } from 'vitest/node';
import type { Report } from '../../contract/report.ts';
import { temporaryFolder } from '../../disk/passing.ts';

/** What vitest saw of a report. */
export interface SuiteCounts {
  /** Tests in all, those of groups and operations included. */
  readonly tests: number;
  /** Ids of the clauses whose own test ran or was skipped. */
  readonly clauses: ReadonlySet<string>;
  /** Ids of the clauses whose own test failed. */
  readonly failed: ReadonlySet<string>;
  /** Errors outside tests: a suite that does not load, a worker that dies. */
  readonly errors: readonly string[];
}

declare module 'vitest' {
  interface TaskMeta {
    /** Set on the one test that stands for a clause's row in the report. */
    clause?: string;
  }
}

/** A vitest reporter that only counts. `counts` is whole once vitest has ended. */
class SuiteReporter implements Reporter {
  readonly #clauses = new Set<string>();
  readonly #failed = new Set<string>();
  readonly #errors: string[] = [];
  #tests = 0;

  onTestCaseResult(testCase: TestCase): void {
    this.#tests += 1;
    const { clause } = testCase.meta();
    if (clause === undefined) return;
    this.#clauses.add(clause);
    if (testCase.result().state === 'failed') this.#failed.add(clause);
  }

  onTestRunEnd: NonNullable<Reporter['onTestRunEnd']> = (modules, unhandled) => {
    const own = modules.flatMap((module) => module.errors());
    this.#errors.push(...[...own, ...unhandled].map(({ message }) => message));
  };

  get counts(): SuiteCounts {
    return { tests: this.#tests, clauses: this.#clauses, failed: this.#failed, errors: this.#errors };
  }
}

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
