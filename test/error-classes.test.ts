// Errors that reach a user share one base, with a code and a hint; any other class of errors says beside it who catches it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './root.ts';
import { SOURCES } from './sources.ts';

const PLAIN_ERROR =
  /((?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?)(?:export )?(?:abstract )?class (\w+)(?:<[^{]*>)? extends Error\b/g;
const BASE = 'ToldError';

const plain = [...SOURCES.keys()]
  .filter((path) => path.startsWith('src/') && !/\.test(-d)?\.ts$/.test(path))
  .flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(PLAIN_ERROR)].map(([, comment = '', name = '']) => ({
      name,
      comment,
    })),
  );

test('errors without the common base say in their comment who catches them', () => {
  expect(plain.map(({ name }) => name)).toContain(BASE);
  expect(plain.filter(({ name, comment }) => name !== BASE && !/\bcaught\b/i.test(comment))).toEqual([]);
});
