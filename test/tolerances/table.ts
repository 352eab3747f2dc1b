// The other half of the proof: allowed oddities of a platform raise nothing.
import { afterAll, describe, expect, test } from 'vitest';
import { TOLERANCES } from '../../src/platform/tolerances/all.ts';
import { CASE_LIMIT_MS, clausesFor, isLaw, judgePlatform } from '../mutant.ts';
import { reducedDocuments } from '../reduced-documents.ts';

/** Windows and background writers run on real time: on a busy machine one more look is fair. */
const RETRY = 1;

/** Declares one test for each tolerance case, of the laws over many calls or of all other clauses, and prints false alarms. */
export function toleranceTable(name: 'laws' | 'answers'): void {
  const cases = TOLERANCES.filter(({ clause }) => isLaw(clause) === (name === 'laws'));
  let falseAlarms = 0;
  afterAll(() => {
    process.stdout.write(`\ntolerance cases (${name}): ${cases.length}; false alarms: ${falseAlarms}\n`);
  });
  describe.concurrent(`tolerance cases: ${name}`, { timeout: CASE_LIMIT_MS, retry: RETRY }, () => {
    test.each(cases.map(({ id, clause }) => [id, clause] as const))('%s', async (id, clause) => {
      const documents = await reducedDocuments();
      const report = await judgePlatform({ documents, tolerances: [id] }, { clauses: clausesFor(clause) });
      const violations = report.findings.filter((finding) => finding.kind === 'violation');
      falseAlarms += violations.length;
      expect(violations).toEqual([]);
      expect(report.verdict).toBe('pass');
    });
  });
}
