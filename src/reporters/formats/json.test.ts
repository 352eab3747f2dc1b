import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { sampleReport } from '../../../test/support/reporters/sample-report.ts';
import schema from '../../contract/report.schema.json' with { type: 'json' };
import { REASON_CODES, type Report } from '../../contract/report.ts';
import { assertValid, jsonPieces, ReportInvalid, reportProblems } from './json.ts';

/** The sample with a copy of it changed. */
function changed(change: (report: Mutable<Report>) => void): Report {
  const report = structuredClone(sampleReport()) as Mutable<Report>;
  change(report);
  return report as Report;
}
type Mutable<T> = T extends object ? { -readonly [K in keyof T]: Mutable<T[K]> } : T;

function textOf(report: Report): string {
  return [...jsonPieces(report)].join('');
}

function pointers(change: (report: Mutable<Report>) => void): readonly string[] {
  return reportProblems(changed(change)).map(({ pointer }) => pointer);
}

test('a clause id that is a list without end is a problem, and no error', () => {
  const endless = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
  const found = pointers((report) => {
    report.clauses[3]!.id = endless;
  });
  expect(found).toContain('/clauses/3/id');
});

describe('report.json', () => {
  test('reads back as the report it was', () => {
    expect(JSON.parse(textOf(sampleReport()))).toEqual(sampleReport());
  });

  test('is the same text for the same report', () => {
    expect(textOf(sampleReport())).toBe(textOf(sampleReport()));
  });

  test.each([0, 1, 100, 101, 250])('is in pieces what it is as a whole, with %i findings', (count) => {
    const report = sampleReport();
    const findings = Array.from({ length: count }, (_, index) => ({
      ...report.findings[0]!,
      message: `line\n${index}`,
    }));
    const many = { ...report, findings, gate: undefined } as Report;
    expect(textOf(many)).toBe(`${JSON.stringify(many, null, 1)}\n`);
  });

  test('the schema is valid JSON Schema', () => {
    expect(new Ajv2020().validateSchema(schema)).toBe(true);
  });

  test('the schema lists the reason codes of the contract', () => {
    expect(schema.$defs.reasonCode.enum).toEqual([...REASON_CODES]);
  });

  test.each<[string, string, (report: Mutable<Report>) => void]>([
    ['a pass without a check', '/clauses/0', (r) => Object.assign(r.clauses[0]!, { status: 'pass', checks: 0 })],
    [
      'a fail without a violation',
      '/clauses/0',
      (r) => Object.assign(r.clauses[0]!, { status: 'fail', violations: 0 }),
    ],
    ['a pass with a violation', '/clauses/0', (r) => Object.assign(r.clauses[0]!, { violations: 1 })],
    ['a pass with a reason code', '/clauses/0', (r) => Object.assign(r.clauses[0]!, { reasonCode: 'budget' })],
    [
      'not tested without a reason code',
      '/clauses/0',
      (r) => Object.assign(r.clauses[0]!, { status: 'not-tested', checks: 0 }),
    ],
    [
      'not declared as not tested',
      '/clauses/0',
      (r) => Object.assign(r.clauses[0]!, { status: 'not-tested', checks: 0, reasonCode: 'not-declared' }),
    ],
    [
      'an unknown reason code',
      '/operations/5/reasonCode',
      (r) => Object.assign(r.operations[5]!, { reasonCode: 'tired' }),
    ],
    [
      'an untested operation without a reason',
      '/operations/0',
      (r) => Object.assign(r.operations[0]!, { tested: false }),
    ],
    ['a pass verdict beside violations', '/counts/violations', (r) => Object.assign(r, { verdict: 'pass' })],
    [
      'an operation without its service',
      '/findings/1/service',
      (r) => Object.assign(r.findings[1]!, { service: null }),
    ],
    [
      'an observation that is neither sure nor unsure',
      '/observations/0/confidence',
      (r) => Object.assign(r.observations![0]!, { confidence: 'maybe' }),
    ],
    [
      'an observation on an operation without its service',
      '/observations/1/service',
      (r) => Object.assign(r.observations![1]!, { service: null }),
    ],
    ['a missing clause row', '/clauses', (r) => r.clauses.pop()],
    ['a doubled clause row', '/clauses/1/id', (r) => Object.assign(r.clauses[1]!, { id: r.clauses[0]!.id })],
    ['a status that is none', '/operations/0/statuses', (r) => Object.assign(r.operations[0]!.statuses, { ok: 1 })],
  ])('refuses %s and names the place', (_, pointer, change) => {
    expect(pointers(change).some((found) => found.startsWith(pointer))).toBe(true);
  });

  test('a report that breaks its schema is thrown with its pointers', () => {
    const broken = changed((report) => Object.assign(report.run, { seed: 'x', startedAt: 'today' }));
    expect(() => assertValid(broken)).toThrow(ReportInvalid);
    expect(() => assertValid(broken)).toThrow(/\/run\/seed: must be integer/);
    expect(() => assertValid(broken)).toThrow(/\/run\/startedAt/);
  });

  test('accepts fields that were added later', () => {
    expect(reportProblems(changed((report) => Object.assign(report, { later: {} })))).toEqual([]);
  });
});
