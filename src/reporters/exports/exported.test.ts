// Runs the tests that are written for vitest against a server that has the defects, and against the repaired one.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFECTS, reportOf, serving } from '../../../test/support/reporters/defects.ts';
import { exported } from './exported.ts';

const MODULES = join(import.meta.dirname, '../../../node_modules');
const folder = mkdtempSync(join(tmpdir(), 'assay-exported-'));
symlinkSync(MODULES, join(folder, 'node_modules'));
let server: Awaited<ReturnType<typeof serving>>;

beforeAll(async () => {
  server = await serving(DEFECTS);
});
afterAll(() => server.end());

/** The results of the tests by their names. */
async function ran(file: string): Promise<Readonly<Record<string, string>>> {
  const results = join(folder, 'results.json');
  const words = [join(MODULES, 'vitest/vitest.mjs'), 'run', file, '--reporter', 'json', '--outputFile', results];
  const env = { PATH: process.env.PATH, ASSAY_TOKEN: 't' };
  const child = spawn(process.execPath, words, { cwd: folder, env, stdio: 'ignore' });
  await new Promise((done) => child.once('close', done));
  const [suite] = JSON.parse(readFileSync(results, 'utf8')).testResults;
  return Object.fromEntries(suite.assertionResults.map(({ title, status }: Record<string, string>) => [title, status]));
}

test('vitest is red on each defect, and green once it is repaired', async () => {
  const { file, text } = exported(reportOf(DEFECTS, server.baseUrl), 'vitest', folder);
  writeFileSync(join(folder, file), text);
  const shown = await ran(file);
  expect(Object.values(shown)).toEqual(DEFECTS.map(() => 'failed'));
  server.repair();
  expect(await ran(file)).toEqual(Object.fromEntries(Object.keys(shown).map((title) => [title, 'passed'])));
});
