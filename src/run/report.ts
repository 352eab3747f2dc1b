// From the run's books to the report: one row a clause, one row an operation, the verdict.
import { isAbsolute, relative } from 'node:path';
import type { Config, Replayed, RunOptions } from '../config/config.ts';
import { VERSION } from '../config/package-root.ts';
import { CLAUSES, clauseById } from '../contract/clauses.ts';
import type { OperationClause, OperationRow, ReplayOutcome, Report, ServiceRow } from '../contract/report.ts';
import type { Absence } from '../grading/rows.ts';
import { clauseRow, isUndeclared, operationClause } from '../grading/rows.ts';
import { verdictOfReport, verdictOnReplay } from '../grading/verdict.ts';
import type { Described } from '../openapi/catalogue.ts';
import type { Description } from '../openapi/operation.ts';
import { declaredUse } from './declared.ts';
import { depthPerOperation } from './depth.ts';
import { keyOf } from './reaching.ts';
import { isUnlike } from './replay.ts';
import { absenceOf } from './selection.ts';
import { scopeOf } from './shard.ts';
import { DEPTH_SECONDS } from './stages.ts';
import type { StageState } from './state.ts';

export interface RunFacts
  extends Pick<StageState, 'selected' | 'share' | 'ledger' | 'session' | 'reaching' | 'cuts' | 'expected'> {
  readonly config: Config;
  readonly options: RunOptions;
  readonly descriptions: readonly Description[];
  readonly runId: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** Set when the run ended early. */
  readonly ended: Absence | null;
  readonly leftovers: readonly string[];
}

/** The report of a run, whole or ended early. */
export function buildReport(facts: RunFacts): Report {
  const { config, options, ledger, session, ended } = facts;
  const operations = facts.share.own.map((described) => operationRow(described, facts));
  const clauses = CLAUSES.map((clause) =>
    clauseRow(
      clause,
      ledger.tallies(clause.id),
      absenceOf(clause, config, options, ended, facts.selected),
      facts.expected.includes(clause.id),
    ),
  );
  const run = runOf(facts);
  const counts = {
    requests: session.sent,
    operations: operations.length,
    operationsTested: operations.filter((row) => row.tested).length,
    checks: ledger.checks,
    violations: ledger.violations,
    advisories: ledger.advisories,
  };
  return {
    schemaVersion: 1,
    tool: { name: 'assay', version: VERSION },
    run,
    target: { baseUrl: config.target.baseUrl, environment: config.target.environment },
    verdict:
      options.replay === undefined
        ? verdictOfReport({ run, counts, clauses })
        : verdictOnReplay(clauses, ended !== null || isUnlike(facts, options.replay)),
    counts,
    clauses,
    findings: ledger.findings(),
    observations: ledger.observations.rows(),
    services: config.services.map((service) => serviceRow(service.name, facts, operations)),
    operations,
    exchanges: ledger.evidence(),
    leftovers: facts.leftovers,
    ...(options.replay === undefined ? {} : { replay: replayOutcome(facts, options.replay) }),
  };
}

function replayOutcome({ ledger }: RunFacts, { run, finding }: Replayed): ReplayOutcome {
  const { fingerprint, clause, service, operation } = finding;
  const shown = ledger.occurrences(fingerprint) > 0;
  return { fingerprint, run, clause, service, operation, shown, others: ledger.others };
}

function runOf(facts: RunFacts): Report['run'] {
  const { config, options, ended } = facts;
  const { minOperations } = config.gate;
  const broken = ended !== null && ended.reasonCode !== 'budget' && ended.reasonCode !== 'time-limit';
  return {
    id: facts.runId,
    startedAt: new Date(facts.startedAtMs).toISOString(),
    durationMs: Math.round(facts.endedAtMs - facts.startedAtMs),
    seed: options.seed,
    partial: ended !== null || cutBy(facts, 'budget') > 0,
    ...(broken ? { broken } : {}),
    scope: scopeOf(facts.selected, options.clauses),
    ...filtersOf(options),
    ...(options.shard === undefined ? {} : { shard: options.shard }),
    ...(minOperations === null ? {} : { minOperations }),
    ...noteOf(facts),
  };
}

function filtersOf({ services, operations, clauses }: RunOptions): Pick<Report['run'], 'filters'> {
  const isNarrowed = services.length + operations.length + clauses.length > 0;
  return isNarrowed ? { filters: { services, operations, clauses } } : {};
}

/** Experiments that were cut for this reason. */
function cutBy({ cuts }: RunFacts, reasonCode: 'budget' | 'time-limit' | 'held'): number {
  return cuts.reduce((total, cut) => total + (cut.reasonCode === reasonCode ? cut.experiments : 0), 0);
}

function noteOf(facts: RunFacts): { readonly note?: string } {
  if (facts.ended !== null) return { note: facts.ended.reason };
  const { replay } = facts.options;
  const shown = replay !== undefined && facts.ledger.occurrences(replay.finding.fingerprint) > 0;
  if (replay !== undefined && !shown && isUnlike(facts, replay))
    return { note: `${replay.finding.operation} could not be called with success this time` };
  const unsent = cutBy(facts, 'budget');
  if (unsent > 0) return { note: `the request budget ended the run: ${unsent} planned probes were not sent` };
  const late = cutBy(facts, 'time-limit');
  if (late > 0) return { note: `depth ended after ${DEPTH_SECONDS} s: ${late} further probes were not sent` };
  const held = cutBy(facts, 'held');
  const most = depthPerOperation(facts.selected.length);
  return held > 0
    ? { note: `depth took ${most} requests an operation: ${held} further probes wait for a --budget or --time-limit` }
    : {};
}

function operationRow(described: Described, { ledger, session, reaching, expected, ended }: RunFacts): OperationRow {
  const { operation } = described;
  const key = keyOf(described);
  const traffic = session.traffic.get(key);
  const reached = reaching.reached.get(key);
  const why =
    reaching.unreached.get(key) ??
    (reached === undefined || traffic === undefined
      ? (ended ?? { reasonCode: 'budget' as const, reason: 'the budget was spent before it was called' })
      : null);
  const clauses: Record<string, OperationClause> = {};
  for (const { id } of CLAUSES) {
    const tally = ledger.tallies(id).get(key);
    if (tally !== undefined && !isUndeclared(tally))
      clauses[id] = operationClause(clauseById(id), tally, expected.includes(id));
  }
  return {
    service: operation.service,
    operation: operation.key,
    resource: resourceOf(described),
    tested: why === null && (traffic?.requests ?? 0) > 0,
    succeeded: reached?.proof != null,
    ...(why === null ? {} : { reasonCode: why.reasonCode, reason: why.reason }),
    requests: traffic?.requests ?? 0,
    statuses: Object.fromEntries([...(traffic?.statuses ?? [])].sort(([left], [right]) => (left < right ? -1 : 1))),
    clauses,
    latency: Object.fromEntries(traffic?.latency ?? []),
    declared: declaredUse(operation, traffic),
  };
}

/** First tag; without tags the first segment of the path after the version. */
function resourceOf({ operation }: Described): string {
  return operation.tags[0] ?? operation.path.replace(/^\/api(\/v\d+)?\//, '').split('/')[0] ?? operation.path;
}

function serviceRow(name: string, { config, descriptions }: RunFacts, operations: readonly OperationRow[]): ServiceRow {
  const description = descriptions.find((candidate) => candidate.service === name);
  const own = operations.filter((row) => row.service === name);
  const spec = shownSpec(config, name);
  const reason =
    description === undefined
      ? 'its description is pending'
      : description.operations.length === 0
        ? 'its description shows no operation'
        : null;
  return {
    name,
    spec,
    ...(description === undefined ? {} : { digest: description.digest }),
    openapi: description?.openapi ?? null,
    version: description?.version ?? null,
    testable: reason === null,
    ...(reason === null ? {} : { reason }),
    operations: own.length,
    operationsTested: own.filter((row) => row.tested).length,
    requests: own.reduce((total, row) => total + row.requests, 0),
  };
}

/** The description as the configuration names it: relative to its folder, or a URL. */
function shownSpec({ services, folder }: Config, name: string): string | null {
  const spec = services.find((service) => service.name === name)?.spec ?? null;
  return spec === null || folder === null || !isAbsolute(spec) ? spec : relative(folder, spec);
}
