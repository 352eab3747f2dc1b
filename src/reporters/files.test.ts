import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { unpacked } from '../../test/support/reporters/pages.ts';
import { sampleReport } from '../../test/support/reporters/sample-report.ts';
import { performedIn, writeCheckpoint, writeReports } from './files.ts';
import { ReportInvalid } from './formats/json.ts';

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
    const { paths, failures } = await writeReports(sampleReport(), out);
    expect(failures).toEqual([]);
    expect((await readdir(out)).sort()).toEqual(FILES);
    const links = unpacked(await readFile(paths.html ?? '', 'utf8')).whole.match(/evidence\/[a-z0-9-]+\.html/g);
    expect((await readdir(join(out, 'evidence'))).map((name) => `evidence/${name}`)).toEqual(links);
    expect(JSON.parse(await readFile(paths.json ?? '', 'utf8'))).toEqual(sampleReport());
    expect(paths.html).toBe(join(out, 'index.html'));
  });

  test('a folder that is a file is named with its cause, in one sentence for all forms', async () => {
    const out = join(folder, 'taken');
    await writeFile(out, '');
    const { paths, failures } = await writeReports(sampleReport(), out);
    expect(paths).toEqual({});
    expect(failures).toEqual([
      `report.json, junit.xml, results.sarif, ctrf.json, summary.md, evidence.har, index.html cannot be written to ${out}: a file stands where a folder should be (EEXIST)`,
    ]);
  });

  test('a form that cannot be written costs none of the others', async () => {
    const out = join(folder, 'out');
    await mkdir(join(out, 'junit.xml', 'in-the-way'), { recursive: true });
    const { paths, failures } = await writeReports(sampleReport(), out);
    expect(Object.keys(paths).sort()).toEqual(['ctrf', 'har', 'html', 'json', 'markdown', 'sarif']);
    expect(failures).toEqual([
      `junit.xml cannot be written to ${out}: a folder stands where the file should be (EISDIR)`,
    ]);
    expect((await readdir(out)).sort()).toEqual(FILES);
  });

  test('pages of evidence that an earlier report left are gone', async () => {
    await mkdir(join(folder, 'evidence'));
    await writeFile(join(folder, 'evidence', 'err-99-1.html'), '');
    await writeReports({ ...sampleReport(), findings: [], exchanges: [] }, folder);
    expect((await readdir(folder)).sort()).toEqual(FILES.filter((name) => name !== 'evidence'));
  });

  test('a report that breaks its schema is told, but not lost', async () => {
    const broken = { ...sampleReport(), clauses: [] };
    await expect(writeReports(broken, join(folder, 'new'))).rejects.toThrow(ReportInvalid);
    expect((await readdir(join(folder, 'new'))).sort()).toEqual(FILES);
  });
});

describe('the names of performed experiments', () => {
  const report = sampleReport();

  test('are read back beside the report that tells of them', async () => {
    await writeCheckpoint(report, new Set(['one', 'two']), folder);
    const text = await readFile(join(folder, 'performed.txt'), 'utf8');
    expect(performedIn(text, report)).toEqual(['one', 'two']);
    const resumed = { ...report, run: { ...report.run, id: 'later', resumes: report.run.id } };
    expect(performedIn(text, resumed)).toEqual(['one', 'two']);
  });

  test('of another run are not taken: the run was killed after it had written its report', async () => {
    const other = { ...report, run: { ...report.run, id: 'other' } };
    await writeCheckpoint(other, new Set(['one']), folder);
    expect(performedIn(await readFile(join(folder, 'performed.txt'), 'utf8'), report)).toEqual([]);
  });

  test('are read where an earlier version wrote no id', () => {
    expect(performedIn('one\ntwo\n', report)).toEqual(['one', 'two']);
  });
});
