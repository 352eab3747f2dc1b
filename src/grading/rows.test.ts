import { describe, expect, it } from 'vitest';
import type { Clause, Level } from '../contract/clause.ts';
import { clauseById } from '../contract/clauses.ts';
import { clauseRow, emptyTally, operationClause, type Tally } from './rows.ts';

const clause = (level: Level = 'must'): Clause => ({
  id: 'REQ-02',
  family: 'REQ',
  level,
  text: clauseById('REQ-02').text,
  tolerance: '',
});
const tally = (changes: Partial<Tally> = {}): Tally => ({ ...emptyTally(), ...changes });
const absence = { reasonCode: 'precondition', reason: 'no occasion' } as const;
const row = (tallies: Record<string, Tally>, level: Level = 'must', asMust = false, why: typeof absence = absence) =>
  clauseRow(clause(level), new Map(Object.entries(tallies)), why, { judgedAsMust: asMust });

describe('a clause row', () => {
  it('adds up operations, and counts only operations in scope', () => {
    const here = tally({ checks: 3, advisories: 1, grounds: { answers: 4 } });
    expect(row({ '': tally({ checks: 2, grounds: { answers: 2 } }), a: here, b: tally() })).toEqual({
      id: 'REQ-02',
      level: 'must',
      status: 'pass',
      checks: 5,
      violations: 0,
      advisories: 1,
      operationsInScope: 2,
      operationsTested: 1,
      basis: '6 answers of one operation',
      grounds: { sums: { answers: 6 } },
    });
  });

  it.each([
    ['must', { violations: 1 }, false, 'fail'],
    ['must', { advisories: 4 }, false, 'pass'],
    ['should', { advisories: 4 }, false, 'pass'],
    ['should', { violations: 1 }, false, 'fail'],
    ['discover', {}, false, 'observed'],
    ['discover', {}, true, 'pass'],
    ['discover', { violations: 1 }, true, 'fail'],
  ] as [Level, Partial<Tally>, boolean, string][])(
    'of a %s clause with %j, as must: %s, is %s',
    (level, changes, asMust, status) => {
      expect(row({ a: tally({ checks: 1, ...changes }) }, level, asMust).status).toBe(status);
    },
  );

  it('without a check is never pass: it gives the reason that most operations share', () => {
    const budget = tally({ reasonCode: 'budget', reason: 'spent' });
    const credential = tally({ reasonCode: 'no-credential', reason: 'no token' });
    expect(row({ a: credential, b: budget, c: budget })).toMatchObject({
      status: 'not-tested',
      reasonCode: 'budget',
      reason: 'spent',
      checks: 0,
    });
    expect(row({})).toMatchObject({ status: 'not-tested', ...absence });
    expect(row({ a: tally() })).toMatchObject({ status: 'not-tested', ...absence });
  });

  it('tells the reasons of all operations, those that most share first', () => {
    const because = (reason: string) => tally({ reasonCode: 'precondition', reason });
    const [plain, full] = [because('no operation changes an item in part'), because('limits.created is reached')];
    const { reason } = row({ a: full, b: plain, c: plain });
    expect(reason).toBe('no operation changes an item in part; limits.created is reached');
    const many = row(Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, because(name)])));
    expect(many.reason).toBe('a; b; c; 2 further reasons');
  });

  it('says no reason once something was checked', () => {
    const mixed = row({ a: tally({ checks: 1 }), b: tally({ reasonCode: 'budget', reason: 'spent' }) });
    expect(mixed.status).toBe('pass');
    expect(mixed).not.toHaveProperty('reasonCode');
  });

  it('is not applicable exactly where nothing is declared', () => {
    const undeclared = clauseRow(
      clause(),
      new Map(),
      { reasonCode: 'not-declared', reason: 'none declared' },
      { judgedAsMust: false },
    );
    expect(undeclared).toMatchObject({ status: 'not-applicable', reasonCode: 'not-declared' });
  });
});

describe('a clause on one operation', () => {
  it.each([
    ['must', tally({ checks: 1 }), 'pass'],
    ['must', tally({ checks: 1, violations: 1 }), 'fail'],
    ['should', tally({ checks: 1, advisories: 1 }), 'pass'],
    ['discover', tally({ checks: 1 }), 'observed'],
    ['must', tally(), 'not-tested'],
  ] as [Level, Tally, string][])('of level %s with %j is %s', (level, given, status) => {
    expect(operationClause(clause(level), given, { judgedAsMust: false }).status).toBe(status);
  });

  it('has a reason exactly where it was not tested', () => {
    expect(operationClause(clause(), tally({ reasonCode: 'budget' }), { judgedAsMust: false }).reasonCode).toBe(
      'budget',
    );
    expect(operationClause(clause(), tally(), { judgedAsMust: false }).reasonCode).toBe('precondition');
    expect(
      operationClause(clause(), tally({ checks: 1, reasonCode: 'budget' }), { judgedAsMust: false }),
    ).not.toHaveProperty('reasonCode');
  });
});
