// The other half of the proof: allowed oddities of a platform raise nothing. They are judged in virtual
// time: each night by all clauses, by day one of twenty by all and the others by the family of the clause that allows them.
import { afterAll, describe, expect, test } from 'vitest';
import { CASES } from '../../src/simulation/cases.ts';
import { DUE_WHOLE, lookAt } from '../looks.ts';
import { isLaw } from '../mutant.ts';

/** Declares one test for each tolerance case, of the laws over many calls or of all other clauses, and prints false alarms. */
export function toleranceTable(name: 'laws' | 'answers'): void {
  const cases = CASES.filter(
    ({ kind, clause }) => kind === 'tolerance' && clause !== null && isLaw(clause) === (name === 'laws'),
  );
  let falseAlarms = 0;
  afterAll(() => {
    const whole = cases.filter((one) => DUE_WHOLE.includes(one)).map(({ id }) => id);
    const counts = `${cases.length}; false alarms: ${falseAlarms}; judged by all clauses: ${whole.join(', ')}`;
    process.stdout.write(`\ntolerance cases (${name}): ${counts}\n`);
  });
  describe(`tolerance cases: ${name}`, () => {
    test.each(cases.map((one) => [one.id, one] as const))('%s', async (_id, one) => {
      const { report, rung } = await lookAt(one);
      const violations = report.findings.filter((finding) => finding.kind === 'violation');
      falseAlarms += violations.length;
      expect(violations).toEqual([]);
      // A family that judges descriptions alone comes to no verdict.
      expect(rung === 'all' ? ['pass'] : ['pass', 'none']).toContain(report.verdict);
      // Without a budget the clause whose tolerance is used is looked at: it is not let off.
      const row = report.clauses.find(({ id }) => id === one.clause);
      if (one.clause?.startsWith('LIFE-') === true) expect(row?.checks).toBeGreaterThan(0);
    });
  });
}
