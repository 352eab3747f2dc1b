// Tests that this version of assay reads the reports that earlier versions left.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampleReport } from '../../../test/support/reporters/sample-report.ts';
import { CLAUSES } from '../../contract/clauses.ts';
import type { ClauseRow } from '../../contract/report.ts';
import { readRun } from './earlier-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-earlier-'));

function stored(name: string, clauses: readonly ClauseRow[]): string {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify({ ...sampleReport(), clauses }));
  return file;
}

test('a report from before a clause was written is read, and says that it did not have it', async () => {
  const { clauses } = sampleReport();
  const { report } = await readRun(stored('before', clauses.slice(3)));
  expect(report.clauses.map(({ id }) => id).toSorted()).toEqual(CLAUSES.map(({ id }) => id).toSorted());
  expect(report.clauses.find(({ id }) => id === clauses[0]?.id)).toMatchObject({
    status: 'not-tested',
    reasonCode: 'not-implemented',
    checks: 0,
  });
});

test('a report that holds no row, or one twice, is refused', async () => {
  const { clauses } = sampleReport();
  await expect(readRun(stored('none', []))).rejects.toThrow(/is no report: \/clauses must NOT have fewer/);
  await expect(readRun(stored('twice', [...clauses.slice(1), ...clauses.slice(1, 2)]))).rejects.toThrow(
    /has a row already/,
  );
});
