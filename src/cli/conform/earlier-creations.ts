// Reads what earlier runs wrote down as made on the same target and not as deleted: in the job's own folder and in the
// folders of runs beside it.
import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { JOURNAL_FILE, type JournalledObject, JournalUnreadable, readJournal } from '../../run/books/journal.ts';
import { newestFirst } from '../report/earlier-run.ts';
import type { Job } from './prepare.ts';

/** So many of the newest journals are read. */
const MOST_FILES = 30;
/** A journal is small; what is larger is none that a run needs to know. Bytes. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Objects that runs before this one left, newest first. A journal that cannot be read is left out: it is no part of this
 * run. Nothing for the embedded platform, which ends with its run.
 */
export async function leftByEarlierRuns({
  config,
  outDir,
}: Pick<Job, 'config' | 'outDir'>): Promise<readonly JournalledObject[]> {
  const { baseUrl, embedded } = config.target;
  if (embedded !== undefined) return [];
  const beside = dirname(outDir);
  const names = await readdir(beside).catch(() => []);
  const folders = [outDir, ...names.map((name) => join(beside, name))];
  const files = await newestFirst(folders.map((folder) => join(folder, JOURNAL_FILE)));
  return files.slice(0, MOST_FILES).flatMap((file) => leftIn(file, baseUrl));
}

function leftIn(file: string, baseUrl: string): readonly JournalledObject[] {
  try {
    const entry = statSync(file);
    if (!entry.isFile() || entry.size > MOST_BYTES) return [];
    const parts = readJournal(file).filter(({ head }) => head.baseUrl === baseUrl && head.embedded === undefined);
    return parts.flatMap(({ made }) => made.filter(({ isGone }) => !isGone)).toReversed();
  } catch (error) {
    if (error instanceof JournalUnreadable || (error as NodeJS.ErrnoException).code !== undefined) return [];
    throw error;
  }
}
