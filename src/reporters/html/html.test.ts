import { describe, expect, test } from 'vitest';
import { manyOperations } from '../../../test/support/reporters/many-operations.ts';
import { unpacked } from '../../../test/support/reporters/pages.ts';
import { sampleReport } from '../../../test/support/reporters/sample-report.ts';
import { CLAUSES } from '../../contract/clauses.ts';
import { renderEvidence, renderHtml } from './html.ts';

const rendered = renderHtml(sampleReport());
const { shell, folds, whole: page } = unpacked(rendered);
const causes = [...renderEvidence(sampleReport())];

describe('index.html', () => {
  test('is the same text for the same report', () => {
    expect(renderHtml(sampleReport())).toBe(rendered);
  });

  const has = (text: string) => expect(page.includes(text), text).toBe(true);

  test('says the verdict, that the run is partial, and what was tested of what', () => {
    has('The target breaks its contract: 3 clauses fail on 6 operations.');
    has('<strong>Partial run:</strong>');
    has('5 of 7 operations');
  });

  test('has one script, its own, two packed texts, and no markup from the target', () => {
    expect(page.match(/<script(?! type="text\/plain")/g)).toHaveLength(1);
    expect(page.match(/<script/g)).toHaveLength(3);
    expect(page).not.toContain('<img');
    expect(page.match(/<\/script>/g)).toHaveLength(3);
    // Values cannot hold ">" or quotes unescaped, so that tags can be told by a pattern.
    const markup = page.replace(/<script>[\s\S]*?<\/script>/, '');
    for (const [tag] of markup.matchAll(/<[a-z][^>]*>/g))
      expect(tag).not.toMatch(/\son[a-z]+=(?=[^"]*("[^"]*"[^"]*)*$)/);
  });

  test('loads nothing from anywhere', () => {
    has("default-src 'none'");
    const markup = page.replace(/<script>[\s\S]*?<\/script>/, '');
    const tags = [...markup.matchAll(/<[a-z][^>]*>/g)].map(([tag]) => tag.replace(/"[^"]*"/g, '""'));
    for (const tag of tags) expect(tag).not.toMatch(/^<(link|img|iframe|object|embed|base)|\s(src|action)=/);
    expect(shell.split('</style>')[0]).not.toMatch(/url\(|@import/);
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

  test('packs away what is not seen at first, each fold with its place', () => {
    const places = [...shell.matchAll(/ data-fold="(\d+)"/g)].map((match) => Number(match[1]));
    expect(places.toSorted((left, right) => left - right)).toEqual(folds.map((_, index) => index));
    expect(folds.join('')).not.toContain('data-fold');
  });

  test('each finding has its deep link', () => {
    for (const { fingerprint } of sampleReport().findings) has(` id="f-${fingerprint}"`);
  });

  test('evidence keeps digits and repeated members as they were sent', () => {
    has('&quot;big&quot;: 12345678901234567890,\n    &quot;n&quot;: 1,\n    &quot;n&quot;: 2');
  });

  test('tables what the source does not show: a row a value, with its places, how sure it is, and its evidence', () => {
    has('behaviour found, not judged');
    const table = page.slice(page.indexOf('id="observations"'), page.indexOf('id="coverage"'));
    expect(table.match(/<tr data-item/g)).toHaveLength(6);
    expect(table.match(/<summary>7 operations<\/summary>/g)).toHaveLength(1);
    expect(table).toMatch(/sureness cannot-tell">cannot tell</);
    expect(table).toContain('key std-1, plan standard');
    expect(table).toContain('<a href="#f-err11-1">evidence</a>');
    expect(table).toContain('<summary>Evidence: the findings behind this table</summary>');
  });

  test('counts observations alike in the bar and among the figures', () => {
    const { observations = [] } = sampleReport();
    const bar = /href="#observations">(?:[^<]|<(?!\/a))*?([\d,]+)/.exec(page)?.[1];
    const figure = /([\d,]+)<\/b>\s*observations/.exec(page)?.[1];
    expect(observations.length).toBeGreaterThan(1);
    expect([bar, figure]).toEqual([String(observations.length), String(observations.length)]);
  });

  test('a report of before the table shows its observations as findings', () => {
    const { observations: _, ...old } = sampleReport();
    const shown = unpacked(renderHtml(old)).whole;
    expect(shown).toContain('The contract leaves it open, and this target does it so. Not judged.');
    expect(shown).toContain(' id="f-err11-1"');
  });

  test('long strings are cut and the cut is said', () => {
    expect(page.length).toBeLessThan(300_000);
    for (const [, cause] of causes) expect(unpacked(cause).whole.length).toBeLessThan(200_000);
    has('characters more]');
  });

  test('a whole platform with 5,000 findings stays below 10 MB', () => {
    expect(renderHtml(manyOperations(1674, 5000)).length).toBeLessThan(10_000_000);
  });

  test('tells what changed since the last run', () => {
    has('1 new, 2 gone.');
    has('1 it had was not looked for this time.');
    expect(page).toMatch(/<em>new<\/em> <a href="#f-sch01-1">/);
    // Beside the cause, which is shown whole: the text below it is cut off after two lines.
    expect(page).toMatch(/<span class="cause">[^<]*<em>new<\/em><\/span>/);
  });

  test('marks the line that a finding points to, with what was expected there', () => {
    has('<mark>    &quot;status&quot;: 500,<ins>expected 404, the HTTP status</ins></mark>');
  });

  test('names each family with its source, and says what of the descriptions was met', () => {
    has('Source: Errors; Error object fields; Code catalogue');
    has('parameters and bodies sent');
    has('not met: 503');
  });

  test('a cause whose evidence does not fit has a page with all of it; no other has', () => {
    const links = [...page.matchAll(/href="(evidence\/[^"]+)"/g)].map((match) => match[1]);
    expect(causes.map(([path]) => path)).toEqual(links);
    expect(links).toHaveLength(1);
    const { whole, shell: top } = unpacked(causes[0]![1]);
    expect(top.match(/data-fold=/g)).toHaveLength(6);
    expect(whole).toContain(' id="f-err04-unknown-path"');
    expect(whole.match(/class="exchange"/g)).toHaveLength(6);
  });

  test('tells how earlier runs ended, and what comes and goes', () => {
    const part = page.slice(page.indexOf('id="history"'));
    expect(part.match(/<th scope="row" class="mono">202502/g)).toHaveLength(4);
    expect(part).toContain('2 of 4 runs');
    const { history, ...rest } = sampleReport();
    const alone = { ...rest, history: { runs: history!.runs.slice(-1), flaky: [] } };
    expect(renderHtml(alone)).not.toContain('id="history"');
    const untimed = history!.runs.map(({ p50Ms: _p50, p99Ms: _p99, ...run }) => run);
    expect(renderHtml({ ...rest, history: { runs: untimed, flaky: [] } })).toContain('id="history"');
  });

  test('an accepted violation is shown apart, with who answers for it, and every waiver with what became of it', () => {
    const waiver = {
      clause: 'ERR-04',
      operation: null,
      fingerprint: 'err04-0',
      reason: 'the gateway is replaced <b>',
      owner: 'Team A',
      ticket: 'T-12',
      expires: '2026-03-31',
    };
    const sample = sampleReport();
    const findings = sample.findings.map((one) => (one.fingerprint === 'err04-0' ? { ...one, waiver } : one));
    const acceptance = {
      failOn: 'any' as const,
      baseline: null,
      waivers: [
        { ...waiver, status: 'used' as const, violations: 1 },
        { ...waiver, fingerprint: 'err04-9', status: 'expired' as const, violations: 2 },
      ],
    };
    const { whole } = unpacked(renderHtml({ ...sample, findings, acceptance }));
    const [violations = '', accepted = ''] = whole.split('id="accepted"');
    expect(accepted).toContain('waived until 2026-03-31 by Team A: the gateway is replaced &lt;b&gt; (T-12)');
    expect(accepted).toContain('expired: what it waived counts again');
    expect(violations).toMatch(/class="tail">\s*4 operations/);
    const ids = [...whole.matchAll(/ id="([^"]*)"/g)].map((match) => match[1]!);
    expect(new Set(ids).size).toBe(ids.length);
    expect(page).not.toContain('id="accepted"');
  });

  test('a load part of another shape is left out, not tripped over', () => {
    for (const load of [null, 7, { plans: 'x' }, { plans: [null, 1], capacity: [] }]) {
      expect(renderHtml({ ...sampleReport(), load })).not.toContain('id="load"');
    }
    expect(page).toContain('id="load"');
  });

  test('a report without findings reads calmly', () => {
    const { findings: _, ...rest } = sampleReport();
    const clauses = rest.clauses.map((row) =>
      row.status === 'fail' ? { ...row, status: 'pass' as const, violations: 0 } : row,
    );
    const counts = { ...rest.counts, violations: 0, advisories: 0 };
    const calm = renderHtml({ ...rest, counts, clauses, findings: [], observations: [], verdict: 'pass' });
    const held = clauses.filter(({ status }) => status === 'pass').length;
    const extent = 'as far as tested, 7 of 9 operations, not to the end';
    expect(calm).toContain(`The target keeps its contract ${extent}: all ${held} clauses tested hold.`);
    expect(calm).toContain('What the pass rests on');
  });
});
