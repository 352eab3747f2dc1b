// The package as npm packs it, for the tests that look into it: by day laid beside the repository's own packages, at night installed.
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { ROOT } from './root.ts';

export const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
export const TARBALL = `assay-${manifest.version}.tgz`;

/** A folder for the package, gone after the tests of the file that asks for it. */
export function packageFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-package-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export function run(command: string, args: readonly string[], cwd: string): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(command, args, { cwd, maxBuffer: 2 ** 26 }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr });
    });
  });
}

export async function mustRun(command: string, args: readonly string[], cwd: string): Promise<void> {
  const outcome = await run(command, args, cwd);
  expect(outcome.code, `${command} ${args.join(' ')}\n${outcome.stdout}${outcome.stderr}`).toBe(0);
}

/** A package of the lock file. */
interface Locked {
  readonly version: string;
  readonly dev?: boolean;
}

/** Path below the repository → package, the repository itself left out. */
export function lockedPackages(): Readonly<Record<string, Locked>> {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const { '': _repository, ...locked } = packages;
  return locked;
}

/** Packs the repository into the folder; what is packed is built first, as for a release. */
export async function pack(folder: string): Promise<void> {
  await mustRun('npm', ['pack', '--pack-destination', folder], ROOT);
}

/** Packs the same from a copy beside, its types not checked: `npm test` checks them anyway. The repository's own dist is left as it is. */
export async function packCopy(folder: string): Promise<void> {
  const copy = join(folder, 'copy');
  for (const path of ['package.json', ...manifest.files]) {
    if (path !== 'dist') cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  }
  await mustRun('npm', ['run', 'build', '--', '--out', join(copy, 'dist'), '--unchecked'], ROOT);
  await mustRun('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], copy);
}

/** Lays what was packed beside links to the packages that an install brings; what only development needs is not there. */
export async function layOut(folder: string): Promise<void> {
  const installed = join(folder, 'node_modules', 'assay');
  mkdirSync(installed, { recursive: true });
  await mustRun('tar', ['-xzf', join(folder, TARBALL), '-C', installed, '--strip-components=1'], folder);
  for (const [path, { dev }] of Object.entries(lockedPackages())) {
    const isNested = path.lastIndexOf('node_modules/') > 0;
    // Packages for other platforms are in the lock file, too.
    if (dev === true || isNested || !existsSync(join(ROOT, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(ROOT, path), join(folder, path), 'junction');
  }
}
