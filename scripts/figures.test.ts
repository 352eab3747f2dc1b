import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { figures, README, withFigures } from './figures.ts';

const page = readFileSync(join(import.meta.dirname, '..', README), 'utf8');

test('README.md has the figures of today; `npm run figures` writes them', async () => {
  expect(page).toBe(await withFigures(page));
});

test('a figure that is out of date is replaced', async () => {
  const { clauses } = await figures();
  expect(await withFigures(page.replaceAll(`**${clauses} clauses**`, '**7 clauses**'))).toBe(page);
});

test('a page that has lost a figure is refused', async () => {
  await expect(withFigures(page.replaceAll(/\d+ oddities/g, 'oddities'))).rejects.toThrow('oddities');
});
