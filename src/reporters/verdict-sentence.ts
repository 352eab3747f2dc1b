// The verdict in one sentence, the same in every report: of conformance how the contract fared, of a load run its result.
import type { ReplayOutcome, Report } from '../contract/report.ts';
import { loadHeadline } from './load/headline.ts';
import { isAcceptedIn, plural } from './words.ts';

/** The target at the beginning of a sentence. */
function subjectOf({ target }: Pick<Report, 'target'>): string {
  if (target.client !== undefined) return 'The client';
  return target.embedded === true ? 'The embedded reference platform' : 'The target';
}

/** What the verdict says, in one plain sentence. */
export function verdictSentence(report: Report): string {
  if (report.replay !== undefined) return replaySentence(report.replay, report);
  const result = loadHeadline(report);
  if (result !== null)
    return report.counts.violations > (report.counts.accepted ?? 0)
      ? `${result}; ${brokenWhere(report)}.`
      : `${result}.`;
  if (report.verdict === 'none') {
    return report.run.note === undefined ? 'No verdict: too little could be tested.' : 'No verdict could be reached.';
  }
  if (report.verdict === 'fail') return `${subjectOf(report)} breaks its contract: ${brokenWhere(report)}.`;
  const held = report.clauses.filter(({ status }) => status === 'pass').length;
  const { accepted = 0 } = report.counts;
  if (accepted > 0)
    return `Nothing new is broken${report.target.embedded === true ? ' on the embedded reference platform' : ''}: ${plural(held, 'clause')} ${held === 1 ? 'holds' : 'hold'}, ${plural(accepted, 'violation')} ${accepted === 1 ? 'is' : 'are'} accepted.`;
  return `${subjectOf(report)} keeps its contract: ${held === 1 ? 'the one clause' : `all ${held} clauses`} tested ${held === 1 ? 'holds' : 'hold'}.`;
}

function replaySentence({ clause, service, operation, shown }: ReplayOutcome, { verdict, counts }: Report): string {
  const where = operation ?? (service === null ? 'the target as a whole' : `service ${service}`);
  const what = `${clause} on ${where}`;
  if (shown) return `Shown again: ${what}, with ${plural(counts.requests, 'request')}.`;
  return verdict === 'pass'
    ? `Not shown again: ${what} holds, looked at with ${plural(counts.requests, 'request')}.`
    : `No verdict: ${what} could not be looked at again.`;
}

function brokenWhere(report: Report): string {
  const clauses = report.clauses.filter(({ violations, accepted = 0 }) => violations > accepted).length;
  const violations = report.findings.filter(
    (finding) => finding.kind === 'violation' && !isAcceptedIn(report, finding),
  );
  const operations = new Set(
    violations.filter(({ operation }) => operation !== null).map(({ service, operation }) => `${service} ${operation}`),
  ).size;
  const fails = `${plural(clauses, 'clause')} ${clauses === 1 ? 'fails' : 'fail'}`;
  return operations === 0 ? fails : `${fails} on ${plural(operations, 'operation')}`;
}
