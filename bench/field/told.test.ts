// The comparison of what a run tells of a product with what a person judged: every change is seen.
import { expect, test } from 'vitest';
import type { Finding } from '../../src/contract/report.ts';
import { besideLine, besideOf } from './beside.ts';
import { causesOf, compare, type Verdict } from './told.ts';

const finding = (clause: string, code: string, operation: string, kind = 'violation') =>
  ({ clause, code, operation, kind }) as Finding;
const TOLD = causesOf([
  finding('SCH-09', 'sch-09.undescribed', 'GET /a', 'advisory'),
  finding('SCH-06', 'sch-06.crash', 'GET /b'),
  finding('SCH-06', 'sch-06.crash', 'GET /a'),
  finding('SCH-06', 'sch-06.crash', 'GET /a'),
  finding('AUTH-07', 'auth-07.tells', 'GET /a', 'observation'),
]);

test('findings with one code are one cause, violations first, observations left out', () => {
  expect(TOLD).toEqual([
    { clause: 'SCH-06', code: 'sch-06.crash', kind: 'violation', operations: ['GET /a', 'GET /b'] },
    { clause: 'SCH-09', code: 'sch-09.undescribed', kind: 'advisory', operations: ['GET /a'] },
  ]);
});

test('a cause that nobody judged, one that is false and one that is gone are told apart', () => {
  const verdict = (clause: string, code: string, is: Verdict['is']): Verdict => ({ clause, code, is, why: '' });
  const falsified = verdict('SCH-06', 'sch-06.crash', 'false');
  const gone = verdict('ERR-04', 'err-04.differs', 'true');
  const wavering: Verdict = { ...verdict('SCH-06', 'sch-06.now-and-then', 'true'), shows: 'now and then' };
  const elsewhere: Verdict = { ...verdict('SCH-06', 'sch-06.crash', 'true'), on: 'GET /c' };
  const known = [gone, elsewhere, { ...elsewhere, on: 'GET /b' }, wavering, verdict('PAG-06', 'pag-06.twice', 'false')];
  const { unread, falselyTold, missing } = compare(TOLD, known);
  expect(unread.map(({ code }) => code)).toEqual(['sch-09.undescribed']);
  expect(falselyTold).toEqual([]);
  expect(compare(TOLD, [falsified]).falselyTold.map(({ code }) => code)).toEqual(['sch-06.crash']);
  expect(missing).toEqual([gone, elsewhere]);
});

test('what Schemathesis tells is laid beside what is told of the same kind on the same operation', () => {
  const failure = (code: string, ...operations: readonly string[]) => ({ code, title: code, operations });
  const [crash, deleted, unknown] = besideOf(
    [failure('ST101', 'GET /a', 'GET /c'), failure('ST301', 'Stateful tests'), failure('ST202', 'GET /a')],
    [finding('SCH-06', 'sch-06.crash', 'GET /a'), finding('LIFE-04', 'life-04.still-served', 'GET /b', 'advisory')],
  );
  expect(besideLine(crash!)).toBe('ST101 ST101: on 2, told by Assay on 1; alone GET /c');
  expect(deleted).toMatchObject({ both: ['Stateful tests'], alone: [] });
  expect(unknown).toMatchObject({ both: [], alone: ['GET /a'] });
});
