// The lists of biome.jsonc name the files that still break a rule of size; they may shrink and never grow.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { ROOT } from './root.ts';

/** How many files each list names. A list that became shorter has its number lowered here; none is ever raised. */
const LISTED = {
  noExcessiveCognitiveComplexity: 25,
  noExcessiveLinesPerFile: 8,
  noExcessiveLinesPerFunction: 11,
  plugin: 0,
};

interface Override {
  readonly includes: readonly string[];
  readonly linter?: { readonly rules: Readonly<Record<string, Readonly<Record<string, unknown>>>> };
  readonly plugins?: readonly string[];
}

const config = parse(readFileSync(join(ROOT, 'biome.jsonc'), 'utf8'));
const overrides: readonly Override[] = config.overrides;

const listedByRule = new Map(
  overrides.flatMap((override) => listOf(override) ?? []).map((list) => [list.rule, list.files]),
);

/** The files that are spared one rule by name; null for an override that says for which kind of file a rule is not meant. */
function listOf({ includes, linter, plugins }: Override): { rule: string; files: readonly string[] } | null {
  if (plugins) return { rule: 'plugin', files: includes.slice(1).map((path) => path.replace(/^!/, '')) };
  if (includes.some((path) => /[*{]/.test(path))) return null;
  const [rule = ''] = Object.values(linter?.rules ?? {}).flatMap((rules) => Object.keys(rules));
  return { rule, files: includes };
}

/** The files among these that break each rule when nothing is spared. */
function breaking(files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-lint-'));
  const plugins = overrides.flatMap((override) => override.plugins ?? []).map((path) => join(ROOT, path));
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ linter: config.linter, plugins }));
  const flags = ['lint', `--config-path=${folder}`, '--reporter=json', '--max-diagnostics=none'];
  const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/biome'), [...flags, ...files], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const found = new Map<string, Set<string>>();
  for (const { category, location } of JSON.parse(stdout).diagnostics) {
    const rule = category.split('/').at(-1);
    found.set(rule, (found.get(rule) ?? new Set()).add(location.path));
  }
  return new Map([...found].map(([rule, paths]) => [rule, [...paths].sort()]));
}

test('each list is in order, names nothing twice, and is no longer than before', () => {
  for (const files of listedByRule.values()) expect(files).toEqual([...new Set(files)].sort());
  expect(Object.fromEntries([...listedByRule].map(([rule, files]) => [rule, files.length]))).toEqual(LISTED);
});

test('each file that is listed still breaks the rule: one that keeps it leaves the list', () => {
  const found = breaking([...new Set([...listedByRule.values()].flat())].sort());
  const kept = [...listedByRule].flatMap(([rule, files]) =>
    files.filter((path) => !found.get(rule)?.includes(path)).map((path) => `${rule}: ${path}`),
  );
  expect(kept).toEqual([]);
});
