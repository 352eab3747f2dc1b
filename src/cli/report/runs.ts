// Reads earlier runs for `assay report`: shows one again, merges several, or tells in what two differ.

import { join, resolve } from 'node:path';
import { createColors } from 'picocolors';
import { invalidOption, unreadableReport } from '../../config/errors.ts';
import { number, plural } from '../../contract/numbers.ts';
import type { Changes, Finding, Report } from '../../contract/report.ts';
import { accept } from '../../grading/acceptance.ts';
import { changesSince } from '../../grading/changes.ts';
import { exitCode } from '../../grading/exit-code.ts';
import { MergeRefused, mergeShards } from '../../grading/merge.ts';
import { writeReports } from '../../reporters/files.ts';
import { terminalText } from '../../reporters/text.ts';
import { otherContractWords, STATUS_WORDS } from '../../reporters/words.ts';
import { gateRules } from '../conform/acceptance-options.ts';
import { mustBeTold } from '../process/failure.ts';
import type { GateFlags, RunFlags } from '../process/options.ts';
import { tell } from '../process/print-result.ts';
import { readRun, type StoredRun } from './earlier-run.ts';

export interface ReportFlags extends GateFlags, Pick<RunFlags, 'out' | 'quiet' | 'json'> {
  readonly merge?: boolean;
}

/** Exit code of the report written. Throws UsageError for what cannot be read or merged, NoVerdict for what cannot be written. */
export async function reportAgain(runs: readonly string[], flags: ReportFlags): Promise<number> {
  if (runs.length === 0)
    throw unreadableReport('assay report: no run is named', 'name a run folder, such as reports/<run id>');
  if (flags.merge !== true && runs.length > 1)
    throw unreadableReport(
      `assay report: ${plural(runs.length, 'run is', 'runs are')} named`,
      'one at a time, or --merge for the shards of one run',
    );
  const sources = await Promise.all(runs.map(readRun));
  const judged = flags.merge === true ? merged(sources) : sources[0]!.report;
  const gate = await gateRules(flags, { folder: null, cwd: process.cwd() });
  const report = gate === null ? judged : accept(judged, gate);
  const usual = flags.merge === true ? join('reports', report.run.id) : sources[0]!.folder;
  const outcome = { report, ...(await writeReports(report, resolve(flags.out ?? usual))) };
  tell(outcome, flags);
  mustBeTold(outcome);
  return exitCode(report);
}

function merged(sources: readonly StoredRun[]): Report {
  try {
    return mergeShards(sources.map(({ report }) => report));
  } catch (error) {
    if (error instanceof MergeRefused) throw unreadableReport(error.message, error.hint, error);
    throw error;
  }
}

/** 1 where the later run has violations that the earlier one has not, else 0. Throws UsageError unless two runs are named. */
export async function compareRuns(
  runs: readonly string[],
  flags: Pick<ReportFlags, 'merge' | 'quiet' | 'json'>,
): Promise<number> {
  const [before, after] = runs;
  if (before === undefined || after === undefined || runs.length > 2 || flags.merge === true)
    throw invalidOption(
      '--diff compares two runs, and merges nothing',
      'assay report --diff reports/before reports/after',
    );
  const [earlier, later] = [(await readRun(before)).report, (await readRun(after)).report];
  const changes = changesSince(earlier, later);
  const { stderr } = process;
  if (flags.quiet !== true)
    stderr.write(`${compared(later, changes, { color: stderr.isTTY === true && stderr.hasColors() })}\n`);
  if (flags.json === true) process.stdout.write(`${JSON.stringify(changes)}\n`);
  return isWorse(later, changes.appeared) ? 1 : 0;
}

function isWorse({ findings }: Report, appeared: readonly string[]): boolean {
  const fresh = new Set(appeared);
  return findings.some(({ kind, fingerprint }) => kind === 'violation' && fresh.has(fingerprint));
}

const SHOWN = 40;

/** Lines on what appeared, what is gone, what cannot be told, and which clauses changed; without a line break at the end. */
function compared(later: Report, changes: Changes, options: { readonly color: boolean }): string {
  const colors = createColors(options.color);
  const fresh = new Set(changes.appeared);
  const appeared = later.findings.filter(({ fingerprint }) => fresh.has(fingerprint));
  const head = `${colors.bold(`${changes.run} → ${later.run.id}`)}: ${changes.verdict} → ${later.verdict}`;
  const unknown =
    changes.unknown === 0
      ? []
      : [`${plural(changes.unknown, 'more finding')} of the earlier run: the later one did not look there again`];
  const clauses = changes.clauses.map(
    ({ id, before, now }) => `  ${id.padEnd(9)} ${STATUS_WORDS[before][0]} → ${STATUS_WORDS[now][0]}`,
  );
  return [
    head,
    ...(changes.contract === undefined ? [] : [`of the earlier run: ${otherContractWords(changes)}`]),
    ...section(plural(appeared.length, 'new finding'), appeared.map(line), colors.red),
    ...section(`${plural(changes.gone.length, 'finding')} gone`, changes.gone.map(line), colors.green),
    ...unknown,
    ...section(plural(clauses.length, 'clause changed', 'clauses changed'), clauses, colors.cyan),
  ].join('\n');
}

function section(title: string, lines: readonly string[], paint: (text: string) => string): readonly string[] {
  const more = lines.length - SHOWN;
  return ['', paint(title), ...lines.slice(0, SHOWN), ...(more > 0 ? [`  and ${number(more)} more`] : [])];
}

function line({
  clause,
  kind,
  operation,
  cause,
  fingerprint,
}: Omit<Finding, 'message'> | Changes['gone'][number]): string {
  const where = operation === null ? '' : ` — ${operation}`;
  return `  ${clause.padEnd(9)} ${kind}: ${terminalText(`${cause}${where}`)} (${fingerprint})`;
}
