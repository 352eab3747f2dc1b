// The other half of the proof: allowed oddities of a platform raise nothing. They are judged in virtual
// time: each night by all clauses; by day one of twenty by all, and a third of the others by the family of the clause that allows them.
import { afterAll, describe, expect, test } from 'vitest';
import { CASES } from '../../src/simulation/cases.ts';
import { DUE_WHOLE, isTriedToday, lookAt } from '../looks.ts';
import { isLaw } from '../mutant.ts';

type Table = 'laws' | 'lives' | 'answers';

function tableOf(clause: string): Table {
  if (clause.startsWith('LIFE-')) return 'lives';
  return isLaw(clause) ? 'laws' : 'answers';
}

/** Declares one test for each tolerance case of today, of the laws over many calls, of lives, or of all other clauses, and prints false alarms. */
export function toleranceTable(name: Table): void {
  const all = CASES.filter(({ kind, clause }) => kind === 'tolerance' && clause !== null && tableOf(clause) === name);
  const cases = all.filter(isTriedToday);
  let falseAlarms = 0;
  afterAll(() => {
    const whole = cases.filter((one) => DUE_WHOLE.includes(one)).map(({ id }) => id);
    const counts = `${cases.length} of ${all.length}; false alarms: ${falseAlarms}; judged by all clauses: ${whole.join(', ')}`;
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
