// What came of a night, and its table.
import { stripVTControlCharacters } from 'node:util';
import type { Part } from './parts.ts';

/** So many names of what was left are enough to find who left it. */
const MAX_LEFT_TOLD = 3;

/** What came of a part. */
export interface Outcome {
  readonly isGood: boolean;
  /** On which sources: a commit, and a digest of what is changed since. */
  readonly sources: string;
  /** The last line that it told. */
  readonly told: string;
  readonly seconds: number;
  /** Null where the system does not tell it. */
  readonly processorSeconds: number | null;
}

/** What came of each part when it was last run, by its name. */
export type Night = Readonly<Record<string, Outcome>>;

/** What a part left in its folder for temporary files: it has to leave nothing. */
type Left = readonly string[];

/** A part that ended, from its exit code, the end of what it told, and what it left behind. */
export function outcomeOf({
  code,
  tail,
  left,
  ...measured
}: Pick<Outcome, 'sources' | 'seconds' | 'processorSeconds'> & {
  readonly code: number | null;
  readonly tail: string;
  readonly left: Left;
}): Outcome {
  const lines = stripVTControlCharacters(tail)
    .split('\n')
    .map((line) => line.trim());
  const told = lines.findLast((line) => line !== '') ?? '';
  const behind = left.length === 0 ? '' : `; left behind: ${left.slice(0, MAX_LEFT_TOLD).join(', ')} (${left.length})`;
  return { isGood: code === 0 && left.length === 0, told: `${told}${behind}`, ...measured };
}

/** Whether the part ended well on these sources. */
export function isDone(outcome: Outcome | undefined, sources: string): boolean {
  return outcome?.isGood === true && outcome.sources === sources;
}

/** The night as a table of Markdown, a row for each part, whether it has run or not. */
export function tableOf(outcomes: Night, parts: readonly Part[]): string {
  const rows = parts.map(({ name, about }) => {
    const outcome = outcomes[name];
    if (outcome === undefined) return row([name, about, 'not run', '', '', '', '']);
    const { isGood, sources, told, seconds, processorSeconds } = outcome;
    const times = [inSeconds(seconds), inSeconds(processorSeconds)];
    return row([name, about, isGood ? 'good' : 'NOT GOOD', told, ...times, sources]);
  });
  const head = [
    row(['part', 'what it shows', 'outcome', 'told', 'time', 'processor time', 'sources']),
    row(Array(7).fill('---')),
  ];
  return `${[...head, ...rows].join('\n')}\n`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function inSeconds(seconds: number | null): string {
  return seconds === null ? '–' : `${Math.round(seconds)} s`;
}
