// Works out a certificate's content from the evidence alone, apart from the code that wrote it.
import { CLAUSES, isSecurityClause } from '../contract/clauses.ts';
import type { ClauseRow, Finding, Report } from '../contract/report.ts';
import type { CertificateVerdict, Predicate, SelfCheck } from './statement.ts';

export type Recomputed = Pick<
  Predicate,
  'verdict' | 'clauses' | 'untested' | 'waivers' | 'pending' | 'descriptions' | 'target' | 'run' | 'selfCheck'
> & { readonly [Member in 'outOfScope' | 'sensitivity' | 'issuer' | 'revision']: Predicate[Member] };

/** The members of the predicate that the evidence decides. */
export function recomputed(report: Report, selfCheck: SelfCheck | null, configuration: unknown): Recomputed {
  const { run, counts, services, target } = report;
  const judged = report.clauses.filter((row) => row.reasonCode !== 'other-command' || !/^(HOOK|CLIENT)-/.test(row.id));
  const reasons = acceptedReasons(configuration);
  const idle = judged.filter((row) => row.level === 'must' && row.status === 'not-tested');
  const excused = idle.filter((row) => row.reasonCode === 'service-pending' || reasons[row.id] !== undefined);
  return {
    verdict: verdict(report, judged, idle.length > excused.length, selfCheck),
    clauses: judged,
    outOfScope: report.clauses
      .filter((row) => !judged.includes(row))
      .map(({ id }) => ({ id, reason: `its subject is not there: ${lackIn(id)}` })),
    untested: excused.map(({ id, reason, reasonCode }) => ({
      id,
      reason: reasons[id] ?? reason ?? reasonCode ?? 'not tested',
    })),
    waivers: report.acceptance?.waivers ?? [],
    pending: services.filter((service) => !service.testable).map((service) => service.name),
    descriptions: services
      .filter(({ spec, digest }) => spec !== null && digest !== undefined)
      .map(({ name, spec, digest, version }) => ({ service: name, file: spec!, sha256: digest!, version })),
    target: { baseUrl: target.baseUrl, environment: target.environment },
    run: {
      ...{ id: run.id, startedAt: run.startedAt, durationMs: run.durationMs, seed: run.seed },
      ...{ requests: counts.requests, operations: counts.operations, operationsTested: counts.operationsTested },
    },
    sensitivity: noticed(report),
    issuer: certifyIn(configuration).issuer,
    revision: run.revision,
    selfCheck,
  };
}

function lackIn(id: string): string {
  return id.startsWith('HOOK-') ? 'no webhooks.trigger is configured' : 'no clients are configured';
}

/** Sensitivity that the report claims: as many defects as it counts by family. */
function noticed({ sensitivity }: Report): Predicate['sensitivity'] {
  if (sensitivity === undefined) return undefined;
  const { families, missed } = sensitivity;
  const planted = Object.values(families).reduce((sum, family) => sum + family.planted, 0);
  return { planted, caught: planted - missed.length, families };
}

/** Where the report contradicts itself, a sentence each: what was taken out of it or put in leaves a trace. */
export function contradictions(report: Report): readonly string[] {
  const ids = report.clauses.map(({ id }) => id);
  const complete = ids.length === CLAUSES.length && CLAUSES.every(({ id }, at) => ids[at] === id);
  const violations = report.findings.filter(({ kind }) => kind === 'violation');
  const rows = report.clauses.filter((row) => !agrees(row, violations, report));
  const tested = report.operations.filter((row) => row.tested).length;
  const { counts } = report;
  return [
    ...(complete ? [] : ['the clause table is not that of the contract']),
    ...rows.map(({ id }) => `the row of ${id} and its findings contradict each other`),
    ...(counts.violations === violations.length ? [] : ['the violations are miscounted']),
    ...(counts.operations === report.operations.length && counts.operationsTested === tested
      ? []
      : ['the operations are miscounted']),
    ...(counts.operationsTested > 0 ? [] : ['no operation was tested']),
  ];
}

function agrees(row: ClauseRow, violations: readonly Finding[], { acceptance }: Report): boolean {
  const own = violations.filter(({ clause }) => clause === row.id);
  const pardoned = own.filter(
    ({ clause, waiver, known }) =>
      waiver !== undefined ||
      (acceptance?.failOn === 'new' &&
        known === true &&
        (acceptance.allowsSecurity === true || !isSecurityClause(clause))),
  );
  const level = CLAUSES.find(({ id }) => id === row.id)?.level;
  return (
    level === row.level &&
    row.violations === own.length &&
    (row.accepted ?? 0) === pardoned.length &&
    (row.status === 'fail') === own.length > 0 &&
    (row.checks > 0 || row.status === 'not-tested' || row.status === 'not-applicable')
  );
}

function verdict(
  report: Report,
  judged: readonly ClauseRow[],
  hasGaps: boolean,
  selfCheck: SelfCheck | null,
): CertificateVerdict {
  const { run, acceptance, replay } = report;
  const narrowed = run.filters !== undefined || run.shard !== undefined || replay !== undefined;
  const cut = run.partial || run.broken === true || report.verdict === 'none';
  const stale = acceptance?.waivers.some(({ status }) => status !== 'used') === true;
  const proven = selfCheck?.clean === true && selfCheck.faults > 0 && selfCheck.caught === selfCheck.faults;
  if (narrowed || cut || stale || acceptance?.failOn === 'new' || !proven) return 'no-verdict';
  if (judged.some((row) => row.violations - (row.accepted ?? 0) > 0)) return 'does-not-conform';
  if (hasGaps) return 'no-verdict';
  return judged.some((row) => (row.accepted ?? 0) > 0) ? 'conforms-with-waivers' : 'conforms';
}

/** `certify.accept` of the configuration as it was kept. */
function acceptedReasons(configuration: unknown): Readonly<Record<string, string>> {
  return certifyIn(configuration).accept ?? {};
}

/** Terms of certificates in the kept configuration; empty where it has none. */
function certifyIn(configuration: unknown): { readonly accept?: Record<string, string>; readonly issuer?: string } {
  return (configuration as { readonly certify?: object } | null)?.certify ?? {};
}
