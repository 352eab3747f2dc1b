import { describe, expect, test } from 'vitest';
import { type Missing, sumOf, tallyOfStep, tallyOfTests, told, type VitestReport } from './tally.ts';

const NO_K6: Missing = { suites: 'with k6', why: 'k6 is missing' };

/** A report of one file with these tests. */
function reportOf(...tests: readonly [status: string, ...ancestorTitles: string[]][]): VitestReport {
  const assertionResults = tests.map(([status, ...ancestorTitles]) => ({ status, ancestorTitles }));
  const status = assertionResults.some((test) => test.status === 'failed') ? 'failed' : 'passed';
  return { testResults: [{ status, assertionResults }] };
}

describe('the tally of the tests', () => {
  test('counts what passed and what failed', () => {
    const report = reportOf(['passed', 'a'], ['passed'], ['failed', 'a']);
    expect(tallyOfTests(report, { ok: false }, [])).toEqual({ tally: { passed: 2, failed: 1, skipped: 0 }, notes: [] });
  });

  test('excuses what is skipped for want of something missing, and tells why', () => {
    const report = reportOf(['passed'], ['skipped', 'with k6, a soak', 'with a leak'], ['pending', 'with k6']);
    expect(tallyOfTests(report, { ok: true }, [NO_K6])).toEqual({
      tally: { passed: 1, failed: 0, skipped: 2 },
      notes: ['2 skipped: k6 is missing'],
    });
  });

  test('counts what is skipped as failed where nothing is missing', () => {
    const report = reportOf(['passed'], ['skipped', 'with k6, a soak'], ['todo']);
    expect(tallyOfTests(report, { ok: true }, [])).toEqual({
      tally: { passed: 1, failed: 2, skipped: 0 },
      notes: ['2 skipped or todo, counted as failed'],
    });
  });

  test('does not excuse a test of another suite, or one that failed', () => {
    const report = reportOf(['skipped', 'in a browser'], ['failed', 'with k6'], ['skipped', 'with k6']);
    const { tally } = tallyOfTests(report, { ok: false }, [NO_K6]);
    expect(tally).toEqual({ passed: 0, failed: 2, skipped: 1 });
  });

  test('counts each file that does not load as a failure', () => {
    const unloaded = { status: 'failed', assertionResults: [] };
    const { testResults } = reportOf(['passed'], ['failed']);
    const { tally } = tallyOfTests({ testResults: [...testResults, unloaded, unloaded] }, { ok: false }, []);
    expect(tally).toEqual({ passed: 1, failed: 3, skipped: 0 });
  });

  test('counts one failure for a run that failed without telling where', () => {
    expect(tallyOfTests(reportOf(['passed']), { ok: false }, []).tally).toEqual({ passed: 1, failed: 1, skipped: 0 });
  });
});

test('tallies add up, and are told in one line that names what was skipped only where something was', () => {
  const parts = [tallyOfStep({ ok: true }), tallyOfStep({ ok: false }), { passed: 5, failed: 0, skipped: 3 }];
  expect(told(sumOf(parts))).toBe('6 passed, 1 failed, 3 skipped');
  expect(told(tallyOfStep({ ok: true }))).toBe('1 passed, 0 failed');
});
