// Every form of a report is made of any report that keeps the schema, and reads back as what it is.
import { createRequire } from 'node:module';
import { DOMParser, onErrorStopParsing } from '@xmldom/xmldom';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { validate } from 'ctrf';
import fc from 'fast-check';
import type { Har } from 'har-format';
import type { Log } from 'sarif';
import { expect, test } from 'vitest';
import { isNightly } from '../../test/programme.ts';
import { SEED } from '../../test/seed.ts';
import { anyReport } from '../../test/support/reporters/drawn-report.ts';
import { CLAUSES } from '../contract/clauses.ts';
import type { Report } from '../contract/report.ts';
import { ctrfPieces } from './formats/ctrf.ts';
import { renderHar } from './formats/har.ts';
import { jsonPieces, reportProblems } from './formats/json.ts';
import { junitPieces } from './formats/junit.ts';
import { renderMarkdown } from './formats/markdown.ts';
import { annotations, jsonSummary } from './formats/printed.ts';
import { renderSarif } from './formats/sarif.ts';
import { renderEvidence, renderHtml } from './html/html.ts';
import { summarise } from './terminal/terminal.ts';

const require = createRequire(import.meta.url);
/** Each day draws others. */
const DRAWN = isNightly ? 200 : 12;
const REPORTS = fc.sample(anyReport(), { numRuns: DRAWN, seed: SEED });
/** Marks that a template leaves for a value that is not there. */
const NOTHING = /.{0,60}\b(undefined|NaN|Infinity|\[object Object\]).{0,40}/;

function forEach(look: (report: Report, name: string) => void): void {
  for (const [index, report] of REPORTS.entries()) look(report, `report ${index} of seed ${SEED}`);
}

test('what is drawn keeps the schema, and report.json reads back', () => {
  forEach((report, name) => {
    expect(reportProblems(report), name).toEqual([]);
    expect(JSON.parse([...jsonPieces(report)].join('')), name).toEqual(JSON.parse(JSON.stringify(report)));
  });
});

test('results.sarif has every clause as a rule and every breach as a result', () => {
  const keeps = new Ajv2020({ strict: false, logger: false }).compile(require('./test-data/sarif.schema.json'));
  forEach((report, name) => {
    const log: Log = JSON.parse(renderSarif(report));
    expect(keeps(log) ? [] : keeps.errors, name).toEqual([]);
    const [run] = log.runs;
    expect(run?.tool.driver.rules?.map(({ id }) => id)).toEqual(CLAUSES.map(({ id }) => id));
    expect(run?.results).toHaveLength(report.findings.filter(({ kind }) => kind !== 'observation').length);
  });
});

test('junit.xml and ctrf.json have a case for each clause', () => {
  forEach((report, name) => {
    const ctrf = JSON.parse([...ctrfPieces(report)].join(''));
    expect(validate(ctrf), name).toMatchObject({ valid: true, errors: [] });
    const xml = [...junitPieces(report)].join('');
    const document = new DOMParser({ onError: onErrorStopParsing }).parseFromString(xml, 'text/xml');
    const cases = [...document.getElementsByTagName('testcase')].map((node) => node.getAttribute('name') ?? '');
    const tests: readonly { readonly name: string }[] = ctrf.results.tests;
    const lacks = CLAUSES.filter(
      ({ id }) => !cases.some((one) => one.startsWith(id)) || !tests.some((one) => one.name.startsWith(id)),
    );
    expect(lacks, name).toEqual([]);
  });
});

test('summary.md, the log of a job and the terminal tell what is there', () => {
  forEach((report, name) => {
    const { sentence } = jsonSummary(report, {});
    const markdown = renderMarkdown(report);
    const lines = [...annotations(report), summarise(report, {}, { color: false })];
    expect([sentence !== '', markdown.startsWith('## ')], name).toEqual([true, true]);
    for (const text of [markdown, ...lines]) expect(NOTHING.exec(text)?.[0], name).toBeUndefined();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for.
    for (const line of lines) expect(/[\u0000-\u0009\u000b-\u001f]/.exec(line)?.[0], name).toBeUndefined();
  });
});

test('index.html and the pages of evidence are whole, and evidence.har has every exchange', () => {
  forEach((report, name) => {
    for (const page of [renderHtml(report), ...[...renderEvidence(report)].map(([, text]) => text)]) {
      expect([/^<!doctype html>/i.test(page), page.trimEnd().endsWith('</html>')], name).toEqual([true, true]);
      expect(NOTHING.exec(page.replaceAll(/<script[\s\S]*?<\/script>/g, ''))?.[0], name).toBeUndefined();
    }
    const { entries } = (JSON.parse(renderHar(report)) as Har).log;
    expect(entries, name).toHaveLength(report.exchanges.length);
  });
});
