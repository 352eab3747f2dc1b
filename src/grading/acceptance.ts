// Applies the breaches that people accepted before the run: waivers and a baseline. An accepted violation is told as
// loudly as any other and is no part of the verdict. Pure.

import { isSecurityClause } from '../contract/clauses.ts';
import { codeOf } from '../contract/code.ts';
import { operationMatcher } from '../contract/operation-glob.ts';
import type { Acceptance, ClauseRow, Finding, Report, Waiver, WaiverRow } from '../contract/report.ts';
import { judgedIn, otherContract } from './changes.ts';
import { fingerprint } from './fingerprint.ts';
import { verdictOfReport } from './verdict.ts';

export interface AcceptanceRules {
  readonly waivers: readonly Waiver[];
  /** An earlier run; null: none. */
  readonly baseline: Report | null;
  /** `new`: what the baseline has does not decide the verdict. */
  readonly failOn: Acceptance['failOn'];
  /** True where the baseline accepts violations of security clauses, too; waivers say so one by one. */
  readonly allowsSecurity: boolean;
  /** The day of the run in UTC: 2026-01-31. */
  readonly today: string;
}

const UNUSED = 'waiver-unused';
const UNUSED_IN_WORDS = 'a waiver matches nothing';

/** Tells whether the finding tells of a waiver that waives nothing. */
export function isUnusedWaiver({ clause, code }: Pick<Finding, 'clause' | 'code'>): boolean {
  return code === codeOf(clause, UNUSED);
}

/** The report held against waivers and baseline: findings marked, rows and counts with what is accepted, the verdict anew. */
export function accept(judged: Report, rules: AcceptanceRules): Report {
  const report = unaccepted(judged);
  const known = new Set((rules.baseline?.findings ?? []).filter(isViolation).map((finding) => finding.fingerprint));
  const findings = report.findings.map((finding) => marked(finding, rules, known));
  const waivers = rules.waivers.map((waiver) => waiverRow(waiver, report, rules.today));
  const unused = waivers.filter(({ status }) => status === 'unused').map(unusedFinding);
  const acceptance: Acceptance = {
    failOn: rules.failOn,
    ...(rules.allowsSecurity ? { allowsSecurity: true } : {}),
    baseline: comparison(report, rules.baseline),
    waivers,
  };
  const decided = (finding: Finding): boolean => isAccepted(finding, acceptance);
  const accepted = findings.filter(decided).length;
  const whole = {
    ...report,
    counts: {
      ...report.counts,
      advisories: report.counts.advisories + unused.length,
      ...(accepted > 0 ? { accepted } : {}),
    },
    clauses: report.clauses.map((row) => acceptedRow(row, findings.filter(decided), unused)),
    findings: [...findings, ...unused],
    acceptance,
  };
  return { ...whole, verdict: verdictOfReport(whole) };
}

/** The report as it was judged, before anything in it was accepted. */
export function unaccepted(report: Report): Report {
  const { acceptance, ...rest } = report;
  if (acceptance === undefined) return report;
  const unused = report.findings.filter(isUnusedWaiver);
  const { accepted: _accepted, ...counts } = report.counts;
  const whole = {
    ...rest,
    counts: { ...counts, advisories: counts.advisories - unused.length },
    clauses: report.clauses.map(({ accepted: _row, ...row }) => ({
      ...row,
      advisories: row.advisories - unused.filter(({ clause }) => clause === row.id).length,
    })),
    findings: report.findings
      .filter((finding) => !isUnusedWaiver(finding))
      .map(({ waiver: _waiver, known: _known, ...finding }) => finding),
  };
  return { ...whole, verdict: verdictOfReport(whole) };
}

/** Tells whether a violation is left out of the verdict. A baseline alone accepts no violation of a security clause. */
export function isAccepted(finding: Finding, { failOn, allowsSecurity }: Acceptance): boolean {
  if (!isViolation(finding)) return false;
  const isKnown = failOn === 'new' && finding.known === true;
  return finding.waiver !== undefined || (isKnown && (allowsSecurity === true || !isSecurityClause(finding.clause)));
}

function isViolation({ kind }: Finding): boolean {
  return kind === 'violation';
}

function marked(finding: Finding, { waivers, today }: AcceptanceRules, known: ReadonlySet<string>): Finding {
  if (!isViolation(finding)) return finding;
  const waiver = waivers.find((one) => holds(one, today) && matches(one, finding));
  return {
    ...finding,
    ...(waiver === undefined ? {} : { waiver }),
    ...(known.has(finding.fingerprint) ? { known: true as const } : {}),
  };
}

function holds({ expires }: Waiver, today: string): boolean {
  return today <= expires;
}

function matches(waiver: Waiver, finding: Finding): boolean {
  if (!isViolation(finding) || finding.clause !== waiver.clause) return false;
  if (waiver.fingerprint !== null && waiver.fingerprint !== finding.fingerprint) return false;
  return waiver.operation === null || covers(waiver.operation, finding.operation);
}

/** A finding that belongs to no operation is covered by `*` alone. */
function covers(glob: string, operation: string | null): boolean {
  return operation === null ? glob === '*' : operationMatcher([glob])(operation);
}

function waiverRow(waiver: Waiver, report: Report, today: string): WaiverRow {
  const violations = report.findings.filter((finding) => matches(waiver, finding)).length;
  if (!holds(waiver, today)) return { ...waiver, status: 'expired', violations };
  if (violations > 0) return { ...waiver, status: 'used', violations };
  return { ...waiver, status: wasJudged(waiver, report) ? 'unused' : 'not-judged', violations };
}

/** Tells whether the run looked where the waiver points: a part of the operations says nothing about the others. */
function wasJudged({ clause, operation }: Waiver, { run, clauses, operations }: Report): boolean {
  const isWhole = !run.partial && run.shard === undefined && run.filters === undefined;
  const checks = clauses.find(({ id }) => id === clause)?.checks ?? 0;
  if (operation === null || operation === '*') return isWhole && checks > 0;
  const rows = operations.filter((row) => covers(operation, row.operation));
  // An operation that is described no more has nothing left to waive.
  return rows.length === 0 ? isWhole : rows.some((row) => (row.clauses[clause]?.checks ?? 0) > 0);
}

function unusedFinding(waiver: WaiverRow): Finding {
  const { clause, operation, fingerprint: print, owner } = waiver;
  const code = codeOf(clause, UNUSED);
  const where = [print, operation].filter((part) => part !== null).join(' on ');
  return {
    clause,
    kind: 'advisory',
    service: null,
    operation: null,
    code,
    cause: UNUSED_IN_WORDS,
    message: `the waiver of ${clause} for ${where} (${owner}) matches no violation: take it out`,
    expected: 'a violation that it waives',
    actual: 'none',
    pointer: null,
    fingerprint: fingerprint(clause, null, null, code, where),
    exchanges: [],
    curl: null,
    occurrences: 1,
    looks: 1,
    intermittent: false,
    experiments: [],
  };
}

function acceptedRow(row: ClauseRow, accepted: readonly Finding[], unused: readonly Finding[]): ClauseRow {
  const count = accepted.filter(({ clause }) => clause === row.id).length;
  const advisories = row.advisories + unused.filter(({ clause }) => clause === row.id).length;
  return { ...row, advisories, ...(count > 0 ? { accepted: count } : {}) };
}

/** Findings that the baseline has and this run, having judged them again, has not. */
function comparison(report: Report, baseline: Report | null): Acceptance['baseline'] {
  if (baseline === null) return null;
  const present = new Set(report.findings.filter(isViolation).map((finding) => finding.fingerprint));
  const gone = baseline.findings.filter((finding) => isViolation(finding) && !present.has(finding.fingerprint));
  return {
    run: baseline.run.id,
    startedAt: baseline.run.startedAt,
    ...(baseline.run.revision === undefined ? {} : { revision: baseline.run.revision }),
    ...otherContract(baseline, report),
    resolved: gone.filter(judgedIn(report)).map((finding) => finding.fingerprint),
  };
}
