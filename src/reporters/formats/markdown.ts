// summary.md: the run on one page of a pull request or a job summary. Short on purpose; index.html has the rest.
import { clausesOf } from '../../contract/own-clauses.ts';
import type { ClauseRow, Report } from '../../contract/report.ts';
import { type FindingGroup, groupFindings } from '../grouping.ts';
import { inputsSentence } from '../inputs-words.ts';
import { sensitivitySentence } from '../sensitivity-words.ts';
import { cut, visibleText } from '../text.ts';
import {
  acceptedBecause,
  duration,
  FAMILY_WORDS,
  harnessErrorLine,
  isAcceptedIn,
  KIND_WORDS,
  plural,
  reasonPhrase,
  replayCommand,
  runNote,
  STATUS_WORDS,
  seedWords,
  startCommand,
  targetName,
  verdictSentence,
} from '../words.ts';

/** Causes shown of each kind; the rest is counted. A job summary takes 1 MiB. */
const SHOWN = 30;
const CELL_CHARS = 300;
const BADGES = { pass: '✅ PASS', fail: '❌ FAIL', none: '⚠️ NO VERDICT' } as const;

/** Markdown as GitHub and GitLab render it: the verdict, what to repair by cause, every clause folded away by family. */
export function renderMarkdown(report: Report): string {
  const { counts, run } = report;
  const note = runNote(report);
  const command = startCommand(report);
  const again = ({ findings }: FindingGroup): string =>
    command === null ? '–' : `\`${replayCommand(findings[0]!, command)}\``;
  const counted = report.findings.filter((finding) => !isAcceptedIn(report, finding));
  const accepted = report.findings.filter((finding) => isAcceptedIn(report, finding));
  const sections = [
    `## ${BADGES[report.verdict]}: ${inline(verdictSentence(report))}`,
    note === null ? '' : `> ${inline(note)}`,
    `${inline(targetName(report))} · ${counts.operationsTested} of ${plural(counts.operations, 'operation')} tested · ${plural(counts.requests, 'request')} · ${plural(counts.checks, 'check')} · ${duration(run.durationMs)}${seedWords(run)}`,
    inputsLine(report),
    sensitivityLine(report),
    errorList(report),
    causes('violation', groupFindings(counted), again, 'shown again by'),
    causes('advisory', groupFindings(counted), again, 'shown again by'),
    causes('violation', groupFindings(accepted), (group) => cell(acceptedBecause(group.findings[0]!)), 'accepted'),
    clauseTables(report),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
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
  return `Would have noticed: ${inline(sensitivitySentence(sensitivity))} – ${families.join(', ')}`;
}

/** What failed in Assay itself. */
function errorList({ harnessErrors = [] }: Report): string {
  if (harnessErrors.length === 0) return '';
  const shown = harnessErrors.slice(0, SHOWN).map((one) => `- ${inline(harnessErrorLine(one))}`);
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
  const rows = groups.slice(0, SHOWN).map((group) => {
    const { message, expected, actual } = group.findings[0]!;
    const where = group.operations[0] ?? message;
    const more = group.operationCount > 1 ? ` and ${group.operationCount - 1} more` : '';
    const cells = [group.clause, group.cause, `${where}${more}`, expected, actual].map(cell);
    return `| ${[...cells, last(group)].join(' | ')} |`;
  });
  const rest = groups.length > SHOWN ? `\n\nand ${plural(groups.length - SHOWN, 'more cause')}` : '';
  const head = `| clause | cause | where | expected | actual | ${lastTitle} |\n|---|---|---|---|---|---|`;
  return `${title}\n\n${head}\n${rows.join('\n')}${rest}`;
}

function clauseTables(report: Report): string {
  const rows = new Map(report.clauses.map((row) => [row.id, row]));
  const families = Map.groupBy(clausesOf(report), ({ family }) => family);
  return [...families]
    .map(([family, members]) => {
      const own = members.flatMap(({ id, text }) => {
        const row = rows.get(id);
        // The contract's own words may hold code; those of others are text.
        return row === undefined
          ? []
          : [clauseLine(row, row.text === undefined ? text.replaceAll('|', '\\|') : cell(text))];
      });
      const head = '| clause | | status | checks |\n|---|---|---|---|';
      return `<details><summary>${family}: ${inline(FAMILY_WORDS[family])}</summary>\n\n${head}\n${own.join('\n')}\n\n</details>`;
    })
    .join('\n');
}

function clauseLine(row: ClauseRow, text: string): string {
  const word = STATUS_WORDS[row.status][0];
  const why = row.checks === 0 ? `: ${reasonPhrase(row)}` : row.basis === undefined ? '' : `: rests on ${row.basis}`;
  return `| ${row.id} | ${text} | ${cell(`${word}${why}`)} | ${row.checks} |`;
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
