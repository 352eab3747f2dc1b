// Numbers are told with separators, and what follows them agrees.
import { expect, test } from 'vitest';
import { allHold, number, plural } from './numbers.ts';

test('tells numbers with separators, and nothing else in them', () => {
  expect([0, 7, 999, 1000, 1_234_567, 99.5].map(number)).toEqual(['0', '7', '999', '1,000', '1,234,567', '99.5']);
});

test('puts the noun, and the verb with it, into the number of the count', () => {
  expect([0, 1, 2].map((count) => plural(count, 'operation'))).toEqual(['0 operations', '1 operation', '2 operations']);
  expect([1, 2].map((count) => plural(count, 'clause holds', 'clauses hold'))).toEqual([
    '1 clause holds',
    '2 clauses hold',
  ]);
  expect([1, 2].map((count) => allHold(count, 'clause tested', 'clauses tested'))).toEqual([
    'the one clause tested holds',
    'all 2 clauses tested hold',
  ]);
});
