import { describe, expect, test } from 'vitest';
import { sampleReport } from '../../test/support/reporters/sample-report.ts';
import type { Report } from '../contract/report.ts';
import { familyBases, shortIds } from './basis.ts';
import { renderMarkdown } from './formats/markdown.ts';
import { renderHtml } from './html/html.ts';
import { summarise } from './terminal/terminal.ts';

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
      advised: [],
      bases: [
        { basis: '3 lists', ids: ['PAG-04', 'PAG-05'] },
        { basis: 'a list of 57 items', ids: ['PAG-09'] },
      ],
    });
  });

  test('names the clauses that hold with advisories', () => {
    const passed = withBasis({ 'PAG-04': '3 lists', 'PAG-05': '3 lists' });
    const clauses = passed.clauses.map((row) => (row.id === 'PAG-04' ? { ...row, advisories: 2 } : row));
    expect(familyBases({ ...passed, clauses })[0]?.advised).toEqual(['PAG-04']);
    const advised = { ...passed, clauses, verdict: 'pass' as const, findings: [] };
    expect(summarise(advised, {}, { color: false, width: 10_000 })).toContain('PAG-04 with advisories');
    expect(renderMarkdown(advised)).toContain('(1 with advisories)');
    const page = renderHtml(advised);
    expect(page).toContain('of these with advisories');
    expect([...page.matchAll(/chip advisory">([^<]*)/g)].map(([, word]) => word)).toContain('holds, with advisories');
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
