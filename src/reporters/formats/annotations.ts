// Workflow commands of GitHub Actions: each cause as an annotation at the line of the description.
import type { Report } from '../../contract/report.ts';
import { groupFindings } from '../grouping.ts';
import { cut, terminalText } from '../text.ts';
import { verdictSentence } from '../verdict-sentence.ts';
import { isAcceptedIn, plural } from '../words.ts';

/** GitHub shows ten errors and ten warnings a step; what goes beyond is in the summary. */
const MOST = 10;
const MESSAGE_CHARS = 500;

/** Lines that the runner reads from the log: errors for violations, warnings for advisories, a notice for what no verdict says. */
export function annotations(report: Report): readonly string[] {
  const groups = groupFindings(report.findings.filter((finding) => !isAcceptedIn(report, finding)));
  const lines = (['violation', 'advisory'] as const).flatMap((kind) => {
    const command = kind === 'violation' ? 'error' : 'warning';
    const own = groups.filter((group) => group.kind === kind);
    return own.slice(0, MOST).map(({ clause, cause, findings, operationCount }) => {
      const first = findings[0]!;
      const more = operationCount > 1 ? ` (and ${plural(operationCount - 1, 'more operation')})` : '';
      const where = first.operation === null ? '' : `${first.operation}: `;
      const properties = { ...placeOf(first.location), title: `${clause} ${cause}` };
      return line(command, properties, `${where}${first.message}${more}`);
    });
  });
  return report.verdict === 'none' ? [...lines, line('error', {}, verdictSentence(report))] : lines;
}

function placeOf(location: Report['findings'][number]['location']): Readonly<Record<string, string>> {
  if (location === undefined) return {};
  return { file: location.file, ...(location.line === undefined ? {} : { line: String(location.line) }) };
}

/** `::error file=a,line=1,title=t::message`: what would end a property or the line is written in percent signs. */
function line(command: string, properties: Readonly<Record<string, string>>, message: string): string {
  const data = (text: string): string =>
    cut(terminalText(text), MESSAGE_CHARS).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const told = Object.entries(properties).map(([name, value]) => `${name}=${property(value)}`);
  return `::${command}${told.length === 0 ? '' : ` ${told.join(',')}`}::${data(message)}`;
}
