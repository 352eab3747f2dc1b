// Reporters of the user's own, which the configuration brings: each gets a report of its own, and what it does wrong costs
// no other report.
import { isAbsolute, join, normalize, sep } from 'node:path';
import type { Clock } from '../clock/clock.ts';
import type { Report } from '../contract/report.ts';
import { writeWhole } from '../disk/whole-file.ts';

/** Texts by the name of their file in the run's folder: "metrics.txt", "notes/one.md". */
export type OwnFiles = Readonly<Record<string, string>>;

export interface OwnReporter {
  /** Told where it fails. */
  readonly name: string;
  /**
   * Tells of a run, once it is judged and all other reports are written. What it returns is written into the run's
   * folder; it may as well send the report elsewhere. What it throws ends the command with exit 3.
   */
  report(report: Report, place: { readonly folder: string }): OwnFiles | undefined | Promise<OwnFiles | undefined>;
}

/** A reporter and the file that brings it, as the user names it. */
export interface BroughtReporter {
  readonly reporter: OwnReporter;
  readonly file: string;
}

/** A reporter that sends a report elsewhere takes its time; one that takes longer is not waited for. ms. */
const MAX_REPORTER_MS = 300_000;

/** Lets every reporter tell of the run; resolves with a sentence for each that failed, or does not end. */
export async function reportOwn(
  report: Report,
  folder: string,
  reporters: readonly BroughtReporter[],
  clock: Clock,
): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const { reporter, file } of reporters) {
    try {
      const files = (await inTime(reporter.report(structuredClone(report), { folder }), clock)) ?? {};
      await writeAll(files, folder);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      failures.push(`the reporter ${reporter.name} of ${file} failed: ${why.split('\n', 1)[0]}`);
    }
  }
  return failures;
}

async function inTime<T>(work: T | Promise<T>, clock: Clock): Promise<T> {
  const isOver = new AbortController();
  const late = clock.sleep(MAX_REPORTER_MS, isOver.signal).then(() => {
    throw new Error(`does not end within ${MAX_REPORTER_MS / 60_000} minutes`);
  });
  late.catch(() => {});
  return Promise.race([work, late]).finally(() => isOver.abort());
}

async function writeAll(files: OwnFiles, folder: string): Promise<void> {
  if (typeof files !== 'object') throw new Error('answers neither files by name nor nothing');
  for (const [name, text] of Object.entries(files)) {
    if (typeof text !== 'string') throw new Error(`answers no text for ${name}`);
    await writeWhole(join(folder, inside(name)), text);
  }
}

/** Names that a run's folder has a use for. */
const TAKEN =
  /^(index\.html|report\.json|junit\.xml|results\.sarif|ctrf\.json|summary\.md|evidence\.har|performed\.txt|created\.jsonl)$/;
const TAKEN_FOLDERS = ['evidence', 'load'];

/** The name, made plain. Throws for a place outside the folder, and for what stands there already. */
function inside(name: string): string {
  const path = normalize(name);
  const [first = ''] = path.split(sep);
  if (name === '' || isAbsolute(path) || first === '..' || first === '.')
    throw new Error(`${name} lies outside the folder`);
  if (TAKEN.test(path) || TAKEN_FOLDERS.includes(first) || first.startsWith('certificate'))
    throw new Error(`${name} is a name that Assay writes itself`);
  return path;
}
