import { describe, expect, test } from 'vitest';
import { sampleReport } from '../../test/support/reporters/sample-report.ts';
import type { Report } from '../contract/report.ts';
import { familyBases, shortIds } from './basis.ts';

const report = sampleReport();
const withBasis = (basisById: Readonly<Record<string, string>>): Report => ({
  ...report,
  clauses: report.clauses.map((row) => {
    const basis = basisById[row.id];
    return basis === undefined ? row : { ...row, status: 'pass' as const, basis };
  }),
});

describe('what passes rest on', () => {
  test('is told by family, each basis once with its clauses', () => {
    const [pag] = familyBases(withBasis({ 'PAG-04': '3 lists', 'PAG-05': '3 lists', 'PAG-09': 'a list of 57 items' }));
    expect(pag).toEqual({
      family: 'PAG',
      held: '3 of 15',
      bases: [
        { basis: '3 lists', ids: ['PAG-04', 'PAG-05'] },
        { basis: 'a list of 57 items', ids: ['PAG-09'] },
      ],
    });
  });

  test('is silent on rows that failed', () => {
    const failed = withBasis({ 'PAG-04': '3 lists' });
    const clauses = failed.clauses.map((row) => (row.id === 'PAG-04' ? { ...row, status: 'fail' as const } : row));
    expect(familyBases({ ...failed, clauses })).toEqual([]);
  });

  test('names a family once in a list of clauses', () => {
    expect(shortIds(['PAG-04', 'PAG-05', 'PAG-10'])).toBe('PAG-04, -05, -10');
  });
});
