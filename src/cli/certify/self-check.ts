// The tool judged by itself: the embedded platform without a fault must not be blamed, and each of its faults must be
// caught by its clause: in virtual time, so that it takes little and comes out the same each time. Known once for a
// program, until the program changes, as its digest tells.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SelfCheck } from '../../certify/statement.ts';
import { cacheFolder } from '../../config/cache-folder.ts';
import { PACKAGE_ROOT } from '../../contract/package-root.ts';
import { writeWhole } from '../../disk/whole-file.ts';
import { parsedJson } from '../../exchange/decoded.ts';
import { CASES } from '../../simulation/cases.ts';
import { climb } from '../../simulation/ladder.ts';
import { WORLDS } from '../../simulation/worlds.ts';

const CALM = { world: WORLDS.calm, seed: 1, whole: true };

export interface SelfCheckRequest {
  /** Digest of the program. */
  readonly tool: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stop: AbortSignal;
  /** How many faults were tried, of how many. */
  onProgress(done: number, all: number): void;
}

/** The result of the check; null where it was interrupted. Kept in the user's cache by the program's digest. */
export async function selfCheck(request: SelfCheckRequest): Promise<SelfCheck | null> {
  const folder = cacheFolder(request.env, process.platform);
  const file = folder === null ? null : join(folder, `self-check-${request.tool}.json`);
  // A cache that is no JSON is none: the check is made again.
  const known = file === null ? null : await readFile(file, 'utf8').then(parsedJson, () => null);
  if (Object(known).tool === request.tool) return known as SelfCheck;
  const made = await performed(request);
  if (made !== null && file !== null && folder !== null) await kept(folder, file, made);
  return made;
}

/** Each case is looked at as closely as it takes to decide it; the conformant platform is judged by all clauses. */
async function performed({ tool, stop, onProgress }: SelfCheckRequest): Promise<SelfCheck | null> {
  const faults = CASES.filter(({ kind }) => kind === 'fault');
  const missed: string[] = [];
  let clean = true;
  for (const [at, one] of CASES.filter(({ kind }) => kind !== 'tolerance').entries()) {
    // Between two runs as within one, an interruption is heard.
    const judged = stop.aborted ? null : await climb(one, { ...CALM, stop });
    if (judged === null) return null;
    if (one.kind === 'fault') {
      if (judged.missed) missed.push(one.id);
    } else clean &&= !judged.missed && judged.falseAlarms.length === 0;
    onProgress(at, faults.length);
  }
  return { tool, clean, faults: faults.length, caught: faults.length - missed.length, missed: missed.sort() };
}

async function kept(folder: string, file: string, made: SelfCheck): Promise<void> {
  // Without it the check is made again: no run fails for a cache that cannot be written.
  await mkdir(folder, { recursive: true, mode: 0o700 })
    .then(() => writeWhole(file, JSON.stringify(made)))
    .catch(() => {});
}

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
