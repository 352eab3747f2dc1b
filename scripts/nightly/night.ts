// What came of a night, and its table.
import { stripVTControlCharacters } from 'node:util';
import type { Part } from './parts.ts';

/** What came of a part. */
export interface Outcome {
  readonly isGood: boolean;
  /** The last line that it told. */
  readonly told: string;
  readonly seconds: number;
  /** Null where the system does not tell it. */
  readonly processorSeconds: number | null;
}

export interface Night {
  /** What the sources were. */
  readonly sources: string;
  /** By the part's name. */
  readonly outcomes: Readonly<Record<string, Outcome>>;
}

/** A part that ended, from its exit code and the end of what it told. */
export function outcomeOf(ended: {
  readonly code: number | null;
  readonly tail: string;
  readonly seconds: number;
  readonly processorSeconds: number | null;
}): Outcome {
  const { code, tail, seconds, processorSeconds } = ended;
  const lines = stripVTControlCharacters(tail)
    .split('\n')
    .map((line) => line.trim());
  return { isGood: code === 0, told: lines.findLast((line) => line !== '') ?? '', seconds, processorSeconds };
}

/** The night as a table of Markdown, a row for each part, whether it has run or not. */
export function tableOf({ outcomes }: Night, parts: readonly Part[]): string {
  const rows = parts.map(({ name, about }) => {
    const outcome = outcomes[name];
    if (outcome === undefined) return row([name, about, 'not run', '', '', '']);
    const { isGood, told, seconds, processorSeconds } = outcome;
    return row([name, about, isGood ? 'good' : 'NOT GOOD', told, inSeconds(seconds), inSeconds(processorSeconds)]);
  });
  const head = [row(['part', 'what it shows', 'outcome', 'told', 'time', 'processor time']), row(Array(6).fill('---'))];
  return `${[...head, ...rows].join('\n')}\n`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function inSeconds(seconds: number | null): string {
  return seconds === null ? '–' : `${Math.round(seconds)} s`;
}
