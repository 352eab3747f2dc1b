// A failed clause as the error of a vitest test: its findings, worst first, each with expected, actual and a curl line.
import { plural } from '../../src/contract/numbers.ts';
import type { Finding } from '../../src/contract/report.ts';
import { groupFindings } from '../../src/reporters/grouping.ts';
import { cut, terminalText } from '../../src/reporters/text.ts';

const MOST_GROUPS = 10;
const MOST_CHARS = 2000;

/** What vitest shows of a failed test; it has no stack, as no line of ours is to blame. */
export class ClauseFailure extends Error {
  readonly expected: string | undefined;
  readonly actual: string | undefined;
  readonly showDiff = true;

  constructor(clause: string, findings: readonly Finding[]) {
    super(wording(clause, findings));
    this.name = 'AssertionError';
    this.expected = shown(findings[0]?.expected);
    this.actual = shown(findings[0]?.actual);
    this.stack = `${this.name}: ${this.message}`;
  }
}

function wording(clause: string, findings: readonly Finding[]): string {
  if (findings.length === 0) return `${clause} fails; its findings are in the report`;
  const groups = groupFindings(findings);
  const lines = groups.slice(0, MOST_GROUPS).map(({ findings: [first], operationCount }) => {
    const more = operationCount > 1 ? ` (and on ${plural(operationCount - 1, 'more operation')})` : '';
    const where = first?.operation === null ? '' : `${first?.service}: ${first?.operation} – `;
    const curl = first?.curl ? `\n    ${shown(first.curl)}` : '';
    return `  ${shown(`${where}${first?.message}`)}${more}${curl}`;
  });
  if (groups.length > MOST_GROUPS)
    lines.push(`  and ${groups.length - MOST_GROUPS} more kinds of breach, in the report`);
  return `${clause}: ${findings.length === 1 ? 'one violation' : plural(findings.length, 'violation')}\n${lines.join('\n')}`;
}

function shown(text: string | undefined): string | undefined {
  return text === undefined ? undefined : cut(terminalText(text), MOST_CHARS);
}
