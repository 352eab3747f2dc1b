// Tells at the terminal how far a run went: operations and inputs that were tested, and the rows that were not, by reason.
import { number, plural } from '../../contract/numbers.ts';
import type { Report } from '../../contract/report.ts';
import { inputsSentence } from '../inputs-words.ts';
import { terminalText } from '../text.ts';
import { groupUntested } from '../untested.ts';
import { reasonWords } from '../words.ts';
import { type Style, wrapped } from './wrapped.ts';

/** Clauses and operations named for each reason; the rest is counted. */
const IDS_SHOWN = 6;

/** Rows that were not tested, by reason. */
export function untestedLines(report: Report, style: Style): string[] {
  const line = (count: string, reason: string, examples: readonly string[]) => {
    const left = examples.length - IDS_SHOWN;
    const more = left > 0 ? ` and ${number(left)} more` : '';
    return wrapped(
      `  ${count.padEnd(14)}  ${reason}: ${examples.slice(0, IDS_SHOWN).join(', ')}${more}`,
      style.width,
      18,
    );
  };
  // Nobody misses what the run was not asked for.
  const asked = report.clauses.filter(({ reasonCode }) => reasonCode !== 'filtered' && reasonCode !== 'other-command');
  const clauses = groupUntested(asked).flatMap(({ reasonCode, reason, rows }) =>
    line(
      plural(rows.length, 'clause'),
      reason ?? reasonWords(reasonCode, report.run),
      rows.map(({ id }) => id),
    ),
  );
  const open = report.operations.filter(({ reasonCode }) => reasonCode !== 'other-command');
  const operations = groupUntested(open).flatMap(({ reasonCode, reason, rows }) =>
    line(
      plural(rows.length, 'operation'),
      reason ?? reasonWords(reasonCode, report.run),
      rows.map(({ operation }) => operation),
    ),
  );
  const elsewhere = elsewhereLines(report, style);
  if (clauses.length + operations.length + elsewhere.length === 0) return [];
  return [style.colors.bold('Not tested'), ...clauses, ...elsewhere, ...operations];
}

/** One line for the clauses that other commands judge; in a load run these are most of the contract. */
function elsewhereLines({ clauses }: Report, style: Style): readonly string[] {
  const others = clauses.filter(({ reasonCode }) => reasonCode === 'other-command');
  if (others.length === 0) return [];
  const where = [...Map.groupBy(others, ({ reason }) => reason ?? 'judged by another command')]
    .map(([reason, same]) => `${number(same.length)} ${reason}`)
    .join(', ');
  return wrapped(`  ${plural(others.length, 'clause').padEnd(14)}  not for this command: ${where}`, style.width, 18);
}

/** Operations and inputs that were tested, service by service. */
export function reachLines(report: Report, style: Style): string[] {
  if (report.services.length === 0) return [];
  const lines = report.services.flatMap(({ name, testable, reason, operations, operationsTested }) => {
    const label = `  ${terminalText(name).padEnd(9)}`;
    if (!testable) return wrapped(`${label} not testable: ${reason ?? 'no reason given'}`, style.width, 12);
    const share = operations === 0 ? '' : `  ${Math.floor((100 * operationsTested) / operations)} %`;
    return `${label} ${number(operationsTested)} of ${plural(operations, 'operation')} tested${share}`;
  });
  const inputs = inputsSentence(report);
  const lists = report.operations.filter((row) => row.lists !== undefined);
  const empty = lists.filter((row) => row.lists === 'empty').map(({ operation }) => terminalText(operation));
  const more = empty.length > IDS_SHOWN ? ` and ${number(empty.length - IDS_SHOWN)} more` : '';
  const shown = `${number(empty.length)} of ${plural(lists.length, 'list')} showed no item: ${empty.slice(0, IDS_SHOWN).join(', ')}${more}`;
  return [
    style.colors.bold('Reach'),
    ...lines,
    ...(empty.length === 0 ? [] : wrapped(`  ${'lists'.padEnd(9)} ${shown}`, style.width, 12)),
    ...(inputs === null ? [] : wrapped(`  ${'inputs'.padEnd(9)} ${inputs}`, style.width, 12)),
  ];
}
