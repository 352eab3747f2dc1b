// Searches what a client writes for what it must not write: streams as they flow, and the files that it left. Nothing is kept.
import { open, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Leak } from '../../exchange/client-run.ts';

/** Texts that are looked for, by their kind. Each in any encoding that a log would use as it is. */
export type Sought = Readonly<Record<Leak['of'], readonly string[]>>;

const MAX_FILES = 5000;
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;

/** Looks through a stream piece by piece: what stands across two pieces is found, too. */
export class LeakSearch {
  readonly found = new Set<Leak['of']>();
  readonly #needles: readonly (readonly [Leak['of'], Buffer])[];
  readonly #overlap: number;
  #rest = Buffer.alloc(0);

  constructor(sought: Sought) {
    this.#needles = (Object.entries(sought) as [Leak['of'], readonly string[]][]).flatMap(([of, texts]) =>
      texts.flatMap(formsOf).map((form) => [of, form] as const),
    );
    this.#overlap = Math.max(...this.#needles.map(([, { length }]) => length)) - 1;
  }

  push(piece: Buffer): void {
    const text = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    for (const [of, needle] of this.#needles) if (!this.found.has(of) && text.includes(needle)) this.found.add(of);
    // Copied, so that no large piece is held for its end.
    this.#rest = Buffer.from(text.subarray(Math.max(0, text.length - this.#overlap)));
  }
}

/** As it is, in two bytes a character, in hexadecimal, and in base64 whatever stands before it. */
function formsOf(text: string): readonly Buffer[] {
  const shifted = [0, 1, 2].map((lead) => {
    const whole = Buffer.from(`${' '.repeat(lead)}${text}`)
      .toString('base64')
      .replace(/=+$/, '');
    // The first and last characters share bits with what stands around.
    return Buffer.from(whole.slice(lead === 0 ? 0 : 4, -2));
  });
  const hex = Buffer.from(text).toString('hex');
  const whole = [Buffer.from(text), Buffer.from(text, 'utf16le'), Buffer.from(hex), Buffer.from(hex.toUpperCase())];
  return [...whole, ...shifted];
}

/** Contents of the files below the folder, links aside. At most so many files and bytes are read. */
export async function leaksInFiles(folder: string, sought: Sought): Promise<readonly Leak[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).slice(0, MAX_FILES);
  const leaks: Leak[] = [];
  let bytes = MAX_FILE_BYTES;
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name);
    const search = new LeakSearch(sought);
    search.push(Buffer.from(name));
    bytes -= await searchFile(path, search, bytes);
    for (const of of search.found) leaks.push({ of, where: relative(folder, path) });
  }
  return leaks;
}

/** How many bytes were read. A file that cannot be read holds nothing. */
async function searchFile(path: string, search: LeakSearch, most: number): Promise<number> {
  const file = await open(path).catch(() => null);
  if (file === null) return 0;
  let read = 0;
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    while (read < most) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES);
      if (bytesRead === 0) break;
      read += bytesRead;
      search.push(chunk.subarray(0, bytesRead));
    }
  } catch {
    // A file that cannot be read on ends here.
  } finally {
    await file.close().catch(() => {});
  }
  return read;
}
