// Where a k6 that fits is: named by ASSAY_K6, on PATH, where `go install` puts it, or in Assay's own cache. Nothing is
// installed here.
import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../../config/cache-folder.ts';
import { fits, K6_VERSION, versionIn } from './version.ts';

export interface FoundK6 {
  /** Absolute path of the program. */
  readonly path: string;
  readonly version: string;
  readonly source: 'ASSAY_K6' | 'PATH' | 'go' | 'cache';
}

/** A k6 that was looked at and not taken, and why. */
export interface RefusedK6 {
  readonly path: string;
  readonly why: string;
}

export interface Search {
  readonly found: FoundK6 | null;
  readonly refused: readonly RefusedK6[];
}

const PROGRAM = process.platform === 'win32' ? 'k6.exe' : 'k6';
const ASKING_MS = 10_000;
const run = promisify(execFile);

/** The folder where Assay keeps the k6 that it built; null where nothing is kept. */
export function k6CacheFolder(env: NodeJS.ProcessEnv): string | null {
  const base = cacheFolder(env, process.platform);
  return base === null ? null : join(base, `k6-${K6_VERSION}`);
}

/** Looks in that order. A program named by ASSAY_K6 that does not fit ends the search: the user meant that one. */
export async function findK6(env: NodeJS.ProcessEnv): Promise<Search> {
  const refused: RefusedK6[] = [];
  for (const { path, source } of candidates(env)) {
    const answer = await ask(path, source === 'ASSAY_K6');
    if (answer === null) continue;
    if ('version' in answer) return { found: { path, version: answer.version, source }, refused };
    refused.push({ path, why: answer.why });
    if (source === 'ASSAY_K6') return { found: null, refused };
  }
  return { found: null, refused };
}

function candidates(env: NodeJS.ProcessEnv): readonly { path: string; source: FoundK6['source'] }[] {
  if (env.ASSAY_K6) return [{ path: resolve(env.ASSAY_K6), source: 'ASSAY_K6' }];
  const folders = (env.PATH ?? '').split(delimiter).filter(isAbsolute);
  const kept = k6CacheFolder(env);
  return [
    ...folders.map((folder) => ({ path: join(folder, PROGRAM), source: 'PATH' as const })),
    { path: join(goFolder(env), PROGRAM), source: 'go' as const },
    ...(kept === null ? [] : [{ path: join(kept, PROGRAM), source: 'cache' as const }]),
  ];
}

/** Where `go install` puts programs. */
function goFolder({ GOBIN, GOPATH, HOME }: NodeJS.ProcessEnv): string {
  if (GOBIN) return resolve(GOBIN);
  const [first = ''] = (GOPATH ?? '').split(delimiter);
  return join(first === '' ? join(HOME ?? homedir(), 'go') : first, 'bin');
}

/** Its version; why it is not taken; null where nothing is there. What the user named is never silently absent. */
async function ask(path: string, isNamed: boolean): Promise<{ version: string } | { why: string } | null> {
  const there = await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!there) return isNamed ? { why: 'is not there, or is no program' } : null;
  try {
    const { stdout } = await run(path, ['version'], { timeout: ASKING_MS, killSignal: 'SIGKILL' });
    const version = versionIn(stdout);
    if (version === null) return { why: 'does not tell a version of k6' };
    return fits(version) ? { version } : { why: `is version ${version}, and ${K6_VERSION} is needed` };
  } catch (error) {
    return { why: `does not start: ${(error as Error).message.split('\n', 1)[0]}` };
  }
}
