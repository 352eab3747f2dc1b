// `assay report --diff A B`: what the later run has that the earlier one has not, and the other way round.
import { UsageError } from '../../config/errors.ts';
import type { Report } from '../../contract/report.ts';
import { changesSince } from '../../grading/changes.ts';
import { compared } from '../../reporters/terminal/compared.ts';
import { readRun } from './earlier-run.ts';

export interface CompareFlags {
  readonly merge?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** 1 where the later run has violations that the earlier one has not, else 0. Throws UsageError unless two runs are named. */
export async function compareRuns(runs: readonly string[], flags: CompareFlags): Promise<number> {
  const [before, after] = runs;
  if (before === undefined || after === undefined || runs.length > 2 || flags.merge === true)
    throw new UsageError(
      'ASSAY_OPTION_INVALID',
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
