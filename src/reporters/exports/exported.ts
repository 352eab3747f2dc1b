// The causes of a report as tests in a stack of the user's own: the file of each format.
import type { Report } from '../../contract/report.ts';
import { type CauseTests, causeTests, oneLine } from './cause-tests.ts';
import { type ExportFormat, FORMATS } from './formats.ts';
import { httpFile } from './http.ts';
import { k6File } from './k6.ts';
import { postmanFile } from './postman.ts';
import { schemathesisFile } from './schemathesis.ts';
import { vitestFile } from './vitest.ts';

const WRITERS: Readonly<
  Record<ExportFormat, (causes: readonly CauseTests[], head: readonly string[], baseUrl: string) => string>
> = { vitest: vitestFile, k6: k6File, http: httpFile, postman: postmanFile, schemathesis: schemathesisFile };

/** The tests of one format. */
export interface Exported {
  readonly file: string;
  readonly text: string;
  readonly causes: number;
  readonly findings: number;
}

/** `from`: where the commands that replay a finding have the report from. */
export function exported(report: Report, format: ExportFormat, from: string): Exported {
  const { file, run } = FORMATS[format];
  const causes = causeTests(report, from);
  const { run: of, target } = report;
  const head = [
    `Findings of Assay's run ${oneLine(of.id)} on ${oneLine(target.baseUrl)}: each test passes once its finding is gone.`,
    `Run: ${run}`,
    'TARGET_URL names another target.',
  ];
  return {
    ...{ file, text: WRITERS[format](causes, head, target.baseUrl), causes: causes.length },
    findings: causes.reduce((sum, { tests }) => sum + tests.length, 0),
  };
}
