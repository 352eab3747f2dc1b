// What comes with Assay from others: every dependency has a reason and an allowed licence, is locked by its digest, and none
// runs a script when it is installed. docs/dependencies.md is for people, and these tests hold it to what is installed.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from './root.ts';
import { packageOf, SOURCES, shipped } from './sources.ts';

/** A package as the lock file has it. */
interface Locked {
  readonly license?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
}

const manifest = readJson('package.json');
const { '': _own, ...lockedByPath }: Readonly<Record<string, Locked>> = readJson('package-lock.json').packages;
const locked = Object.entries(lockedByPath).map(([path, entry]) => ({ path, ...entry }));
const lists = rowsBySection(readFileSync(join(ROOT, 'docs', 'dependencies.md'), 'utf8'));

// biome-ignore lint/suspicious/noExplicitAny: npm's files, whose fields the tests look at
function readJson(...path: readonly string[]): any {
  return JSON.parse(readFileSync(join(ROOT, ...path), 'utf8'));
}

/** The rows of each section's list, by the section's title: "- `ajv` (MIT): what for: why", or "- MIT: permissive". */
function rowsBySection(markdown: string): ReadonlyMap<string, readonly (readonly string[])[]> {
  return new Map(
    markdown.split(/^## /m).map((section) => {
      const rows = section.split('\n').filter((line) => line.startsWith('- '));
      const cells = rows.map((row) => /^- (`[^`]+`) \((.+?)\): (.+?): (.+)$|^- (.+?): (.+)$/.exec(row)?.slice(1) ?? []);
      return [section.split('\n', 1)[0] ?? '', cells.map((row) => row.filter((cell) => cell !== undefined))];
    }),
  );
}

function rowsOf(section: string): readonly (readonly string[])[] {
  return lists.get(section) ?? [];
}

/** The licence that the installed package names; the lock file's where this platform does not need the package. */
function licenceOf(path: string): string | undefined {
  const isInstalled = existsSync(join(ROOT, path, 'package.json'));
  if (!isInstalled && lockedByPath[path]?.optional !== true) throw new Error(`${path} is not installed: run npm ci`);
  return isInstalled ? readJson(path, 'package.json').license : lockedByPath[path]?.license;
}

describe.each([
  ['What an install of Assay brings', manifest.dependencies],
  ['What only development needs', manifest.devDependencies],
])('docs/dependencies.md: %s', (section, dependencies: Readonly<Record<string, string>>) => {
  const rows = rowsOf(section);

  test('has a row for each dependency of package.json, and no other', () => {
    expect(rows.map(([name]) => name)).toEqual(Object.keys(dependencies).map((name) => `\`${name}\``));
  });

  test('names the licence of the installed package, what it is for, and why it is this one', () => {
    for (const [name = '', licence, ...reasons] of rows) {
      expect(licence, name).toBe(licenceOf(`node_modules/${name.replaceAll('`', '')}`));
      expect(reasons, name).toEqual([expect.stringMatching(/\w+/), expect.stringMatching(/\w+/)]);
    }
  });

  test('each is pinned to one version', () => {
    const ranges = Object.entries(dependencies).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version));
    expect(ranges).toEqual([]);
  });
});

describe('the packages that an install brings', () => {
  const brought = locked.filter(({ dev }) => dev !== true);
  const allowed = rowsOf('Licences').map(([licence]) => licence);

  test('have an allowed licence, each of them', () => {
    const licences = brought.map(({ path }) => ({ path, licence: licenceOf(path) }));
    expect(licences.length).toBeGreaterThan(Object.keys(manifest.dependencies).length);
    expect(licences.filter(({ licence }) => !allowed.includes(licence ?? 'none'))).toEqual([]);
    expect(allowed.filter((one) => !licences.some(({ licence }) => licence === one))).toEqual([]);
  });

  test('have in the lock file the licence that they name themselves', () => {
    expect(brought.filter(({ path, license }) => license !== licenceOf(path))).toEqual([]);
  });
});

describe('what ships', () => {
  const sources = [...shipped(), ...[...SOURCES.values()].filter(({ path }) => path.startsWith('suites/'))];
  const imported = new Set(sources.flatMap(({ imports }) => imports.map(packageOf)));

  test('uses each dependency', () => {
    /** Why no source imports them. */
    const notImported = { vite: 'vitest requires it', echarts: 'the report holds a copy of its file' };
    const unused = Object.keys(manifest.dependencies).filter((name) => !imported.has(name));
    expect(unused.sort()).toEqual(Object.keys(notImported).sort());
  });

  test('imports nothing that only development has', () => {
    const runs = [...imported].filter((name) => name in manifest.devDependencies);
    expect(runs).toEqual([]);
  });
});

describe('an install', () => {
  test('runs no script of Assay', () => {
    const hooks = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare'];
    expect(hooks.filter((hook) => hook in manifest.scripts)).toEqual([]);
    expect(existsSync(join(ROOT, 'binding.gyp'))).toBe(false);
  });

  test('runs the script of one other package, which only development needs', () => {
    const scripted = locked.filter(({ hasInstallScript }) => hasInstallScript === true);
    expect(scripted.map(({ path, dev }) => ({ path, dev }))).toEqual([{ path: 'node_modules/node', dev: true }]);
    expect(manifest.allowScripts).toEqual({ node: true });
  });

  test('takes every package by its digest, from whatever registry the machine uses', () => {
    const wrong = locked.filter(
      ({ integrity, resolved }) => !integrity?.startsWith('sha512-') || resolved !== undefined,
    );
    expect(wrong).toEqual([]);
  });
});
