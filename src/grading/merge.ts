// Shards joined into the report that one whole run would have written. Pure.
// Shards judge disjoint operations, so their numbers add up; what concerns no operation is told apart by fingerprint.
import type { ClauseRow, ClauseStatus, Finding, ReasonCode, Report, ServiceRow } from '../contract/report.ts';
import { ObservationTable } from './observations.ts';
import { verdictOf } from './verdict.ts';

/** Thrown where reports are not the parts of one run. */
export class MergeRefused extends Error {
  readonly code = 'ASSAY_MERGE_REFUSED';
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.name = 'MergeRefused';
    this.hint = hint;
  }
}

/**
 * One report over all shards, its verdict that of the whole. Shards that are missing leave it partial, and without a
 * verdict unless something was violated. Throws `MergeRefused` for reports that do not belong together.
 */
export function mergeReports(reports: readonly Report[]): Report {
  const shards = inOrder(reports);
  const [first] = shards as [Report];
  const count = first.run.shard?.count ?? 1;
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter(
    (index) => !shards.some(({ run }) => run.shard?.index === index),
  );
  const own = shards.map(withOwnExchanges);
  const findings = mergedFindings(own);
  const clauses = first.clauses.map(({ id }) => mergedRow(rowsOf(id, own), violated(id, findings)));
  const operations = own.flatMap((report) => report.operations);
  const operationsTested = operations.filter(({ tested }) => tested).length;
  const minOperations = first.run.minOperations ?? null;
  const lost = own.some(({ verdict, run }) => verdict === 'none' && run.partial);
  return {
    ...first,
    run: mergedRun(own, missing),
    verdict: verdictOf(clauses, { broken: missing.length > 0 || lost, operationsTested, minOperations }),
    counts: {
      requests: sum(own, ({ counts }) => counts.requests),
      operations: operations.length,
      operationsTested,
      checks: sum(own, ({ counts }) => counts.checks),
      violations: findings.filter(({ kind }) => kind === 'violation').length,
      advisories: findings.filter(({ kind }) => kind === 'advisory').length,
    },
    clauses,
    findings,
    ...mergedObservations(own),
    services: first.services.map(({ name }) =>
      mergedService(
        own.flatMap(({ services }) => services),
        name,
      ),
    ),
    operations,
    exchanges: own.flatMap(({ exchanges }) => exchanges),
    leftovers: own.flatMap(({ leftovers }) => leftovers),
  };
}

/** The shards by index. What must be the same in all of them is. */
function inOrder(reports: readonly Report[]): readonly Report[] {
  const [first] = reports;
  if (first === undefined) throw new MergeRefused('nothing to merge', 'name the run folders of all shards');
  const whole = reports.find(({ run }) => run.shard === undefined);
  if (whole !== undefined)
    throw new MergeRefused(`run ${whole.run.id} is no shard`, 'only runs with --shard I/N can be merged');
  const scope = ({ tool, run }: Report): string =>
    `${tool.version}, seed ${run.seed}, shards ${run.shard?.count}, scope ${run.shard?.scope}`;
  const other = reports.find((report) => scope(report) !== scope(first));
  if (other !== undefined) {
    throw new MergeRefused(
      `runs ${first.run.id} and ${other.run.id} are not shards of one run: assay ${scope(first)}; assay ${scope(other)}`,
      'shards share the version of assay, the descriptions, the filters, the seed and the number of shards',
    );
  }
  const indexes = reports.map(({ run }) => run.shard?.index ?? 0);
  const twice = indexes.find((index, at) => indexes.indexOf(index) !== at);
  if (twice !== undefined) throw new MergeRefused(`shard ${twice} is given twice`, 'name each shard once');
  return reports.toSorted((left, right) => (left.run.shard?.index ?? 0) - (right.run.shard?.index ?? 0));
}

/** Exchange ids count from one in every shard: the shard's number keeps them apart. */
function withOwnExchanges(report: Report): Report {
  const named = (id: string): string => `s${report.run.shard?.index}-${id}`;
  return {
    ...report,
    findings: report.findings.map((finding) => ({ ...finding, exchanges: finding.exchanges.map(named) })),
    ...(report.observations === undefined
      ? {}
      : { observations: report.observations.map((row) => ({ ...row, exchanges: row.exchanges.map(named) })) }),
    exchanges: report.exchanges.map((exchange) => ({ ...exchange, id: named(exchange.id) })),
  };
}

/** What two shards saw alike is one finding, with the evidence of the first. */
function mergedFindings(reports: readonly Report[]): readonly Finding[] {
  const byPrint = Map.groupBy(
    reports.flatMap(({ findings }) => findings),
    ({ fingerprint }) => fingerprint,
  );
  const kinds = ['violation', 'advisory', 'observation'];
  return [...byPrint.values()]
    .map((same) => ({
      ...same[0]!,
      occurrences: sum(same, ({ occurrences }) => occurrences),
      looks: sum(same, ({ looks }) => looks),
      intermittent: same.some(({ intermittent }) => intermittent),
    }))
    .sort((left, right) => kinds.indexOf(left.kind) - kinds.indexOf(right.kind));
}

/** One table; nothing where no shard has one. */
function mergedObservations(reports: readonly Report[]): Pick<Report, 'observations'> {
  if (reports.every(({ observations }) => observations === undefined)) return {};
  const table = new ObservationTable();
  for (const row of reports.flatMap(({ observations }) => observations ?? [])) table.note(row);
  return { observations: table.rows() };
}

interface Violated {
  readonly violations: number;
  readonly advisories: number;
}

function violated(clause: string, findings: readonly Finding[]): Violated {
  const own = findings.filter((finding) => finding.clause === clause);
  return {
    violations: own.filter(({ kind }) => kind === 'violation').length,
    advisories: own.filter(({ kind }) => kind === 'advisory').length,
  };
}

function rowsOf(clause: string, reports: readonly Report[]): readonly ClauseRow[] {
  return reports.flatMap(({ clauses }) => clauses.filter(({ id }) => id === clause));
}

function mergedRow(rows: readonly ClauseRow[], found: Violated): ClauseRow {
  const { id, level } = rows[0]!;
  const checks = sum(rows, (row) => row.checks);
  const numbers = {
    checks,
    ...found,
    operationsInScope: sum(rows, ({ operationsInScope }) => operationsInScope),
    operationsTested: sum(rows, ({ operationsTested }) => operationsTested),
  };
  if (checks > 0) return { id, level, status: testedStatus(rows, found), ...numbers };
  const { reasonCode, reason } = absence(rows);
  return {
    id,
    level,
    status: reasonCode === 'not-declared' ? 'not-applicable' : 'not-tested',
    reasonCode,
    reason,
    ...numbers,
  };
}

function testedStatus(rows: readonly ClauseRow[], { violations }: Violated): ClauseStatus {
  if (violations > 0) return 'fail';
  return rows.some(({ status }) => status === 'observed') ? 'observed' : 'pass';
}

/** A shard's own reason tells more than that the matter was another shard's. */
function absence(rows: readonly ClauseRow[]): { readonly reasonCode: ReasonCode; readonly reason: string } {
  const telling = rows.find(({ reasonCode }) => reasonCode !== undefined && reasonCode !== 'sharded');
  if (telling?.reasonCode !== undefined)
    return { reasonCode: telling.reasonCode, reason: telling.reason ?? telling.reasonCode };
  return { reasonCode: 'precondition', reason: 'no answer of any shard gave occasion to judge it' };
}

function mergedRun(reports: readonly Report[], missing: readonly number[]): Report['run'] {
  const runs = reports.map(({ run }) => run);
  const starts = runs.map(({ startedAt }) => Date.parse(startedAt));
  const startedAtMs = Math.min(...starts);
  const endedAtMs = Math.max(...runs.map(({ durationMs }, at) => (starts[at] ?? 0) + durationMs));
  const notes = [
    ...(missing.length > 0 ? [`shard ${missing.join(', ')} of ${runs[0]?.shard?.count} is missing`] : []),
    ...runs.flatMap(({ note, shard }) => (note === undefined ? [] : [`shard ${shard?.index}: ${note}`])),
  ];
  return {
    id: `merged-${runs[0]?.id}`,
    startedAt: new Date(startedAtMs).toISOString(),
    durationMs: endedAtMs - startedAtMs,
    seed: runs[0]?.seed ?? 0,
    partial: missing.length > 0 || runs.some(({ partial }) => partial),
    ...(notes.length > 0 ? { note: notes.join('; ') } : {}),
  };
}

function mergedService(rows: readonly ServiceRow[], name: string): ServiceRow {
  const own = rows.filter((row) => row.name === name);
  return {
    ...own[0]!,
    operations: sum(own, ({ operations }) => operations),
    operationsTested: sum(own, ({ operationsTested }) => operationsTested),
    requests: sum(own, ({ requests }) => requests),
  };
}

function sum<T>(items: readonly T[], pick: (item: T) => number): number {
  return items.reduce((total, item) => total + pick(item), 0);
}
