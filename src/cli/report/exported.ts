// `assay report --export`: the causes of a run as tests in a stack of the user's own.

import { join, relative, resolve } from 'node:path';
import { invalidOption } from '../../config/errors.ts';
import { plural } from '../../contract/numbers.ts';
import type { Report } from '../../contract/report.ts';
import { writeWhole } from '../../disk/whole-file.ts';
import { type Exported, exported } from '../../reporters/exports/exported.ts';
import type { ExportFormat } from '../../reporters/exports/formats.ts';
import { jsonPieces } from '../../reporters/formats/json.ts';

import type { RunFlags } from '../process/options.ts';
import { humanStream } from '../process/print-result.ts';
import { readRun } from './earlier-run.ts';

export interface ExportFlags extends Pick<RunFlags, 'out' | 'quiet' | 'json'> {
  readonly export?: ExportFormat;
}

/** The file with the findings that the tests replay: taken out of the run, so that they outlive the run's folder. */
const KEPT_FILE = 'findings.report.json';

/** 0 once the tests are written, or where there is nothing to test. Throws UsageError unless one run is named, and `FileUnwritable`. */
export async function exportRun(runs: readonly string[], format: ExportFormat, flags: ExportFlags): Promise<number> {
  const [run] = runs;
  if (run === undefined || runs.length > 1)
    throw invalidOption(
      `--export writes the tests of one run, and ${runs.length === 0 ? 'none is' : plural(runs.length, 'is', 'are')} named`,
      `assay report reports/<run id> --export ${format}`,
    );
  const { report, folder } = await readRun(run);
  const out = resolve(flags.out ?? folder);
  const isKept = format === 'vitest';
  const made = exported(report, format, nameOf(isKept ? join(out, KEPT_FILE) : folder));
  const { file, text, causes, findings, leftOut } = made;
  const hasTests = findings > leftOut;
  const written = !hasTests ? [] : [join(out, file), ...(isKept ? [join(out, KEPT_FILE)] : [])];
  if (hasTests) {
    if (isKept) await writeWhole(join(out, KEPT_FILE), jsonPieces(kept(report)));
    await writeWhole(join(out, file), text);
  }
  const place = hasTests ? `\nTests  ${nameOf(join(out, file))}` : '';
  if (flags.quiet !== true) humanStream(flags).write(`${told(format, made)}${place}\n`);
  if (flags.json === true)
    process.stdout.write(`${JSON.stringify({ format, causes, findings, leftOut, files: written })}\n`);
  return 0;
}

/** How much of the run stands in the tests. */
function told(format: ExportFormat, { causes, findings, leftOut }: Exported): string {
  if (findings === 0) return 'The run has no violation to test for.';
  const all = `${plural(causes, 'cause')}, ${plural(findings, 'finding')}`;
  if (leftOut === 0) return all;
  const elsewhere = format === 'vitest' ? '' : '; --export vitest replays them';
  return leftOut === findings
    ? `${all}; no file is written, for no single request of ${format} shows one${elsewhere}`
    : `${all}; ${plural(leftOut, 'of them is', 'of them are')} left out and named at the head of the file${elsewhere}`;
}

/** As commands name it that are typed where this one is. */
function nameOf(path: string): string {
  return relative(process.cwd(), path) || '.';
}

/** The report with what replays need of it. */
function kept(report: Report): Report {
  const { observations: _observations, load: _load, since: _since, history: _history, ...rest } = report;
  const findings = report.findings.filter(({ kind }) => kind === 'violation');
  const shown = new Set(findings.flatMap(({ exchanges }) => exchanges));
  return { ...rest, findings, exchanges: report.exchanges.filter(({ id }) => shown.has(id)) };
}
