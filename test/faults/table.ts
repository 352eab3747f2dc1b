// The tables over faults of the reference platform: each fault is caught by its clause, and no other clause that was asked is blamed.
// They are judged in virtual time: a wrong verdict comes again in every run, and the name of the test shows how to have it. Each night
// all clauses judge every fault; by day they judge one of twenty, and the others are judged by as few clauses as it takes.
import { afterAll, describe, expect, test } from 'vitest';
import { CASES } from '../../src/simulation/cases.ts';
import { DUE_WHOLE, lookAt } from '../looks.ts';
import { blamed } from '../mutant.ts';
import { FILES_OF_TABLE, TABLES } from './families.ts';

/** Declares one test for each fault of the table's file, and prints how many were caught. `file`: from 1 on, where it has several. */
export function faultTable(name: keyof typeof TABLES, file = 1): void {
  const ofTable = CASES.filter(
    ({ kind, clause }) => kind === 'fault' && TABLES[name].some((family) => clause?.startsWith(`${family}-`)),
  );
  const files = FILES_OF_TABLE[name] ?? 1;
  const faults = ofTable.filter((_, place) => place % files === file - 1);
  let caught = 0;
  let strays = 0;
  afterAll(() => {
    const counts = `${caught} of ${faults.length}; other clauses blamed: ${strays}`;
    const whole = faults.filter((one) => DUE_WHOLE.includes(one)).map(({ id }) => id);
    process.stdout.write(
      `\nfaults (${name}) caught by the right clause: ${counts}; judged by all clauses: ${whole.join(', ')}\n`,
    );
  });
  describe(`faults: ${name}`, () => {
    test.each(faults.map((one) => [one.id, one] as const))('%s', async (_id, one) => {
      const { report, falseAlarms } = await lookAt(one);
      strays += falseAlarms.length;
      expect(falseAlarms).toEqual([]);
      expect(blamed(report)).toContain(one.clause);
      expect(report.verdict).toBe('fail');
      const unnamed = report.findings.filter(
        (found) => found.code?.startsWith(`${found.clause.toLowerCase()}.`) !== true,
      );
      expect(unnamed).toEqual([]);
      caught += 1;
    });
  });
}
