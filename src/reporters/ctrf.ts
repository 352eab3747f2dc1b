// ctrf.json: the Common Test Report Format, read by dashboards and by actions that comment on changes.
import type { Report } from '../contract/report.ts';
import { type JunitCase, junitCases } from './junit-cases.ts';
import { cut, visibleText } from './text.ts';

const SPEC_VERSION = '0.0.0';
const MESSAGE_CHARS = 1000;
const TRACE_CHARS = 4000;

/** The statuses of the format; an error of the harness is none of the usual ones. */
const STATUS = { passed: 'passed', failed: 'failed', skipped: 'skipped', error: 'other' } as const;

/** CTRF: the cases of junit.xml, one per operation and clause, with expected, actual and curl of the first violation. */
export function renderCtrf(report: Report): string {
  const tests = junitCases(report).map(testOf);
  const start = Date.parse(report.run.startedAt);
  const count = (status: string): number => tests.filter((test) => test.status === status).length;
  return `${JSON.stringify({
    reportFormat: 'CTRF',
    specVersion: SPEC_VERSION,
    generatedBy: `assay ${report.tool.version}`,
    timestamp: report.run.startedAt,
    results: {
      tool: { name: 'assay', version: report.tool.version },
      summary: {
        tests: tests.length,
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: 0,
        other: count('other'),
        start,
        stop: start + report.run.durationMs,
      },
      environment: { testEnvironment: visibleText(report.target.environment) },
      tests,
    },
  })}\n`;
}

function testOf({ suite, name, outcome, message, violations }: JunitCase) {
  const [first] = violations;
  return {
    name: visibleText(name),
    status: STATUS[outcome],
    // Clauses share their exchanges: none has a time of its own.
    duration: 0,
    suite: [visibleText(suite)],
    ...(message === '' ? {} : { message: cut(visibleText(message), MESSAGE_CHARS) }),
    ...(first === undefined
      ? {}
      : { trace: cut(visibleText(traceOf(first)), TRACE_CHARS), flaky: violations.every((one) => one.intermittent) }),
    ...(first?.location === undefined ? {} : placeOf(first.location)),
  };
}

function traceOf({ expected, actual, curl, fingerprint }: JunitCase['violations'][number]): string {
  const lines = [`expected: ${expected}`, `actual: ${actual}`, ...(curl === null ? [] : [curl])];
  return [...lines, `fingerprint: ${fingerprint}`].join('\n');
}

function placeOf({ file, line }: { readonly file: string; readonly line?: number }) {
  return { filePath: file, ...(line === undefined ? {} : { line }) };
}
