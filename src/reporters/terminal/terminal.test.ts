import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { manyOperations } from '../../../test/support/reporters/many-operations.ts';
import { SAMPLE_LOAD } from '../../../test/support/reporters/sample-measures.ts';
import { sampleReport } from '../../../test/support/reporters/sample-report.ts';
import type { Report } from '../../contract/report.ts';
import { accept } from '../../grading/acceptance.ts';
import { jsonSummary } from '../formats/printed.ts';
import { groupFindings } from '../grouping.ts';
import { summarise } from './terminal.ts';

const paths = { html: 'reports/r/index.html', json: 'reports/r/report.json', junit: 'reports/r/junit.xml' };
const plain = summarise(sampleReport(), paths, { color: false, width: 100 });

describe('groups of findings', () => {
  test('are one per kind, clause and cause, the most severe first, then the one on most operations', () => {
    const groups = groupFindings(sampleReport().findings);
    expect(groups.map(({ clause, operationCount }) => [clause, operationCount])).toEqual([
      ['SCH-01', 1],
      ['ERR-04', 5],
      ['SPEC-03', 0],
      ['SCH-08', 1],
      ['ERR-11', 1],
      ['SPEC-09', 0],
    ]);
    expect(groups[1]).toMatchObject({ occurrences: 21, intermittent: false });
    expect(groups[1]!.findings).toHaveLength(6);
  });

  test('count the same operation key of two services twice', () => {
    const model = sampleReport().findings[1]!;
    const [group] = groupFindings([model, { ...model, service: 'store' }]);
    expect(group).toMatchObject({ operationCount: 2, operations: ['GET /api/v1/themes'] });
  });
});

test.each([
  [2, '(intermittent, in 2 of 38 answers)'],
  [38, '(intermittent)'],
])('what does not always show, seen %i times in 38 answers, is told as %s', (times, told) => {
  const report = sampleReport();
  const seen = { times, of: 38, what: 'answers' } as const;
  const findings = report.findings.map((one) => (one.clause === 'SCH-01' ? { ...one, intermittent: true, seen } : one));
  expect(summarise({ ...report, findings }, paths, { color: false, width: 200 })).toContain(told);
});

test('a cause that a recording shows names the entries that show it, and one of a run that sends names none', () => {
  const report = sampleReport();
  const exchanges = report.exchanges.map((one, index) => ({ ...one, probe: `a.har#/log/entries/${index}` }));
  const [seen] = exchanges.filter(({ id }) => id === 'ex-12');
  const told = (command: 'check' | 'webhooks') =>
    summarise({ ...report, exchanges, run: { ...report.run, command } }, paths, { color: false, width: 100 });
  expect(told('check')).toContain(`            in ${seen?.probe}\n`);
  expect(told('webhooks')).not.toContain('a.har#');
});

describe('accepted violations', () => {
  const waiver = { operation: '*', fingerprint: null, reason: 'known', owner: 'Edge', ticket: null };
  const held = accept(sampleReport(), {
    waivers: [
      { ...waiver, clause: 'ERR-04', expires: '2026-12-31' },
      { ...waiver, clause: 'SCH-01', expires: '2025-12-31' },
    ],
    baseline: sampleReport(),
    failOn: 'any',
    allowsSecurity: false,
    today: '2026-01-01',
  });
  const [, said = ''] = summarise(held, paths, { color: false, width: 200 }).split('\nAccepted\n');
  const [accepted, ...others] = said.split('\n\n');
  const counted = others.join('\n\n');

  test('stand apart from those that count, with who answers for them', () => {
    expect(counted).toContain('FAIL  The target breaks its contract: 2 clauses fail');
    expect(counted).not.toMatch(/^ {2}ERR-04/m);
    expect(accepted).toMatch(/^ {2}ERR-04 .*5 operations.*\n +waived until 2026-12-31 by Edge: known\n/);
  });

  test('say which waivers expired, and what is resolved since the baseline', () => {
    expect(accepted).toContain('SCH-01    the waiver for * (Edge) expired on 2025-12-31: 1 violation counts again');
    expect(accepted).toContain('Against 20250301-101500-k3x9: 0 violations resolved');
  });

  test('leave a verdict that names them', () => {
    const all = accept(sampleReport(), {
      waivers: [],
      baseline: sampleReport(),
      failOn: 'new',
      allowsSecurity: false,
      today: '2026-01-01',
    });
    expect(summarise(all, paths, { color: false })).toMatch(
      /^PASS {2}Nothing new is broken against 20250301-101500-k3x9 as far as tested,\s+7 of 9 operations,\s+not\s+to\s+the\s+end: \d+\s+clauses hold, \d+\s+viol/m,
    );
  });
});

describe('the closing summary', () => {
  test('ends with what is broken, the verdict and the path of the report', () => {
    const [causes, verdict = '', report] = plain.split('\n\n').slice(-3);
    expect(causes).toMatch(/^\d+ violations, \d+ causes\n {2}SCH-01 /);
    const lines = verdict.split('\n');
    expect(lines[0]).toBe('FAIL  The target breaks its contract: 3 clauses fail on 6 operations.');
    expect(lines[1]).toContain('Partial: The request budget');
    expect(report).toBe('Report  reports/r/index.html');
  });

  test('tells what passes rest on where nothing is broken', () => {
    const whole = sampleReport();
    const clauses = whole.clauses.map((row) => ({ ...row, status: 'pass' as const, basis: '3 lists' }));
    const told = (verdict: 'fail' | 'pass') => summarise({ ...whole, clauses, verdict }, paths, { color: false });
    expect(told('fail')).not.toContain('Passes rest on');
    expect(told('pass')).toContain('Passes rest on');
  });

  test('tells what failed in Assay itself, before what was found', () => {
    const [, told = ''] = plain.split('Errors of Assay itself\n');
    const first = '  ERR-12: RangeError in a check (src/checks/err/err-12.ts:40), first on ex-1, 1,200 times';
    expect(told.split('\n')[0]).toBe(first);
    expect(plain.indexOf('Errors of Assay itself')).toBeLessThan(plain.indexOf('violations, '));
  });

  test('says a cause once, however many operations have it', () => {
    expect(plain.match(/error\.status differs/g)).toHaveLength(1);
    expect(plain).toContain('error.status differs from the HTTP status — 5 operations, e.g. GET /api/v1/themes');
  });

  test('says under each violation and advisory how one of them is shown again', () => {
    const command = 'npx assay conform --config a.yaml';
    const lines = summarise(sampleReport(), paths, { color: false, command }).split('\n');
    const shown = lines.filter((line) => line.includes('--replay')).map((line) => line.trim());
    const causes = ['advisory', 'violation'].flatMap((wanted) =>
      groupFindings(sampleReport().findings).filter(({ kind }) => kind === wanted),
    );
    expect(shown).toEqual(causes.map(({ findings }) => `${command} --replay ${findings[0]!.fingerprint}`));
  });

  test.each([
    [true, 'fail', 'FAIL  Shown again: ERR-04 on GET /api/v1/themes, with 14 requests.'],
    [false, 'pass', 'PASS  Not shown again: ERR-04 on GET /api/v1/themes holds, looked at with 14 requests.'],
    [false, 'none', 'NONE  No verdict: ERR-04 on GET /api/v1/themes could not be looked at again.'],
  ] as const)('of a replay (shown: %s, verdict %s) is about its finding alone', (shown, verdict, first) => {
    const replay = {
      fingerprint: 'f1',
      run: 'r1',
      clause: 'ERR-04',
      service: 'admin',
      operation: 'GET /api/v1/themes',
    };
    const whole = sampleReport();
    const report = {
      ...whole,
      run: { ...whole.run, partial: false, note: undefined },
      verdict,
      counts: { ...whole.counts, requests: 14 },
      findings: shown ? whole.findings.slice(0, 1) : [],
      replay: { ...replay, shown, others: shown ? 0 : 2 },
    } as unknown as Report;
    const lines = summarise(report, paths, { color: false, width: 100 }).split('\n');
    expect(lines).toContain(first);
    expect(lines.join('\n')).not.toContain('--replay');
    expect(lines.join('\n')).not.toContain('Not tested');
    expect(lines.join('\n').includes('2 other findings of ERR-04 showed on the way')).toBe(!shown);
    if (shown) expect(lines.join('\n')).toContain(whole.findings[0]!.message.slice(0, 20));
  });

  test('says in one line how many clauses other commands judge', () => {
    const rows = sampleReport().clauses.map((row, at) =>
      at < 3
        ? {
            ...row,
            status: 'not-tested' as const,
            reasonCode: 'other-command' as const,
            reason: at < 2 ? 'judged by assay webhooks' : 'judged by assay client',
          }
        : { ...row, reasonCode: undefined },
    ) as Report['clauses'];
    const lines = summarise({ ...sampleReport(), clauses: rows }, paths, { color: false, width: 200 });
    expect(lines).toContain(
      '3 clauses       not for this command: 2 judged by assay webhooks, 1 judged by assay client',
    );
    const asked = rows.filter(({ reasonCode }) => reasonCode !== 'other-command');
    expect(summarise({ ...sampleReport(), clauses: asked }, paths, { color: false })).not.toContain('not for this');
  });

  test('says below advisories what makes violations of them', () => {
    expect(plain).toContain('They count as violations with promote: [SCH-08] in the configuration.');
    const findings = sampleReport().findings.filter(({ kind }) => kind !== 'advisory');
    expect(summarise({ ...sampleReport(), findings }, paths, { color: false, width: 100 })).not.toContain('promote');
  });

  test('counts discovered behaviour in one line', () => {
    expect(plain).toContain(
      '  5 subjects (PAG, RATE, ERR, SPEC); 1 of 12 questions still open: see the table in the report',
    );
    const { observations: _, ...old } = sampleReport();
    expect(summarise(old, paths, { color: false })).toContain('ERR-11    unlisted code — POST /api/v1/stores');
  });

  test('stays short for 5,000 findings', () => {
    const lines = summarise(manyOperations(1674, 5000), paths, { color: false }).split('\n');
    expect(lines.length).toBeLessThan(100);
  });

  test('keeps to the width and lets no control character of the target through', () => {
    for (const line of plain.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be left.
    expect(plain).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(plain).not.toContain('evil.example');
  });

  test.each([80, 120])('at %i columns breaks lines at words and loses none of them', (width) => {
    const words = (text: string): string[] => text.split(/\s+/);
    const wide = summarise(sampleReport(), paths, { color: false, width: 10_000 });
    const narrow = summarise(sampleReport(), paths, { color: false, width });
    expect(words(narrow)).toEqual(words(wide));
    const commands = /--replay|assay clean/;
    for (const line of narrow.split('\n').filter((one) => !commands.test(one)))
      expect(line.length).toBeLessThanOrEqual(width);
  });

  test('is three lines and the command that mends it where nothing answered', () => {
    const sample = sampleReport();
    const lost = { tested: false, reasonCode: 'target-lost' as const, reason: 'nothing answers' };
    const report: Report = {
      ...sample,
      verdict: 'none',
      findings: [],
      services: sample.services.map((service) => ({ ...service, operationsTested: 0 })),
      operations: sample.operations.map((row) => ({ ...row, ...lost })),
      run: { ...sample.run, config: 'a.yaml', note: 'nothing answers at the target: connect ECONNREFUSED' },
    };
    expect(summarise(report, paths, { color: false }).split('\n')).toEqual([
      'NONE  No verdict could be reached.',
      '      Partial: nothing answers at the target: connect ECONNREFUSED',
      expect.stringContaining(sample.target.baseUrl),
      'Mend    npx assay doctor --config a.yaml',
      'Report  reports/r/index.html',
    ]);
  });

  test('colours are all that colour adds', () => {
    const coloured = summarise(sampleReport(), paths, { color: true, width: 100 });
    expect(coloured).not.toBe(plain);
    expect(stripVTControlCharacters(coloured)).toBe(plain);
  });

  test('says of a finding on no operation what was found, and its cause once', () => {
    const sample = sampleReport();
    const [first] = sample.findings;
    const cause = 'an unknown path is not answered 404';
    const lines = (message: string): string => {
      const findings = [{ ...first!, service: null, operation: null, clause: 'REQ-01', cause, message }];
      return summarise({ ...sample, findings }, paths, { color: false, width: 200 });
    };
    expect(lines(`${cause}: answered 400`)).toMatch(/REQ-01 {4}an unknown path is not answered 404 — answered 400/);
    expect(lines(cause)).not.toMatch(/404 —/);
  });

  test('names what was not tested, by reason', () => {
    expect(plain).toMatch(/2 clauses +no expired token is configured \(credentials.expired\): AUTH-03, PAG-02/);
    expect(plain).toMatch(/1 operation +left out by the request budget: DELETE/);
  });

  test('says how load went: ceilings, capacity, errors by kind, and the step at which conformance broke', () => {
    expect(plain).toContain(
      '400 requests/s are sustained: p50 12 ms, p99 80 ms\n  800 requests/s are not: missed, p99 2100 ms',
    );
    expect(plain).toContain(
      'conformance breaks at 800 requests/s (capacity.4): ERR-04 in 3, SCH-01 in 1 of 20 answers',
    );
    expect(plain).toContain('errors: 31 HTTP 503, 4 connection refused');
    const calm = { ...SAMPLE_LOAD, conformance: { steps: SAMPLE_LOAD.conformance!.steps.slice(0, 1), brokenAt: null } };
    expect(summarise({ ...sampleReport(), load: calm }, paths, { color: false })).toContain(
      'all 20 answers that were kept whole conform',
    );
  });

  test('without a verdict the note says why', () => {
    const report = sampleReport();
    const none = {
      ...report,
      verdict: 'none' as const,
      run: { ...report.run, note: 'The target refused the connection.' },
    };
    expect(summarise(none, paths, { color: false })).toMatch(
      /^NONE {2}No verdict could be reached\.\n.*The target refused the connection\./m,
    );
  });
});

describe('the summary as JSON', () => {
  test('holds verdict, counts, causes and paths, and no long string', () => {
    const summary = jsonSummary(sampleReport(), paths);
    expect(summary).toMatchObject({ verdict: 'fail', failed: ['SPEC-03', 'SCH-01', 'ERR-04'], reports: paths });
    expect(summary.findings[1]).toMatchObject({ clause: 'ERR-04', operations: 5, example: 'GET /api/v1/themes' });
    expect(JSON.stringify(summary).length).toBeLessThan(10_000);
  });
});
