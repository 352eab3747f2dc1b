// The causes of a report as tests in a stack of the user's own: the file of each format.
import type { Report } from '../../contract/report.ts';
import { type CauseTests, causeTests, oneLine, type PlainTest, sentBy, whyNotReadElsewhere } from './cause-tests.ts';
import { type ExportFormat, FORMATS } from './formats.ts';
import { httpFile, whyNotByHttp } from './http.ts';
import { k6File } from './k6.ts';
import { postmanFile, whyNotByPostman } from './postman.ts';
import { schemathesisFile, whyNoCase } from './schemathesis.ts';
import { vitestFile, whyNotByFetch } from './vitest.ts';

interface Writer {
  readonly write: (causes: readonly CauseTests[], head: readonly string[], baseUrl: string) => string;
  /** Why the stack cannot send the request of a test; null where it can. */
  readonly whyNot: (test: PlainTest) => string | null;
  /** Set: its tests can run Assay for what one request does not tell. */
  readonly replays?: true;
}

const WRITERS: Readonly<Record<ExportFormat, Writer>> = {
  vitest: { write: vitestFile, whyNot: whyNotByFetch, replays: true },
  k6: { write: k6File, whyNot: whyNotReadElsewhere },
  http: { write: httpFile, whyNot: (test) => whyNotReadElsewhere(test) ?? whyNotByHttp(test) },
  postman: { write: postmanFile, whyNot: whyNotByPostman },
  schemathesis: { write: schemathesisFile, whyNot: whyNoCase },
};

/** The tests of one format. */
export interface Exported {
  readonly file: string;
  readonly text: string;
  readonly causes: number;
  readonly findings: number;
  /** Those of the findings that the stack cannot test for. */
  readonly leftOut: number;
}

/** `from`: where the commands that replay a finding have the report from. */
export function exported(report: Report, format: ExportFormat, from: string): Exported {
  const { file, run } = FORMATS[format];
  const { write, whyNot, replays = false } = WRITERS[format];
  const causes = sentBy(causeTests(report, from), whyNot);
  const tests = causes.flatMap((cause) => cause.tests);
  const { run: of, target } = report;
  const head = [
    `Findings of Assay's run ${oneLine(of.id)} on ${oneLine(target.baseUrl)}: each test passes once its finding is gone.`,
    `Run: ${run}`,
    'TARGET_URL names another target.',
  ];
  return {
    ...{ file, text: write(causes, head, target.baseUrl), causes: causes.length, findings: tests.length },
    leftOut: tests.filter(({ plain, replay }) => plain === null && !(replays && replay !== '')).length,
  };
}
