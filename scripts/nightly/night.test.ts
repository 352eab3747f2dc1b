// A night's table: a row for each part, in words that a reader can trust; and no test file is run by two parts, or by none.
import { globSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import { isDone, outcomeOf, tableOf } from './night.ts';
import { PARTS } from './parts.ts';

const ended = {
  code: 0,
  tail: 'one\n\u001b[32m7 passed, 0 failed\u001b[39m\n\n',
  seconds: 61.4,
  processorSeconds: 100.2,
  left: [],
  sources: 'abc',
};

test('a part tells its last line, without colours', () => {
  expect(outcomeOf(ended)).toMatchObject({ isGood: true, told: '7 passed, 0 failed' });
});

test('a part that ended with another code, or by a signal, is not good', () => {
  expect(outcomeOf({ ...ended, code: 1 }).isGood).toBe(false);
  expect(outcomeOf({ ...ended, code: null }).isGood).toBe(false);
});

test('a part that left something behind is not good, and names it', () => {
  expect(outcomeOf({ ...ended, left: ['assay-openapi-1', 'assay-openapi-2'] })).toMatchObject({
    isGood: false,
    told: '7 passed, 0 failed; left behind: assay-openapi-1, assay-openapi-2 (2)',
  });
});

test('a part is done where it ended well on the same sources', () => {
  expect(isDone(outcomeOf(ended), 'abc')).toBe(true);
  expect(isDone(outcomeOf(ended), 'abd')).toBe(false);
  expect(isDone(outcomeOf({ ...ended, code: 1 }), 'abc')).toBe(false);
  expect(isDone(undefined, 'abc')).toBe(false);
});

test('the table has a row for each part, and says which were not run', () => {
  const table = tableOf({ faults: outcomeOf(ended) }, PARTS);
  const rows = table.split('\n').filter((line) => line !== '');
  expect(rows).toHaveLength(PARTS.length + 2);
  expect(rows.filter((line) => line.includes('| not run |'))).toHaveLength(PARTS.length - 1);
  expect(rows.find((line) => line.startsWith('| faults |'))).toContain(
    '| good | 7 passed, 0 failed | 61 s | 100 s | abc |',
  );
});

test('each test file is run by one part', () => {
  const parts = PARTS.filter(({ args }) => args[0] === 'scripts/test.ts');
  const isRunBy = (file: string, { args, leftOut = [] }: (typeof PARTS)[number]): boolean => {
    const texts = args.slice(1).filter((text) => !text.startsWith('--'));
    const isChosen = texts.length === 0 || texts.some((text) => file.includes(text));
    return isChosen && !leftOut.some((glob) => matchesGlob(file, glob));
  };
  const files = globSync('{src,test,scripts,bench}/**/*.test.ts', { cwd: join(import.meta.dirname, '..', '..') });
  const runBy = files.map(
    (file) => [file, parts.filter((part) => isRunBy(file, part)).map(({ name }) => name)] as const,
  );
  expect(runBy.filter(([, names]) => names.length !== 1)).toEqual([]);
});
