// Records the runs of a project in one SQLite file: what each came to, its clauses, findings, latencies and figures of load; and
// takes old runs out of it. Runs may write at once; one that is killed leaves what was written before.
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { LoadPart } from '../../contract/load-part.ts';
import type { Flaky, HistoricRun, History, Report, Revision } from '../../contract/report.ts';
import { hostOf } from '../../grading/changes.ts';
import { addLatencies, percentileMs } from '../../grading/latency.ts';
import { loadFigures } from '../../load/figures.ts';
import { BUSY_MS, layOut, openToRead } from './layout.ts';

const UNKNOWN: Revision = { branch: null, commit: null };

/**
 * Adds the run to the file, which is made where absent, and tells what it and comparable earlier runs came to: same
 * host, same operations and clauses, same suite of load or none. A run that is there already is replaced. Throws an Error
 * where the file cannot be written or is no history.
 */
export function recordRun(file: string, report: Report, revision = UNKNOWN): History {
  return changing(file, (database) => {
    write(database, report, revision);
    return earlierRuns(database, comparableTo(report));
  });
}

/** Adds runs together, which takes a hundredth of the time of adding one after the other. Throws as `recordRun`. */
export function recordRuns(
  file: string,
  runs: readonly { readonly report: Report; readonly revision: Revision }[],
): void {
  changing(file, (database) => {
    for (const { report, revision } of runs) write(database, report, revision);
  });
}

/** Marks the run as one that a certificate was written for: it is never pruned. Throws as `recordRun`. */
export function recordCertificate(file: string, run: string): void {
  changing(file, (database) => database.prepare('UPDATE facts SET certified = 1 WHERE run = ?').run(run));
}

/** The result of the work, done in one transaction on the history, which is made where absent. */
function changing<T>(file: string, work: (database: DatabaseSync) => T): T {
  mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file, { timeout: BUSY_MS, enableForeignKeyConstraints: true });
  try {
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('BEGIN IMMEDIATE');
    try {
      layOut(database);
      const done = work(database);
      database.exec('COMMIT');
      return done;
    } catch (error) {
      // On a full disk SQLite has rolled back by itself, and a second time would hide why.
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  } finally {
    database.close();
  }
}

/** Which suite of load ran; "conform" for all other runs. */
function suiteOf({ load }: Report): string {
  return (Object(load) as Partial<LoadPart>).suite ?? 'conform';
}

function comparableTo(report: Report): Comparable {
  const suite = suiteOf(report);
  const { scope } = report.run;
  return {
    host: hostOf(report.target, report.run.env),
    scope: suite === 'conform' ? scope : `${suite} ${scope}`,
    descriptions: [
      ...report.services.map(({ name, digest }) => `${name}=${digest ?? ''}`),
      ...contractFile(report),
    ].join(' '),
  };
}

/** A contract file judges as a description does: another one gives other findings, and that is no coming and going. */
function contractFile({ contract }: Report): readonly string[] {
  return contract === undefined || contract.file === null ? [] : [`contract=${contract.digest}`];
}

function write(database: DatabaseSync, report: Report, revision: Revision): void {
  const { run, counts } = report;
  const { id } = run;
  database.prepare('DELETE FROM runs WHERE id = ?').run(id);
  insert(database, 'runs', {
    ...{ id, started_at: run.startedAt, duration_ms: Math.round(run.durationMs), verdict: report.verdict },
    ...{ partial: Number(run.partial), seed: run.seed, tool: report.tool.version },
    ...{ ...comparableTo(report), requests: counts.requests },
    ...{ operations: counts.operations, operations_tested: counts.operationsTested, violations: counts.violations },
    ...{ advisories: counts.advisories, accepted: counts.accepted ?? 0 },
    ...{ p50_ms: percentileOf(report, 'p50', 0.5), p99_ms: percentileOf(report, 'p99', 0.99) },
  });
  writeFacts(database, report, revision);
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

/** The percentile of a run's answers, ms: of a suite of load the one that it measured, not that of the few calls before it. */
function percentileOf(report: Report, figure: 'p50' | 'p99', share: number): number | null {
  if (suiteOf(report) !== 'conform')
    return loadFigures(report.load).find((one) => one.figure === figure)?.value ?? null;
  return percentileMs(addLatencies(report.operations.map((row) => row.latency ?? {})), share);
}

function writeFacts(database: DatabaseSync, report: Report, { branch, commit }: Revision): void {
  const { run, target, sensitivity, services } = report;
  insert(database, 'facts', {
    ...{ run: run.id, suite: suiteOf(report), environment: target.environment, overlay: run.env ?? null },
    ...{ branch, revision: commit, planted: sensitivity?.planted ?? null, caught: sensitivity?.caught ?? null },
    versions: services.flatMap(({ name, version }) => (version === null ? [] : [`${name} ${version}`])).join(', '),
  });
  if (report.contract !== undefined) insert(database, 'contracts', { run: run.id, ...report.contract });
  insert(
    database,
    'figures',
    ...loadFigures(report.load).map(({ figure, unit, value, least, most }) => ({
      ...{ run: run.id, figure, unit, value, least, most },
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

// Tells a run of comparable earlier runs: same host, same operations and clauses.

/** The newest runs that a history tells of. */
const RUNS_TOLD = 30;
const FLAKY_TOLD = 50;

/** Which runs are comparable; `descriptions` are those of the run that is told of. */
interface Comparable {
  readonly host: string;
  readonly scope: string;
  readonly descriptions: string;
}

/** The comparable runs, the oldest first, and what came and went in them. */
function earlierRuns(database: DatabaseSync, about: Comparable): History {
  const rows = database
    .prepare('SELECT * FROM runs WHERE host = ? AND scope = ? ORDER BY started_at DESC, id DESC LIMIT ?')
    .all(about.host, about.scope, RUNS_TOLD);
  return { runs: rows.reverse().map(historicRun), flaky: flakyOf(database, about) };
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
 * Violations and advisories that came and went, or went and came again, from one whole run of the same descriptions to the next that tested
 * the operation and judged the clause. One that came and stayed is new, and one that went is mended.
 */
const FLAKY = `
WITH same AS (
  SELECT id, started_at FROM runs WHERE host = ? AND scope = ? AND descriptions = ? AND partial = 0
  ORDER BY started_at DESC LIMIT ?
), told AS (
  SELECT f.fingerprint, f.clause, f.service, f.operation, f.cause FROM findings f
  JOIN same ON same.id = f.run WHERE f.kind <> 'observation' GROUP BY f.fingerprint
), looks AS (
  SELECT told.*, same.id, same.started_at, EXISTS (
    SELECT 1 FROM findings f WHERE f.run = same.id AND f.fingerprint = told.fingerprint AND f.kind <> 'observation'
  ) AS shown
  FROM told JOIN same
  JOIN clauses c ON c.run = same.id AND c.clause = told.clause AND c.checks > 0
  LEFT JOIN operations o ON o.run = same.id AND o.service = told.service AND o.operation = told.operation
  WHERE told.operation IS NULL OR o.tested = 1
), turns AS (
  SELECT *, shown <> LAG(shown) OVER (PARTITION BY fingerprint ORDER BY started_at, id) AS turned FROM looks
)
SELECT fingerprint, clause, service, operation, cause, SUM(shown) AS seen, COUNT(*) AS judged FROM turns
GROUP BY fingerprint HAVING SUM(turned) >= 2 ORDER BY clause, operation LIMIT ?`;

function flakyOf(database: DatabaseSync, { host, scope, descriptions }: Comparable): readonly Flaky[] {
  const rows = database.prepare(FLAKY).all(host, scope, descriptions, RUNS_TOLD, FLAKY_TOLD);
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

// Old runs are taken out of a history as a policy of count and age says. Folders of reports are no part of it.

/** A run goes where both let it go. */
export interface Policy {
  /** Number of the newest runs of each target, branch and suite that stay. */
  readonly newest: number;
  /** Runs that started before this moment are old: "2026-08-25T00:00:00.000Z". */
  readonly before: string;
}

export interface Prunable {
  /** Ids of the runs that may go, the oldest first. */
  readonly runs: readonly string[];
  /** Old runs beyond the count that stay because they were certified. */
  readonly certified: number;
  readonly all: number;
}

const OLD = `WITH placed AS (
    SELECT id, started_at, COALESCE(certified, 0) AS certified, ROW_NUMBER() OVER (
      PARTITION BY host, branch, COALESCE(suite, 'conform') ORDER BY started_at DESC, id DESC
    ) AS place FROM runs LEFT JOIN facts ON facts.run = runs.id
  ) SELECT id, certified FROM placed WHERE place > ? AND started_at < ? ORDER BY started_at, id`;

/**
 * The runs that the policy deletes; it never deletes certified runs. `isCertified` is asked too: earlier versions did not record
 * it. Throws an Error where the file cannot be read.
 */
export function prunable(file: string, { newest, before }: Policy, isCertified: (run: string) => boolean): Prunable {
  const database = openToRead(file);
  try {
    const old = database
      .prepare(OLD)
      .all(newest, before)
      .map(({ id, certified }) => ({
        id: String(id),
        stays: certified === 1 || isCertified(String(id)),
      }));
    const all = Number(database.prepare('SELECT COUNT(*) AS n FROM runs').get()?.n);
    const runs = old.flatMap(({ id, stays }) => (stays ? [] : [id]));
    return { runs, certified: old.length - runs.length, all };
  } finally {
    database.close();
  }
}

/** Takes the runs out, with all that is kept of them, and resolves with the room that this freed, in bytes. Throws as `recordRun`. */
export function removeRuns(file: string, runs: readonly string[]): number {
  const bytesBefore = statSync(file).size;
  changing(file, (database) => {
    const remove = database.prepare(
      'DELETE FROM runs WHERE id = ? AND id NOT IN (SELECT run FROM facts WHERE certified = 1)',
    );
    for (const run of runs) remove.run(run);
  });
  const database = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    database.exec('VACUUM');
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
  return Math.max(0, bytesBefore - statSync(file).size);
}
