// The runs of a project in one SQLite file: what each came to, its clauses, findings and latencies. Runs may write at
// once; one that is killed leaves what was written before.
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Flaky, HistoricRun, History, Report } from '../../contract/report.ts';
import { hostOf } from '../../grading/changes.ts';
import { addLatencies, percentileMs } from '../../grading/latency.ts';

/** Others may write for as long before a writer gives up. */
const BUSY_MS = 15_000;
/** Source: the result codes of SQLite. */
const [SQLITE_CORRUPT, SQLITE_NOT_A_DATABASE] = [11, 26];
/** The newest runs that a history tells of. */
const RUNS_TOLD = 30;
const FLAKY_TOLD = 50;

/** Laid out for `runs` by what is looked up: comparable runs, and findings by fingerprint. */
const SCHEMA = `
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

/** Tables and their columns, in an order of their own. */
function layoutOf(database: DatabaseSync): ReadonlyMap<string, string> {
  const columns = database.prepare(
    `SELECT m.name AS "table", c.name AS "column", c.type FROM sqlite_master AS m, pragma_table_info(m.name) AS c
     WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, c.name`,
  );
  const layout = new Map<string, string>();
  for (const { table, column, type } of columns.all())
    layout.set(`${table}`, `${layout.get(`${table}`) ?? ''} ${column} ${type}`);
  return layout;
}

/** Why nothing can be recorded in the file that stands there; null where it can, or nothing stands there. It is left as it is. */
export function historyProblem(file: string): string | null {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return null;
  const [found, own] = [new DatabaseSync(file, { timeout: BUSY_MS, readOnly: true }), new DatabaseSync(':memory:')];
  try {
    const [state] = found.prepare('PRAGMA quick_check(1)').all();
    if (state?.quick_check !== 'ok') return `it is damaged: ${state?.quick_check}`;
    own.exec(SCHEMA);
    const [there, wanted] = [layoutOf(found), layoutOf(own)];
    if (there.size === 0) return null;
    const other = [...wanted].find(([table, columns]) => there.get(table) !== columns);
    return other === undefined
      ? null
      : `it is a database, but no history: its table ${other[0]} is missing or another one`;
  } catch (error) {
    const { errcode = 0, message } = error as Error & { readonly errcode?: number };
    // Damaged, or no database at all; whatever else keeps it from being read is another matter, and may pass.
    return [SQLITE_CORRUPT, SQLITE_NOT_A_DATABASE].includes(errcode & 0xff) ? `it is no history: ${message}` : null;
  } finally {
    found.close();
    own.close();
  }
}

/**
 * Adds the run to the file, which is made where absent, and tells what it and comparable earlier runs came to: same
 * host, same operations and clauses. A run that is there already is replaced. Throws an Error where the file cannot be
 * written or is no history.
 */
export function recordRun(file: string, report: Report): History {
  mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file, { timeout: BUSY_MS, enableForeignKeyConstraints: true });
  try {
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('BEGIN IMMEDIATE');
    try {
      database.exec(SCHEMA);
      write(database, report);
      database.exec('COMMIT');
    } catch (error) {
      // On a full disk SQLite has rolled back by itself, and a second time would hide why.
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
    return told(database, report);
  } finally {
    database.close();
  }
}

function write(database: DatabaseSync, report: Report): void {
  const { run, counts } = report;
  const { id } = run;
  database.prepare('DELETE FROM runs WHERE id = ?').run(id);
  const latency = addLatencies(report.operations.map((row) => row.latency ?? {}));
  insert(database, 'runs', {
    ...{ id, started_at: run.startedAt, duration_ms: Math.round(run.durationMs), verdict: report.verdict },
    ...{ partial: Number(run.partial), seed: run.seed, tool: report.tool.version, host: hostOf(report.target) },
    ...{ scope: run.scope, descriptions: descriptionsOf(report), requests: counts.requests },
    ...{ operations: counts.operations, operations_tested: counts.operationsTested, violations: counts.violations },
    ...{ advisories: counts.advisories, accepted: counts.accepted ?? 0 },
    ...{ p50_ms: percentileMs(latency, 0.5), p99_ms: percentileMs(latency, 0.99) },
  });
  insert(
    database,
    'clauses',
    ...report.clauses.map(({ id: clause, status, checks, violations, advisories }) => ({
      ...{ run: id, clause, status, checks, violations, advisories },
    })),
  );
  insert(
    database,
    'findings',
    ...report.findings.map(({ fingerprint, clause, kind, service, operation, cause, occurrences }) => ({
      ...{ run: id, fingerprint, clause, kind, service, operation, cause, occurrences },
    })),
  );
  insert(
    database,
    'operations',
    ...report.operations.map(({ service, operation, tested, requests, latency: own = {} }) => ({
      ...{ run: id, service, operation, tested: Number(tested), requests },
      ...{ p50_ms: percentileMs(own, 0.5), p99_ms: percentileMs(own, 0.99) },
    })),
  );
}

type Row = Readonly<Record<string, string | number | null>>;

/** Rows of one table, alike in their columns. Names of tables and columns are this file's own, values are bound. */
function insert(database: DatabaseSync, table: string, ...rows: readonly Row[]): void {
  const [first] = rows;
  if (first === undefined) return;
  const names = Object.keys(first);
  const text = `INSERT OR REPLACE INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
  const statement = database.prepare(text);
  for (const row of rows) statement.run(...names.map((name) => row[name] ?? null));
}

function descriptionsOf({ services }: Report): string {
  return services.map(({ name, digest }) => `${name}=${digest ?? ''}`).join(' ');
}

function told(database: DatabaseSync, report: Report): History {
  const rows = database
    .prepare('SELECT * FROM runs WHERE host = ? AND scope = ? ORDER BY started_at DESC, id DESC LIMIT ?')
    .all(hostOf(report.target), report.run.scope, RUNS_TOLD);
  return { runs: rows.reverse().map(historicRun), flaky: flakyOf(database, report) };
}

function historicRun(row: Record<string, unknown>): HistoricRun {
  return {
    id: String(row.id),
    startedAt: String(row.started_at),
    verdict: row.verdict as HistoricRun['verdict'],
    partial: row.partial === 1,
    requests: Number(row.requests),
    operationsTested: Number(row.operations_tested),
    violations: Number(row.violations),
    advisories: Number(row.advisories),
    p50Ms: row.p50_ms === null ? null : Number(row.p50_ms),
    p99Ms: row.p99_ms === null ? null : Number(row.p99_ms),
  };
}

/**
 * Violations and advisories that some whole run of the same descriptions saw and another, which tested the operation
 * and judged the clause, did not.
 */
const FLAKY = `
WITH same AS (
  SELECT id FROM runs WHERE host = ? AND scope = ? AND descriptions = ? AND partial = 0
  ORDER BY started_at DESC LIMIT ?
), seen AS (
  SELECT f.fingerprint, f.clause, f.service, f.operation, f.cause, COUNT(*) AS seen FROM findings f
  JOIN same ON same.id = f.run WHERE f.kind <> 'observation' GROUP BY f.fingerprint
)
SELECT seen.*, (
  SELECT COUNT(*) FROM same
  JOIN clauses c ON c.run = same.id AND c.clause = seen.clause AND c.checks > 0
  LEFT JOIN operations o ON o.run = same.id AND o.service = seen.service AND o.operation = seen.operation
  WHERE seen.operation IS NULL OR o.tested = 1
) AS judged
FROM seen WHERE judged > seen.seen ORDER BY seen.clause, seen.operation LIMIT ?`;

function flakyOf(database: DatabaseSync, report: Report): readonly Flaky[] {
  const about = [hostOf(report.target), report.run.scope, descriptionsOf(report)] as const;
  const rows = database.prepare(FLAKY).all(...about, RUNS_TOLD, FLAKY_TOLD);
  return rows.map((row) => ({
    fingerprint: String(row.fingerprint),
    clause: String(row.clause),
    service: row.service === null ? null : String(row.service),
    operation: row.operation === null ? null : String(row.operation),
    cause: String(row.cause),
    seen: Number(row.seen),
    judged: Number(row.judged),
  }));
}
