import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { passingFile, removeLeftovers, sweepBelowOnce, temporaryFolder } from './passing.ts';

let folder = '';
let parent = '';
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'passing-'));
  folder = join(parent, 'folder');
  await mkdir(folder);
});
afterEach(() => rm(parent, { recursive: true, force: true }));

const MODULE = join(import.meta.dirname, 'passing.ts');

/** Runs a program that makes a folder and a file of ours below `folder`, and then ends as told. */
function leaving(end: string): void {
  const program = `
    import { writeFileSync } from 'node:fs';
    const { passingFile, temporaryFolder } = await import(${JSON.stringify(MODULE)});
    const { path } = await temporaryFolder('test', ${JSON.stringify(folder)});
    writeFileSync(path + '/inside', 'text');
    writeFileSync(passingFile(${JSON.stringify(folder)}).path, 'text');
    ${end}`;
  spawnSync(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' });
}

describe('a process removes what is passing', () => {
  test.each([
    ['when it ends at once', 'process.exit(3)'],
    ['when it ends with an error', 'throw null'],
    ['when it has nothing more to do', ''],
  ])('%s', async (_when, end) => {
    leaving(end.replace('throw null', "process.on('uncaughtException', () => process.exit(1)); throw new Error('x')"));
    expect(await readdir(folder)).toEqual([]);
  });

  test('when it is asked to', async () => {
    const made = await temporaryFolder('test', folder);
    expect(await readdir(folder)).toEqual([basename(made.path)]);
    await made.remove();
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('the next run removes what is passing', () => {
  test('of a process that was killed', async () => {
    leaving("process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000)");
    expect(await readdir(folder)).toHaveLength(2);
    await removeLeftovers(folder);
    expect(await readdir(folder)).toEqual([]);
  });

  test('in the folders below the one that it writes into, too', async () => {
    leaving("process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000)");
    await sweepBelowOnce(parent);
    expect(await readdir(folder)).toEqual([]);
  });

  test('and nothing of a process that lives', async () => {
    const made = await temporaryFolder('test', folder);
    const file = passingFile(folder);
    await writeFile(file.path, '');
    // Another process knows nothing of them but their names.
    const program = `(await import(${JSON.stringify(MODULE)})).removeLeftovers(${JSON.stringify(folder)})`;
    // Not even of one that has been running for days.
    const daysAgo = Date.now() / 1000 - 5 * 86_400;
    for (const path of [made.path, file.path]) await utimes(path, daysAgo, daysAgo);
    spawnSync(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' });
    await removeLeftovers(folder);
    expect((await readdir(folder)).sort()).toEqual([basename(file.path), basename(made.path)].sort());
  });

  test('of another machine only when it is older than a day', async () => {
    const foreign = join(folder, `assay-test-00000000-${process.pid}-0123456789ab`);
    await mkdir(foreign);
    await removeLeftovers(folder);
    expect(await readdir(folder)).toEqual([basename(foreign)]);
    const twoDaysAgo = Date.now() / 1000 - 2 * 86_400;
    await utimes(foreign, twoDaysAgo, twoDaysAgo);
    await removeLeftovers(folder);
    expect(await readdir(folder)).toEqual([]);
  });

  test('and nothing that is named otherwise, nor what a link of that name leads to', async () => {
    const twoDaysAgo = Date.now() / 1000 - 2 * 86_400;
    for (const name of ['assay-vitest-Ab3dEf', 'report.json', 'assay-notes']) {
      await writeFile(join(folder, name), '');
      await utimes(join(folder, name), twoDaysAgo, twoDaysAgo);
    }
    const elsewhere = await mkdtemp(join(tmpdir(), 'passing-'));
    await writeFile(join(elsewhere, 'kept'), '');
    await symlink(elsewhere, join(folder, 'assay-test-00000000-1-0123456789ab'));
    await removeLeftovers(folder, Date.now() + 3 * 86_400_000);
    expect(await readdir(elsewhere)).toEqual(['kept']);
    expect((await readdir(folder)).sort()).toEqual(['assay-notes', 'assay-vitest-Ab3dEf', 'report.json']);
    await rm(elsewhere, { recursive: true });
  });
});

test('a folder that is not there has no leftovers', async () => {
  await expect(removeLeftovers(join(folder, 'gone'))).resolves.toBeUndefined();
});
