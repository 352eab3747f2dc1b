// The exit code that agrees with a report's verdict. Usage errors (2) never come this far: they write no report.
import type { Report, Verdict } from '../contract/report.ts';

const EXIT_CODES: Readonly<Record<Verdict, number>> = { pass: 0, fail: 1, none: 3 };

/** 0 pass, 1 fail, 3 no verdict. */
export function exitCode(report: Report): number {
  return EXIT_CODES[report.verdict];
}
