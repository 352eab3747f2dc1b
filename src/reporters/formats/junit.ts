// junit.xml: the report for CI servers. Writes what Jenkins' JUnit schema allows, which the other readers follow. Its
// cases, one per operation and clause, are those of ctrf.json, too.

import Builder from 'fast-xml-builder';
import { plural } from '../../contract/numbers.ts';
import { clauseFinder, clausesOf } from '../../contract/own-clauses.ts';
import type { ClauseRow, Finding, OperationClause, OperationRow, ReasonCode, Report } from '../../contract/report.ts';
import { cut, xmlText } from '../text.ts';
import { acceptedBecause, isAcceptedIn, reasonPhrase, seenWords } from '../words.ts';

const NAME_CHARS = 500;
const MESSAGE_CHARS = 1000;
const VALUE_CHARS = 4000;
/** Violations and remarks written out per case; the rest is counted. */
const FINDINGS_SHOWN = 20;

type XmlNode = Record<string, unknown>;

/**
 * JUnit XML: a suite per service and clause family, in it a case per operation and clause; what belongs to no
 * operation stands in the suites "contract.FAMILY". A violation is a failure, an advisory or observation system-out,
 * not tested is skipped, an error of the harness an error. Cases carry time 0: clauses share their exchanges, so none
 * has a time of its own; the run's stands at the root. In pieces, a suite each: the whole is large.
 */
export function* junitPieces(report: Report): Generator<string> {
  const cases = junitCases(report);
  const timestamp = report.run.startedAt.slice(0, 19);
  const root = {
    '@name': `assay ${report.run.id}`,
    '@time': (report.run.durationMs / 1000).toFixed(3),
    ...tally(cases),
  };
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield built(root).replace(/\/>\n$/, '>\n');
  for (const [name, members] of Map.groupBy(cases, ({ suite }) => suite))
    yield built({ testsuite: [suiteNode(name, members, timestamp)] }).slice(START.length, -END.length);
  yield END;
}

const [START, END] = ['<testsuites>\n', '</testsuites>\n'];

function built(root: XmlNode): string {
  return new Builder(BUILDER_OPTIONS).build({ testsuites: clean(root) });
}

const BUILDER_OPTIONS = {
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
  processEntities: true,
  format: true,
  indentBy: ' ',
};

function suiteNode(name: string, cases: readonly JunitCase[], timestamp: string): XmlNode {
  return {
    '@name': name,
    '@timestamp': timestamp,
    '@time': '0',
    ...tally(cases),
    '@skipped': count(cases, 'skipped'),
    testcase: cases.map(caseNode),
  };
}

/** Counts as attributes; how many were skipped only suites may say. */
function tally(cases: readonly JunitCase[]): XmlNode {
  return { '@tests': String(cases.length), '@failures': count(cases, 'failed'), '@errors': count(cases, 'error') };
}

function count(cases: readonly JunitCase[], wanted: JunitCase['outcome']): string {
  return String(cases.filter(({ outcome }) => outcome === wanted).length);
}

function caseNode({ suite, name, outcome, message, violations, remarks }: JunitCase): XmlNode {
  const node: XmlNode = { '@classname': suite, '@name': cut(name, NAME_CHARS), '@time': '0' };
  const said = { '@message': cut(message, MESSAGE_CHARS) };
  if (outcome === 'failed') {
    node.failure = { ...said, '@type': violations[0]?.cause ?? 'violation', '#text': written(violations) };
  }
  if (outcome === 'error') node.error = { ...said, '@type': 'harness-error' };
  if (outcome === 'skipped') node.skipped = said;
  if (remarks.length > 0) node['system-out'] = written(remarks);
  return node;
}

function written(findings: readonly Finding[]): string {
  const shown = findings.slice(0, FINDINGS_SHOWN).map(paragraph);
  const more = findings.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more in report.json`] : [])].join('\n\n');
}

function paragraph(finding: Finding): string {
  const lines = [
    `${finding.kind}: ${cut(finding.message, VALUE_CHARS)}`,
    `expected: ${cut(finding.expected, VALUE_CHARS)}`,
    `actual: ${cut(finding.actual, VALUE_CHARS)}`,
    ...(finding.pointer === null ? [] : [`at: ${cut(finding.pointer, MESSAGE_CHARS)}`]),
    `seen: ${seenWords(finding)}${finding.intermittent ? ', intermittent' : ''}`,
    ...(finding.exchanges.length === 0 ? [] : [`evidence: ${finding.exchanges.join(', ')}`]),
    ...(finding.traceIds === undefined ? [] : [`trace: ${finding.traceIds.join(', ')}`]),
    ...(finding.curl === null ? [] : [cut(finding.curl, VALUE_CHARS)]),
    `fingerprint: ${finding.fingerprint}`,
  ];
  return lines.join('\n');
}

/** The tree with every string made writable in XML 1.0, in place. */
function clean<T>(node: T): T {
  for (const [key, value] of Object.entries(node as XmlNode)) {
    if (typeof value === 'string') (node as XmlNode)[key] = xmlText(value);
    else if (typeof value === 'object' && value !== null) clean(value);
  }
  return node;
}

/** Service of the cases that belong to no operation. */
const WHOLE_CONTRACT = 'contract';

export interface JunitCase {
  /** Service and clause family: "admin.ERR". */
  readonly suite: string;
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'error';
  /** One line; empty for a passed case. */
  readonly message: string;
  /** The violations that make it fail, accepted ones not among them; may be empty though it failed, when the report keeps no finding of them. */
  readonly violations: readonly Finding[];
  /** Advisories, observations and accepted violations, shown but never failing. */
  readonly remarks: readonly Finding[];
}

interface Outcome {
  readonly status: ClauseRow['status'];
  readonly violations: number;
  readonly reasonCode?: ReasonCode;
  readonly reason?: string;
}

/** Every case of the report: by operation in the report's order, by clause in the contract's; then those of clauses alone. */
export function junitCases(report: Report): readonly JunitCase[] {
  const findings = Map.groupBy(report.findings, placeOf);
  const accepted = new Set(report.findings.filter((finding) => isAcceptedIn(report, finding)));
  const cases: JunitCase[] = [];
  const shown = new Map<string, Set<JunitCase['outcome']>>();
  const clauses = clausesOf(report);
  const places = new Map(clauses.map(({ id }, index) => [id, index]));
  for (const operation of report.operations) {
    for (const [id, outcome] of inOrder(operation.clauses, places)) {
      const place = placeOf({ clause: id, service: operation.service, operation: operation.operation });
      const one = operationCase(operation, id, outcome, findings.get(place) ?? [], accepted);
      findings.delete(place);
      cases.push(one);
      shown.set(id, (shown.get(id) ?? new Set()).add(one.outcome));
    }
  }
  const left = Map.groupBy([...findings.values()].flat(), ({ clause }) => clause);
  const textOf = clauseFinder(clauses);
  for (const row of report.clauses) {
    const { text } = textOf(row.id);
    cases.push(...clauseCase({ ...row, text }, left.get(row.id) ?? [], accepted, shown.get(row.id)));
  }
  return cases;
}

function placeOf({ clause, service, operation }: Pick<Finding, 'clause' | 'service' | 'operation'>): string {
  return `${clause} ${service} ${operation}`;
}

function inOrder(clauses: OperationRow['clauses'], places: ReadonlyMap<string, number>): [string, OperationClause][] {
  const order = (id: string) => places.get(id) ?? Infinity;
  return Object.entries(clauses).sort(([a], [b]) => order(a) - order(b));
}

function operationCase(
  row: OperationRow,
  id: string,
  outcome: OperationClause,
  findings: readonly Finding[],
  accepted: ReadonlySet<Finding>,
): JunitCase {
  // The reason in words stands with the operation when it was not reached at all.
  const why = row.reasonCode === outcome.reasonCode && row.reason !== undefined ? { reason: row.reason } : {};
  return junitCase(
    `${row.service}.${familyOf(id)}`,
    `${id} ${row.operation}`,
    { ...outcome, ...why },
    findings,
    accepted,
  );
}

/**
 * The case of a clause by itself: when no operation has it, when findings belong to no operation, and when the row
 * fails or errs though none of its operations does. Nothing that failed can go unseen.
 */
function clauseCase(
  row: ClauseRow & { readonly text: string },
  left: readonly Finding[],
  accepted: ReadonlySet<Finding>,
  shown?: ReadonlySet<JunitCase['outcome']>,
): JunitCase[] {
  const suite = `${WHOLE_CONTRACT}.${familyOf(row.id)}`;
  if (shown === undefined) return [junitCase(suite, `${row.id} ${row.text}`, row, left, accepted)];
  const own = left.filter(({ kind }) => kind === 'violation').length;
  const unseen = row.status === 'fail' && row.violations > (row.accepted ?? 0) && !shown.has('failed');
  const erred = row.reasonCode === 'harness-error' && !shown.has('error');
  if (left.length === 0 && !unseen && !erred) return [];
  const status = own > 0 || unseen ? 'fail' : erred ? row.status : 'pass';
  return [
    junitCase(
      suite,
      `${row.id} outside the described operations`,
      { ...row, status, violations: unseen ? row.violations : own },
      left,
      accepted,
    ),
  ];
}

function junitCase(
  suite: string,
  name: string,
  outcome: Outcome,
  findings: readonly Finding[],
  accepted: ReadonlySet<Finding>,
): JunitCase {
  const counts = (finding: Finding): boolean => finding.kind === 'violation' && !accepted.has(finding);
  const violations = findings.filter(counts);
  const remarks = findings.filter((finding) => !counts(finding));
  const one = { suite, name, violations, remarks };
  const pardoned = findings.filter((finding) => accepted.has(finding));
  if (violations.length === 0 && pardoned.length > 0 && pardoned.length >= outcome.violations)
    return { ...one, outcome: 'skipped', message: `accepted, ${acceptedBecause(pardoned[0]!)}` };
  if (outcome.status === 'fail' || violations.length > 0) {
    const more = violations.length > 1 ? ` (and ${plural(violations.length - 1, 'more violation')})` : '';
    const message = violations[0]?.message ?? plural(outcome.violations, 'violation');
    return { ...one, outcome: 'failed', message: `${message}${more}` };
  }
  if (outcome.status === 'not-tested' || outcome.status === 'not-applicable') {
    const erred = outcome.reasonCode === 'harness-error';
    return { ...one, outcome: erred ? 'error' : 'skipped', message: reasonPhrase(outcome) };
  }
  return { ...one, outcome: 'passed', message: '' };
}

function familyOf(id: string): string {
  return id.slice(0, id.lastIndexOf('-'));
}
