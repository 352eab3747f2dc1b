// The first screen: the worst causes, one line per clause; what a pass rests on, by family and service; what was not judged
// and what would change that.

import type { ClauseFamily } from '../../contract/clause.ts';
import { number, plural } from '../../contract/numbers.ts';
import { clausesOf } from '../../contract/own-clauses.ts';
import type { ClauseRow, FindingKind, OperationRow, Report } from '../../contract/report.ts';
import { severityOf } from '../../contract/severity.ts';
import { familiesInShort, familyBases, shortIds } from '../basis.ts';
import { beyondCause, groupFindings } from '../grouping.ts';
import { cut } from '../text.ts';
import { type ClauseTotals, clauseTotals, heldWords, operationsOf } from '../totals.ts';
import { FAMILY_WORDS, isAcceptedIn, newIn, reasonWords, remedyOf } from '../words.ts';
import { type Letter, lettersByFamily, stateOfLetter, worstLetter } from './matrix.ts';
import { anchor, codeParts, withCommands } from './text.ts';

/** Lines that fit on a screen beside what was tested. */
const MAX_CAUSES = 8;
const MAX_GAPS = 6;
const TEXT_CHARS = 240;

/**
 * The causes of what is broken, the most severe first, each with how many operations show it. Where they are too many for a
 * line each, a clause has one line: its worst cause, and how many others there are.
 */
export function worstClauses(report: Report, kind: FindingKind = 'violation') {
  const groups = groupFindings(
    report.findings.filter((finding) => finding.kind === kind && !isAcceptedIn(report, finding)),
  );
  const fresh = newIn(report);
  const told =
    groups.length <= MAX_CAUSES
      ? groups.map((group) => [group])
      : [...Map.groupBy(groups, ({ clause }) => clause).values()];
  const all = told.map(([worst, ...others]) => {
    const id = worst!.clause;
    const findings = [worst!, ...others].flatMap((group) => group.findings);
    const on = operationsOf(findings);
    const first = worst!.findings.find(({ operation }) => operation !== null) ?? worst!.findings[0]!;
    return {
      id,
      severity: severityOf(id),
      cause: worst!.cause,
      others: others.length === 0 ? '' : `and ${plural(others.length, 'other cause')}`,
      reach: on === 0 ? plural(findings.length, 'finding') : plural(on, 'operation'),
      example: cut(first.operation ?? '', TEXT_CHARS),
      said: cut(beyondCause(first.message, worst!.cause), TEXT_CHARS),
      fresh: findings.some(({ fingerprint }) => fresh.has(fingerprint)),
      href: `#${anchor('f', first.fingerprint)}`,
    };
  });
  // Defects that two clauses see in the same answers are repaired once.
  const joined = [
    ...Map.groupBy(
      all,
      ({ cause, example, said, reach, others }) => `${cause} ${example} ${said} ${reach} ${others}`,
    ).values(),
  ];
  const lines = joined.slice(0, MAX_CAUSES).map((same) => ({ ...same[0]!, id: shortIds(same.map(({ id }) => id)) }));
  return { lines, left: joined.length - lines.length, causes: groups.length };
}

/** Grounds of the passes: a row for each family that was judged, a cell for each service that has operations. */
export function restsOn(report: Report) {
  const bases = new Map(familyBases(report).map((basis) => [basis.family, basis]));
  const letters = lettersByFamily(report);
  const services = report.services.filter(({ testable, operations }) => testable && operations > 0);
  const byService = Map.groupBy(report.operations, ({ service }) => service);
  const rowOf = new Map(report.clauses.map((row) => [row.id, row]));
  const families = [...Map.groupBy(clausesOf(report), ({ family }) => family)].flatMap(([family, clauses]) => {
    const rows = clauses.flatMap(({ id }) => rowOf.get(id) ?? []);
    if (!rows.some(isJudged)) return [];
    return [
      {
        family,
        name: FAMILY_WORDS[family],
        href: `#${rows.find(isJudged)!.id}`,
        held: heldOrObserved(clauseTotals(rows)),
        basis: (bases.get(family)?.bases ?? []).map(({ basis, ids }) => `${shortIds(ids)}: ${basis}`).join('\n'),
        largest: bases.get(family)?.bases[0]?.basis ?? '',
        cells: services.map(({ name }) => cellOf(byService.get(name) ?? [], family, letters)),
      },
    ];
  });
  return { services: services.map(({ name }) => name), families };
}

/** "12 of 13", or how many were observed where a family makes no demand. */
function heldOrObserved(totals: ClauseTotals): string {
  const demands = totals.pass + totals.fail + totals['not-tested'];
  return demands === 0 ? `${number(totals.observed)} observed` : heldWords(totals);
}

function isJudged({ status }: ClauseRow): boolean {
  return status === 'pass' || status === 'observed' || status === 'fail';
}

/** The worst state of a service's operations in a family, and how many operations were judged there. */
function cellOf(
  rows: readonly OperationRow[],
  family: ClauseFamily,
  letters: (row: OperationRow, family: ClauseFamily) => Letter,
) {
  const own = rows.map((row) => letters(row, family));
  const judged = own.filter((letter) => letter !== '-' && letter !== 'n').length;
  const { state, word } = stateOfLetter(worstLetter(own));
  return { state, word, count: judged === 0 ? '' : number(judged), about: `${plural(judged, 'operation')} judged` };
}

/**
 * Clauses that were not judged, by reason, with the change that would have them judged. A clause that does not apply is
 * no gap.
 */
export function gapsOf(report: Report) {
  const rows = report.clauses.filter(({ status, reasonCode }) => status === 'not-tested' && reasonCode !== undefined);
  const groups = [...Map.groupBy(rows, ({ reasonCode, reason = '' }) => `${reasonCode} ${reason}`).values()].toSorted(
    (left, right) => right.length - left.length,
  );
  const lines = groups.slice(0, MAX_GAPS).map((own) => {
    const { reasonCode, reason } = own[0]!;
    return {
      ids: familiesInShort(own.map(({ id }) => id)),
      href: `#${own[0]!.id}`,
      count: plural(own.length, 'clause'),
      reason: codeParts(withCommands(cut(reason ?? reasonWords(reasonCode!, report.run), TEXT_CHARS))),
      remedy: codeParts(remedyOf(reasonCode!, reason)),
    };
  });
  return {
    lines,
    left: groups.length - lines.length,
    elsewhere: rows.filter(({ reasonCode }) => reasonCode === 'other-command').length,
  };
}
