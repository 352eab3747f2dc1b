// The files that `assay check` is given: which of the two formats each has, and whether they can be read at all.
import { open, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { type Reading, readHar } from './har-file.ts';
import { readLines } from './lines-file.ts';
import { unreadableRecording } from './recording-problems.ts';

/** Enough to tell a HAR file by its beginning. Bytes. */
const BEGINNING_BYTES = 4096;

export interface Recording {
  readonly file: string;
  /** As messages name it. */
  readonly name: string;
  readonly format: 'har' | 'lines';
}

/** Throws one UsageError that names every file which cannot be read. */
export async function recordingsOf(files: readonly string[]): Promise<readonly Recording[]> {
  const all = await Promise.all(files.map(recordingOf));
  const problems = all.flatMap((one) => (typeof one === 'string' ? [one] : []));
  if (problems.length > 0) throw unreadableRecording(problems.join('\n  '));
  return all.flatMap((one) => (typeof one === 'string' ? [] : [one]));
}

/** Hands over its exchanges. Resolves with false where it ends too early. */
export function readRecording({ file, format }: Recording, reading: Reading): Promise<boolean> {
  return format === 'har' ? readHar(file, reading) : readLines(file, reading);
}

async function recordingOf(file: string): Promise<Recording | string> {
  try {
    const found = await stat(file);
    if (!found.isFile()) return `${file} is no file`;
    if (found.size === 0) return `${file} is empty`;
    return { file, name: basename(file), format: await formatOf(file) };
  } catch (error) {
    return `${file} cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
}

async function formatOf(file: string): Promise<Recording['format']> {
  const extension = extname(file).toLowerCase();
  if (extension === '.har') return 'har';
  if (extension === '.jsonl' || extension === '.ndjson') return 'lines';
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(BEGINNING_BYTES), 0, BEGINNING_BYTES, 0);
    const beginning = buffer.toString('utf8', 0, bytesRead).replace(/^\ufeff/, '');
    return /^\s*\{(\s*"log"\s*:|[ \t]*\r?\n)/.test(beginning) ? 'har' : 'lines';
  } finally {
    await handle.close();
  }
}
