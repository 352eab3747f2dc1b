// summary.md: the run on one page of a pull request or a job summary. Short on purpose; index.html has the rest.
import { number, plural } from '../../contract/numbers.ts';
import { clausesOf } from '../../contract/own-clauses.ts';
import type { Report } from '../../contract/report.ts';
import { beyondCause, type FindingGroup, groupFindings } from '../grouping.ts';
import { inputsSentence } from '../inputs-words.ts';
import { judgedInPassing, loadBlocks } from '../load/blocks.ts';
import { isPart, objectivesOf } from '../load/parts.ts';
import { sinceLines } from '../load/since-words.ts';
import { sensitivitySentence } from '../sensitivity-words.ts';
import { cut, visibleText } from '../text.ts';
import { advisedRows, clauseTotals, heldWords } from '../totals.ts';
import { groupUntested } from '../untested.ts';
import { verdictSentence } from '../verdict-sentence.ts';
import {
  acceptedBecause,
  duration,
  harnessErrorLine,
  isAcceptedIn,
  judgedAgainst,
  KIND_WORDS,
  reasonWords,
  replayCommand,
  runNote,
  STATUS_WORDS,
  seedWords,
  startCommand,
  targetName,
} from '../words.ts';

/** Errors shown; the rest is counted. */
const MAX_SHOWN = 10;
/** A table of causes takes so many characters, its first row aside; the rest is counted. The whole page stays below 4 KB. */
const MAX_TABLE_CHARS = { violation: 1200, advisory: 400, observation: 0 } as const;
const CELL_CHARS = 120;
const LINE_CHARS = 240;
/** Clauses named for each reason why some were not tested. */
const IDS_SHOWN = 12;
const BADGES = { pass: '✅ PASS', fail: '❌ FAIL', none: '⚠️ NO VERDICT' } as const;

/**
 * Markdown as GitHub and GitLab render it: the verdict, what to repair by cause, how many clauses hold, and folded away those
 * that were not tested. Rows that hold are left out: a comment on a change is short.
 */
export function renderMarkdown(report: Report): string {
  const { counts, run } = report;
  const note = runNote(report);
  const command = startCommand(report);
  const again = ({ findings }: FindingGroup): string =>
    command === null ? '–' : `\`${visibleText(replayCommand(findings[0]!, command))}\``;
  const counted = report.findings.filter((finding) => !isAcceptedIn(report, finding));
  const accepted = report.findings.filter((finding) => isAcceptedIn(report, finding));
  const inPassing = judgedInPassing(report);
  const sections = [
    `## ${BADGES[report.verdict]}: ${inline(verdictSentence(report))}`,
    note === null ? '' : `> ${inline(note)}`,
    `${inline([targetName(report), judgedAgainst(report)].filter((part) => part !== null).join(' · '))} · ${counts.operationsTested} of ${plural(counts.operations, 'operation')} tested · ${plural(counts.requests, 'request')} · ${plural(counts.checks, 'check')} · ${duration(run.durationMs)}${seedWords(run)}`,
    measuredList(report),
    sinceLine(report),
    report.load === undefined ? inputsLine(report) : '',
    sensitivityLine(report),
    errorList(report),
    causes('violation', groupFindings(counted), again, 'shown again by'),
    causes('advisory', groupFindings(counted), again, 'shown again by'),
    causes('violation', groupFindings(accepted), (group) => cell(acceptedBecause(group.findings[0]!)), 'accepted'),
    ...(inPassing === null ? [heldLine(report), untestedTable(report)] : [inPassing]),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

/** The figures of a load run, and what they were held against. */
function measuredList({ load }: Report): string {
  const aims = isPart(load) ? objectivesOf(load) : null;
  const wanted = [
    ...(aims?.p99Ms == null ? [] : [`p99 at most ${number(aims.p99Ms)} ms`]),
    ...(aims?.errorPercent == null ? [] : [`errors at most ${number(aims.errorPercent)} %`]),
  ];
  const figures = loadBlocks(load)
    .filter(({ of }) => of !== 'since')
    .map(({ title, lines }) => [title, lines.slice(0, MAX_SHOWN).join('; ').replaceAll(/ {2,}/g, ' ')] as const);
  return [...(wanted.length === 0 ? [] : [['Objectives', wanted.join(', ')] as const]), ...figures]
    .map(([title, text]) => `- ${title}: ${inline(cut(text, LINE_CHARS))}`)
    .join('\n');
}

/** How a load run compares with the last one of its suite. */
function sinceLine({ load }: Report): string {
  const [title, ...lines] = sinceLines(load).map((line) => line.trim());
  return title === undefined ? '' : `${title}: ${inline(lines.join('; '))}`;
}

/** How much of the described input was tried. */
function inputsLine(report: Report): string {
  const inputs = inputsSentence(report);
  return inputs === null ? '' : `Inputs: ${inline(inputs)}`;
}

/** How many planted defects the run would have noticed. */
function sensitivityLine({ sensitivity }: Report): string {
  if (sensitivity === undefined) return '';
  const families = Object.entries(sensitivity.families).map(
    ([family, { planted, caught }]) => `${family} ${caught}/${planted}`,
  );
  return `Sensitivity: ${inline(sensitivitySentence(sensitivity))} – ${families.join(', ')}`;
}

/** Errors of Assay itself. */
function errorList({ harnessErrors = [] }: Report): string {
  if (harnessErrors.length === 0) return '';
  const shown = harnessErrors.slice(0, MAX_SHOWN).map((one) => `- ${inline(harnessErrorLine(one))}`);
  const more = harnessErrors.length - shown.length;
  return ['### Errors of Assay itself\n', ...shown, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n');
}

function causes(
  kind: FindingGroup['kind'],
  all: readonly FindingGroup[],
  last: (group: FindingGroup) => string,
  lastTitle: string,
): string {
  const groups = all.filter((group) => group.kind === kind);
  if (groups.length === 0) return '';
  const title = `### ${plural(groups.length, `cause of ${KIND_WORDS[kind][1]}`, `causes of ${KIND_WORDS[kind][1]}`)}${lastTitle === 'accepted' ? ', accepted' : ''}`;
  const made = groups.map((group) => {
    const { message, expected, actual } = group.findings[0]!;
    const where = group.operations[0] ?? (beyondCause(message, group.cause) || '–');
    const more = group.operationCount > 1 ? ` and ${group.operationCount - 1} more` : '';
    const cells = [group.clause, group.cause, `${where}${more}`, expected, actual].map(cell);
    return `| ${[...cells, last(group)].join(' | ')} |`;
  });
  const rows = firstOf(made, MAX_TABLE_CHARS[kind]);
  const rest = groups.length > rows.length ? `\n\nand ${plural(groups.length - rows.length, 'more cause')}` : '';
  const head = `| clause | cause | where | expected | actual | ${lastTitle} |\n|---|---|---|---|---|---|`;
  return `${title}\n\n${head}\n${rows.join('\n')}${rest}`;
}

/** The first rows that take so many characters together, and the very first in any case. */
function firstOf(rows: readonly string[], chars: number): readonly string[] {
  let left = chars;
  return rows.filter((row, at) => {
    left -= row.length;
    return at === 0 || left >= 0;
  });
}

/** How many clauses of each family hold, of those that could. */
function heldLine(report: Report): string {
  const rows = new Map(report.clauses.map((row) => [row.id, row]));
  const families = Map.groupBy(clausesOf(report), ({ family }) => family);
  const counts = [...families].flatMap(([family, members]) => {
    const own = members.flatMap(({ id }) => rows.get(id) ?? []);
    const [totals, advised] = [clauseTotals(own), advisedRows(own).length];
    const beside = advised === 0 ? '' : ` (${number(advised)} with advisories)`;
    return totals.pass + totals.fail === 0 ? [] : [`${family} ${heldWords(totals)}${beside}`];
  });
  const all = clauseTotals(report.clauses);
  return counts.length === 0
    ? ''
    : `${plural(all.pass, 'clause')} ${STATUS_WORDS.pass[all.pass === 1 ? 0 : 1]}: ${counts.join(', ')}`;
}

/** Rows that were not judged, by reason; `index.html` and `report.json` have every row. */
function untestedTable(report: Report): string {
  const groups = groupUntested(report.clauses);
  if (groups.length === 0) return '';
  const lines = groups.map(({ reasonCode, reason, rows }) => {
    const ids = rows.slice(0, IDS_SHOWN).map(({ id }) => id);
    const more = rows.length > ids.length ? ` and ${rows.length - ids.length} more` : '';
    const told = reasonCode === 'precondition' ? reason : null;
    return `| ${cell(told ?? reasonWords(reasonCode, report.run))} | ${ids.join(', ')}${more} |`;
  });
  const count = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  return `<details><summary>${plural(count, 'clause')} not tested</summary>\n\n| reason | clauses |\n|---|---|\n${lines.join('\n')}\n\n</details>`;
}

/** Text of a table's cell: no markup of any kind, one line. */
function cell(text: string): string {
  return inline(cut(text, CELL_CHARS)).replaceAll('|', '\\|');
}

/** One line in which nothing is markup, a mention or a link. */
function inline(text: string): string {
  return visibleText(text)
    .replaceAll(/[\t\n]+/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/([\\`*_{}[\]#!~$])/g, '\\$1')
    .replaceAll('@', '&#64;')
    .replaceAll('://', ':&#47;&#47;');
}
