// One digest for the program as it lies here: what checked itself once need not do so again until it changes.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PACKAGE_ROOT } from '../../config/package-root.ts';

const SOURCES = dirname(dirname(import.meta.dirname));

/** SHA-256, as hex, of every file that the program runs, tests left out, and of the versions that it depends on. */
export async function toolDigest(): Promise<string> {
  const entries = await readdir(SOURCES, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && !/\.test\.[jt]s$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const hash = createHash('sha256');
  for (const file of [...files, join(PACKAGE_ROOT, 'package.json')]) {
    hash.update(`${file.slice(PACKAGE_ROOT.length)}\n`);
    hash.update(await readFile(file));
  }
  return hash.digest('hex');
}
