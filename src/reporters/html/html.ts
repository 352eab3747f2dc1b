// index.html, one self-contained page, and the pages of single causes beside it. What they show are plain values, figures
// and clauses from here and each further section from a file beside; templates lay it out. Everything that they print is
// escaped; nothing is fetched.

import type { Clause } from '../../contract/clause.ts';
import { repairOf } from '../../contract/clauses.ts';
import { number, plural } from '../../contract/numbers.ts';
import { clausesOf } from '../../contract/own-clauses.ts';
import type { ClauseRow, ClauseStatus, Observation, Report, Revision } from '../../contract/report.ts';
import { severityOf } from '../../contract/severity.ts';
import { createdWords } from '../created-words.ts';
import { groupFindings } from '../grouping.ts';
import { groupObservations, type ObservedValue } from '../observed.ts';
import { cut } from '../text.ts';
import { acceptedRows, advisedRows, clauseTotals, violationTotals } from '../totals.ts';
import { groupUntested } from '../untested.ts';
import { verdictSentence } from '../verdict-sentence.ts';
import {
  COMMIT_CHARACTERS,
  CONFIDENCE_WORDS,
  duration,
  FAMILY_SOURCE,
  FAMILY_WORDS,
  harnessErrorLine,
  isAcceptedIn,
  isOfTraffic,
  judgedAgainst,
  KIND_WORDS,
  LEGEND,
  reasonPhrase,
  reasonWords,
  runNote,
  STATUS_WORDS,
  targetName,
} from '../words.ts';
import { coverageView, reachOf, sensitivityView } from './coverage.ts';
import { acceptanceView, changesView, historyView, trendView } from './earlier.ts';
import { factsOf, findingView, type GroupView, groupViews } from './findings.ts';
import { gapsOf, restsOn, worstClauses } from './first.ts';
import { chartLibrary, eta, newFrame } from './frame.ts';
import { loadView } from './load.ts';
import { matrixView } from './matrix.ts';
import { anchor, codeParts, unparted } from './text.ts';
import { timingView } from './timing.ts';

/** In the order in which they run. `charts` and what follows is for the report alone. */
const SCRIPTS = ['start', 'theme', 'store', 'links', 'search', 'copy', 'paper'];
const CHART_SCRIPTS = ['charts', 'matrix', 'load', 'load-capacity', 'load-time', 'ranges', 'figures'];

/**
 * The report as one HTML page. A content security policy lets only the page's own scripts run and nothing be loaded, so
 * that even a string that escaped its escaping does no harm. The same report gives the same page.
 */
export function renderHtml(report: Report): string {
  const page = pageView(report);
  const { matrix, timing, load, history } = page;
  const library = chartLibrary();
  const frame = newFrame([...SCRIPTS, ...CHART_SCRIPTS], [library.text]);
  const body = eta.render('./report', { page, fold: frame.fold });
  return frame.around({ title: page.sentence, body, data: { matrix, timing, load, history }, library: library.packed });
}

/** The pages of causes whose evidence does not fit into the report, by their path from index.html. */
export function* renderEvidence(report: Report): Generator<readonly [path: string, page: string]> {
  const facts = factsOf(report);
  const groups = groupFindings(report.findings);
  const views = groupViews(groups, facts);
  for (const [index, group] of groups.entries()) {
    const { file, id, cause, kind, kindWord } = views[index]!;
    if (file === '') continue;
    const frame = newFrame(SCRIPTS, []);
    const findings = group.findings.map((finding) => findingView(finding, facts, Number.POSITIVE_INFINITY));
    const { text } = facts.clauseOf(id);
    const view = { id, cause, kind, kindWord, text: codeParts(text), findings };
    const body = eta.render('./cause', { cause: view, fold: frame.fold });
    yield [file, frame.around({ title: `${id} ${cause}`, body, data: null, library: '' })];
  }
}

const STATUS_ORDER: readonly ClauseStatus[] = ['fail', 'pass', 'observed', 'not-tested', 'not-applicable'];
const KINDS = ['violation', 'advisory', 'observation'] as const;

/** Everything the templates print, in the order in which they print it; plain strings and numbers, not yet escaped. */
export function pageView(report: Report) {
  const { groups, accepted } = causesOf(report);
  const observed = observedView(report);
  const load = loadView(report);
  return {
    verdict: report.verdict,
    sentence: unparted(verdictSentence(report)),
    note: runNote(report),
    partial: report.run.partial,
    target: [targetName(report), judgedAgainst(report)].filter((part) => part !== null).join(', '),
    facts: facts(report),
    figures: figures(report),
    statuses: statusTally(report.clauses),
    services: report.services.map((service) => ({ ...service, reach: reachOf(service) })),
    groups,
    kinds: kindsOf(groups, report),
    observed,
    families: families(report),
    worst: worstClauses(report),
    rests: restsOn(report),
    gaps: gapsOf(report),
    untested: groupUntested(report.clauses).map(({ reasonCode, reason, rows }) => ({
      count: plural(rows.length, 'clause'),
      reason: reason ?? reasonWords(reasonCode, report.run),
      ids: rows.map(({ id }) => id),
    })),
    acceptance: acceptanceView(report, accepted),
    changes: changesView(report),
    history: historyView(report),
    matrix: matrixView(report),
    coverage: coverageView(report),
    sensitivity: sensitivityView(report),
    // The few calls before a load are no measurement beside it.
    timing: load?.isRun === true ? null : timingView(report),
    load,
    trend: trendView(report),
    errors: (report.harnessErrors ?? []).map(harnessErrorLine),
    created: createdWords(report),
    left: leftOf(report),
    leftovers: leftoversOf(report),
    legend: LEGEND,
  };
}

/** "304 objects created, 275 deleted, 29 left", or the leftovers of a report that counts no more; empty: nothing. */
function leftOf(report: Report): string {
  const left = report.leftovers.length === 0 ? '' : `${plural(report.leftovers.length, 'object')} left`;
  const told = createdWords(report)?.total ?? left;
  return told !== '' && report.target.embedded === true ? `${told}; gone with the embedded platform` : told;
}

/** Objects that the run left on the target, by the operation that made them. */
function leftoversOf({ leftovers }: Report) {
  const byOperation = Map.groupBy(leftovers, (line) => line.split(' → ', 1)[0] ?? line);
  return [...byOperation].map(([operation, lines]) => ({ operation, lines }));
}

/** The causes that decide the verdict, or are told beside it, and those that were accepted before the run. */
function causesOf(report: Report) {
  const facts = factsOf(report);
  const [accepted = [], groups = []] = [true, false].map((wanted) => {
    const own = report.findings.filter((finding) => isAcceptedIn(report, finding) === wanted);
    return groupViews(groupFindings(own), facts);
  });
  return { groups, accepted };
}

/** How many findings the causes have together. */
function findingsOf(groups: readonly GroupView[]): number {
  return groups.reduce((sum, { total }) => sum + total, 0);
}

function kindsOf(groups: readonly GroupView[], { observations }: Report) {
  return KINDS.map((kind) => {
    const own = groups.filter((group) => group.kind === kind);
    return {
      kind,
      words: KIND_WORDS[kind],
      groups: own,
      causes: plural(own.length, 'cause'),
      count: number(kind === 'observation' ? (observations?.length ?? findingsOf(own)) : findingsOf(own)),
    };
  });
}

function facts({ run, target, tool }: Report) {
  return [
    { label: 'Started', value: `${run.startedAt.slice(0, 10)} ${run.startedAt.slice(11, 16)} UTC` },
    { label: 'Took', value: duration(run.durationMs) },
    { label: 'Environment', value: target.environment },
    ...revisionFacts(run.revision),
    ...(isOfTraffic(run) ? [] : [{ label: 'Seed', value: String(run.seed) }]),
    ...(run.errorMessages === 'keep' ? [{ label: 'Error messages', value: 'shown' }] : []),
    ...(run.hooks === undefined ? [] : [{ label: 'Hooks around requests', value: run.hooks.join(', ') }]),
    { label: 'Run', value: run.id },
    { label: 'By', value: `${tool.name} ${tool.version}` },
  ];
}

function revisionFacts(revision: Revision | undefined) {
  if (revision === undefined) return [];
  const { branch, commit, url } = revision;
  const of = [branch, commit?.slice(0, COMMIT_CHARACTERS)].filter((one) => one != null).join(', ');
  return [
    ...(of === '' ? [] : [{ label: 'Of', value: of }]),
    // A report that somebody else wrote may hold any text here.
    ...(url !== undefined && /^https?:\/\/[^/]/.test(url) ? [{ label: 'Pipeline', value: url, href: url }] : []),
  ];
}

function figures(report: Report) {
  const { counts, findings, observations: rows } = report;
  const { deciding, accepted } = violationTotals(report);
  const observations = rows?.length ?? findings.filter(({ kind }) => kind === 'observation').length;
  const figure = (count: number, [one, many]: readonly [string, string], tone = '') => ({
    value: number(count),
    label: count === 1 ? one : many,
    tone: count > 0 ? tone : '',
  });
  return [
    figure(deciding, KIND_WORDS.violation, 'fail'),
    ...(accepted === 0 ? [] : [figure(accepted, ['accepted violation', 'accepted violations'])]),
    figure(counts.advisories, KIND_WORDS.advisory, 'advisory'),
    figure(observations, KIND_WORDS.observation),
    figure(counts.checks, ['check', 'checks']),
    figure(counts.requests, ['request', 'requests']),
  ];
}

function statusTally(rows: readonly ClauseRow[]) {
  const totals = clauseTotals(rows);
  const apart: Readonly<Partial<Record<ClauseStatus, readonly [status: string, word: string, count: number]>>> = {
    fail: ['accepted', 'of these accepted', acceptedRows(rows).length],
    pass: ['advisory', 'of these with advisories', advisedRows(rows).length],
  };
  return STATUS_ORDER.flatMap((status) => {
    const count = totals[status];
    const one = { status, word: STATUS_WORDS[status][count === 1 ? 0 : 1], count, share: count };
    const [tone = '', word = '', some = 0] = apart[status] ?? [];
    if (some === 0) return count === 0 ? [] : [one];
    return [
      { ...one, share: count - some },
      { status: tone, word, count: some, share: some },
    ];
  });
}

function families(report: Report) {
  const rows = new Map(report.clauses.map((row) => [row.id, row]));
  const families = Map.groupBy(clausesOf(report), ({ family }) => family);
  const causes = Map.groupBy(groupFindings(report.findings), ({ clause }) => clause);
  const views = [...families].map(([family, clauses]) => {
    const mine = clauses.flatMap((clause) => {
      const row = rows.get(clause.id);
      return row === undefined ? [] : [{ clause, row }];
    });
    return {
      family,
      name: FAMILY_WORDS[family],
      source: FAMILY_SOURCE[family],
      tally: statusTally(mine.map(({ row }) => row)),
      isJudged: mine.some(({ row }) => row.checks > 0),
      clauses: mine.map(({ clause, row }) => clauseView(clause, row, causes.get(row.id) ?? [])),
    };
  });
  // A run on webhooks or clients begins with what it judges.
  return views.toSorted((left, right) => Number(right.isJudged) - Number(left.isJudged));
}

function clauseView({ text, tolerance }: Clause, row: ClauseRow, groups: ReturnType<typeof groupFindings>) {
  return {
    id: row.id,
    level: row.level,
    text: codeParts(text),
    tolerance: codeParts(tolerance),
    ...(advisedRows([row]).length === 0
      ? { status: row.status, word: STATUS_WORDS[row.status][0] }
      : { status: 'advisory', word: 'holds, with advisories' }),
    checks: number(row.checks),
    reach: row.operationsInScope === 0 ? '' : `${number(row.operationsTested)} / ${number(row.operationsInScope)}`,
    reason: reasonPhrase(row),
    basis: row.basis ?? '',
    severity: severityOf(row.id),
    repair: codeParts(repairOf(row.id)),
    findings: groups.map((group) => ({
      href: `#${anchor('f', group.findings[0]!.fingerprint)}`,
      text: plural(group.findings.length, ...KIND_WORDS[group.kind]),
      kind: group.kind,
      cause: group.cause,
    })),
  };
}

const TEXT_CHARS = 300;

/** The families with their rows; null for a report that has no table. */
function observedView({ observations, findings }: Report) {
  if (observations === undefined || observations.length === 0) return null;
  const prints = new Set(findings.map(({ fingerprint }) => fingerprint));
  return groupObservations(observations).map(({ family, subjects }) => ({
    family,
    name: FAMILY_WORDS[family],
    subjects: subjects.map(({ subject, values }) => ({
      subject: cut(subject, TEXT_CHARS),
      values: values.map((value) => valueView(value, prints)),
    })),
  }));
}

function valueView(group: ObservedValue, prints: ReadonlySet<string>) {
  const { clause, value, rows, calls, confidences } = group;
  const [first] = rows;
  const shown = rows.find(({ finding }) => finding !== null && prints.has(finding))?.finding ?? null;
  const isAlone = confidences.length === 1;
  return {
    clause,
    value: cut(value, TEXT_CHARS),
    state: confidences[0]!.confidence,
    confidences: confidences.map(({ confidence, count }) => ({
      confidence,
      words: isAlone ? CONFIDENCE_WORDS[confidence] : `${number(count)} ${CONFIDENCE_WORDS[confidence]}`,
    })),
    calls: calls === 0 ? '' : number(calls),
    basis: cut(first!.basis, TEXT_CHARS),
    /** One place stands in the row; several stand in a fold. */
    where: rows.length === 1 ? placeOf(first!) : null,
    count: whereInWords(rows),
    places: rows.length === 1 ? [] : rows.map((row) => ({ ...placeOf(row), basis: cut(row.basis, TEXT_CHARS) })),
    evidence: shown === null ? '' : `#${anchor('f', shown)}`,
  };
}

function placeOf({ service, operation, key, plan }: Observation) {
  return {
    operation: cut(operation ?? '', TEXT_CHARS),
    service: service ?? '',
    key: key === null ? '' : `key ${key}${plan === null ? '' : `, plan ${plan}`}`,
  };
}

/** "41 operations", "3 keys", "5 places". */
function whereInWords(rows: readonly Observation[]): string {
  if (rows.every(({ operation }) => operation !== null)) return plural(rows.length, 'operation');
  if (rows.every(({ key }) => key !== null)) return plural(rows.length, 'key');
  return rows.every(({ service }) => service !== null) ? plural(rows.length, 'service') : plural(rows.length, 'place');
}
