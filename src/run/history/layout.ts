// How the history of a project is laid out: tables for each version of the layout, and whether a file holds such a history.
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Others may write for as long before a writer gives up. */
export const BUSY_MS = 15_000;
/** Source: the result codes of SQLite. */
const [SQLITE_CORRUPT, SQLITE_NOT_A_DATABASE] = [11, 26];

/** Laid out for what is looked up: comparable runs, and findings by fingerprint. A run of load bears its suite before its scope. */
const FIRST = `
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

/** For `facts`: null is unknown, as for all runs of earlier versions. */
const SECOND = `
CREATE TABLE IF NOT EXISTS facts (
  run TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE, suite TEXT NOT NULL, environment TEXT NOT NULL,
  overlay TEXT, branch TEXT, revision TEXT, versions TEXT NOT NULL, planted INTEGER, caught INTEGER,
  certified INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS figures (
  run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE, figure TEXT NOT NULL, unit TEXT NOT NULL,
  value REAL NOT NULL, least REAL NOT NULL, most REAL, PRIMARY KEY (run, figure)
) STRICT, WITHOUT ROWID;
`;

/** For `contracts`: what each run was judged against; no row is unknown, as for all runs of earlier versions. */
const THIRD = `
CREATE TABLE IF NOT EXISTS contracts (
  run TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE, name TEXT NOT NULL, file TEXT, digest TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

/**
 * The tables that each version of the layout brought. A version adds tables and changes none, so that an earlier Assay goes on
 * recording in a file that a later one has opened.
 */
const VERSIONS: readonly string[] = [FIRST, SECOND, THIRD];

/** Makes the tables that are not there yet, in the transaction of the caller. Throws an Error for a layout of a later version. */
export function layOut(database: DatabaseSync): void {
  const version = versionOf(database);
  if (version > VERSIONS.length) throw new Error(laterThanKnown(version));
  database.exec(VERSIONS.join(''));
  if (version < VERSIONS.length) database.exec(`PRAGMA user_version = ${VERSIONS.length}`);
}

/**
 * The history opened to be read. Tables that its version lacks are there and empty; the file stays as it is. Throws an
 * Error where it cannot be read.
 */
export function openToRead(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: BUSY_MS, readOnly: true });
  const lacking = VERSIONS.slice(Math.max(1, versionOf(database)));
  for (const tables of lacking) database.exec(tables.replaceAll('CREATE TABLE', 'CREATE TEMP TABLE'));
  return database;
}

/** The first version did not say its number. */
function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

function laterThanKnown(version: number): string {
  return `a later version of Assay wrote it: its layout is ${version}, and this version knows those up to ${VERSIONS.length}`;
}

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
    const version = versionOf(found);
    if (version > VERSIONS.length) return laterThanKnown(version);
    own.exec(VERSIONS.slice(0, Math.max(1, version)).join(''));
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
