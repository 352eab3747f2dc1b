// A k6 that fits, found or built. Building needs Go; without both there is one sentence on how to get k6.
// Official binaries are not downloaded: no digest of this release is known here, and an unchecked program is not run.
import { spawn } from 'node:child_process';
import { rename } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { timeLimit } from '../../clock/system.ts';
import { temporaryFolder } from '../../disk/passing.ts';
import { type FoundK6, findK6, k6CacheFolder, type RefusedK6 } from './find.ts';
import { K6_VERSION } from './version.ts';

const MODULE = `go.k6.io/k6@v${K6_VERSION}`;
const BUILD_MS = 20 * 60_000;
const PROGRAM = process.platform === 'win32' ? 'k6.exe' : 'k6';

/** How to get k6 by hand: one line. */
export const HOW_TO_GET_K6 = `go install ${MODULE}, or set ASSAY_K6 to a k6 ${K6_VERSION} from https://github.com/grafana/k6/releases/tag/v${K6_VERSION}`;

/** Thrown where no k6 fits and none can be built: exit 3, tool-missing. */
export class K6Missing extends Error {
  readonly code = 'ASSAY_K6_MISSING';
  readonly hint = HOW_TO_GET_K6;

  constructor(why: string) {
    super(`k6 ${K6_VERSION} is needed and missing: ${why}`);
    this.name = 'K6Missing';
  }
}

/** A k6 that fits; `tell` gets a line for each step of a build. Throws `K6Missing`. */
export async function provideK6(env: NodeJS.ProcessEnv, tell: (line: string) => void): Promise<FoundK6> {
  const { found, refused } = await findK6(env);
  if (found !== null) return found;
  const named = env.ASSAY_K6 !== undefined && env.ASSAY_K6 !== '';
  if (named) throw new K6Missing(told(refused));
  const folder = k6CacheFolder(env);
  if (folder === null) {
    throw new K6Missing(`${told(refused)}, and none is built, for no cache folder is there to keep it (ASSAY_CACHE)`);
  }
  await build(folder, env, tell, told(refused));
  const { found: built } = await findK6({ ...env, PATH: '', GOBIN: folder });
  if (built === null) throw new K6Missing('the k6 that Go built does not run');
  return built;
}

function told(refused: readonly RefusedK6[]): string {
  return refused.map(({ path, why }) => `${path} ${why}`).join('; ') || 'none is on PATH';
}

/** Builds into a folder of its own and moves the program to its place: two builds at once do not disturb each other. */
async function build(
  folder: string,
  env: NodeJS.ProcessEnv,
  tell: (line: string) => void,
  before: string,
): Promise<void> {
  const workshop = await temporaryFolder('build', folder);
  try {
    await goInstall(workshop.path, env, tell, before);
    await rename(join(workshop.path, PROGRAM), join(folder, PROGRAM));
  } finally {
    await workshop.remove();
  }
}

function goInstall(into: string, env: NodeJS.ProcessEnv, tell: (line: string) => void, before: string): Promise<void> {
  const go = spawn('go', ['install', MODULE], {
    env: { ...env, GOBIN: into, GOFLAGS: '-mod=mod', CGO_ENABLED: '0', PATH: env.PATH ?? delimiter },
    stdio: ['ignore', 'ignore', 'pipe'],
    // Not spawn's own time limit: where there is no Go its timer would keep the process alive.
    signal: timeLimit(BUILD_MS),
    killSignal: 'SIGKILL',
  });
  let last = '';
  go.stderr.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
      last = line;
      tell(line);
    }
  });
  return new Promise((resolve, reject) => {
    go.on('spawn', () =>
      tell(`k6 ${K6_VERSION} is not here: building it with Go, which takes some minutes the first time`),
    );
    go.on('error', ({ name }) => {
      const why =
        name === 'AbortError' ? 'go install took too long' : `${before}, and Go, which could build it, is not on PATH`;
      reject(new K6Missing(why));
    });
    go.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new K6Missing(signal === null ? `go install failed: ${last}` : 'go install took too long'));
    });
  });
}
