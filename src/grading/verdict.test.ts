import { expect, it } from 'vitest';
import type { ClauseRow, Report, Verdict } from '../contract/report.ts';
import { exitCode } from './exit-code.ts';
import { type Circumstances, verdictOf, verdictOnReplay } from './verdict.ts';

const row = (changes: Partial<ClauseRow> = {}): ClauseRow => ({
  id: 'REQ-02',
  level: 'must',
  status: 'pass',
  checks: 1,
  violations: 0,
  advisories: 0,
  operationsInScope: 1,
  operationsTested: 1,
  ...changes,
});
const whole: Circumstances = {
  broken: false,
  checksOnAnswers: 1,
  operationsSucceeded: 1,
  operationsTested: 3,
  minOperations: null,
};
const failing = row({ violations: 1, status: 'fail' });

const rows: [string, readonly ClauseRow[], Partial<Circumstances>, Verdict, number][] = [
  ['everything that was tested holds', [row(), row({ checks: 0 })], {}, 'pass', 0],
  ['advisories alone', [row({ advisories: 5 })], {}, 'pass', 0],
  ['a violation', [row(), failing], {}, 'fail', 1],
  ['a violation of a should clause that is promoted', [row(), { ...failing, level: 'should' }], {}, 'fail', 1],
  ['a violation before the target was lost', [failing], { broken: true }, 'fail', 1],
  ['a lost target', [row()], { broken: true }, 'none', 3],
  ['nothing checked', [row({ checks: 0 })], {}, 'none', 3],
  ['no row', [], {}, 'none', 3],
  ['should clauses alone', [row({ level: 'should' })], { checksOnAnswers: 0 }, 'none', 3],
  ['a should clause that is promoted, alone', [row({ level: 'should' })], {}, 'pass', 0],
  ['an expectation alone', [row({ id: 'AUTH-08', level: 'discover' })], {}, 'pass', 0],
  [
    'an expectation alone, in a shard',
    [row({ id: 'AUTH-08', level: 'discover' })],
    { checksOnAnswers: null },
    'pass',
    0,
  ],
  ['what is observed alone', [row({ level: 'discover', status: 'observed' })], { checksOnAnswers: null }, 'none', 3],
  ['descriptions alone', [row({ id: 'SPEC-01' })], { checksOnAnswers: 0 }, 'none', 3],
  ['a description that is broken', [failing], { checksOnAnswers: 0 }, 'fail', 1],
  ['no operation that answered with a success', [row()], { operationsSucceeded: 0 }, 'none', 3],
  ['a violation, and no success', [failing], { operationsSucceeded: 0 }, 'fail', 1],
  ['what older reports do not tell', [row()], { checksOnAnswers: null, operationsSucceeded: null }, 'pass', 0],
  ['fewer operations than demanded', [row()], { minOperations: 4 }, 'none', 3],
  ['as many operations as demanded', [row()], { minOperations: 3 }, 'pass', 0],
  ['a violation on too few operations', [failing], { minOperations: 4 }, 'fail', 1],
];

it.each(rows)('%s', (_name, table, changes, verdict, code) => {
  expect(verdictOf(table, { ...whole, ...changes })).toBe(verdict);
  expect(exitCode({ verdict } as Report)).toBe(code);
});

it.each([
  ['the finding shows', [failing], false, 'fail'],
  ['it shows before the target was lost', [failing], true, 'fail'],
  ['its clause was judged without it', [row(), row({ checks: 0 })], false, 'pass'],
  ['its clause should hold, and was judged', [row({ level: 'should' })], false, 'pass'],
  ['it was not looked at to the end', [row()], true, 'none'],
  ['its clause was not judged', [row({ checks: 0 })], false, 'none'],
] as [string, readonly ClauseRow[], boolean, Verdict][])('a replay where %s', (_name, table, isBroken, verdict) => {
  expect(verdictOnReplay(table, { isBroken })).toBe(verdict);
});
