// Writes files so that each appears whole or not at all: under a passing name in the same folder first, then by a rename.
// This is the only door to the disk for what Assay writes; test/disk.test.ts holds that.
import { existsSync } from 'node:fs';
import * as disk from 'node:fs/promises';
import { dirname } from 'node:path';
import { ToldError } from '../contract/told-error.ts';
import { passingFile, removePassing, sweepBelowOnce } from './passing.ts';

/** Content of a file: a text, bytes, or a text in pieces. */
export type Content = string | Uint8Array | Iterable<string>;

/** As much of node:fs/promises as writing takes; tests bring one whose disk is full. */
export type Disk = Pick<typeof disk, 'copyFile' | 'mkdir' | 'open' | 'rename'>;

export interface WriteOptions {
  /** Permissions of a new file; absent: the system's usual ones. */
  readonly mode?: number;
}

/** Thrown when a file cannot be written; what stood there before stands there still. */
export class FileUnwritable extends ToldError<'ASSAY_FILE_UNWRITABLE', null> {
  readonly path: string;
  /** In words: "the disk is full". */
  readonly reason: string;
  /** The system's code in brackets, " (ENOSPC)", where the words stand for one. */
  readonly mark: string;

  constructor(path: string, cause: unknown) {
    const { code, message } = Object(cause) as { readonly code?: unknown; readonly message?: unknown };
    const known = typeof code === 'string' ? REASONS[code] : undefined;
    const reason = known ?? String(message ?? cause);
    const mark = known === undefined ? '' : ` (${code})`;
    super('ASSAY_FILE_UNWRITABLE', `${path} cannot be written: ${reason}${mark}`, null, cause);
    this.path = path;
    this.reason = reason;
    this.mark = mark;
  }
}

/** Characters that are written at once. */
const PIECE_CHARS = 2 ** 20;

let pieces = 0;

/** How many pieces this process has written so far: while the number grows, writing goes on. */
export function piecesWritten(): number {
  return pieces;
}

/** Writes the file and its folders; an earlier file is replaced. Throws `FileUnwritable`, and then leaves no part of it. */
export async function writeWhole(path: string, content: Content, options: WriteOptions = {}): Promise<void> {
  await writeWholeOn(disk, path, content, options);
}

/** Copies the file as `writeWhole` writes one. */
export async function copyWhole(from: string, to: string): Promise<void> {
  await appear(disk, to, (passing) => disk.copyFile(from, passing));
}

/** Writes the file on the disk given. */
export async function writeWholeOn(on: Disk, path: string, content: Content, { mode }: WriteOptions): Promise<void> {
  await appear(on, path, (passing) => fill(on, passing, content, mode));
}

async function fill(on: Disk, path: string, content: Content, mode: number | undefined): Promise<void> {
  const file = await on.open(path, 'wx', mode);
  try {
    await file.writeFile(piecewise(content));
    // Without it a machine that loses power may come back with an empty file under the final name.
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Makes the folder and those above it, where they are missing, and tells which it made, the outermost first. Throws `FileUnwritable`. */
export async function makeFolder(path: string): Promise<readonly string[]> {
  return made(disk, path).catch((cause) => {
    throw new FileUnwritable(path, cause);
  });
}

/** Removes those of the folders that `makeFolder` made in which nothing stands. */
export async function removeEmpty(folders: readonly string[]): Promise<void> {
  for (const folder of folders.toReversed()) await disk.rmdir(folder).catch(() => {});
}

/** Folder by folder: where one cannot be made, as in /proc, Node's own recursion may go on for ever. */
async function made(on: Disk, path: string): Promise<readonly string[]> {
  const missing: string[] = [];
  // A file in the folder's place is refused.
  if (existsSync(path)) await on.mkdir(path, { recursive: true });
  for (let at = path; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at);
  for (const folder of missing) {
    await on.mkdir(folder).catch((error: NodeJS.ErrnoException) => {
      // Another process made it meanwhile.
      if (error.code !== 'EEXIST') throw error;
    });
  }
  return missing;
}

async function appear(on: Disk, path: string, fill: (passing: string) => Promise<void>): Promise<void> {
  const passing = passingFile(dirname(path));
  try {
    await made(on, dirname(path));
    await sweepBelowOnce(dirname(path));
    await fill(passing.path);
    await on.rename(passing.path, path);
    passing.settle();
  } catch (cause) {
    await removePassing(passing.path);
    throw new FileUnwritable(path, cause);
  }
}

/** The content in pieces of one size: small ones cost a call each, and the end of a large one tells nothing for long. */
function* piecewise(content: Content): Generator<string | Uint8Array> {
  let held = '';
  for (const text of typeof content === 'string' || content instanceof Uint8Array ? [content] : content) {
    if (typeof text !== 'string') {
      for (let at = 0; at < text.length; at += PIECE_CHARS) yield counted(text.subarray(at, at + PIECE_CHARS));
      continue;
    }
    held += text;
    while (held.length > PIECE_CHARS) {
      const end = isHighSurrogate(held, PIECE_CHARS - 1) ? PIECE_CHARS + 1 : PIECE_CHARS;
      yield counted(held.slice(0, end));
      held = held.slice(end);
    }
  }
  yield counted(held);
}

function counted<T>(piece: T): T {
  pieces += 1;
  return piece;
}

/** A pair of surrogates is never cut: each half alone would be lost. */
function isHighSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdbff;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file is larger than the system allows',
  EROFS: 'the file system is read-only',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  ENOTDIR: 'a file stands where a folder should be',
  EEXIST: 'a file stands where a folder should be',
  EISDIR: 'a folder stands where the file should be',
  ENOTEMPTY: 'a folder stands where the file should be',
  EIO: 'the disk reports an error',
  ENAMETOOLONG: 'the name is too long',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENOENT: 'the folder is gone',
};
