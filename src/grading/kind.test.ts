import { expect, it } from 'vitest';
import type { Clause, Level } from '../contract/clause.ts';
import type { Weight } from '../contract/judgement.ts';
import { kindOf } from './kind.ts';

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
