// What a run is told of comparable earlier runs: same host, same operations and clauses.
import type { DatabaseSync } from 'node:sqlite';
import type { Flaky, HistoricRun, History } from '../../contract/report.ts';

/** The newest runs that a history tells of. */
const RUNS_TOLD = 30;
const FLAKY_TOLD = 50;

/** Which runs are comparable; `descriptions` are those of the run that is told of. */
export interface Comparable {
  readonly host: string;
  readonly scope: string;
  readonly descriptions: string;
}

/** The comparable runs, the oldest first, and what came and went in them. */
export function earlierRuns(database: DatabaseSync, about: Comparable): History {
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
