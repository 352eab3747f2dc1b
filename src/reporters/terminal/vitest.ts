// Listens while vitest shows a run's result: which clauses it saw, which of them fail. Prints nothing.
import type { Reporter, TestCase } from 'vitest/node';

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
export class SuiteReporter implements Reporter {
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
