// ctrf.json: the Common Test Report Format, read by dashboards and by actions that comment on changes.
import type { Report } from '../../contract/report.ts';
import { cut, visibleText } from '../text.ts';
import { type JunitCase, junitCases } from './junit.ts';

const SPEC_VERSION = '0.0.0';
const MESSAGE_CHARS = 1000;
const TRACE_CHARS = 4000;

/** The statuses of the format; an error of the harness is none of the usual ones. */
const STATUS = { passed: 'passed', failed: 'failed', skipped: 'skipped', error: 'other' } as const;

/** Cases that are told at once. */
const CASES_A_PIECE = 1000;

/**
 * CTRF: the cases of junit.xml, one per operation and clause, with expected, actual and curl of the first violation. In
 * pieces: the whole is large.
 */
export function* ctrfPieces(report: Report): Generator<string> {
  const cases = junitCases(report);
  const end = ']}}';
  yield JSON.stringify(frameOf(report, cases)).slice(0, -end.length);
  for (let from = 0; from < cases.length; from += CASES_A_PIECE) {
    const piece = JSON.stringify(cases.slice(from, from + CASES_A_PIECE).map(testOf)).slice(1, -1);
    yield from === 0 ? piece : `,${piece}`;
  }
  yield `${end}\n`;
}

/** All but the tests, which come last. */
function frameOf(report: Report, cases: readonly JunitCase[]) {
  const start = Date.parse(report.run.startedAt);
  const count = (outcome: JunitCase['outcome']): number => cases.filter((one) => one.outcome === outcome).length;
  return {
    reportFormat: 'CTRF',
    specVersion: SPEC_VERSION,
    generatedBy: `assay ${report.tool.version}`,
    timestamp: report.run.startedAt,
    results: {
      tool: { name: 'assay', version: report.tool.version },
      summary: {
        tests: cases.length,
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: 0,
        other: count('error'),
        start,
        stop: start + Math.round(report.run.durationMs),
      },
      environment: { testEnvironment: visibleText(report.target.environment) },
      tests: [],
    },
  };
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
