// Findings with one code are one group: 300 repeats of a breach are one thing to repair. So are several codes that name members of one
// object, or values that one serialiser writes.
import { CLAUSES } from '../contract/clauses.ts';
import type { Finding, FindingKind } from '../contract/report.ts';
import { severityRank } from '../contract/severity.ts';

export interface FindingGroup {
  /** Text that its findings, and no others, have in common. */
  readonly key: string;
  readonly clause: string;
  readonly kind: FindingKind;
  /** The first of its codes. Absent in reports of versions without codes. */
  readonly code?: string;
  /** The cause of the first, and how many more are alike. */
  readonly cause: string;
  /** In the report's order; never empty. */
  readonly findings: readonly Finding[];
  /** Distinct operation keys, in the order met; the same key of two services counts twice in `operationCount`. */
  readonly operations: readonly string[];
  readonly operationCount: number;
  /** How often it was seen, over all findings. */
  readonly occurrences: number;
  /** True when none of the findings shows every time. */
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
  return [...members].map(([key, own]) => group(key, own)).sort(worstFirst);
}

type Told = Pick<Finding, 'kind' | 'clause' | 'code' | 'cause'>;
type Rooted = Told & Partial<Pick<Finding, 'service' | 'operation' | 'expected' | 'actual'>>;

/** Text that findings of one group have in common; by their cause in reports of versions without codes. */
export function groupKey(finding: Rooted): string {
  const { kind, clause, code, cause } = finding;
  return `${kind} ${clause} ${rootOf(finding) ?? code ?? cause}`;
}

const OF_FORMAT = /^sch-01\.breaks\.format\./;
/** Breaches of an object that each of its members is told for. */
const OF_MEMBERS = /^(sch-01\.breaks\.required|sch-09\.undescribed)\.(.*)\/[^/]*$/s;

/** The root that several codes have in common; null where a code stands for itself. */
function rootOf({ code = '', service, operation, expected, actual }: Rooted): string | null {
  if (OF_FORMAT.test(code) && actual !== undefined) return `sch-01.breaks.format ${expected} ${formOf(actual)}`;
  const [, kind, place = ''] = OF_MEMBERS.exec(code) ?? [];
  if (kind === undefined) return null;
  // An object without a name is another one in the answer of another operation.
  const isNamed = place !== '' && !place.startsWith('/');
  return isNamed ? `${kind} ${place}` : `${kind} ${place} ${service} ${operation}`;
}

/** The value with one digit for any number: times that are written alike differ in these. */
function formOf(value: string): string {
  return value.replaceAll(/\d+/g, '0');
}

function group(key: string, findings: readonly Finding[]): FindingGroup {
  const { clause, kind, code, cause } = findings[0]!;
  const alike = new Set(findings.map((finding) => finding.code)).size - 1;
  const located = findings.filter(({ operation }) => operation !== null);
  return {
    key,
    clause,
    kind,
    ...(code === undefined ? {} : { code }),
    cause: alike === 0 ? cause : `${cause} (and ${alike} more alike)`,
    findings,
    operations: [...new Set(located.map(({ operation }) => operation!))],
    operationCount: new Set(located.map(({ service, operation }) => `${service} ${operation}`)).size,
    occurrences: findings.reduce((sum, { occurrences }) => sum + occurrences, 0),
    intermittent: findings.every(({ intermittent }) => intermittent),
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

/** The message without the cause that it may begin with. */
export function beyondCause(message: string, cause: string): string {
  return message.startsWith(cause) ? message.slice(cause.length).replace(/^[\s:,–-]+/, '') : message;
}
