// The tests that are written for Schemathesis, run by pytest against a server that has the defects, and against the repaired one.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PYTHON_WITH_SCHEMATHESIS, SCHEMATHESIS } from '../../../test/languages.ts';
import { DEFECTS, reportOf, serving } from '../../../test/support/reporters/defects.ts';
import { exported } from './exported.ts';

describe.skipIf(SCHEMATHESIS.missing !== null)('with Schemathesis, the findings of a report', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-schemathesis-'));

  /** How many tests passed and failed. */
  async function ran(file: string) {
    const words = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '--junit-xml', 'results.xml', file];
    const env = { PATH: process.env.PATH, ASSAY_TOKEN: 't', DESCRIPTION: 'description.json' };
    const child = spawn(PYTHON_WITH_SCHEMATHESIS, words, { cwd: folder, env, stdio: 'ignore' });
    await new Promise((done) => child.once('close', done));
    const results = readFileSync(join(folder, 'results.xml'), 'utf8');
    const [, errors, failures, , tests] = /errors="(\d+)" failures="(\d+)" skipped="(\d+)" tests="(\d+)"/.exec(
      results,
    )!;
    return { errors, failures, tests };
  }

  test('are red on each defect, and green once it is repaired', async () => {
    const server = await serving(DEFECTS);
    const { file, text } = exported(reportOf(DEFECTS, server.baseUrl), 'schemathesis', folder);
    const paths = DEFECTS.map(({ method = 'GET' }, index) => [
      `/d/${index}`,
      { [method.toLowerCase()]: { responses: { 200: { description: 'OK' } } } },
    ]);
    const info = { title: 'Defects', version: '1' };
    const description = { openapi: '3.1.0', info, paths: Object.fromEntries(paths) };
    writeFileSync(join(folder, 'description.json'), JSON.stringify(description));
    writeFileSync(join(folder, file), text);
    const all = `${DEFECTS.length}`;
    expect(await ran(file)).toEqual({ errors: '0', failures: all, tests: all });
    server.repair();
    expect(await ran(file)).toEqual({ errors: '0', failures: '0', tests: all });
    server.end();
  });
});
