// `--changed-since REV`: which operations are described otherwise than at a revision of git. The descriptions of then are
// written into a folder of their own; the repository and its index stay as they are.
import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import type { Config, ServiceConfig } from '../../config/config.ts';
import { invalidOption, UsageError } from '../../config/errors.ts';
import { temporaryFolder } from '../../disk/passing.ts';
import { writeWhole } from '../../disk/whole-file.ts';
import { changedOperations } from '../../openapi/model/changed-operations.ts';
import type { Description } from '../../openapi/model/operation.ts';
import { loadDescriptions } from './descriptions.ts';

const run = promisify(execFile);
const MOST_BYTES = 256 * 1024 * 1024;
/** Files that a description may refer to. A reference to any other leads nowhere then, and its operations count as changed. */
const REFERRED = /\.(json|ya?ml)$/i;

/**
 * Service and key of every operation that changed since the revision: "admin GET /v1/stores". All operations of a
 * description that is a URL, or that did not lie there or could not be read then; `say` tells so. Throws UsageError where
 * there is no git repository, or no such revision.
 */
export async function changedSince(
  revision: string,
  config: Config,
  descriptions: readonly Description[],
  say: (sentence: string) => void,
): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const description of descriptions) {
    const service = config.services.find(({ name }) => name === description.service)!;
    const before = await withDescriptionAt(revision, service, config, say);
    const keys =
      before === null ? description.operations.map(({ key }) => key) : changedOperations(before, description);
    changed.push(...[...keys].map((key) => `${service.name} ${key}`));
  }
  return changed;
}

/** The service's description as it was at the revision; null where there was none that can be read. */
async function withDescriptionAt(
  revision: string,
  service: ServiceConfig,
  config: Config,
  say: (sentence: string) => void,
): Promise<Description | null> {
  const { name, spec } = service;
  const all = (why: string): null => {
    say(`--changed-since: ${why}: all operations of ${name} count as changed`);
    return null;
  };
  if (spec === null || /^https?:/i.test(spec)) return all(`what ${spec} was is not known`);
  const folder = await realpath(dirname(spec));
  const commit = await commitOf(revision, folder);
  const { path: scratch, remove } = await temporaryFolder('since');
  try {
    const file = await restored(commit, join(folder, basename(spec)), scratch);
    if (file === null) return all(`${basename(spec)} was not there at ${revision}`);
    const [description] = await loadDescriptions({ ...config, services: [{ ...service, spec: file }] });
    return description ?? null;
  } catch (error) {
    if (error instanceof UsageError) return all(`${basename(spec)} of ${revision} cannot be read`);
    throw error;
  } finally {
    await remove();
  }
}

async function commitOf(revision: string, folder: string): Promise<string> {
  await git(folder, ['rev-parse', '--git-dir']).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'there is no git on this machine' : `${folder} lies in no git repository`;
    throw wrong(why, 'run without it: every operation is judged');
  });
  const found = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  return git(folder, found).catch(() => {
    throw wrong(`git knows no revision ${revision}`, 'fetch it first; in a shallow clone: git fetch --unshallow');
  });
}

/** Writes the file, and all beside and below it that it may refer to, as they were; the file's path, or null where it was not there. */
async function restored(commit: string, file: string, scratch: string): Promise<string | null> {
  const root = await realpath(await git(dirname(file), ['rev-parse', '--show-toplevel']));
  const path = relative(root, file).split(sep).join('/');
  const folder = path.includes('/') ? ['--', `${dirname(path)}/`] : [];
  const listed = await git(root, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit, ...folder]);
  const files = listed.split('\0').filter((name) => name === path || REFERRED.test(name));
  if (!files.includes(path)) return null;
  const list = join(scratch, 'files');
  await writeWhole(list, files.map((name) => `:(top,literal)${name}\0`).join(''));
  const index = { GIT_INDEX_FILE: join(scratch, 'index') };
  await git(
    root,
    [`--work-tree=${scratch}`, 'checkout', '--quiet', '--pathspec-file-nul', `--pathspec-from-file=${list}`, commit],
    index,
  );
  return join(scratch, path);
}

async function git(folder: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  // In a hook of git these name a repository that need not be that of the description.
  const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GIT_INDEX_FILE: _index, GIT_PREFIX: _prefix, ...own } = process.env;
  const options = { cwd: folder, env: { ...own, ...env }, maxBuffer: MOST_BYTES };
  const { stdout } = await run('git', args, options);
  return stdout.trimEnd();
}

function wrong(what: string, hint: string): UsageError {
  return invalidOption(`--changed-since: ${what}`, hint);
}
