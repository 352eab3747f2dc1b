// Findings with one code are one group: 300 repeats of a breach are one thing to repair.
import { CLAUSES } from '../contract/clauses.ts';
import type { Finding, FindingKind } from '../contract/report.ts';
import { severityRank } from '../contract/severity.ts';

export interface FindingGroup {
  readonly clause: string;
  readonly kind: FindingKind;
  /** Absent in reports of versions without codes. */
  readonly code?: string;
  readonly cause: string;
  /** In the report's order; never empty. */
  readonly findings: readonly Finding[];
  /** Distinct operation keys, in the order met; the same key of two services counts twice in `operationCount`. */
  readonly operations: readonly string[];
  readonly operationCount: number;
  /** How often it was seen, over all findings. */
  readonly occurrences: number;
  /** True when at least one of the findings shows only sometimes. */
  readonly intermittent: boolean;
}

const KINDS: readonly FindingKind[] = ['violation', 'advisory', 'observation'];
const clauseOrder = new Map(CLAUSES.map(({ id }, index) => [id, index]));

/**
 * The findings by kind and code, worst first: violations, then advisories, then observations; within a kind by
 * severity, then the one on most operations, then most findings, then in the contract's order.
 */
export function groupFindings(findings: readonly Finding[]): readonly FindingGroup[] {
  const members = Map.groupBy(findings, groupKey);
  return [...members.values()].map(group).sort(worstFirst);
}

/** Text that findings of one group have in common; by their cause in reports of versions without codes. */
export function groupKey({ kind, clause, code, cause }: Pick<Finding, 'kind' | 'clause' | 'code' | 'cause'>): string {
  return `${kind} ${clause} ${code ?? cause}`;
}

function group(findings: readonly Finding[]): FindingGroup {
  const { clause, kind, code, cause } = findings[0]!;
  const located = findings.filter(({ operation }) => operation !== null);
  return {
    clause,
    kind,
    ...(code === undefined ? {} : { code }),
    cause,
    findings,
    operations: [...new Set(located.map(({ operation }) => operation!))],
    operationCount: new Set(located.map(({ service, operation }) => `${service} ${operation}`)).size,
    occurrences: findings.reduce((sum, { occurrences }) => sum + occurrences, 0),
    intermittent: findings.some(({ intermittent }) => intermittent),
  };
}

function worstFirst(a: FindingGroup, b: FindingGroup): number {
  return (
    KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) ||
    severityRank(a.clause, a.code) - severityRank(b.clause, b.code) ||
    b.operationCount - a.operationCount ||
    b.findings.length - a.findings.length ||
    (clauseOrder.get(a.clause) ?? Infinity) - (clauseOrder.get(b.clause) ?? Infinity) ||
    (a.cause < b.cause ? -1 : Number(a.cause > b.cause))
  );
}
