// Prints a run for programs: the summary of `--json`, and annotations for the runners of GitHub Actions.
import { plural } from '../../contract/numbers.ts';
import type { FindingKind, Report } from '../../contract/report.ts';
import type { ReportPaths } from '../files.ts';
import { groupFindings } from '../grouping.ts';
import { cut, terminalText } from '../text.ts';
import { verdictSentence } from '../verdict-sentence.ts';
import { isAcceptedIn, runNote } from '../words.ts';

const EXAMPLE_CHARS = 500;

export interface JsonSummary {
  readonly schemaVersion: 1;
  readonly run: Report['run'];
  readonly target: Report['target'];
  readonly verdict: Report['verdict'];
  readonly sentence: string;
  readonly counts: Report['counts'];
  readonly services: Report['services'];
  /** Ids of the clauses that fail, in the contract's order. */
  readonly failed: readonly string[];
  /** Findings by code, worst first. */
  readonly findings: readonly {
    readonly clause: string;
    readonly kind: FindingKind;
    /** Absent in reports of versions without codes. */
    readonly code?: string;
    readonly cause: string;
    readonly operations: number;
    /** One operation key; null when the findings belong to none. */
    readonly example: string | null;
    readonly message: string;
    /** Fingerprint of one of them, which `--replay` takes. */
    readonly fingerprint: string;
  }[];
  /** Errors of Assay itself; absent: none. */
  readonly harnessErrors?: Report['harnessErrors'];
  readonly replay?: Report['replay'];
  readonly reports: Partial<ReportPaths>;
}

/** The run in a few lines of JSON; the whole of it is in report.json. */
export function jsonSummary(report: Report, paths: Partial<ReportPaths>): JsonSummary {
  const { run, target, verdict, counts, services } = report;
  return {
    schemaVersion: 1,
    run,
    target,
    verdict,
    sentence: verdictSentence(report),
    counts,
    services,
    failed: report.clauses.filter(({ status }) => status === 'fail').map(({ id }) => id),
    findings: groupFindings(report.findings).map(
      ({ clause, kind, code, cause, operationCount, operations, findings }) => ({
        clause,
        kind,
        ...(code === undefined ? {} : { code }),
        cause,
        operations: operationCount,
        example: operations[0] ?? null,
        message: cut(findings[0]!.message, EXAMPLE_CHARS),
        fingerprint: findings[0]!.fingerprint,
      }),
    ),
    ...(report.harnessErrors === undefined ? {} : { harnessErrors: report.harnessErrors }),
    ...(report.replay === undefined ? {} : { replay: report.replay }),
    reports: paths,
  };
}

/** GitHub shows ten errors and ten warnings a step; what goes beyond is in the summary. */
const MAX_ANNOTATIONS = 10;
const MESSAGE_CHARS = 500;

/** Lines that the runner reads from the log: errors for violations, warnings for advisories, and an error for a verdict that none explains. */
export function annotations(report: Report): readonly string[] {
  const groups = groupFindings(report.findings.filter((finding) => !isAcceptedIn(report, finding)));
  const lines = (['violation', 'advisory'] as const).flatMap((kind) => {
    const command = kind === 'violation' ? 'error' : 'warning';
    const own = groups.filter((group) => group.kind === kind);
    return own.slice(0, MAX_ANNOTATIONS).map(({ clause, cause, findings, operationCount }) => {
      const first = findings[0]!;
      const more = operationCount > 1 ? ` (and ${plural(operationCount - 1, 'more operation')})` : '';
      const where = first.operation === null ? '' : `${first.operation}: `;
      const properties = { ...placeOf(first.location), title: `${clause} ${cause}` };
      return line(command, properties, `${where}${first.message}${more}`);
    });
  });
  const isUntold =
    report.verdict === 'none' || (report.verdict === 'fail' && groups.every(({ kind }) => kind !== 'violation'));
  const said = [verdictSentence(report), runNote(report) ?? ''].filter((part) => part !== '').join(' ');
  return isUntold ? [...lines, line('error', {}, said)] : lines;
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
