// A narrowed run performs what its clauses are judged on, and nothing that the contract does not have.
import { expect, test } from 'vitest';
import { wantedBy } from './supporting-experiments.ts';

const all = { possible: () => true, wantsAll: false };

test.each([
  [['ERR-06'], ['REQ-02'], true],
  [['SCH-06'], ['REQ-04', 'REQ-05'], true],
  [['PAG-11'], ['PAG-08', 'PAG-12'], true],
  [['PAG-08'], ['PAG-07'], false],
  [['RATE-05'], ['RATE-03'], true],
  [['SPEC-04'], ['AUTH-06'], true],
  [['SPEC-04'], ['AUTH-01'], false],
  [['SCH-01'], ['RATE-03'], false],
  [['SCH-01'], [], true],
])('a run of %j and an experiment for %j: %s', (inRun, clauses, wanted) => {
  expect(wantedBy({ ...all, inRun })(clauses)).toBe(wanted);
});

test('clauses of the user want any answer that a whole run would bring about', () => {
  const wanted = wantedBy({ inRun: ['X-01'], possible: (clause) => clause !== 'INT-01', wantsAll: true });
  expect([wanted(['REQ-02']), wanted(['PAG-08']), wanted(['INT-01'])]).toEqual([true, true, false]);
});
