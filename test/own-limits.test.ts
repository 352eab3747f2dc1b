// Limits of time are for what hangs, and stand in vitest.config.ts alone: one of a test's own fails where the machine is busy.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './root.ts';

const OWN_LIMIT = /\bvi\.setConfig\(|\btestTimeout\b|[({] ?timeout: |^\s*\}, ([\d_]+|[A-Z_]+_MS)\);$/m;

test('no test, and no hook, has a limit of its own', () => {
  const tests = globSync('{src,test,scripts,bench}/**/*.test.ts', { cwd: ROOT });
  expect(tests.length).toBeGreaterThan(400);
  const own = import.meta.filename;
  const limited = tests.filter(
    (path) => join(ROOT, path) !== own && OWN_LIMIT.test(readFileSync(join(ROOT, path), 'utf8')),
  );
  expect(limited).toEqual([]);
});
