// Tries the exports of findings: a test for each that one answer tells, red on the answer that showed it and green on a
// sound one, and a word on every other one.
import fc from 'fast-check';
import { parseSync } from 'vite';
import { describe, expect, test } from 'vitest';
import { DEFECTS, type Defect, exchangeOf, reportOf, responseOf } from '../../../test/support/reporters/defects.ts';
import { anyReport } from '../../../test/support/reporters/drawn-report.ts';
import { HOSTILE, sampleReport } from '../../../test/support/reporters/sample-report.ts';
import type { Report } from '../../contract/report.ts';
import { causeTests } from './cause-tests.ts';
import { isMet } from './expectation.ts';
import { exported } from './exported.ts';
import { EXPORT_FORMATS, type ExportFormat } from './formats.ts';
import { BODY_HELPERS, conditionsOf } from './javascript.ts';

const BASE = 'https://api.example.com';
const testsOf = (report: Report) => causeTests(report, 'reports/a').flatMap(({ tests }) => tests);
const textOf = (report: Report, format: ExportFormat): string => exported(report, format, 'reports/a').text;
const only = (change: Partial<Defect>, base: Defect = DEFECTS[0]!): Report => reportOf([{ ...base, ...change }], BASE);
const because = (change: Partial<Defect>, base?: Defect) => testsOf(only(change, base))[0]?.because;

/** Complaints of a script in JavaScript about the answer. */
function saidBy(expressions: readonly string[], { status, headers, body }: Response): boolean {
  const header = (name: string) => valueIn(headers, name) ?? null;
  const script = `${BODY_HELPERS}\nconst json = jsonIn(body);\nreturn ${expressions.map((one) => `(${one})`).join(' && ')};`;
  return new Function('status', 'header', 'body', script)(status, header, body);
}

type Response = ReturnType<typeof responseOf>;

/** Runs the function that a test of a file is; whether it ends without an error. */
function holds(run: () => void): boolean {
  try {
    run();
    return true;
  } catch {
    return false;
  }
}

const isTrue = (actual: unknown) => {
  if (actual !== true) throw new Error();
};
const valueIn = (headers: Response['headers'], name: string) =>
  headers.find(([one]) => one.toLowerCase() === name)?.[1];

/** Tells whether all tests of the file's only request pass in Postman. */
function passesInPostman(report: Report, { status, headers, body }: Response): boolean {
  const { event } = JSON.parse(textOf(report, 'postman')).item[0].item[0];
  const passed: boolean[] = [];
  const pm = {
    response: {
      code: status,
      responseTime: 5,
      headers: { get: (name: string) => valueIn(headers, name) },
      text: () => body,
    },
    test: (_name: string, run: () => void) => passed.push(holds(run)),
    expect: (actual: unknown) => ({ to: { equal: () => isTrue(actual), be: { below: () => {} } } }),
  };
  const { script } = event.find(({ listen }: { readonly listen: string }) => listen === 'test');
  new Function('pm', script.exec.join('\n'))(pm);
  return passed.length > 0 && passed.every((one) => one);
}

/** The same in a client that runs the response handlers of .http files. */
function passesInHttp(report: Report, { status, headers, body }: Response): boolean {
  const [, handler = ''] = /^> \{%\n([\s\S]*?)^%\}/m.exec(textOf(report, 'http')) ?? [];
  const passed: boolean[] = [];
  const client = { test: (_name: string, run: () => void) => passed.push(holds(run)), assert: isTrue };
  const response = { status, headers: { valueOf: (name: string) => valueIn(headers, name) ?? null }, body };
  new Function('client', 'response', handler)(client, response);
  return passed.length > 0 && passed.every((one) => one);
}

describe.each(DEFECTS)('the test for $code', (defect) => {
  const alone = reportOf([defect], BASE);
  const [one] = testsOf(alone);
  const conditions = conditionsOf(one!.plain!.expectation).map(({ expression }) => expression);

  test('is red on the answer that showed it', () => {
    expect(isMet(one!.plain!.expectation, exchangeOf(defect, 0, BASE))).toBe(false);
    if (defect.shown === null) return;
    const response = responseOf(defect.shown);
    expect([saidBy(conditions, response), passesInPostman(alone, response), passesInHttp(alone, response)]).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('is green on a sound one', () => {
    const response = responseOf(defect.sound);
    expect(isMet(one!.plain!.expectation, { ...exchangeOf(defect, 0, BASE), response })).toBe(true);
    expect([saidBy(conditions, response), passesInPostman(alone, response), passesInHttp(alone, response)]).toEqual([
      true,
      true,
      true,
    ]);
  });
});

describe('no request by itself is a test', () => {
  const created = '[cut: 16384 of 20000 characters]';
  test.each<[string, Partial<Defect>]>([
    ['one answer does not tell', { code: 'life-02.lost.name' }],
    ['one answer does not tell', { code: 'sch-06.answered-500.now-and-then' }],
    ['one answer does not tell', { shown: { status: 200 } }],
    ['does not show each time', { finding: { intermittent: true } }],
    ['names something that the run made', { finding: { namesMade: true } }],
    ['no request to the target', { finding: { exchanges: [] } }],
    ['no request to the target', { finding: { curl: null } }],
    ['redacted', { headers: [['Authorization', 'Bearer [altered key std-1: claims]']] }],
    ['redacted', { headers: [['Authorization', 'Basic [redacted key std-1]']] }],
    ['too long', { sent: `{\n${created}` }],
    ['state', { headers: [['If-Match', '"1"']] }],
    ['no text', { sent: 'caf\u00e9' }],
    ['no text', { sent: '\ud800' }],
    [
      'twice',
      {
        headers: [
          ['Accept', 'a/b'],
          ['accept', 'c/d'],
        ],
      },
    ],
  ])('%s: %j', (reason, change) => {
    expect(because(change)).toContain(reason);
  });

  test('of what a body that was cut lacks', () => {
    const shown = { status: 200, body: `{"a":\n${created}` };
    expect(because({ shown }, DEFECTS[5])).toContain('one answer does not tell');
  });

  test('one is told in each file, with the command that looks again', () => {
    const report = only({ code: 'life-02.lost.name' });
    for (const format of EXPORT_FORMATS)
      expect(textOf(report, format)).toMatch(/cause life-02\.lost\.name[\s\S]*npx assay conform [^\n]*--replay f0/);
    expect(textOf(report, 'vitest')).toMatch(/expect\(replayed\(".*--from reports\/a --replay f0"\)\)\.toBe\(GONE\)/);
  });

  test('but by the command where a program reads what is no HTTP, or does not send it', () => {
    const unreadable = only({ code: 'req-09.dropped', shown: null });
    const [exchange] = unreadable.exchanges;
    const report = { ...unreadable, exchanges: [{ ...exchange!, failure: 'protocol: no HTTP' }] };
    for (const format of ['k6', 'http', 'schemathesis'] as const)
      expect(textOf(report, format)).toMatch(/is no HTTP[\s\S]*--replay f0/);
    expect(textOf(only({ method: 'TRACE' }), 'vitest')).toContain('expect(replayed(');
    const bare = only({ headers: [] });
    expect(textOf(bare, 'schemathesis')).toContain('Schemathesis gives each body a media type');
    const undescribed = { ...bare, services: [] };
    expect(textOf(undescribed, 'schemathesis')).toContain('it calls no operation of a description');
  });
});

describe('a request', () => {
  test('takes tokens and what is hidden from variables, and keys and made-up names are new each time', () => {
    const { id } = sampleReport().run;
    const headers = [
      ['Authorization', 'Bearer [redacted key std-1]'],
      ['X-Api-Key', '[redacted, 17 characters]'],
      ['Idempotency-Key', 'k-1'],
      ['traceparent', '00-a-b-01'],
    ] as const;
    const report = only({ headers, credential: 'key std-1', sent: `{"name":"${id}-abcdef","slug":"${id}-abcdef"}` });
    const [one] = testsOf(report);
    expect(one!.plain!.request).toEqual({
      method: 'POST',
      url: [{ variable: 'TARGET_URL' }, { text: '/d/0?q=%20' }],
      headers: [
        ['Authorization', [{ text: 'Bearer ' }, { variable: 'ASSAY_TOKEN' }]],
        ['X-Api-Key', [{ variable: 'X_API_KEY' }]],
        ['Idempotency-Key', [{ text: 'assay-' }, { fresh: 1 }]],
      ],
      body: [{ text: `{"name":"${id}-` }, { fresh: 2 }, { text: `","slug":"${id}-` }, { fresh: 2 }, { text: '"}' }],
    });
    expect(one!.plain!.expectation.but).toEqual([401, 429]);
  });

  test('with signs of a format is left out there', () => {
    expect(textOf(only({ sent: '{"a":"{{b}}"}' }), 'http')).toMatch(/Not in this file:\n# .*braces/);
    expect(textOf(only({ sent: 'a\n### b' }), 'http')).toContain('signs of the format');
    expect(JSON.parse(textOf(only({ sent: '{{b}}' }), 'postman')).item).toEqual([]);
  });
});

function expectWhole(report: Report): void {
  const told = testsOf(report);
  for (const { plain, because: why } of told) {
    expect(plain === null).toBe(why !== '');
    if (plain !== null) expect(JSON.stringify(plain.request)).not.toMatch(/\[(redacted|altered|part of) /);
  }
  for (const format of ['vitest', 'k6'] as const)
    expect(parseSync('findings.js', textOf(report, format)).errors).toEqual([]);
  const collection = JSON.parse(textOf(report, 'postman'));
  for (const { item } of collection.item)
    for (const { event } of item)
      for (const { script } of event) expect(() => new Function('pm', script.exec.join('\n'))).not.toThrow();
  for (const format of ['vitest', 'k6', 'http', 'schemathesis'] as const)
    expect(textOf(report, format)).not.toMatch(/[\u2028\u202e]/);
}

test('any report is written whole, whatever its texts are', () => {
  fc.assert(fc.property(anyReport(), expectWhole), { numRuns: 30 });
  expectWhole(sampleReport());
  const hostile = DEFECTS.map((defect) => ({
    ...defect,
    sent: `${HOSTILE.replaceAll('\ud800', '')} \\u0041 \${x} \\ ' """ 日本`,
    finding: { ...defect.finding, cause: HOSTILE, message: HOSTILE },
  }));
  expectWhole(reportOf(hostile, BASE));
  expect(testsOf(reportOf(hostile, BASE)).every(({ plain }) => plain !== null)).toBe(true);
});
