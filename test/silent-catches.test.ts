// An error that nobody looks at is let pass for a reason, and the reason stands where it is let pass.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './root.ts';
import { SOURCES } from './sources.ts';

const SILENT = /\bcatch \{\n(?<next>.*)/g;

test('a catch that takes no error begins with the reason', () => {
  const catches = [...SOURCES.keys()]
    .filter((path) => path.startsWith('src/') && !/\.test(-d)?\.ts$/.test(path))
    .flatMap((path) =>
      [...readFileSync(join(ROOT, path), 'utf8').matchAll(SILENT)].map(({ groups }) => ({
        path,
        isExplained: /^\s*\/\/ \S+ \S+/.test(groups?.next ?? ''),
      })),
    );
  expect(catches.length).toBeGreaterThan(20);
  expect(catches.filter(({ isExplained }) => !isExplained).map(({ path }) => path)).toEqual([]);
});
