// The pages of this repository that show code to readers, and the fenced blocks in them.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.ts';

export const PAGES: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...globSync('docs/**/*.md', { cwd: ROOT }).toSorted(),
];

export interface Block {
  readonly page: string;
  /** Of the fence above the text; from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
}

/** The blocks of a page, in its order; those without a language are output and left out. */
export function blocksOf(page: string): readonly Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^( *)```(\w+)\n([\s\S]*?)^ *```$/gm)].map(({ 2: language = '', 3: body = '', index }) => ({
    page,
    line: text.slice(0, index).split('\n').length,
    language,
    text: body,
  }));
}

export interface ShellLine {
  readonly place: string;
  readonly text: string;
}

/** The lines of shell that a page shows, without comments. */
export function shellLinesOf(page: string): readonly ShellLine[] {
  return blocksOf(page)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ line, text }) =>
      text.split('\n').map((one, at) => ({ place: `line ${line + 1 + at}`, text: one.replace(/\s+#.*$/, '').trim() })),
    )
    .filter(({ text }) => text !== '');
}

export type PlacedLine = readonly [place: string, text: string];

/** The lines of shell of all pages. */
export const ALL_SHELL_LINES: readonly PlacedLine[] = PAGES.flatMap((page) =>
  shellLinesOf(page).map(({ place, text }) => [`${page}, ${place}`, text] as const),
);

/** Of lines with one command the first: another page may name the folder of the report, or the configuration that is found anyway. */
export function onceEach(lines: readonly PlacedLine[]): readonly PlacedLine[] {
  const commandOf = (line: string): string =>
    line.replace(/ --config assay\.config\.yaml| --out \S+/g, '').replace(/reports\/(<run id>|\S+)/, 'reports/…');
  return [...Map.groupBy(lines, ([, line]) => commandOf(line)).values()].flatMap((same) => same.slice(0, 1));
}
