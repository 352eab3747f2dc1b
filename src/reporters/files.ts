// Which files a run leaves in its folder. src/disk writes them: each appears whole or not at all.
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Report } from '../contract/report.ts';
import { FileUnwritable, writeWhole } from '../disk/whole-file.ts';
import { ctrfPieces } from './formats/ctrf.ts';
import { renderHar } from './formats/har.ts';
import { assertValid, jsonPieces } from './formats/json.ts';
import { junitPieces } from './formats/junit.ts';
import { renderMarkdown } from './formats/markdown.ts';
import { renderSarif } from './formats/sarif.ts';
import { EVIDENCE_FOLDER } from './html/findings.ts';
import { renderEvidence, renderHtml } from './html/html.ts';

/** Beside the reports: which experiments were performed. */
export const PERFORMED_FILE = 'performed.txt';
/** Begins the line of performed.txt that names the run. */
const RUN_MARK = '# run ';

/** The forms of a report by their names in the run's folder, in the order written: what is most needed comes first. */
const FORMS = {
  json: 'report.json',
  junit: 'junit.xml',
  sarif: 'results.sarif',
  ctrf: 'ctrf.json',
  markdown: 'summary.md',
  har: 'evidence.har',
  html: 'index.html',
} as const;
type Form = keyof typeof FORMS;

/** Paths of a run's reports, under the folder given. */
export type ReportPaths = Readonly<Record<Form, string>>;

/** Parts of a run's reports that are written. */
export interface Written {
  /** The forms that stand in the folder. */
  readonly paths: Partial<ReportPaths>;
  /** Why the others do not, a sentence for each reason; empty where all do. */
  readonly failures: readonly string[];
}

/**
 * Writes every form of the report into the folder, which is created when absent, and evidence/ where the evidence does
 * not fit into index.html; earlier reports there are replaced. A form that cannot be written costs none of the others.
 * Throws `ReportInvalid` for a report that breaks its schema: after everything is written, since hours of work are worth
 * reading even so.
 */
export async function writeReports(report: Report, outDir: string): Promise<Written> {
  const write: Readonly<Record<Form, (path: string) => Promise<void>>> = {
    json: (path) => writeWhole(path, jsonPieces(report)),
    junit: (path) => writeWhole(path, junitPieces(report)),
    sarif: (path) => writeWhole(path, renderSarif(report)),
    ctrf: (path) => writeWhole(path, ctrfPieces(report)),
    markdown: (path) => writeWhole(path, renderMarkdown(report)),
    har: (path) => writeWhole(path, renderHar(report)),
    html: (path) => writePages(report, path, outDir),
  };
  const paths: Partial<Record<Form, string>> = {};
  const refused: Refused[] = [];
  for (const [form, name] of Object.entries(FORMS) as [Form, string][]) {
    const path = join(outDir, name);
    try {
      await write[form](path);
      paths[form] = path;
    } catch (error) {
      if (!(error instanceof FileUnwritable)) throw error;
      refused.push({ name, error });
    }
  }
  assertValid(report);
  return { paths, failures: failuresOf(refused, outDir) };
}

interface Refused {
  readonly name: string;
  readonly error: FileUnwritable;
}

/** One sentence for each reason: on a full disk all that is missing is missing for the same. */
function failuresOf(refused: readonly Refused[], outDir: string): readonly string[] {
  return [...Map.groupBy(refused, ({ error }) => error.reason)].map(([reason, files]) => {
    const names = files.map(({ name }) => name).join(', ');
    return `${names} cannot be written to ${outDir}: ${reason}${files[0]?.error.mark}`;
  });
}

/**
 * Removes what an earlier run left of itself in the folder, but for report.json, which is soon replaced: were this run
 * killed, who looks there would take it for this one's.
 */
export async function removeEarlier(outDir: string): Promise<void> {
  const { json: _replaced, ...others } = FORMS;
  for (const name of [...Object.values(others), EVIDENCE_FOLDER])
    await rm(join(outDir, name), { recursive: true, force: true }).catch(() => {});
}

/**
 * Writes report.json of an unfinished run, and the names of its finished experiments where the run can be resumed: `--resume`
 * reads both. Resolves with the path of the report. Throws `FileUnwritable`.
 */
export async function writeCheckpoint(
  report: Report,
  performed: ReadonlySet<string> | null,
  outDir: string,
): Promise<string> {
  const path = join(outDir, FORMS.json);
  await writeWhole(path, jsonPieces(report));
  if (performed !== null) await writePerformed(report, performed, outDir);
  return path;
}

/**
 * Writes the names of the experiments performed, one a line, below the run's id. To be called once the report that tells of
 * them is written: were the run killed between the two, `--resume` would else leave out what no report tells of. Throws
 * `FileUnwritable`.
 */
export async function writePerformed({ run }: Report, performed: ReadonlySet<string>, outDir: string): Promise<void> {
  await writeWhole(join(outDir, PERFORMED_FILE), `${RUN_MARK}${run.id}\n${[...performed].join('\n')}\n`);
}

/** The names in the text of such a file; none where it belongs to another run than the report. */
export function performedIn(text: string, { run }: Report): readonly string[] {
  const lines = text.split('\n').filter((line) => line !== '');
  const [first = ''] = lines;
  // Earlier versions wrote no id.
  if (!first.startsWith(RUN_MARK)) return lines;
  return [run.id, run.resumes].includes(first.slice(RUN_MARK.length)) ? lines.slice(1) : [];
}

/** index.html and the pages of evidence that it links to. The pages come first: at no time does a link lead nowhere. */
async function writePages(report: Report, path: string, outDir: string): Promise<void> {
  const pages = new Set<string>();
  try {
    for (const [name, page] of renderEvidence(report)) {
      await writeWhole(join(outDir, name), page);
      pages.add(basename(name));
    }
    await writeWhole(path, renderHtml(report));
  } finally {
    await removeOthers(join(outDir, EVIDENCE_FOLDER), pages);
  }
}

/** Removes the pages of an earlier report. What cannot be removed stays: nothing links to it. */
async function removeOthers(folder: string, pages: ReadonlySet<string>): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const others = names.filter((name) => !pages.has(name));
  for (const name of others) await rm(join(folder, name), { recursive: true, force: true }).catch(() => {});
  if (pages.size === 0) await rm(folder, { recursive: true, force: true }).catch(() => {});
}
