import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { sampleReport } from '../../../test/support/reporters/sample-report.ts';
import type { Report } from '../../contract/report.ts';
import { jsonPieces } from '../../reporters/formats/json.ts';
import { compareRuns } from './runs.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-compare-'));
afterEach(() => {
  vi.restoreAllMocks();
});

function stored(name: string, report: Report): string {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, [...jsonPieces(report)].join(''));
  return file;
}

const whole = sampleReport();
const without = { ...whole, findings: whole.findings.filter(({ clause }) => clause !== 'SPEC-03') };
const before = stored('before', without);
const after = stored('after', whole);

async function compared(...runs: readonly string[]): Promise<[number, string]> {
  let text = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  return [await compareRuns(runs, {}), text];
}

test('a violation that the earlier run has not ends with 1 and is named', async () => {
  const [code, text] = await compared(before, after);
  expect(code).toBe(1);
  expect(text).toMatch(/1 new finding\n {2}SPEC-03 {3}violation: more than one security scheme/);
});

test('one that is gone ends with 0 and is named', async () => {
  const [code, text] = await compared(after, before);
  expect(code).toBe(0);
  expect(text).toMatch(/1 finding gone\n {2}SPEC-03 /);
});

test('two runs are needed, and no more', async () => {
  await expect(compareRuns([before], {})).rejects.toThrow(/--diff compares two runs/);
  await expect(compareRuns([before, after, after], {})).rejects.toThrow(/--diff compares two runs/);
});
