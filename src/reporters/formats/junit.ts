// junit.xml: the report for CI servers. Writes what Jenkins' JUnit schema allows, which the other readers follow.
import Builder from 'fast-xml-builder';
import type { Finding, Report } from '../../contract/report.ts';
import { cut, xmlText } from '../text.ts';
import { seenWords } from '../words.ts';
import { type JunitCase, junitCases } from './junit-cases.ts';

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
