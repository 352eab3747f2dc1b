// The tables over somebody else's APIs: each defect fails by its clause, and no oddity is blamed. All clauses judge each of them: at night every
// one, by day some of each style and family, others each day.
import { afterAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/contract/report.ts';
import { exitCode } from '../../src/grading/exit-code.ts';
import { keepLook } from '../looks.ts';
import { contractsDue, idOfContractCase, SERVERS } from './all-cases.ts';
import type { ContractCase } from './cases.ts';
import { failedIn, rowsOf, violationsIn } from './in-memory.ts';

type CaseOf<Server extends keyof typeof SERVERS> = (typeof SERVERS)[Server][number];

/** Declares one test for each case of the server that is due, and prints how many those are. */
export function contractTable<Server extends keyof typeof SERVERS>(
  server: Server,
  judgedBy: (one: CaseOf<Server>) => Promise<Report>,
): void {
  const cases: readonly CaseOf<Server>[] = SERVERS[server];
  const due = contractsDue(cases);
  const rowsAre = (is: ContractCase<unknown>['is']) =>
    due.flatMap((one) =>
      one.is === is ? [[one.clause, [one.style ?? '', one.text].join(' ').trim(), one] as const] : [],
    );
  const judged = async (one: CaseOf<Server>): Promise<Report> => {
    const report = await judgedBy(one);
    keepLook({ id: idOfContractCase(server, one), rung: 'all' });
    return report;
  };
  afterAll(() => {
    process.stdout.write(`\ncases of ${server}: ${due.length} of ${cases.length} today, all each night\n`);
  });
  describe(`${server}, of today's cases,`, () => {
    it.each(rowsAre('defect'))('fails by %s: %s', async (clause, _text, one) => {
      const report = await judged(one);
      expect([exitCode(report), failedIn(report)]).toEqual([1, expect.arrayContaining([clause])]);
    });

    it.each(rowsAre('oddity'))('is not blamed by %s: %s', async (clause, _text, one) => {
      const report = await judged(one);
      expect(violationsIn(report)).toEqual([]);
      expect([exitCode(report), rowsOf(report, clause)]).toEqual([0, [`${clause} pass`]]);
    });
  });
}
