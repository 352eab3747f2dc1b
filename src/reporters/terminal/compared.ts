// What differs between two runs, for a terminal.
import { createColors } from 'picocolors';
import type { Changes, Finding, Report } from '../../contract/report.ts';
import { terminalText } from '../text.ts';
import { number, plural, STATUS_WORDS } from '../words.ts';

const SHOWN = 40;

/** Lines on what appeared, what is gone, what cannot be told, and which clauses changed; without a line break at the end. */
export function compared(later: Report, changes: Changes, options: { readonly color: boolean }): string {
  const colors = createColors(options.color);
  const fresh = new Set(changes.appeared);
  const appeared = later.findings.filter(({ fingerprint }) => fresh.has(fingerprint));
  const head = `${colors.bold(`${changes.run} → ${later.run.id}`)}: ${changes.verdict} → ${later.verdict}`;
  const unknown =
    changes.unknown === 0
      ? []
      : [`${plural(changes.unknown, 'more finding')} of the earlier run: the later one did not look there again`];
  const clauses = changes.clauses.map(
    ({ id, before, now }) => `  ${id.padEnd(9)} ${STATUS_WORDS[before][0]} → ${STATUS_WORDS[now][0]}`,
  );
  return [
    head,
    ...section(`${plural(appeared.length, 'new finding')}`, appeared.map(line), colors.red),
    ...section(`${plural(changes.gone.length, 'finding')} gone`, changes.gone.map(line), colors.green),
    ...unknown,
    ...section(plural(clauses.length, 'clause changed', 'clauses changed'), clauses, colors.cyan),
  ].join('\n');
}

function section(title: string, lines: readonly string[], paint: (text: string) => string): readonly string[] {
  const more = lines.length - SHOWN;
  return ['', paint(title), ...lines.slice(0, SHOWN), ...(more > 0 ? [`  and ${number(more)} more`] : [])];
}

function line({
  clause,
  kind,
  operation,
  cause,
  fingerprint,
}: Omit<Finding, 'message'> | Changes['gone'][number]): string {
  const where = operation === null ? '' : ` — ${operation}`;
  return `  ${clause.padEnd(9)} ${kind}: ${terminalText(`${cause}${where}`)} (${fingerprint})`;
}
