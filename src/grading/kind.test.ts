import { describe, expect, it } from 'vitest';
import type { Clause, Level } from '../contract/clause.ts';
import { breached, holds, type Weight } from '../contract/judgement.ts';
import { boundTo, kindOf } from './kind.ts';

const clause = (level: Level): Clause => ({ id: 'REQ-08', family: 'REQ', level, text: '', tolerance: '' });
const none = { promote: [], expected: [] };
const promoted = { promote: ['REQ-08'], expected: [] };
const expected = { promote: [], expected: ['REQ-08'] };
const other = { promote: ['REQ-09'], expected: ['REQ-09'] };

const rows: [Level, Weight, typeof none | typeof other, string][] = [
  ['must', 'breach', none, 'violation'],
  ['must', 'advisory', none, 'advisory'],
  ['must', 'observation', none, 'observation'],
  ['should', 'breach', none, 'advisory'],
  ['should', 'advisory', none, 'advisory'],
  ['should', 'breach', other, 'advisory'],
  ['discover', 'breach', none, 'observation'],
  ['discover', 'observation', none, 'observation'],
  ['should', 'breach', promoted, 'violation'],
  ['must', 'advisory', promoted, 'violation'],
  ['must', 'observation', promoted, 'observation'],
  ['discover', 'breach', expected, 'violation'],
  ['discover', 'observation', expected, 'observation'],
  ['discover', 'breach', other, 'observation'],
];

it.each(rows)('a %s clause and the weight %s under %j make a %s', (level, weight, rules, kind) => {
  expect(kindOf(clause(level), weight, rules)).toBe(kind);
});

describe('the laws of keys', () => {
  const breach = { weight: 'breach', code: 'c', cause: 'c', message: 'm', expected: 'e', actual: 'a' } as const;
  const broken = breached([breach], 3);
  const rules = { bindsKeys: (operation: string) => operation === 'POST /orders' };

  it('bind what they are said to bind, and everything where nothing is said', () => {
    expect(boundTo('IDEM-01', 'POST /orders', broken, rules)).toBe(broken);
    expect(boundTo('IDEM-01', 'POST /orders', holds(), rules)).toEqual(holds());
    expect(boundTo('IDEM-01', 'POST /carts', broken, {})).toBe(broken);
  });

  it('observe another operation that takes keys, and let nothing pass there', () => {
    for (const clause of ['IDEM-01', 'IDEM-02', 'IDEM-03', 'IDEM-04', 'IDEM-05']) {
      const observed = breached([{ ...breach, weight: 'observation' }], 0);
      expect(boundTo(clause, 'POST /carts', broken, rules)).toEqual(observed);
      expect(boundTo(clause, 'POST /carts', holds(), rules)).toMatchObject({
        kind: 'cannot-tell',
        reasonCode: 'not-declared',
      });
    }
  });

  it('bind others to take the header silently', () => {
    expect(boundTo('IDEM-06', 'POST /carts', broken, rules)).toBe(broken);
  });
});
