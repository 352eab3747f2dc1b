import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { DEFECTS, reportOf } from '../../../test/support/reporters/defects.ts';
import type { Report } from '../../contract/report.ts';
import type { ExportFormat } from '../../reporters/exports/formats.ts';
import { jsonPieces, reportProblems } from '../../reporters/formats/json.ts';
import { type ExportFlags, exportRun } from './exported.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

function stored(report: Report): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-export-'));
  writeFileSync(join(folder, 'report.json'), [...jsonPieces(report)].join(''));
  return folder;
}

async function told(run: string, flags: ExportFlags, format: ExportFormat = 'vitest'): Promise<unknown> {
  let text = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  expect(await exportRun([run], format, { ...flags, json: true, quiet: true })).toBe(0);
  return JSON.parse(text);
}

test('the tests are written where --out says, beside a report with what replays need', async () => {
  const out = mkdtempSync(join(tmpdir(), 'assay-export-'));
  const files = [join(out, 'findings.test.js'), join(out, 'findings.report.json')];
  const [causes, findings] = [DEFECTS.length, DEFECTS.length];
  const run = stored(reportOf(DEFECTS, 'https://api.example.com'));
  expect(await told(run, { out })).toEqual({ format: 'vitest', causes, findings, leftOut: 0, files });
  const kept: Report = JSON.parse(readFileSync(files[1]!, 'utf8'));
  expect(reportProblems(kept)).toEqual([]);
  expect(kept.findings.map(({ fingerprint }) => fingerprint)).toEqual(DEFECTS.map((_, index) => `f${index}`));
  expect(existsSync(join(run, 'findings.test.js'))).toBe(false);
});

test('nothing is written of a run without a violation', async () => {
  const run = stored(reportOf([], 'https://api.example.com'));
  expect(await told(run, {})).toEqual({ format: 'vitest', causes: 0, findings: 0, leftOut: 0, files: [] });
  expect(existsSync(join(run, 'findings.test.js'))).toBe(false);
});

test('no script is written that would test nothing', async () => {
  const report = reportOf(DEFECTS, 'https://api.example.com');
  const run = stored({ ...report, findings: report.findings.map((one) => ({ ...one, namesMade: true })) });
  const count = DEFECTS.length;
  const expected = { causes: count, findings: count, leftOut: count, files: [] };
  expect(await told(run, {}, 'k6')).toEqual({ format: 'k6', ...expected });
  expect(existsSync(join(run, 'findings.k6.js'))).toBe(false);
  expect(await told(run, {})).toMatchObject({ leftOut: 0 });
});
