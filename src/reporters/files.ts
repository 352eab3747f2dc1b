// The one module that writes reports: each file appears whole or not at all.
import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Report } from '../contract/report.ts';
import { ctrfPieces } from './ctrf.ts';
import { renderHar } from './har.ts';
import { renderEvidence, renderHtml } from './html.ts';
import { EVIDENCE_FOLDER } from './html-findings.ts';
import { assertValid, jsonPieces } from './json.ts';
import { junitPieces } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import { renderSarif } from './sarif.ts';

/** Beside the reports: which experiments were performed. */
export const PERFORMED_FILE = 'performed.txt';

/** Paths of a run's reports, under the folder given. */
export interface ReportPaths {
  readonly html: string;
  readonly json: string;
  readonly junit: string;
  readonly sarif: string;
  readonly ctrf: string;
  readonly markdown: string;
  readonly har: string;
}

/** Thrown when a report cannot be written; without its report a run has no verdict. */
export class ReportUnwritable extends Error {
  readonly code = 'ASSAY_REPORT_UNWRITABLE';
  readonly path: string;

  constructor(path: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`The report cannot be written to ${path}: ${why}. Name a writable folder with --out DIR.`, { cause });
    this.name = 'ReportUnwritable';
    this.path = path;
  }
}

/**
 * Writes every form of the report into the folder, which is created when absent, and evidence/ where the evidence does
 * not fit into index.html; earlier reports there are replaced. Throws `ReportUnwritable` for the file that failed,
 * `ReportInvalid` for a report that breaks its schema:
 * after everything is written, since hours of work are worth reading even so.
 */
export async function writeReports(report: Report, outDir: string): Promise<ReportPaths> {
  const paths = {
    html: join(outDir, 'index.html'),
    json: join(outDir, 'report.json'),
    junit: join(outDir, 'junit.xml'),
    sarif: join(outDir, 'results.sarif'),
    ctrf: join(outDir, 'ctrf.json'),
    markdown: join(outDir, 'summary.md'),
    har: join(outDir, 'evidence.har'),
  };
  await unwritable(outDir, mkdir(outDir, { recursive: true }));
  await writeWhole(paths.json, jsonPieces(report));
  await writeWhole(paths.junit, junitPieces(report));
  await writeWhole(paths.sarif, renderSarif(report));
  await writeWhole(paths.ctrf, ctrfPieces(report));
  await writeWhole(paths.markdown, renderMarkdown(report));
  await writeWhole(paths.har, renderHar(report));
  await writeWhole(paths.html, renderHtml(report));
  await writeEvidence(report, outDir);
  assertValid(report);
  return paths;
}

/** Writes report.json of a run that goes on, and the names of the experiments performed: what `--resume` reads. */
export async function writeCheckpoint(report: Report, performed: ReadonlySet<string>, outDir: string): Promise<void> {
  await writeWhole(join(outDir, 'report.json'), jsonPieces(report));
  await writePerformed(performed, outDir);
}

/** Writes the names of the experiments performed, one a line. */
export async function writePerformed(performed: ReadonlySet<string>, outDir: string): Promise<void> {
  await writeWhole(join(outDir, PERFORMED_FILE), `${[...performed].join('\n')}\n`);
}

async function writeEvidence(report: Report, outDir: string): Promise<void> {
  const folder = join(outDir, EVIDENCE_FOLDER);
  await unwritable(folder, rm(folder, { recursive: true, force: true }));
  for (const [name, page] of renderEvidence(report)) {
    await writeFileWhole(join(outDir, name), page);
  }
}

/** Writes a file below a folder that exists: whole or not at all. Throws `ReportUnwritable`. */
export async function writeFileWhole(path: string, text: string): Promise<void> {
  await unwritable(path, mkdir(dirname(path), { recursive: true }));
  await writeWhole(path, text);
}

async function writeWhole(path: string, text: string | Iterable<string>): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, text);
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw new ReportUnwritable(path, cause);
  }
}

async function unwritable(path: string, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (cause) {
    throw new ReportUnwritable(path, cause);
  }
}
