import { expect, test } from 'vitest';
import { SEVERITIES } from './clauses/entry.ts';
import { CLAUSES, repairOf } from './clauses.ts';
import { severityOf, severityRank } from './severity.ts';

test('every clause has a severity and a sentence on its repair', () => {
  for (const { id } of CLAUSES) {
    expect(SEVERITIES, id).toContain(severityOf(id));
    expect(repairOf(id), `${id} needs a sentence on its repair`).toMatch(/^[A-Z].*\.$/);
  }
});

test('causes stand in the order of their gravity', () => {
  const codes = [
    ['AUTH-01', 'auth-01.deletes.no-token'],
    ['REQ-09', 'req-09.dropped'],
    ['AUTH-08', 'auth-08.read-allowed'],
    ['SCH-06', 'sch-06.answered-500.sound'],
    ['AUTH-02', 'auth-02.accepted.alg-none'],
    ['IDEM-03', 'idem-03.several-effects'],
    ['SCH-06', 'sch-06.answered-500.invalid'],
    ['SCH-06', 'sch-06.answered-500.hostile'],
    ['SCH-01', 'sch-01.required'],
    ['ERR-04', 'err-04.differs'],
  ] as const;
  const inOrder = codes.toReversed().toSorted(([one, a], [other, b]) => severityRank(one, a) - severityRank(other, b));
  expect(inOrder).toEqual(codes);
});

test('what drops a connection is a crash, whatever was sent; what is answered 5xx is not', () => {
  const crash = severityRank('REQ-09', 'req-09.dropped');
  expect(severityRank('REQ-09', 'req-09.dropped.hostile.long-array')).toBe(crash);
  expect(severityRank('REQ-09', 'req-09.answered-5xx.hostile.nul')).toBe(
    severityRank('SCH-06', 'sch-06.answered-500.hostile'),
  );
});

test('what is served below a parent that is not there weighs as data of others do, and spoiled input as schemas do', () => {
  expect(severityRank('REQ-02', 'req-02.below-unknown')).toBe(severityRank('AUTH-08', 'auth-08.read-allowed'));
  expect(severityRank('REQ-04', 'req-04.accepted.wrong-type')).toBe(severityRank('SCH-01', 'sch-01.type'));
});

test('a failure whose request no code tells, under the contract of the platform, is one of sound requests', () => {
  expect(severityRank('SCH-06', 'sch-06.answered-500')).toBe(severityRank('SCH-06', 'sch-06.answered-500.sound'));
  expect(severityRank('SCH-06')).toBeLessThan(severityRank('AUTH-02'));
});

test('a request that is let in weighs more than one that is refused in another form', () => {
  expect(severityRank('AUTH-02', 'auth-02.accepted.alg-none')).toBeLessThan(
    severityRank('AUTH-02', 'auth-02.not-401.alg-none'),
  );
});

test("a clause of a user's own is on a par with schemas", () => {
  expect(severityOf('X-01')).toBe('schema');
  expect(repairOf('X-01')).toBe('');
});
