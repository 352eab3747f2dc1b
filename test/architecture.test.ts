// docs/architecture.md tells of every room, and of nothing that is not there.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './root.ts';

const PAGE = 'docs/architecture.md';
const text = readFileSync(join(ROOT, PAGE), 'utf8');
const rooms = readdirSync(join(ROOT, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

test('each room has one row, of a table or a list', () => {
  const rows = [...text.matchAll(/^(?:\||-) `([\w-]+)`(?: \||:)/gm)].map(([, room]) => room);
  expect(rows.sort()).toEqual(rooms.sort());
});

test('files and folders that it names exist', () => {
  const named = [...text.matchAll(/`((?:src|suites|test)\/[\w./-]+)`/g)].map(([, path = '']) => path);
  const linked = [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, path = '']) => join(dirname(PAGE), path));
  expect(named.length).toBeGreaterThan(10);
  expect([...named, ...linked].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('sub-folders that a row names exist', () => {
  const missing = [...text.matchAll(/^(?:\||-) `([\w-]+)`(?: \||:)(.*)$/gm)].flatMap(([, room = '', row = '']) =>
    [...row.matchAll(/`([\w-]+)\/`/g)]
      .map(([, folder = '']) => join('src', room, folder))
      .filter((path) => !existsSync(join(ROOT, path))),
  );
  expect(missing).toEqual([]);
});
