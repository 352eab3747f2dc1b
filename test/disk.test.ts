// Whatever Assay writes goes through src/disk: so that each file appears whole or not at all, and nothing passing is left.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './root.ts';
import { shipped } from './sources.ts';

/** Functions of node:fs that make files or folders for a while, or change what stands in a file. */
const WRITING =
  /\b(write(File|v)?(Sync)?|appendFile(Sync)?|createWriteStream|copyFile(Sync)?|cp(Sync)?|mkdtemp(Sync)?)\b/;
const FROM_FS = /import\s+(?:type\s+)?(\{[^}]*\}|\*\s+as\s+\w+)\s+from\s+'(?:node:)?fs(?:\/promises)?'/g;

test('only src/disk imports what writes files', () => {
  const writers = shipped()
    .map(({ path }) => path)
    .filter((path) => {
      const imports = [...readFileSync(join(ROOT, path), 'utf8').matchAll(FROM_FS)].map(([, names = '']) => names);
      return imports.some((names) => names.startsWith('*') || WRITING.test(names));
    });
  expect(writers).toEqual(['src/disk/line-files.ts', 'src/disk/whole-file.ts']);
});
