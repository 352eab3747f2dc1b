// The other half of the proof: allowed oddities of a platform raise nothing. They are judged in virtual time by all clauses.
import { afterAll, describe, expect, test } from 'vitest';
import { CASES, judgeCase } from '../../src/simulation/cases.ts';
import { CASE_LIMIT_MS, isLaw } from '../mutant.ts';
import { CALM_LOOK } from '../simulated.ts';

/** Declares one test for each tolerance case, of the laws over many calls or of all other clauses, and prints false alarms. */
export function toleranceTable(name: 'laws' | 'answers'): void {
  const cases = CASES.filter(
    ({ kind, clause }) => kind === 'tolerance' && clause !== null && isLaw(clause) === (name === 'laws'),
  );
  let falseAlarms = 0;
  afterAll(() => {
    process.stdout.write(`\ntolerance cases (${name}): ${cases.length}; false alarms: ${falseAlarms}\n`);
  });
  describe(`tolerance cases: ${name}`, { timeout: CASE_LIMIT_MS }, () => {
    test.each(cases.map((one) => [one.id, one] as const))('%s', async (_id, one) => {
      const { report } = await judgeCase(one, CALM_LOOK);
      const violations = report.findings.filter((finding) => finding.kind === 'violation');
      falseAlarms += violations.length;
      expect(violations).toEqual([]);
      expect(report.verdict).toBe('pass');
      // Without a budget the clause whose tolerance is used is looked at: it is not let off.
      const row = report.clauses.find(({ id }) => id === one.clause);
      if (one.clause?.startsWith('LIFE-') === true) expect(row?.checks).toBeGreaterThan(0);
    });
  });
}
