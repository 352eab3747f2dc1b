// The bytes of a description or of a file it refers to. Limits in bytes and time; no redirect is followed.
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { request } from 'undici';

const MOST_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 20_000;

/** The URL of a description named by path or by http(s) URL. */
export function locationOf(file: string): string {
  return /^https?:\/\//i.test(file) ? new URL(file).href : pathToFileURL(resolve(file)).href;
}

/** The text at a file: or http(s): location. Throws an Error whose message says what went wrong. */
export async function readSource(location: string): Promise<string> {
  const bytes = location.startsWith('file:') ? await readLocal(location) : await readRemote(location);
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

async function readLocal(location: string): Promise<Uint8Array> {
  const path = fileURLToPath(location);
  try {
    const { size } = await stat(path);
    if (size > MOST_BYTES) throw new Error(tooLarge());
    return await readFile(path);
  } catch (error) {
    const known = WORDS[(error as NodeJS.ErrnoException).code ?? ''];
    throw known === undefined ? error : new Error(known, { cause: error });
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'this is a folder, not a file',
  EACCES: 'reading it is not permitted',
  EPERM: 'reading it is not permitted',
};

async function readRemote(location: string): Promise<Uint8Array> {
  const answer = await request(location, {
    headers: { accept: 'application/json, application/yaml, text/yaml, */*;q=0.5' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (answer.statusCode !== 200) {
    await answer.body.dump();
    const target = answer.headers.location;
    throw new Error(`the server answers ${answer.statusCode}${target === undefined ? '' : ` and points to ${target}`}`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body) {
    bytes += (chunk as Uint8Array).length;
    if (bytes > MOST_BYTES) throw new Error(tooLarge());
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks);
}

function tooLarge(): string {
  return `it is larger than ${MOST_BYTES / 1024 / 1024} MiB`;
}
