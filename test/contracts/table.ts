// The tables over somebody else's APIs: each defect fails by its clause, and no oddity is blamed. At night all clauses judge each of them; by day
// they judge one of twenty, others each day. The others are judged as closely as those of the reference platform: a defect by
// its clause until it shows, an oddity by the family of its clause.
import { afterAll, describe, expect, it } from 'vitest';
import { CLAUSES } from '../../src/contract/clauses.ts';
import type { Report } from '../../src/contract/report.ts';
import { exitCode } from '../../src/grading/exit-code.ts';
import type { Rung } from '../../src/simulation/ladder.ts';
import { keepLook, MAX_REQUESTS_OF_ODDITY } from '../looks.ts';
import { isLaw } from '../mutant.ts';
import { contractsDueWhole, idOfContractCase, SERVERS } from './all-cases.ts';
import type { ContractCase } from './cases.ts';
import { type Asking, failedIn, rowsOf, violationsIn } from './in-memory.ts';

type CaseOf<Server extends keyof typeof SERVERS> = (typeof SERVERS)[Server][number];

/** Declares one test for each case of the server, and prints how many of them all clauses judge. `judgedBy`: the run of a case. */
export function contractTable<Server extends keyof typeof SERVERS>(
  server: Server,
  judgedBy: (one: CaseOf<Server>, asking: Asking) => Promise<Report>,
): void {
  const cases: readonly CaseOf<Server>[] = SERVERS[server];
  const whole = new Set(contractsDueWhole(cases));
  const rowsAre = (is: ContractCase<unknown>['is']) =>
    cases.flatMap((one) =>
      one.is === is ? [[one.clause, `${one.style ?? ''} ${one.text}`.trim(), one] as const] : [],
    );
  const judged = async (one: CaseOf<Server>): Promise<Report> => {
    const [rung, asking] = whole.has(one) ? (['all', {}] as const) : closelyEnough(one);
    const report = await judgedBy(one, asking);
    keepLook({ id: idOfContractCase(server, one), rung });
    return report;
  };
  afterAll(() => {
    process.stdout.write(`\ncases of ${server}: ${cases.length}, of which all clauses judge ${whole.size}\n`);
  });
  describe(`${server}, case by case,`, () => {
    it.each(rowsAre('defect'))('fails by %s: %s', async (clause, _text, one) => {
      const report = await judged(one);
      expect([exitCode(report), failedIn(report)]).toEqual([1, expect.arrayContaining([clause])]);
    });

    it.each(rowsAre('oddity'))('is not blamed by %s: %s', async (clause, _text, one) => {
      const report = await judged(one);
      expect(violationsIn(report)).toEqual([]);
      // A family that judges descriptions alone comes to no verdict.
      expect(whole.has(one) ? [0] : [0, 3]).toContain(exitCode(report));
      expect(rowsOf(report, clause)).toEqual([`${clause} pass`]);
    });
  });
}

function closelyEnough({ is, clause }: ContractCase<unknown>): readonly [Rung, Asking] {
  if (is === 'defect') return ['clause', { clauses: [clause], isUntilBreach: true }];
  const family = clause.slice(0, clause.indexOf('-') + 1);
  const clauses = CLAUSES.map(({ id }) => id).filter((id) => id.startsWith(family));
  return ['family', isLaw(clause) ? { clauses } : { clauses, budget: MAX_REQUESTS_OF_ODDITY }];
}
