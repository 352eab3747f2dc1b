import { readFileSync } from 'node:fs';
import { DOMParser, onErrorStopParsing } from '@xmldom/xmldom';
import { describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { manyOperations } from '../../../test/support/reporters/many-operations.ts';
import { sampleReport } from '../../../test/support/reporters/sample-report.ts';
import type { ClauseRow, Report, Waiver } from '../../contract/report.ts';
import { accept } from '../../grading/acceptance.ts';
import { junitPieces } from './junit.ts';

const xsd = readFileSync(new URL('../test-data/junit.xsd', import.meta.url), 'utf8');

function textOf(report: Report): string {
  return [...junitPieces(report)].join('');
}

function read(report: Report) {
  const document = new DOMParser({ onError: onErrorStopParsing }).parseFromString(textOf(report), 'text/xml');
  return [...document.getElementsByTagName('testcase')].map((node) => {
    const said = ['failure', 'error', 'skipped'].flatMap((tag) => [...node.getElementsByTagName(tag)])[0];
    return {
      classname: node.getAttribute('classname'),
      name: node.getAttribute('name') ?? '',
      outcome: said?.tagName ?? 'passed',
      message: said?.getAttribute('message') ?? '',
      text: node.textContent ?? '',
    };
  });
}

const WAIVER = (clause: string): Waiver => ({
  clause,
  operation: '*',
  fingerprint: null,
  reason: 'known',
  owner: 'Edge',
  ticket: 'T-1',
  expires: '2026-12-31',
});

function withRow(report: Report, id: string, change: Partial<ClauseRow>): Report {
  return { ...report, clauses: report.clauses.map((row) => (row.id === id ? { ...row, ...change } : row)) };
}

describe('junit.xml', () => {
  test('validates against the JUnit schema', async () => {
    const xml = [{ fileName: 'junit.xml', contents: textOf(sampleReport()) }];
    const { valid, errors } = await validateXML({ xml, schema: [xsd] });
    expect(errors).toEqual([]);
    expect(valid).toBe(true);
  });

  test('has a case per operation and clause, and one per clause that no operation carries', () => {
    const report = sampleReport();
    const names = read(report).map(({ classname, name }) => `${classname} ${name}`);
    expect(names).toContain('admin.ERR ERR-04 POST /api/v1/stores');
    for (const { id } of report.clauses) expect(names.some((name) => name.includes(` ${id} `))).toBe(true);
    expect(new Set(names).size).toBe(names.length);
  });

  test('a violation is a failure with expected, actual and curl', () => {
    const found = read(sampleReport()).find(({ name }) => name === 'ERR-04 GET /api/v1/themes')!;
    expect(found).toMatchObject({ outcome: 'failure', message: 'error.status is 500, expected 404, the HTTP status' });
    expect(found.text).toMatch(/expected: 404, the HTTP status\nactual: 500\nat: \/error\/status\n[\s\S]*curl -X GET/);
  });

  test('an advisory passes and is said in system-out', () => {
    const found = read(sampleReport()).find(({ name }) => name === 'SCH-08 POST /api/v1/stores')!;
    expect(found.outcome).toBe('passed');
    expect(found.text).toContain('418 is not declared');
  });

  test('a violation that is accepted is skipped, and nothing of its clause fails elsewhere', () => {
    const report = sampleReport();
    const waivers = [...new Set(report.findings.map(({ clause }) => clause))].map((clause) => WAIVER(clause));
    const accepted = accept(report, {
      waivers,
      baseline: null,
      failOn: 'any',
      allowsSecurity: false,
      today: '2026-01-01',
    });
    const cases = read(accepted);
    expect(cases.filter(({ outcome }) => outcome === 'failure')).toEqual([]);
    const found = cases.find(({ name }) => name === 'ERR-04 GET /api/v1/themes')!;
    expect(found).toMatchObject({
      outcome: 'skipped',
      message: 'accepted, waived until 2026-12-31 by Edge: known (T-1)',
    });
    expect(found.text).toContain('violation: error.status is 500');
  });

  test('not tested is skipped with its reason, an error of the harness an error', () => {
    const cases = read(sampleReport());
    expect(cases.find(({ name }) => name.startsWith('RED-01'))).toMatchObject({ outcome: 'skipped' });
    expect(cases.find(({ name }) => name === 'AUTH-03 GET /api/v1/themes')).toMatchObject({
      outcome: 'skipped',
      message: 'a key or credential is missing or refused',
    });
    expect(cases.find(({ name }) => name.startsWith('PAG-14'))).toMatchObject({ outcome: 'error' });
  });

  test('a violation of no operation is a failure of its own', () => {
    const found = read(sampleReport()).find(({ name }) => name === 'ERR-04 outside the described operations')!;
    expect(found).toMatchObject({ classname: 'contract.ERR', outcome: 'failure' });
  });

  test('a failing clause row without any finding still fails a case', () => {
    const cases = read(withRow(sampleReport(), 'SCH-02', { status: 'fail', violations: 3 }));
    const found = cases.filter(({ name, outcome }) => name.startsWith('SCH-02') && outcome === 'failure');
    expect(found).toMatchObject([{ message: '3 violations' }]);
  });

  test('counts what it holds', () => {
    const cases = read(sampleReport());
    const count = (outcome: string) => cases.filter((one) => one.outcome === outcome).length;
    expect(textOf(sampleReport())).toContain(
      ` tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}">`,
    );
  });

  test('long strings are cut', () => {
    expect(textOf(sampleReport()).length).toBeLessThan(200_000);
  });

  test('1,674 operations of 60 clauses are written', () => {
    const report = manyOperations(1674, 5000);
    expect(textOf(report).match(/<testcase /g)?.length).toBeGreaterThan(100_000);
  });
});
