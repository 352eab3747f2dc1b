import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import { sampleRun } from '../../../test/support/run/sample-run.ts';
import { historyProblem, openToRead } from './layout.ts';
import { recordRun } from './record.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-layout-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As the first version laid it out, letter by letter. */
const FIRST_LAYOUT = `
CREATE TABLE IF NOT EXISTS runs (
  id TEXT PRIMARY KEY, started_at TEXT NOT NULL, duration_ms INTEGER NOT NULL, verdict TEXT NOT NULL,
  partial INTEGER NOT NULL, seed INTEGER NOT NULL, tool TEXT NOT NULL, host TEXT NOT NULL, scope TEXT NOT NULL,
  descriptions TEXT NOT NULL, requests INTEGER NOT NULL, operations INTEGER NOT NULL,
  operations_tested INTEGER NOT NULL, violations INTEGER NOT NULL, advisories INTEGER NOT NULL,
  accepted INTEGER NOT NULL, p50_ms REAL, p99_ms REAL
) STRICT;
CREATE INDEX IF NOT EXISTS runs_by_target ON runs (host, scope, started_at);
CREATE TABLE IF NOT EXISTS clauses (
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, clause TEXT NOT NULL, status TEXT NOT NULL,
  checks INTEGER NOT NULL, violations INTEGER NOT NULL, advisories INTEGER NOT NULL, PRIMARY KEY (run, clause)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS findings (
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, fingerprint TEXT NOT NULL, clause TEXT NOT NULL,
  kind TEXT NOT NULL, service TEXT, operation TEXT, cause TEXT NOT NULL, occurrences INTEGER NOT NULL,
  PRIMARY KEY (run, fingerprint)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS findings_by_fingerprint ON findings (fingerprint);
CREATE TABLE IF NOT EXISTS operations (
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, service TEXT NOT NULL, operation TEXT NOT NULL,
  tested INTEGER NOT NULL, requests INTEGER NOT NULL, p50_ms REAL, p99_ms REAL, PRIMARY KEY (run, service, operation)
) STRICT, WITHOUT ROWID;
`;

/** A history that the first version wrote, of one run. */
function firstHistory(name: string): string {
  const file = join(folder, name);
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL');
  database.exec(FIRST_LAYOUT);
  database.exec(`INSERT INTO runs VALUES ('1', '2026-01-01T00:00:01.000Z', 10, 'pass', 0, 1, '0.1', 'api.example.com', 's',
    'admin=d', 5, 1, 1, 0, 0, 0, 2.0, 2.0)`);
  database.close();
  return file;
}

const factsIn = (file: string): unknown => {
  const database = openToRead(file);
  try {
    return database.prepare('SELECT runs.id, suite, branch FROM runs LEFT JOIN facts ON run = id ORDER BY id').all();
  } finally {
    database.close();
  }
};

describe('a history of the first version', () => {
  test('is read as it is, with nothing known of what it did not keep', () => {
    const file = firstHistory('read.db');
    expect(historyProblem(file)).toBeNull();
    expect(factsIn(file)).toEqual([{ id: '1', suite: null, branch: null }]);
  });

  test('goes on with the runs of this one, which compare with those it holds', () => {
    const file = firstHistory('goes-on.db');
    const { runs } = recordRun(file, sampleRun('2'), { branch: 'main', commit: 'c0ffee' });
    expect(runs.map(({ id }) => id)).toEqual(['1', '2']);
    expect(historyProblem(file)).toBeNull();
    expect(factsIn(file)).toEqual([
      { id: '1', suite: null, branch: null },
      { id: '2', suite: 'conform', branch: 'main' },
    ]);
  });

  test('is written by the first version even after this one', () => {
    const file = firstHistory('back.db');
    recordRun(file, sampleRun('2'));
    const database = new DatabaseSync(file);
    database.exec(FIRST_LAYOUT);
    database.exec("DELETE FROM runs WHERE id = '2'");
    expect(database.prepare('SELECT COUNT(*) AS n FROM facts').get()).toEqual({ n: 0 });
    database.close();
  });
});

test('a history of a later version is refused, and told as such', () => {
  const file = join(folder, 'later.db');
  recordRun(file, sampleRun('1'));
  const database = new DatabaseSync(file);
  database.exec('PRAGMA user_version = 9');
  database.close();
  expect(historyProblem(file)).toBe(
    'a later version of Assay wrote it: its layout is 9, and this version knows those up to 3',
  );
  expect(() => recordRun(file, sampleRun('2'))).toThrow(/a later version of Assay wrote it/);
});

test('a run of load is kept apart from conformance, with its figures', () => {
  const file = join(folder, 'load.db');
  recordRun(file, sampleRun('1'));
  const limitBounds = { least: 98, best: 100, most: 104 };
  const plans = [{ plan: 'standard', key: 'std-1', limit: 100, limitBounds, costs: {} }];
  const { runs } = recordRun(file, { ...sampleRun('2'), load: { suite: 'ceiling', plans } });
  expect(runs.map(({ id }) => id)).toEqual(['2']);
  const database = openToRead(file);
  expect(database.prepare('SELECT * FROM figures').all()).toEqual([
    { run: '2', figure: 'limit of std-1', unit: 'calls', value: 100, least: 98, most: 104 },
  ]);
  database.close();
});
