// Counts what the tests told: passed, failed, and skipped for want of something that the machine may lack.
// Any other test that did not run counts as failed.

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** Skipped for want of something that the machine may lack: neither passed nor failed. */
  readonly skipped: number;
}

/** Something that this machine lacks. */
export interface Missing {
  /** The first words of the title of every suite that needs it. */
  readonly suites: string;
  /** Why it is missing, in words for people. */
  readonly why: string;
}

/** The part of vitest's JSON report that is counted. */
export interface VitestReport {
  readonly testResults: readonly {
    /** `failed` without a test: the file did not load. */
    readonly status: string;
    readonly assertionResults: readonly {
      /** passed, failed; skipped, pending and todo did not run. */
      readonly status: string;
      readonly ancestorTitles: readonly string[];
    }[];
  }[];
}

/** The tally of a step that is one check: a linter, say. */
export function tallyOfStep({ ok }: { readonly ok: boolean }): Tally {
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
}

/**
 * The tally of a run of vitest, and a line for each reason why tests did not run.
 *
 * @param ok whether vitest ended with exit code 0; a run that failed counts one failure at least
 */
export function tallyOfTests(
  { testResults }: VitestReport,
  { ok }: { readonly ok: boolean },
  missing: readonly Missing[],
): { readonly tally: Tally; readonly notes: readonly string[] } {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const passed = tests.filter(({ status }) => status === 'passed').length;
  const failed = tests.filter(({ status }) => status === 'failed').length;
  const unloaded = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;

  const skipped = tests.filter(({ status }) => status !== 'passed' && status !== 'failed');
  const excused = missing.map(({ suites, why }) => {
    const own = skipped.filter(({ ancestorTitles }) => ancestorTitles.some((title) => title.startsWith(suites)));
    return { count: own.length, why };
  });
  const excusedCount = excused.reduce((sum, { count }) => sum + count, 0);
  const unexcusedCount = skipped.length - excusedCount;

  const counted = failed + unloaded + unexcusedCount;
  return {
    tally: { passed, failed: counted === 0 && !ok ? 1 : counted, skipped: excusedCount },
    notes: [
      ...excused.filter(({ count }) => count > 0).map(({ count, why }) => `${count} skipped: ${why}`),
      ...(unexcusedCount > 0 ? [`${unexcusedCount} skipped or todo, counted as failed`] : []),
    ],
  };
}

/** All of them together. */
export function sumOf(tallies: readonly Tally[]): Tally {
  return tallies.reduce((sum, { passed, failed, skipped }) => ({
    passed: sum.passed + passed,
    failed: sum.failed + failed,
    skipped: sum.skipped + skipped,
  }));
}

/** "7 passed, 0 failed", and how many were skipped where any were. */
export function told({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
