// Where the project stands when a run is started: branch and commit, for the history alone.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Revision } from '../../run/history/record.ts';
import { unsaid } from '../process/say.ts';

const run = promisify(execFile);
const MOST_MS = 5000;
/** Pipelines check a commit out, and say here which branch it is of. Source: the variables of GitHub, GitLab and Jenkins. */
const BRANCH_VARIABLES = ['GITHUB_HEAD_REF', 'GITHUB_REF_NAME', 'CI_COMMIT_REF_NAME', 'BRANCH_NAME'];

/** Branch and commit of the folder, each null where git or the pipeline does not tell it. */
export async function revisionOf(folder: string, env: NodeJS.ProcessEnv): Promise<Revision> {
  const said = BRANCH_VARIABLES.map((name) => env[name]).find((name) => name !== undefined && name !== '');
  const commit = await git(folder, ['rev-parse', '--verify', '--quiet', 'HEAD']);
  const checkedOut = await git(folder, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  const branch = commit === null ? null : (checkedOut ?? said ?? null);
  return { branch: branch === null ? null : unsaid(branch), commit };
}

/** What git prints; null where it fails or is not there. */
async function git(folder: string, args: readonly string[]): Promise<string | null> {
  const printed = await run('git', args, { cwd: folder, timeout: MOST_MS }).catch(() => null);
  return printed?.stdout.trim() || null;
}
