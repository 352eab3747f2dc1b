// Forecasts the objects that a job creates, keeps the journal of them beside its reports, and reads the journals of the
// jobs before it.
import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemClock } from '../../clock/system.ts';
import { createCatalogue } from '../../openapi/model/catalogue.ts';
import {
  beginJournal,
  type CreationJournal,
  JOURNAL_FILE,
  type JournalledObject,
  JournalUnreadable,
  readJournal,
} from '../../run/books/journal.ts';
import { forecastInWords, forecastOf } from '../../run/plan/forecast.ts';
import { selectOperations } from '../../run/plan/selection.ts';
import type { Job } from '../conform/prepare.ts';
import { NoVerdict } from '../process/failure.ts';
import { newestFirst } from '../report/earlier-run.ts';
import { nameFrom } from '../report/located.ts';

/** The number of objects that the job may create, in words. */
export function forecastOfJob({ config, options, descriptions }: Job): string {
  const catalogue = createCatalogue(descriptions);
  return forecastInWords(forecastOf(config, catalogue, selectOperations(catalogue, options)));
}

/** Begins the journal in the job's folder. Throws NoVerdict where it cannot be written: nothing must be created then. */
export async function jobJournal({ config, options, outDir, redactor }: Job): Promise<CreationJournal> {
  const { baseUrl, embedded } = config.target;
  const file = config.file === null ? null : nameFrom(process.cwd(), config.file);
  const startedAt = new Date(systemClock.now()).toISOString();
  const head = {
    run: options.runId ?? '',
    startedAt,
    baseUrl,
    config: file,
    ...(config.described === undefined ? {} : { described: config.described }),
    ...(embedded === undefined ? {} : { embedded }),
  };
  try {
    return await beginJournal(outDir, head, (text) => redactor.redact(text));
  } catch (error) {
    const message = `what the run creates cannot be written down: ${(error as Error).message}`;
    throw new NoVerdict(message, 'name another folder with --out', error);
  }
}

/** Maximum number of journals that are read, the newest first. */
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
