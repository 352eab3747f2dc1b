import { expect, test } from 'vitest';
import { CLAUSES } from '../../contract/clauses.ts';
import { collectClause } from './options.ts';

test('--clause takes a family for all of its clauses, in any case, and each clause once', () => {
  const ofPages = CLAUSES.filter(({ family }) => family === 'PAG').map(({ id }) => id);
  expect(ofPages.length).toBeGreaterThan(1);
  expect(collectClause('pag', ['ERR-04', 'PAG-06'])).toEqual([
    'ERR-04',
    'PAG-06',
    ...ofPages.filter((id) => id !== 'PAG-06'),
  ]);
  expect(collectClause('err-04', [])).toEqual(['ERR-04']);
  expect(collectClause('X-CACHE-01', [])).toEqual(['X-CACHE-01']);
  expect(() => collectClause('PAQ', [])).toThrow('the contract has no clause PAQ (did you mean "PAG"?)');
});
