// The closing summary on a terminal, from what is looked up to what is needed at once: how much was tested, what is to be repaired, and
// last, where the eye rests when a run ends, the verdict and where the report is.

import { dirname } from 'node:path';
import { createColors } from 'picocolors';
import { number, plural } from '../../contract/numbers.ts';
import type { FindingKind, Observation, Report } from '../../contract/report.ts';
import { isUnusedWaiver } from '../../grading/acceptance.ts';
import { loadSuiteOf } from '../../grading/changes.ts';
import { familyBases, shortIds } from '../basis.ts';
import { createdWords } from '../created-words.ts';
import type { ReportPaths } from '../files.ts';
import { beyondCause, type FindingGroup, groupFindings } from '../grouping.ts';
import { judgedInPassing, loadBlocks } from '../load/blocks.ts';
import { groupObservations } from '../observed.ts';
import { missedGroups, sensitivitySentence } from '../sensitivity-words.ts';
import { terminalText } from '../text.ts';
import { verdictSentence } from '../verdict-sentence.ts';
import {
  acceptedBecause,
  baselineName,
  describedWords,
  harnessErrorLine,
  initCommand,
  isAcceptedIn,
  isOfTraffic,
  judgedAgainst,
  KIND_WORDS,
  otherContractWords,
  replayCommand,
  runNote,
  seedWords,
  shellWord,
  startCommand,
  targetName,
  traceLink,
} from '../words.ts';
import { reachLines, untestedLines } from './reached.ts';
import { type Style, wrapped } from './wrapped.ts';

/** Groups shown of each kind; the rest is counted. */
const SHOWN: Readonly<Record<FindingKind, number>> = { violation: 12, advisory: 3, observation: 3 };
const ERRORS_SHOWN = 8;
const LEFT_SHOWN = 5;
/** Grounds that are shown of one family's passes; the rest is counted. */
const BASES_SHOWN = 2;
/** Entries of a recording that are named for one cause: the last ones show a law's breach. */
const PLACES_SHOWN = 2;
const MIN_COLUMNS = 40;

/**
 * The summary, lines separated by "\n", without a line break at the end. One line per clause and cause, worst first; the verdict last.
 * Strings from the target lose control characters and escape sequences; lines are broken at words to the width (100 columns
 * by default), paths and commands never are. `command` is how the run is started; absent or null: with its configuration.
 */
export function summarise(
  report: Report,
  paths: Partial<Pick<ReportPaths, 'html'>>,
  options: { readonly color: boolean; readonly width?: number; readonly command?: string | null },
): string {
  const isReplay = report.replay !== undefined;
  const style = {
    colors: createColors(options.color),
    width: Math.max(options.width ?? 100, MIN_COLUMNS),
    command: isReplay ? null : (options.command ?? startCommand(report)),
    places: new Map(isOfTraffic(report.run) ? report.exchanges.map(({ id, probe }) => [id, probe]) : []),
  };
  const [counted, accepted] = [false, true].map((wanted) =>
    groupFindings(report.findings.filter((finding) => isAcceptedIn(report, finding) === wanted)),
  );
  const groups = counted ?? [];
  if (isUnanswered(report))
    return [...headline(report, style), ...mendLine(report, style), ...reportLine(paths, style)].join('\n');
  const sections = [
    ...loadBlocks(report.load).map(({ title, lines }) =>
      [title, ...lines.map((line) => `  ${line}`)].flatMap((line) => wrapped(line, style.width, 4)),
    ),
    ...(isReplay ? [] : surroundings(report, style)),
    createdLines(report, paths.html, style),
    acceptedLines(report, accepted ?? [], style),
    isReplay || report.observations === undefined
      ? findingLines('observation', groups, style)
      : observedLines(report.observations, style),
    errorLines(report, style),
    findingLines('advisory', groups, style),
    findingLines('violation', groups, style),
    ...(isReplay ? [evidenceLines(report, style)] : []),
    headline(report, style),
    [...reportLine(paths, style), ...nextLines(report, style)],
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

/**
 * How much was looked at. What passes rest on is told where nothing is broken: a failure is read for its causes. A load run is about
 * what it measured: what it does not reach, and does not judge, is no gap.
 */
function surroundings(report: Report, style: Style): readonly (readonly string[])[] {
  const suite = loadSuiteOf(report);
  const inPassing = judgedInPassing(report);
  if (inPassing !== null) return [wrapped(inPassing, style.width, 0).map((one) => style.colors.dim(one))];
  return [
    report.verdict === 'fail' ? [] : basisLines(report, style),
    sensitivityLines(report, style),
    untestedLines(report, style),
    ...(suite === undefined ? [reachLines(report, style)] : []),
  ];
}

/** Tells whether the target never answered: there is one thing to say, and everything else follows from it. */
function isUnanswered({ verdict, services, operations, findings }: Report): boolean {
  const lost = operations.filter(({ reasonCode }) => reasonCode === 'target-lost');
  const tested = services.some(({ operationsTested }) => operationsTested > 0);
  return (
    verdict === 'none' &&
    !tested &&
    findings.every(({ kind }) => kind !== 'violation') &&
    lost.length > 0 &&
    lost.length === operations.length
  );
}

/** The command that tells what is wrong with address, keys and paths. */
function mendLine({ run, target }: Report, { colors }: Style): string[] {
  if (target.embedded === true || run.command !== undefined) return [];
  const named =
    run.config === undefined ? `--base-url ${shellWord(target.baseUrl)}` : `--config ${shellWord(run.config)}`;
  const env = run.env === undefined ? '' : ` --env ${shellWord(run.env)}`;
  const given = run.described === undefined ? `${named}${env}` : describedWords(run.described).join(' ');
  return [`${colors.bold('Mend')}    npx assay doctor ${terminalText(given)}`];
}

/** The commands that make a contract of what a description leaves open, where none judged, and a configuration of a run without one. */
function nextLines({ run, replay }: Report, { colors }: Style): string[] {
  if (run.described === undefined || replay !== undefined) return [];
  const { mutations: _, contract, ...described } = run.described;
  const drafted = `npx assay contract init ${describedWords(described).join(' ')}`;
  return [
    ...(contract === undefined ? [`${colors.bold('Contract')}   ${terminalText(drafted)}`] : []),
    `${colors.bold('Configure')}  ${terminalText(initCommand(run.described))}`,
  ];
}

function reportLine({ html }: Partial<Pick<ReportPaths, 'html'>>, { colors }: Style): string[] {
  return html === undefined ? [] : [`${colors.bold('Report')}  ${html}`];
}

function headline(report: Report, { colors, width }: Style): string[] {
  const badge = {
    pass: colors.bold(colors.green('PASS')),
    fail: colors.bold(colors.red('FAIL')),
    none: colors.bold(colors.yellow('NONE')),
  }[report.verdict];
  const note = runNote(report);
  const { requests, checks } = report.counts;
  const partial = report.run.partial ? 'Partial: ' : '';
  const [first = '', ...further] = wrapped(`      ${verdictSentence(report)}`, width, 6);
  const counts = `${plural(requests, 'request')} · ${plural(checks, 'check')}${seedWords(report.run)}`;
  return [
    `${badge}  ${colors.bold(first.trimStart())}`,
    ...further.map((line) => colors.bold(line)),
    ...(note === null ? [] : wrapped(`      ${partial}${note}`, width, 6).map((line) => colors.yellow(line))),
    ...wrapped(
      `      ${[targetName(report), judgedAgainst(report), counts].filter((part) => part !== null).join(' · ')}`,
      width,
      6,
    ).map((line) => colors.dim(line)),
  ];
}

/** Errors of Assay itself. */
function errorLines({ harnessErrors = [] }: Report, { colors, width }: Style): string[] {
  if (harnessErrors.length === 0) return [];
  const shown = harnessErrors.slice(0, ERRORS_SHOWN).flatMap((one) => wrapped(`  ${harnessErrorLine(one)}`, width, 4));
  const more = harnessErrors.length - ERRORS_SHOWN;
  const rest = more > 0 ? [colors.dim(`  and ${number(more)} more in the report`)] : [];
  const asked = 'what rests on them counts for nothing; please report them with the exchange from report.json';
  return [
    colors.bold('Errors of Assay itself'),
    ...shown,
    ...rest,
    ...wrapped(`  ${asked}`, width, 2).map((line) => colors.dim(line)),
  ];
}

function findingLines(kind: FindingKind, all: readonly FindingGroup[], style: Style): string[] {
  const groups = all.filter((group) => group.kind === kind);
  if (groups.length === 0) return [];
  const count = groups.reduce((sum, { findings }) => sum + findings.length, 0);
  const title = `${plural(count, ...KIND_WORDS[kind])}${groups.length < count ? `, ${plural(groups.length, 'cause')}` : ''}`;
  const shown = groups.slice(0, SHOWN[kind]).flatMap((group) => groupLines(group, style));
  const more = groups.length - SHOWN[kind];
  const rest = more > 0 ? [style.colors.dim(`  and ${plural(more, 'more cause')} in the report`)] : [];
  const promotion = kind === 'advisory' ? promotionLines(groups, style) : [];
  return [style.colors.bold(title), ...shown, ...rest, ...promotion];
}

/** Says that advisories leave the verdict alone, and how a user whose clients rely on a clause changes that. */
function promotionLines(groups: readonly FindingGroup[], { colors, width }: Style): string[] {
  const clauses = [...new Set(groups.map(({ clause }) => clause))].toSorted();
  const sentence = `  Advisories fail no run. They count as violations with promote: [${clauses.join(', ')}] in the configuration.`;
  return wrapped(sentence, width, 2).map((line) => colors.dim(line));
}

/** Breaches that are left out of the verdict, and why; and how baseline and waivers fared. */
function acceptedLines({ acceptance }: Report, groups: readonly FindingGroup[], { colors, width }: Style): string[] {
  if (acceptance === undefined) return [];
  const { baseline, waivers } = acceptance;
  const shown = groups
    .slice(0, SHOWN.violation)
    .flatMap((group) => [
      ...wrapped(`  ${group.clause.padEnd(9)} ${causeAndPlace(group)}`, width, 12),
      ...wrapped(`            ${acceptedBecause(group.findings[0]!)}`, width, 12).map((line) => colors.dim(line)),
    ]);
  const more = groups.length - SHOWN.violation;
  const rest = more > 0 ? [colors.dim(`  and ${plural(more, 'more cause')} in the report`)] : [];
  const expired = waivers.filter(({ status }) => status === 'expired');
  const lapsed = expired.flatMap(({ clause, operation, fingerprint, owner, expires, violations }) =>
    wrapped(
      `  ${clause.padEnd(9)} the waiver for ${operation ?? fingerprint} (${owner}) expired on ${expires}: ${plural(violations, 'violation')} ${violations === 1 ? 'counts' : 'count'} again`,
      width,
      12,
    ),
  );
  const since =
    baseline === null
      ? []
      : wrapped(
          `  Against ${terminalText(baselineName(baseline))}: ${[`${plural(baseline.resolved.length, 'violation')} resolved`, otherContractWords(baseline)].filter(Boolean).join('; ')}`,
          width,
          4,
        );
  const lines = [...shown, ...rest, ...lapsed, ...since];
  return lines.length === 0 ? [] : [colors.bold('Accepted'), ...lines];
}

/** Counts the discovered behaviour in one line: the table is in the report. */
function observedLines(rows: readonly Observation[], { colors, width }: Style): string[] {
  const families = groupObservations(rows);
  const subjects = families.reduce((sum, family) => sum + family.subjects.length, 0);
  if (subjects === 0) return [];
  const names = families.map(({ family }) => family).join(', ');
  const unclear = rows.filter(({ confidence }) => confidence === 'cannot-tell').length;
  const open = unclear === 0 ? '' : `; ${number(unclear)} of ${plural(rows.length, 'question')} still open`;
  return [
    colors.bold('Discovered behaviour'),
    ...wrapped(`  ${plural(subjects, 'subject')} (${names})${open}: see the table in the report`, width, 4),
  ];
}

/**
 * `  ERR-04  error.status differs from the HTTP status — 12 operations, e.g. GET /v1/themes`, and how one of the
 * findings is shown again, or which entries of a recording show it.
 */
function groupLines(group: FindingGroup, { colors, width, command, places }: Style): string[] {
  const id = group.clause.padEnd(9);
  const [first = '', ...further] = wrapped(`  ${id} ${causeAndPlace(group)}`, width, 12);
  const paint = { violation: colors.red, advisory: colors.yellow, observation: colors.cyan }[group.kind];
  const shownBy = group.findings[0]?.exchanges.flatMap((one) => places.get(one) ?? []).slice(-PLACES_SHOWN) ?? [];
  const where = shownBy.length === 0 ? [] : wrapped(`            in ${terminalText(shownBy.join(' and '))}`, width, 12);
  const lines = [`  ${paint(id)}${first.slice(2 + id.length)}`, ...further, ...where.map((line) => colors.dim(line))];
  if (command === null || group.kind === 'observation' || isUnusedWaiver(group)) return lines;
  return [...lines, colors.dim(`            ${terminalText(replayCommand(group.findings[0]!, command))}`)];
}

/** Words of the one finding, and how its last request is sent by hand. */
function evidenceLines({ findings, run }: Report, { colors }: Style): string[] {
  return findings.flatMap(({ message, curl, traceIds = [] }) => [
    `  ${terminalText(message)}`,
    ...traceIds.map((id) => colors.dim(`  trace ${terminalText(traceLink(run, id) ?? id)}`)),
    ...(curl === null ? [] : [colors.dim(`  ${terminalText(curl)}`)]),
  ]);
}

/** ", in 2 of 38 answers": how often the findings that do not always show were seen; nothing where older parts do not say, or only a repetition missed. */
function oftenWords(findings: FindingGroup['findings']): string {
  const seen = findings.flatMap((one) => (one.intermittent && one.seen !== undefined ? one.seen : []));
  const sum = (count: (one: (typeof seen)[number]) => number): number =>
    seen.reduce((total, one) => total + count(one), 0);
  const [times, answers] = [sum((one) => one.times), sum((one) => one.of)];
  return times === answers ? '' : `, in ${number(times)} of ${plural(answers, 'answer')}`;
}

/** "error.status differs from the HTTP status — 12 operations, e.g. GET /v1/themes". */
function causeAndPlace(group: FindingGroup): string {
  const where = whereOf(group).trim();
  return where === '' ? group.cause : `${group.cause} — ${where}`;
}

function whereOf({ operations, operationCount, findings, intermittent, cause }: FindingGroup): string {
  const sometimes = intermittent ? ` (intermittent${oftenWords(findings)})` : '';
  const [example] = operations;
  if (example === undefined) return `${beyondCause(findings[0]!.message, cause)}${sometimes}`;
  if (operationCount === 1) return `${example}${sometimes}`;
  return `${plural(operationCount, 'operation')}, e.g. ${example}${sometimes}`;
}

/** Grounds of the passes, a line a family; which clause rests on which of it is in the report. */
function basisLines(report: Report, { colors, width }: Style): string[] {
  const lines = familyBases(report).flatMap(({ family, held, advised, bases }) => {
    const beside = advised.length === 0 ? [] : [`${shortIds(advised)} with advisories`];
    const shown = bases.slice(0, BASES_SHOWN).map(({ basis }) => basis);
    const more = bases.length - shown.length;
    const rest = more > 0 ? [`${number(more)} more in the report`] : [];
    return wrapped(
      `  ${family.padEnd(6)}  ${`${held} ${held.endsWith(' of 1') ? 'clause' : 'clauses'} ${held.startsWith('1 of ') ? 'holds' : 'hold'}`.padEnd(21)}  ${[...beside, ...shown, ...rest].join('; ')}`,
      width,
      33,
    );
  });
  return lines.length === 0 ? [] : [colors.bold('Passes rest on'), ...lines];
}

/** How much the run would have noticed, and where it would have missed most. */
function sensitivityLines({ sensitivity }: Report, { colors, width }: Style): string[] {
  if (sensitivity === undefined) return [];
  const counts = Object.entries(sensitivity.families).filter(([, { planted, caught }]) => caught < planted);
  const families = counts.map(([family, { planted, caught }]) => `${family} ${number(caught)} of ${number(planted)}`);
  const [most] = missedGroups(sensitivity);
  const line = most === undefined ? [] : [`  ${families.join(', ')}; most missed: ${most.fault}, ${most.detail}`];
  return [
    colors.bold('Sensitivity'),
    ...wrapped(`  ${sensitivitySentence(sensitivity)}`, width, 2),
    ...line.flatMap((text) => wrapped(text, width, 4)),
  ];
}

/** Objects that the run created, those that are left, and how they are deleted. */
function createdLines(report: Report, page: string | undefined, style: Style): string[] {
  const words = createdWords(report);
  if (words === null) return leftoverLines(report, style);
  const { total, left, notes, isCleanable } = words;
  const rest = left.length - LEFT_SHOWN;
  const lines = [
    total,
    ...left.slice(0, LEFT_SHOWN),
    ...(rest > 0 ? [`and ${plural(rest, 'more operation')} in the report`] : []),
    ...notes,
  ];
  const env = report.run.env === undefined ? '' : ` --env ${shellWord(report.run.env)}`;
  const clean = `npx assay clean --run ${page === undefined ? 'FOLDER' : shellWord(dirname(page))}${env}`;
  return [
    style.colors.bold('Created on the target'),
    ...lines.flatMap((line) => wrapped(`  ${line}`, style.width, 4)),
    ...(isCleanable ? [`${style.colors.bold('Clean up')}  ${terminalText(clean)}`] : []),
  ];
}

/** For reports of versions that did not count. */
function leftoverLines(report: Report, style: Style): string[] {
  const { leftovers } = report;
  if (leftovers.length === 0) return [];
  const shown = leftovers.slice(0, 3).flatMap((leftover) => wrapped(`  ${leftover}`, style.width, 4));
  const more = leftovers.length > 3 ? [`  and ${leftovers.length - 3} more in the report`] : [];
  return [style.colors.bold('Left behind on the target'), ...shown, ...more];
}
