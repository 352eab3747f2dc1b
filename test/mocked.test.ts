// Tests share the modules that their worker has loaded: one that replaces a module replaces it for the tests after it, too.
// Those that must are in a project of their own, `mocked` in vitest.config.ts, whose files share nothing.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import config from '../vitest.config.ts';
import { ROOT } from './sources.ts';

const REPLACES = /\bvi\.(mock|doMock)\(/;

test('the tests that replace modules are those of the project that shares none', () => {
  const projects = config.test?.projects?.flatMap((one) =>
    typeof one === 'object' && 'test' in one ? [one.test] : [],
  );
  const mocked = projects?.find((project) => project?.name === 'mocked')?.include;
  const tests = globSync('{src,test,scripts}/**/*.test.ts', { cwd: ROOT });
  expect(tests.filter((path) => REPLACES.test(readFileSync(join(ROOT, path), 'utf8'))).sort()).toEqual(mocked);
});
