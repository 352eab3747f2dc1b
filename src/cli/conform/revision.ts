// Where the project stands when a run is started: branch, commit and the page of the pipeline, so that whoever reads a report knows
// of what it is.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Report, Revision } from '../../contract/report.ts';
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
  const url = pipelineUrl(env);
  return { branch: branch === null ? null : unsaid(branch), commit, ...(url === null ? {} : { url }) };
}

/** The report with the revision that it is of, where that is known. */
export function revised(report: Report, revision: Revision): Report {
  const isKnown = Object.values(revision).some((one) => one !== null);
  return isKnown ? { ...report, run: { ...report.run, revision } } : report;
}

/** Variables that hold the page of a pipeline's run. Source: GitLab, Jenkins, CircleCI and Buildkite. */
const PAGE_VARIABLES = ['CI_JOB_URL', 'BUILD_URL', 'CIRCLE_BUILD_URL', 'BUILDKITE_BUILD_URL'];

/** Only a URL is one: it becomes a link. */
function pipelineUrl(env: NodeJS.ProcessEnv): string | null {
  const { GITHUB_SERVER_URL: host, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: id } = env;
  const own = host && repository && id ? `${host}/${repository}/actions/runs/${id}` : undefined;
  const found = [own, ...PAGE_VARIABLES.map((name) => env[name])].find((one) => one !== undefined && one !== '');
  return found !== undefined && /^https?:\/\//.test(found) && URL.canParse(found) ? found : null;
}

/** The output of git; null where git fails or is not there. */
async function git(folder: string, args: readonly string[]): Promise<string | null> {
  const printed = await run('git', args, { cwd: folder, timeout: MOST_MS }).catch(() => null);
  return printed?.stdout.trim() || null;
}
