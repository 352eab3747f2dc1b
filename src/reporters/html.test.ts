import { describe, expect, test } from 'vitest';
import { CLAUSES } from '../contract/clauses.ts';
import { renderHtml } from './html.ts';
import { manyOperations } from './many-operations.ts';
import { sampleReport } from './sample-report.ts';

const page = renderHtml(sampleReport());

describe('index.html', () => {
  test('is the same text for the same report', () => {
    expect(renderHtml(sampleReport())).toBe(page);
  });

  const has = (text: string) => expect(page.includes(text), text).toBe(true);

  test('says the verdict, that the run is partial, and what was tested of what', () => {
    has('The platform breaks its contract: 3 clauses fail on 6 operations.');
    has('<strong>Partial run.</strong>');
    has('5 of 7 operations');
  });

  test('has one script, its own, and no markup from the target', () => {
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toContain('<img');
    expect(page.match(/<\/script>/g)).toHaveLength(1);
    // Values cannot hold ">" or quotes unescaped, so that tags can be told by a pattern.
    for (const [tag] of page.matchAll(/<[a-z][^>]*>/g)) expect(tag).not.toMatch(/\son[a-z]+=(?=[^"]*("[^"]*"[^"]*)*$)/);
  });

  test('loads nothing from anywhere', () => {
    has("default-src 'none'");
    const tags = [...page.matchAll(/<[a-z][^>]*>/g)].map(([tag]) => tag);
    for (const tag of tags) expect(tag).not.toMatch(/^<(link|img|iframe|object|embed|base)|\s(src|action)=/);
    expect(page.split('</style>')[0]).not.toMatch(/url\(|@import/);
  });

  test('shows control characters and those that reorder text by their numbers', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be left.
    expect(page.match(/[\u0000-\u0008\u000b-\u001f\u202e]/)).toBeNull();
    has('⟨U+001B⟩[31mred');
    expect(page.isWellFormed()).toBe(true);
  });

  test('has one row a clause and every id once, and each link of the page leads to one', () => {
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map((match) => match[1]!);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id } of CLAUSES) expect(page.split(`<tr id="${id}"`)).toHaveLength(2);
    for (const [, target] of page.matchAll(/ href="#([^"]*)"/g)) expect(ids).toContain(target);
  });

  test('each finding has its deep link', () => {
    for (const { fingerprint } of sampleReport().findings) has(` id="f-${fingerprint}"`);
  });

  test('evidence keeps digits and repeated members as they were sent', () => {
    has('&quot;big&quot;: 12345678901234567890,\n    &quot;n&quot;: 1,\n    &quot;n&quot;: 2');
  });

  test('tables what the source does not show: a row a value, with its places, how sure it is, and its evidence', () => {
    has('What the source does not show'.toLowerCase());
    const table = page.slice(page.indexOf('id="observations"'), page.indexOf('id="clauses"'));
    expect(table.match(/<tr data-item/g)).toHaveLength(6);
    expect(table.match(/<summary>7 operations<\/summary>/g)).toHaveLength(1);
    expect(table).toMatch(/sureness cannot-tell">cannot tell</);
    expect(table).toContain('key std-1, plan standard');
    expect(table).toContain('<a href="#f-err11-1">evidence</a>');
    expect(table).toContain('<summary>Evidence: the findings behind this table</summary>');
  });

  test('a report of before the table shows its observations as findings', () => {
    const { observations: _, ...old } = sampleReport();
    const shown = renderHtml(old);
    expect(shown).toContain('What the source does not show and this platform does. Not judged.');
    expect(shown).toContain(' id="f-err11-1"');
  });

  test('long strings are cut and the cut is said', () => {
    expect(page.length).toBeLessThan(300_000);
    has('characters more]');
  });

  test('a whole platform with 5,000 findings stays below 10 MB', () => {
    expect(renderHtml(manyOperations(1674, 5000)).length).toBeLessThan(10_000_000);
  });

  test('a report without findings reads calmly', () => {
    const { findings: _, ...rest } = sampleReport();
    const clauses = rest.clauses.map((row) =>
      row.status === 'fail' ? { ...row, status: 'pass' as const, violations: 0 } : row,
    );
    const calm = renderHtml({ ...rest, clauses, findings: [], observations: [], verdict: 'pass' });
    expect(calm).toContain('The platform keeps its contract: all 50 clauses tested hold.');
    expect(calm).toContain('No violation.');
  });
});
