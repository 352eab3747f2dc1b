// From a report to the certificate's verdict. Pure.

import { CLAUSES } from '../contract/clauses.ts';
import { allHold, number, plural } from '../contract/numbers.ts';
import type { ClauseRow, Report, ServiceRow } from '../contract/report.ts';
import { idsByFamily } from '../reporters/basis.ts';

import type { CertificateVerdict, Predicate, SelfCheck } from './statement.ts';

/** Families whose subject a platform alone is not, each with why it is out of scope: deliveries of webhooks, and clients of the platform. */
const OTHER_SUBJECTS: Readonly<Record<string, string>> = {
  HOOK: 'its subject is not there: no webhooks.trigger is configured',
  CLIENT: 'its subject is not there: no clients are configured',
};

export interface Facts {
  readonly report: Report;
  readonly selfCheck: SelfCheck | null;
  /** Must clauses that may stay untested, with the reason (`certify.accept`). */
  readonly accept: Readonly<Record<string, string>>;
}

export type Decision = Pick<
  Predicate,
  'verdict' | 'sentence' | 'remarks' | 'clauses' | 'outOfScope' | 'untested' | 'waivers' | 'pending'
>;

/**
 * The verdict with all that it rests on. no-verdict: filters, shards, parts, waivers that are expired or unused, a
 * baseline, a self-check that failed or is missing, or a must clause that was not tested and is not accepted so.
 * does-not-conform: a violation that is not waived.
 */
export function decide(facts: Facts): Decision {
  const { report } = facts;
  const rows = report.clauses.filter((row) => !isWithoutSubject(row));
  const refusals = refusalsOf(facts);
  const gaps = rows.filter((row) => isGap(row, facts));
  const waivers = report.acceptance?.waivers ?? [];
  const isBroken = rows.some(({ violations, accepted = 0 }) => violations > accepted);
  const verdict = verdictOf({ refused: refusals.length > 0, isBroken, hasGaps: gaps.length > 0, report });
  const pending = report.services.filter(({ testable }) => !testable);
  return {
    verdict,
    sentence: sentenceOf(verdict, { rows, report, why: refusals[0] ?? `${untestedIds(gaps)} not tested` }),
    remarks: [...refusals, ...gapsInWords(gaps), ...remarksOn(report, pending)],
    clauses: rows,
    outOfScope: report.clauses.filter(isWithoutSubject).map(({ id }) => ({ id, reason: whyOut(id) ?? '' })),
    untested: rows.filter((row) => isUntestedMust(row) && !isGap(row, facts)).map((row) => untestedRow(row, facts)),
    waivers,
    pending: pending.map(({ name }) => name),
  };
}

function verdictOf(found: {
  readonly refused: boolean;
  readonly isBroken: boolean;
  readonly hasGaps: boolean;
  readonly report: Report;
}): CertificateVerdict {
  if (found.refused) return 'no-verdict';
  if (found.isBroken) return 'does-not-conform';
  if (found.hasGaps || found.report.verdict === 'none') return 'no-verdict';
  return (found.report.counts.accepted ?? 0) > 0 ? 'conforms-with-waivers' : 'conforms';
}

function refusalsOf({ report: { run, verdict, acceptance, replay }, selfCheck }: Facts): readonly string[] {
  const stale = (acceptance?.waivers ?? []).filter(({ status }) => status !== 'used');
  return [
    ...(run.filters === undefined ? [] : ['the run was narrowed by filters']),
    ...(run.shard === undefined ? [] : ['the run is a shard that was not merged']),
    ...(replay === undefined ? [] : ['the run looked at one finding only']),
    ...(run.partial ? ['the run is partial'] : []),
    ...(run.broken === true || verdict === 'none' ? ['the run has no verdict'] : []),
    ...(acceptance?.failOn === 'new' ? ['the run was held against a baseline'] : []),
    ...stale.map(({ clause, owner, status }) => `the waiver of ${clause} (${owner}) is ${status}`),
    ...selfCheckRefusals(selfCheck),
  ];
}

function selfCheckRefusals(check: SelfCheck | null): readonly string[] {
  if (check === null) return ['the tool did not check itself'];
  if (!check.clean) return ['the self-check failed: the embedded platform without a fault was blamed'];
  if (check.faults === 0 || check.caught < check.faults)
    return [
      `the self-check failed: ${check.caught} of ${plural(check.faults, 'fault')} of the embedded platform caught`,
    ];
  return [];
}

/** No part of the run had its subject, so that another command would judge it. */
function isWithoutSubject({ id, status, reasonCode }: ClauseRow): boolean {
  return status === 'not-tested' && reasonCode === 'other-command' && whyOut(id) !== undefined;
}

function whyOut(id: string): string | undefined {
  return OTHER_SUBJECTS[id.slice(0, id.lastIndexOf('-'))];
}

function isUntestedMust({ level, status }: ClauseRow): boolean {
  return level === 'must' && status === 'not-tested';
}

/** A must clause that should have been tested. One whose only services are pending is said by their names. */
function isGap(row: ClauseRow, { accept }: Facts): boolean {
  return isUntestedMust(row) && row.reasonCode !== 'service-pending' && accept[row.id] === undefined;
}

function untestedRow({ id, reason, reasonCode }: ClauseRow, { accept }: Facts): { id: string; reason: string } {
  return { id, reason: accept[id] ?? reason ?? reasonCode ?? 'not tested' };
}

/** A sentence for each reason: "RATE-04, -06 were not tested: …". */
function gapsInWords(gaps: readonly ClauseRow[]): readonly string[] {
  const reasons = Map.groupBy(gaps, ({ reason, reasonCode }) => reason ?? reasonCode ?? 'no reason is given');
  return [...reasons].map(([reason, same]) => `${untestedIds(same)} not tested: ${reason}`);
}

/** "AUTH-05 was", "RATE-04, -06 were". */
function untestedIds(rows: readonly ClauseRow[]): string {
  return `${idsByFamily(rows.map(({ id }) => id))} ${rows.length === 1 ? 'was' : 'were'}`;
}

function remarksOn({ leftovers, target }: Report, pending: readonly ServiceRow[]): readonly string[] {
  return [
    ...pending.map(({ name, reason = UNDESCRIBED }) => `the service ${name} is not covered: ${reason}`),
    ...(leftovers.length > 0 && target.embedded !== true
      ? [`the run created ${plural(leftovers.length, 'object that stays', 'objects that stay')} on the target`]
      : []),
  ];
}

/** Reports of older versions do not say why a service is not testable. */
export const UNDESCRIBED = 'there is no description of it';

function sentenceOf(
  verdict: CertificateVerdict,
  {
    rows,
    report: { counts },
    why,
  }: { readonly rows: readonly ClauseRow[]; readonly report: Report; readonly why: string },
): string {
  const held = rows.filter(({ status }) => status === 'pass').length;
  const broken = rows.filter(({ violations, accepted = 0 }) => violations > accepted).length;
  const reach = `${counts.operationsTested} of ${plural(counts.operations, 'operation')} tested`;
  const sentences: Readonly<Record<CertificateVerdict, string>> = {
    conforms: `The platform conforms: ${allHold(held, 'clause judged', 'clauses judged')}, ${reach}.`,
    'conforms-with-waivers': `The platform conforms with waivers: ${plural(held, 'clause holds', 'clauses hold')}, ${plural(counts.accepted ?? 0, 'violation is', 'violations are')} waived, ${reach}.`,
    'does-not-conform': `The platform does not conform: ${plural(broken, 'clause is', 'clauses are')} broken, of the ${number(CLAUSES.length)} of the contract.`,
    'no-verdict': `There is no verdict: ${why}.`,
  };
  return sentences[verdict];
}
