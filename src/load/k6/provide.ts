// A k6 that fits, found or built. Building needs Go; without both there is one sentence on how to get k6.
// Official binaries are not downloaded: no digest of this release is known here, and an unchecked program is not run.

import { type ChildProcess, spawn } from 'node:child_process';
import { rename } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { closeStreamsAtEnd } from '../../clock/child-end.ts';
import { systemClock, timeLimit } from '../../clock/system.ts';
import { ToldError } from '../../contract/told-error.ts';
import { temporaryFolder } from '../../disk/passing.ts';
import { type FoundK6, findK6, k6CacheFolder, type RefusedK6 } from './find.ts';
import { K6_VERSION } from './version.ts';

const MODULE = `go.k6.io/k6@v${K6_VERSION}`;
const BUILD_MS = 20 * 60_000;
/**
 * Without what only debuggers read: a sixth less to compile, and a program a third smaller. Compilers live for seconds: that they
 * collect their garbage only where it is much takes another eighth off.
 */
export const LEAN_BUILD = {
  flags: ['-gcflags=all=-dwarf=false', '-ldflags=-s -w'],
  env: { CGO_ENABLED: '0', GOGC: 'off', GOMEMLIMIT: '1GiB' },
};
const PROGRAM = process.platform === 'win32' ? 'k6.exe' : 'k6';

/** How to get k6 by hand: one line. */
export const HOW_TO_GET_K6 = `go install ${MODULE}, or set ASSAY_K6 to a k6 ${K6_VERSION} from https://github.com/grafana/k6/releases/tag/v${K6_VERSION}`;

/** Thrown where no k6 fits and none can be built: exit 3, tool-missing. */
export class K6Missing extends ToldError<'ASSAY_K6_MISSING', string> {
  constructor(why: string) {
    super('ASSAY_K6_MISSING', `k6 ${K6_VERSION} is needed and missing: ${why}`, HOW_TO_GET_K6);
  }
}

/** A k6 that fits; `tell` gets a line for each step of a build, `stop` ends it. Throws `K6Missing`. */
export async function provideK6(
  env: NodeJS.ProcessEnv,
  tell: (line: string) => void,
  stop?: AbortSignal,
): Promise<FoundK6> {
  const { found, refused } = await findK6(env);
  if (found !== null) return found;
  const named = env.ASSAY_K6 !== undefined && env.ASSAY_K6 !== '';
  if (named) throw new K6Missing(told(refused));
  const folder = k6CacheFolder(env);
  if (folder === null) {
    throw new K6Missing(`${told(refused)}, and none is built, for no cache folder is there to keep it (ASSAY_CACHE)`);
  }
  await build({ into: folder, env, tell, before: told(refused), stop });
  const { found: built } = await findK6({ ...env, PATH: '', GOBIN: folder });
  if (built === null) throw new K6Missing('the k6 that Go built does not run');
  return built;
}

function told(refused: readonly RefusedK6[]): string {
  return refused.map(({ path, why }) => `${path} ${why}`).join('; ') || 'none is on PATH';
}

interface Building {
  /** Folder that the program goes to. */
  readonly into: string;
  readonly env: NodeJS.ProcessEnv;
  readonly tell: (line: string) => void;
  /** Why none of those that are there will do. */
  readonly before: string;
  readonly stop: AbortSignal | undefined;
}

/** Builds into a folder of its own and moves the program to its place: two builds at once do not disturb each other. */
async function build(building: Building): Promise<void> {
  const workshop = await temporaryFolder('build', building.into);
  try {
    await goInstall({ ...building, into: workshop.path });
    await rename(join(workshop.path, PROGRAM), join(building.into, PROGRAM));
  } finally {
    await workshop.remove();
  }
}

/** Lines of `go install -v` that name a package: they are written so that Go notices when nobody reads them any more. */
const PACKAGE = /^\S+$/;

async function goInstall({ into, env, tell, before, stop }: Building): Promise<void> {
  const go = spawn('go', ['install', '-v', ...LEAN_BUILD.flags, MODULE], {
    // Files that Go leaves behind when it is killed go with the folder.
    env: { ...env, GOBIN: into, GOTMPDIR: into, GOFLAGS: '-mod=mod', ...LEAN_BUILD.env, PATH: env.PATH ?? delimiter },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own, with the compilers that Go starts: they end together.
    detached: process.platform !== 'win32',
  });
  closeStreamsAtEnd(go, systemClock);
  let last = '';
  go.stderr.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n').filter((one) => one.trim() !== '' && !PACKAGE.test(one))) {
      last = line;
      tell(line);
    }
  });
  const limit = timeLimit(BUILD_MS);
  const ends = stop === undefined ? limit : AbortSignal.any([limit, stop]);
  const end = (): void => endGroup(go);
  ends.addEventListener('abort', end);
  process.once('exit', end);
  try {
    await new Promise<void>((resolve, reject) => {
      go.on('spawn', () => {
        tell(`k6 ${K6_VERSION} is not here: building it with Go, which takes some minutes the first time`);
        if (ends.aborted) end();
      });
      go.on('error', () => reject(new K6Missing(`${before}, and Go, which could build it, is not on PATH`)));
      go.on('close', (code) => {
        if (code === 0) resolve();
        else if (stop?.aborted) reject(new K6Missing('building it was interrupted'));
        else reject(new K6Missing(limit.aborted ? 'go install took too long' : `go install failed: ${last}`));
      });
    });
  } finally {
    ends.removeEventListener('abort', end);
    process.off('exit', end);
  }
}

/** Kills the process and all that it started. */
function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
