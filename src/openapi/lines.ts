// Where in the text a JSON pointer leads, for people who open the file.
import { isMap, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { SourceFile } from './files.ts';
import { tokensOf } from './json.ts';
import type { Problem } from './operation.ts';

/** Beyond this a second reading of the text takes longer than the rest of loading; the pointer must do. */
const MOST_CHARACTERS = 3_000_000;

/** The problems with their lines, in the order of file and line. A text is read again only when it has a problem. */
export function withLines(problems: readonly Problem[], files: readonly SourceFile[]): Problem[] {
  const byFile = Map.groupBy(problems, ({ file }) => file);
  return [...byFile].flatMap(([name, ofFile]) => {
    const text = files.find((file) => file.name === name)?.text ?? '';
    if (text === '' || text.length > MOST_CHARACTERS) return ofFile;
    const lineAt = lineFinder(text);
    return ofFile.map((problem) => ({ ...problem, line: lineAt(problem.pointer) })).sort((a, b) => a.line - b.line);
  });
}

/** 1-based line of the field or item that a pointer leads to, or of the last part of it that exists. */
function lineFinder(text: string): (pointer: string) => number {
  const lines = new LineCounter();
  const { contents } = parseDocument(text, { lineCounter: lines, uniqueKeys: false, prettyErrors: false });
  return (pointer) => {
    let node: unknown = contents;
    let offset = (contents as Node | null)?.range?.[0] ?? 0;
    for (const token of tokensOf(pointer)) {
      const next = step(node, token);
      if (next === null) break;
      node = next.value;
      offset = next.offset ?? offset;
    }
    return lines.linePos(offset).line;
  };
}

function step(node: unknown, token: string): { value: unknown; offset: number | undefined } | null {
  if (isMap(node)) {
    const pair = node.items.find((item) => isPair(item) && isScalar(item.key) && String(item.key.value) === token);
    return pair === undefined ? null : { value: pair.value, offset: (pair.key as Node).range?.[0] };
  }
  if (isSeq(node)) {
    const item = node.items[Number(token)] as Node | undefined;
    return item === undefined ? null : { value: item, offset: item.range?.[0] };
  }
  return null;
}
