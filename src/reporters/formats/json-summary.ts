// The closing summary for programs: what `--json` prints on stdout.
import type { FindingKind, Report } from '../../contract/report.ts';
import type { ReportPaths } from '../files.ts';
import { groupFindings } from '../grouping.ts';
import { cut } from '../text.ts';
import { verdictSentence } from '../verdict-sentence.ts';

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
    /** Of one of them: what `--replay` takes. */
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
