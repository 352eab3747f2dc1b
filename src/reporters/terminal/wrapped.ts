// Breaks a line of text at words, so that nothing of it is lost on a narrow terminal.
import type { createColors } from 'picocolors';
import { terminalText } from '../text.ts';

export interface Style {
  readonly colors: ReturnType<typeof createColors>;
  /** Columns; longer lines are broken at words. */
  readonly width: number;
  /** The command that `--replay` is added to; null where the run was a replay itself, or nothing shows its findings again. */
  readonly command: string | null;
  /** Where an exchange stands in what others recorded, by its id; empty for a run that sends. */
  readonly places: ReadonlyMap<string, string>;
}

const MIN_COLUMNS = 20;

/**
 * The text in lines of at most so many columns; all but the first are indented by `hang`. Leading blanks are kept. A word that
 * is longer than a line (a path, a URL) stands in a line of its own, whole.
 */
export function wrapped(text: string, columns: number, hang: number): readonly string[] {
  const [indent = ''] = /^ */.exec(text) ?? [];
  const harmless = terminalText(text);
  const width = Math.max(columns, MIN_COLUMNS);
  const further = ' '.repeat(Math.min(hang, Math.floor(width / 2)));
  const lines: string[] = [];
  let line = indent;
  for (const [, blanks = '', word = ''] of harmless.matchAll(/( *)([^ ]+)/g)) {
    const isFirst = line.trim() === '';
    if (isFirst || line.length + blanks.length + word.length <= width) line += `${isFirst ? '' : blanks}${word}`;
    else {
      lines.push(line);
      line = further + word;
    }
  }
  return [...lines, line];
}
