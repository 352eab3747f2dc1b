// A comment makes sense read alone: none begins with a word that stands for a value which only the line below names.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { ROOT } from './root.ts';

const STANDS_FOR_A_VALUE = /^[*\s]*(Of|By|So|What|Whether)\b/;

/** The comments of a source with their lines; line comments below one another are one. */
function commentsOf(path: string): readonly { readonly line: number; readonly text: string }[] {
  const source = readFileSync(join(ROOT, path), 'utf8');
  const { comments } = parseSync(path, source);
  return comments
    .filter(({ type, start }, at) => {
      const before = comments[at - 1];
      return type === 'Block' || before?.type !== 'Line' || !/^\n\s*$/.test(source.slice(before.end, start));
    })
    .map(({ value, start }) => ({ line: source.slice(0, start).split('\n').length, text: value }));
}

test('no comment begins with Of, By, So, What or Whether', () => {
  const broken = globSync('src/**/*.{ts,js}', { cwd: ROOT }).flatMap((path) =>
    commentsOf(path)
      .filter(({ text }) => STANDS_FOR_A_VALUE.test(text))
      .map(({ line, text }) => `${path}:${line}:${text.slice(0, 80)}`),
  );
  expect(broken.sort()).toEqual([]);
});
