// The files that `assay check` is given, standard input among them: whether they can be read at all, and which of the two
// formats each has, which its name or its beginning tells.
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { MOST_BODY_BYTES } from '../../run/traffic/recorded-exchange.ts';
import { type Reading, readHar } from './har-file.ts';
import { readLines } from './lines-file.ts';
import { unreadableRecording } from './recording-problems.ts';

const CHUNK_BYTES = 256 * 1024;
/** Enough to tell a HAR file by its beginning. Bytes. */
const BEGINNING_BYTES = 4096;
/** As an argument it stands for standard input. */
const STANDARD_INPUT = '-';

export interface Recording {
  readonly file: string;
  /** As messages name it. */
  readonly name: string;
}

export type Format = 'har' | 'lines';

/** Throws one UsageError that names every file which cannot be read. */
export async function recordingsOf(files: readonly string[]): Promise<readonly Recording[]> {
  const all = await Promise.all(files.map(recordingOf));
  const problems = all.flatMap((one) => (typeof one === 'string' ? [one] : []));
  if (files.filter((file) => file === STANDARD_INPUT).length > 1) problems.push('standard input can be read once');
  if (problems.length > 0) throw unreadableRecording(problems.join('\n  '));
  return all.flatMap((one) => (typeof one === 'string' ? [] : [one]));
}

/** Hands over its exchanges. Resolves with false where it ends too early. Throws UsageError for what is no recording. */
export async function readRecording({ file, name }: Recording, reading: Reading): Promise<boolean> {
  const stream = file === STANDARD_INPUT ? process.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES });
  // A source that waits for more must not keep a run that is to end.
  const release = (): void => void stream.destroy();
  reading.stop.addEventListener('abort', release, { once: true });
  try {
    return await readSource(stream, file, { attached: (name) => attachedTo(file, name), ...reading });
  } catch (error) {
    if (reading.stop.aborted) return true;
    const { syscall, code } = error as NodeJS.ErrnoException;
    throw syscall === undefined ? error : unreadableRecording(`${name} cannot be read (${code})`);
  } finally {
    reading.stop.removeEventListener('abort', release);
  }
}

/** Text of a file in the folder of the recording; null where there is none, or one that is larger than is judged. */
function attachedTo(file: string, name: string): string | null {
  if (file === STANDARD_INPUT || basename(name) !== name) return null;
  try {
    const path = join(dirname(file), name);
    const { size } = statSync(path);
    return size <= MOST_BODY_BYTES ? readFileSync(path, 'utf8') : null;
  } catch {
    // A body that is missing was not recorded.
    return null;
  }
}

async function readSource(source: AsyncIterable<Buffer>, file: string, reading: Reading): Promise<boolean> {
  const { name } = reading;
  const { beginning, all } = await begun(source);
  if (beginning.length === 0) throw unreadableRecording(`${name} is empty`);
  const packed = packedAs(beginning);
  if (packed !== null) throw unreadableRecording(`${name} is ${packed}`);
  return formatOf(file, beginning) === 'har' ? readHar(all, reading) : readLines(all, reading);
}

async function recordingOf(file: string): Promise<Recording | string> {
  if (file === STANDARD_INPUT) return { file, name: 'standard input' };
  try {
    const found = await stat(file);
    if (found.isDirectory()) return `${file} is a folder`;
    if (found.isFile() && found.size === 0) return `${file} is empty`;
    await access(file, constants.R_OK);
    return { file, name: basename(file) };
  } catch (error) {
    return `${file} cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
}

/** The first bytes of the source, and all of it, these included. Without a byte order mark. */
async function begun(
  source: AsyncIterable<Buffer>,
): Promise<{ readonly beginning: Buffer; readonly all: AsyncIterable<Buffer> }> {
  const chunks = source[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  let bytes = 0;
  while (bytes < BEGINNING_BYTES) {
    const { done, value } = await chunks.next();
    if (done === true) break;
    first.push(value);
    bytes += value.length;
  }
  const beginning = withoutMark(Buffer.concat(first));
  return { beginning, all: joined(beginning, { [Symbol.asyncIterator]: () => chunks }) };
}

async function* joined(beginning: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield beginning;
  yield* rest;
}

function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** The format of a file that has to be unpacked or converted first, by the numbers that such files begin with; null: none. */
function packedAs(beginning: Buffer): string | null {
  const magic = beginning.toString('latin1', 0, 4);
  if (magic.startsWith('\x1f\x8b')) return 'compressed by gzip: unpack it first (gunzip -c FILE | assay check -)';
  if (magic === 'PK\x03\x04') return 'a zip archive: unpack it first';
  if (magic === '\x28\xb5\x2f\xfd') return 'compressed by zstd: unpack it first (zstd -dc FILE | assay check -)';
  if (magic.startsWith('\xff\xfe') || magic.startsWith('\xfe\xff')) return 'text in UTF-16: save it as UTF-8';
  return null;
}

function formatOf(file: string, beginning: Buffer): Format {
  const extension = extname(file).toLowerCase();
  if (extension === '.har') return 'har';
  if (extension === '.jsonl' || extension === '.ndjson') return 'lines';
  const text = beginning.toString('utf8', 0, BEGINNING_BYTES);
  return /^\s*\{(\s*"log"\s*:|[ \t]*\r?\n|.*"log"\s*:\s*\{)/.test(text) ? 'har' : 'lines';
}
