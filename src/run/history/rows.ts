// Reads a history for people who look back: runs by target and branch, and the rows of some of them. Nothing is written.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { ClauseStatus, FindingKind, Report, Verdict } from '../../contract/report.ts';
import type { LoadFigure } from '../../load/figures.ts';
import { openToRead } from './layout.ts';

/** A run as the history keeps it. What an earlier version did not keep is null. */
export interface RunRow {
  readonly id: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly verdict: Verdict;
  readonly partial: boolean;
  readonly host: string;
  readonly scope: string;
  readonly tool: string;
  /** "conform", or the suite of load. */
  readonly suite: string;
  readonly environment: string | null;
  readonly overlay: string | null;
  readonly branch: string | null;
  readonly commit: string | null;
  /** The versions of the descriptions: "admin 1.4, store 2.0". */
  readonly versions: string | null;
  readonly requests: number;
  readonly operations: number;
  readonly operationsTested: number;
  readonly violations: number;
  readonly advisories: number;
  readonly accepted: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  readonly planted: number | null;
  readonly caught: number | null;
  readonly certified: boolean;
  readonly contract: NonNullable<Report['contract']> | null;
}

/** Which runs are looked at; what is null narrows nothing. */
export interface Selection {
  readonly host: string | null;
  readonly branch: string | null;
  /** "load" for all suites of load together. */
  readonly suite: string | null;
}

export interface ClauseResult {
  readonly run: string;
  readonly clause: string;
  readonly status: ClauseStatus;
}

export interface FindingResult {
  readonly fingerprint: string;
  readonly clause: string;
  readonly kind: FindingKind;
  readonly service: string | null;
  readonly operation: string | null;
  readonly cause: string;
}

export interface OperationResult {
  readonly service: string;
  readonly operation: string;
  readonly tested: boolean;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}

/** Medians over the runs of one week of one operation. */
export interface WeekOfOperation {
  readonly service: string;
  readonly operation: string;
  /** The Monday it begins on, in UTC: "2026-11-23". */
  readonly week: string;
  readonly runs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const COLUMNS = `id, started_at AS startedAt, duration_ms AS durationMs, verdict, partial, host, scope, tool,
  COALESCE(suite, 'conform') AS suite, environment, overlay, branch, revision AS "commit", versions, requests, operations,
  operations_tested AS operationsTested, violations, advisories, accepted, p50_ms AS p50Ms, p99_ms AS p99Ms, planted, caught,
  COALESCE(certified, 0) AS certified,
  CASE WHEN contracts.run IS NULL THEN NULL
    ELSE json_object('name', contracts.name, 'file', contracts.file, 'digest', contracts.digest) END AS contract`;
const RUNS = 'runs LEFT JOIN facts ON facts.run = runs.id LEFT JOIN contracts ON contracts.run = runs.id';
const SELECTED = `(:host IS NULL OR host = :host) AND (:branch IS NULL OR branch = :branch) AND (:suite IS NULL
  OR COALESCE(suite, 'conform') = :suite OR (:suite = 'load' AND COALESCE(suite, 'conform') <> 'conform'))`;

/** A history that is read. */
export class HistoryRows {
  readonly #database: DatabaseSync;
  readonly #folder: string;

  /** Throws an Error where the file is no history that can be read. */
  constructor(file: string) {
    this.#database = openToRead(file);
    this.#folder = dirname(file);
  }

  /** The page of the run's report, or one beside it, below the history's folder; null where it is not there. */
  reportPage(run: string, page = 'index.html'): string | null {
    const isPlain = [run, page].every((part) => /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(part)) && page.endsWith('.html');
    const path = join(this.#folder, run, page);
    return isPlain && existsSync(path) ? path : null;
  }

  close(): void {
    this.#database.close();
  }

  /** Hosts, that of the newest run first, with the environment of their newest run; null where that is unknown. */
  targets(): readonly { readonly host: string; readonly environment: string | null }[] {
    // SQLite takes other columns from the row that has the maximum.
    return this.#all(`SELECT host, COALESCE(overlay, environment) AS environment, MAX(started_at) AS newest
      FROM runs LEFT JOIN facts ON facts.run = runs.id GROUP BY host ORDER BY newest DESC, host`);
  }

  branches(host: string | null): readonly string[] {
    const text = `SELECT DISTINCT branch FROM ${RUNS} WHERE branch IS NOT NULL AND (:host IS NULL OR host = :host) ORDER BY branch`;
    return this.#all<{ branch: string }>(text, { host }).map(({ branch }) => branch);
  }

  count({ host, branch, suite }: Selection): number {
    const text = `SELECT COUNT(*) AS n FROM ${RUNS} WHERE ${SELECTED}`;
    return this.#all<{ n: number }>(text, { host, branch, suite })[0]!.n;
  }

  /** The newest first. */
  runs({ host, branch, suite }: Selection, most: number, skipped = 0): readonly RunRow[] {
    const text = `SELECT ${COLUMNS} FROM ${RUNS} WHERE ${SELECTED} ORDER BY started_at DESC, id DESC LIMIT :most OFFSET :skipped`;
    return this.#all<StoredRun>(text, { host, branch, suite, most, skipped }).map(asRun);
  }

  /** Null where there is none of this id. */
  run(id: string): RunRow | null {
    const [row] = this.#all<StoredRun>(`SELECT ${COLUMNS} FROM ${RUNS} WHERE id = :id`, { id });
    return row === undefined ? null : asRun(row);
  }

  /** The results of all clauses in all these runs, in no order that means something. */
  clauses(runs: readonly string[]): readonly ClauseResult[] {
    const text =
      'SELECT run, clause, status FROM json_each(:runs) AS wanted JOIN clauses ON clauses.run = wanted.value';
    return this.#all(text, { runs: JSON.stringify(runs) });
  }

  findings(run: string): readonly FindingResult[] {
    const text = `SELECT fingerprint, clause, kind, service, operation, cause FROM findings WHERE run = :run AND kind <> 'observation'
      ORDER BY kind DESC, clause, operation, fingerprint`;
    return this.#all(text, { run });
  }

  operations(run: string): readonly OperationResult[] {
    const text = `SELECT service, operation, tested, p50_ms AS p50Ms, p99_ms AS p99Ms FROM operations WHERE run = :run
      ORDER BY service, operation`;
    return this.#all<OperationResult>(text, { run }).map((row) => ({ ...row, tested: Boolean(row.tested) }));
  }

  figures(runs: readonly string[]): readonly (LoadFigure & { readonly run: string })[] {
    const text = `SELECT run, figure, unit, figures.value, least, most FROM json_each(:runs) AS wanted
      JOIN figures ON figures.run = wanted.value ORDER BY figure`;
    return this.#all(text, { runs: JSON.stringify(runs) });
  }

  /** The latencies of each operation in each week, weeks in their order. Runs that did not get an answer from it are left out. */
  weeks(runs: readonly string[]): readonly WeekOfOperation[] {
    const text = `WITH told AS (
        SELECT o.service, o.operation, date(r.started_at, 'weekday 0', '-6 days') AS week, o.p50_ms AS p50, o.p99_ms AS p99
        FROM json_each(:runs) AS wanted JOIN runs r ON r.id = wanted.value JOIN operations o ON o.run = r.id
        WHERE o.p99_ms IS NOT NULL
      ), ranked AS (
        SELECT *, COUNT(*) OVER own AS runs, ROW_NUMBER() OVER (own ORDER BY p50) AS at50, ROW_NUMBER() OVER (own ORDER BY p99) AS at99
        FROM told WINDOW own AS (PARTITION BY service, operation, week)
      )
      SELECT service, operation, week, MAX(runs) AS runs, MAX(CASE WHEN at50 = (runs + 1) / 2 THEN p50 END) AS p50Ms,
        MAX(CASE WHEN at99 = (runs + 1) / 2 THEN p99 END) AS p99Ms
      FROM ranked GROUP BY service, operation, week ORDER BY service, operation, week`;
    return this.#all(text, { runs: JSON.stringify(runs) });
  }

  #all<T>(text: string, values: Record<string, string | number | null> = {}): readonly T[] {
    return this.#database.prepare(text).all(values) as T[];
  }
}

type StoredRun = Omit<RunRow, 'contract'> & { readonly contract: string | null };

function asRun({ contract, ...row }: StoredRun): RunRow {
  const stated = contract === null ? null : (JSON.parse(contract) as RunRow['contract']);
  return { ...row, partial: Boolean(row.partial), certified: Boolean(row.certified), contract: stated };
}
