import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ReportUnwritable, writeReports } from './files.ts';
import { ReportInvalid } from './json.ts';
import { sampleReport } from './sample-report.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-reports-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const FILES = [
  'ctrf.json',
  'evidence',
  'evidence.har',
  'index.html',
  'junit.xml',
  'report.json',
  'results.sarif',
  'summary.md',
];

describe('writing the reports', () => {
  test('creates the folder and leaves every form of the report alone in it', async () => {
    const out = join(folder, 'a', 'b');
    const paths = await writeReports(sampleReport(), out);
    expect((await readdir(out)).sort()).toEqual(FILES);
    const links = (await readFile(paths.html, 'utf8')).match(/evidence\/[a-z0-9-]+\.html/g);
    expect((await readdir(join(out, 'evidence'))).map((name) => `evidence/${name}`)).toEqual(links);
    expect(JSON.parse(await readFile(paths.json, 'utf8'))).toEqual(sampleReport());
    expect(paths.html).toBe(join(out, 'index.html'));
  });

  test('a folder that is a file is named with its cause', async () => {
    const out = join(folder, 'taken');
    await writeFile(out, '');
    const error = await writeReports(sampleReport(), out).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ReportUnwritable);
    expect(error).toMatchObject({ path: out, cause: { code: 'EEXIST' } });
  });

  test('a report that breaks its schema is told, but not lost', async () => {
    const broken = { ...sampleReport(), clauses: [] };
    await expect(writeReports(broken, join(folder, 'new'))).rejects.toThrow(ReportInvalid);
    expect((await readdir(join(folder, 'new'))).sort()).toEqual(FILES);
  });
});
