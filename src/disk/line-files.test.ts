import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GrowingFile } from './line-files.ts';
import { FileUnwritable } from './whole-file.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'growing-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('holds nothing of an earlier run', async () => {
  const path = join(folder, 'samples.tsv');
  await writeFile(path, 'of yesterday\n');
  const file = new GrowingFile(path);
  await file.append('one');
  await file.append('two');
  expect(await readFile(path, 'utf8')).toBe('one\ntwo\n');
});

test('begins a new line where the last one was cut off', async () => {
  const file = new GrowingFile(join(folder, 'deep', 'samples.tsv'));
  await file.ready();
  await appendFile(file.path, 'whole\ncut o');
  await file.append('next');
  expect(await readFile(file.path, 'utf8')).toBe('whole\ncut o\nnext\n');
});

test('tells which file cannot be written', async () => {
  await writeFile(join(folder, 'in-the-way'), '');
  const file = new GrowingFile(join(folder, 'in-the-way', 'samples.tsv'));
  const refused = await file.append('one').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(FileUnwritable);
  expect(String(refused)).toContain('in-the-way cannot be written: a file stands where a folder should be');
});
