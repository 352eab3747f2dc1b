import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sampleRun } from '../testing/sample-run.ts';
import { prunable, removeRuns } from './prune.ts';
import { recordCertificate, recordRuns } from './record.ts';
import { HistoryRows } from './rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-prune-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

/** Runs 1 to 6, a second apart: those with even numbers on the branch cart. */
function history(): string {
  files += 1;
  const file = join(folder, `${files}.db`);
  recordRuns(
    file,
    [1, 2, 3, 4, 5, 6].map((id) => ({
      report: sampleRun(String(id), { prints: ['aa'] }),
      revision: { branch: id % 2 === 0 ? 'cart' : 'main', commit: null },
    })),
  );
  return file;
}

const LATER = '2027-01-01T00:00:00.000Z';
const NEVER = (): boolean => false;

test('a run goes where it is old and beyond the count of its branch', () => {
  const file = history();
  expect(prunable(file, { newest: 1, before: LATER }, NEVER)).toEqual({
    runs: ['1', '2', '3', '4'],
    certified: 0,
    all: 6,
  });
  expect(prunable(file, { newest: 2, before: LATER }, NEVER).runs).toEqual(['1', '2']);
  expect(prunable(file, { newest: 1, before: '2026-01-01T00:00:03.000Z' }, NEVER).runs).toEqual(['1', '2']);
  expect(prunable(file, { newest: 3, before: LATER }, NEVER).runs).toEqual([]);
});

test('a certified run stays, whoever knows of it', () => {
  const file = history();
  recordCertificate(file, '1');
  const policy = { newest: 1, before: LATER };
  expect(prunable(file, policy, (run) => run === '2')).toEqual({ runs: ['3', '4'], certified: 2, all: 6 });
});

test('with a run goes all that is kept of it, and nothing of another', () => {
  const file = history();
  recordCertificate(file, '1');
  expect(removeRuns(file, ['1', '2', '3'])).toBeGreaterThanOrEqual(0);
  const rows = new HistoryRows(file);
  const everything = { host: null, branch: null, suite: null };
  expect(rows.runs(everything, 10).map(({ id }) => id)).toEqual(['6', '5', '4', '1']);
  expect(rows.clauses(['2', '3'])).toEqual([]);
  expect([rows.findings('2'), rows.operations('3')]).toEqual([[], []]);
  expect(rows.findings('4')).toHaveLength(1);
  rows.close();
});
