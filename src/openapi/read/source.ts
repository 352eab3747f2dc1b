// The bytes of a description and of the files it refers to, as far as they may be read. Limits in bytes and time; no
// redirect is followed.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { request } from 'undici';
import { timeLimit } from '../../clock/system.ts';
import { decoded as uncoded } from '../../exchange/content-coding.ts';
import { oncePerValue } from '../../exchange/once-per.ts';
import { foldersIn, NotFollowed, nameOf, refusal } from './files.ts';

/** Maximum of a description and all its files together. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Until a server answers, and from one piece of its answer to the next: some make the description when it is first asked for. */
const SILENCE_MS = 30_000;
const TIMEOUT_MS = 60_000;

export interface Source {
  /** Name of it in problems. */
  readonly name: string;
  readonly location: string;
  readonly text: string;
  /** SHA-256 of the bytes, as hex. */
  readonly digest: string;
}

/** The URL of a description named by path or by http(s) URL. */
export function locationOf(file: string): string {
  return /^https?:\/\//i.test(file) ? new URL(file).href : pathToFileURL(resolve(file)).href;
}

/** A URL that answers otherwise than with a document. Caught where descriptions are read, and told with a hint. */
export class NotServed extends Error {
  readonly status: number;
  /** Where the answer points to; null: nowhere. */
  readonly target: string | null;

  constructor(status: number, target: string | null) {
    super(`the server answers ${status}${target === null ? '' : ` and points to ${target}`}`);
    this.status = status;
    this.target = target;
  }
}

/** Sends one request, as undici's `request` does. */
export type Ask = (url: string, options: NonNullable<Parameters<typeof request>[1]>) => ReturnType<typeof request>;

/** Reads one description and what it refers to. */
export class Sources {
  private readonly file: string;
  private readonly location: string;
  private readonly remoteRefs: readonly string[];
  private readonly text: string | undefined;
  private readonly silentHosts = new Set<string>();
  private bytesLeft = MAX_BYTES;

  private readonly ask: Ask;

  /** `text`: the description itself, where it is at hand; its file is then not read. `ask`: how URLs are fetched. */
  constructor(file: string, remoteRefs: readonly string[], text?: string, ask: Ask = request) {
    this.text = text;
    this.ask = ask;
    this.file = file;
    this.location = locationOf(file);
    this.remoteRefs = remoteRefs;
  }

  /** The description itself. Throws an Error whose message says what went wrong. */
  async description(): Promise<Source> {
    const bytes = this.text === undefined ? await this.read(this.location, false) : Buffer.from(this.text);
    return this.sourceOf(this.file, this.location, bytes);
  }

  /**
   * A file that it refers to, read once: below its folder or one of remoteRefs, symbolic links followed, or from a host of
   * remoteRefs. Throws as above.
   */
  readonly referred = oncePerValue((location: string): Promise<Source> => this.readReferred(location));

  private async readReferred(location: string): Promise<Source> {
    const reason = refusal(location, this.location, this.remoteRefs);
    if (reason !== null) throw new NotFollowed(reason);
    return this.sourceOf(nameOf(location, this.location), location, await this.read(location, true));
  }

  private sourceOf(name: string, location: string, bytes: Uint8Array): Source {
    this.bytesLeft -= bytes.length;
    return { name, location, text: decoded(bytes), digest: createHash('sha256').update(bytes).digest('hex') };
  }

  private read(location: string, referred: boolean): Promise<Uint8Array> {
    return location.startsWith('file:') ? this.readLocal(fileURLToPath(location), referred) : this.readRemote(location);
  }

  private async readLocal(path: string, referred: boolean): Promise<Uint8Array> {
    try {
      const found = await stat(path);
      if (referred) await this.refuseOutside(path);
      if (found.size > this.bytesLeft) throw new Error(tooLarge());
      if (found.isFile() || found.isDirectory()) return await readFile(path);
      if (referred) throw new Error('this is no ordinary file');
      return await this.limited(createReadStream(path));
    } catch (error) {
      const known = WORDS[(error as NodeJS.ErrnoException).code ?? ''];
      throw known === undefined ? error : new Error(known, { cause: error });
    }
  }

  private async refuseOutside(path: string): Promise<void> {
    const allowed = [
      dirname(fileURLToPath(this.location)),
      ...foldersIn(this.remoteRefs).map((one) => fileURLToPath(one)),
    ];
    const folders = await Promise.all(allowed.map((folder) => realpath(folder).catch(() => folder)));
    const real = await realpath(path);
    if (!folders.some((folder) => real.startsWith(folder.endsWith(sep) ? folder : folder + sep)))
      throw new Error("it is a symbolic link that leaves the description's folder and those of refFolders");
  }

  private async readRemote(location: string): Promise<Uint8Array> {
    const { host } = new URL(location);
    if (this.silentHosts.has(host)) throw new Error(`${host} did not answer before`);
    try {
      return await this.fetch(location);
    } catch (error) {
      // A host that hangs costs one waiting time, however many references lead to it.
      if ((error as Error).name !== 'Error') this.silentHosts.add(host);
      throw error;
    }
  }

  private async fetch(location: string): Promise<Uint8Array> {
    const answer = await this.ask(location, {
      headers: { accept: 'application/json, application/yaml, text/yaml, */*;q=0.5' },
      signal: timeLimit(TIMEOUT_MS),
      headersTimeout: SILENCE_MS,
      bodyTimeout: SILENCE_MS,
    });
    if (answer.statusCode === 200) {
      const coding = [answer.headers['content-encoding'] ?? []].flat().join();
      const { bytes, isTooLong } = uncoded(await this.limited(answer.body), coding, this.bytesLeft);
      if (isTooLong) throw new Error(tooLarge());
      return bytes;
    }
    await answer.body.dump();
    const target = answer.headers.location;
    throw new NotServed(answer.statusCode, typeof target === 'string' ? target : null);
  }

  private async limited(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of stream) {
      bytes += chunk.length;
      if (bytes > this.bytesLeft) throw new Error(tooLarge());
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'this is a folder, not a file',
  EACCES: 'reading it is not permitted',
  EPERM: 'reading it is not permitted',
  ELOOP: 'it is a symbolic link that leads to itself',
};

/** UTF-8, or UTF-16 told by its byte order mark or by the zero in its first character. */
function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const little = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0);
  const big = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0);
  const encoding = bytes.length < 2 ? 'utf-8' : little ? 'utf-16le' : big ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Error(`it is no ${encoding.toUpperCase()} text`, { cause: error });
  }
}

function tooLarge(): string {
  return `it is larger than ${MAX_BYTES / 1024 / 1024} MiB, alone or with the files it refers to`;
}
