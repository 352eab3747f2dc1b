// Where in the text a JSON pointer leads, for people who open the file. One pass over the tokens, no values are made.
import { CST, LineCounter, Parser } from 'yaml';
import { appended } from '../json.ts';
import type { Problem } from '../model/operation.ts';
import type { SourceFile } from './files.ts';
import { visitPlaces } from './json-places.ts';

/** Beyond this a second reading of YAML takes longer than the rest of loading; the pointer must do. */
const MAX_YAML_CHARACTERS = 3_000_000;

/** The problems with their lines, in the order of file and line. A text is read again only when it has a problem. */
export function withLines(problems: readonly Problem[], files: readonly SourceFile[]): Problem[] {
  const byFile = Map.groupBy(problems, ({ file }) => file);
  return [...byFile].flatMap(([name, ofFile]) => {
    const text = files.find((file) => file.name === name)?.text ?? '';
    const lines = linesIn(
      text,
      ofFile.map(({ pointer }) => pointer),
    );
    if (lines === null) return ofFile;
    return ofFile
      .map((problem) => ({ ...problem, line: lines.get(problem.pointer) ?? 1 }))
      .sort((a, b) => a.line - b.line);
  });
}

/** 1-based lines of the pointers in a JSON or YAML text; a place that is not there has that of what it would stand in. null: too long a text. */
export function linesIn(text: string, pointers: readonly string[]): ReadonlyMap<string, number> | null {
  const isJson = /^\s*[{[]/.test(text);
  if (text === '' || (!isJson && text.length > MAX_YAML_CHARACTERS)) return null;
  const wanted = new Set(pointers.flatMap(lineage));
  const lines = isJson ? jsonLines(text, wanted) : yamlLines(text, wanted);
  return new Map(
    pointers.map((pointer) => [pointer, lines.get(lineage(pointer).find((place) => lines.has(place)) ?? '') ?? 1]),
  );
}

/** The pointer and those of all that it stands in, innermost first. */
function lineage(pointer: string): string[] {
  const own = [pointer];
  for (let end = pointer.lastIndexOf('/'); end >= 0; end = pointer.lastIndexOf('/', end - 1)) {
    own.push(pointer.slice(0, end));
    if (end === 0) break;
  }
  return own;
}

/** 1-based lines of the wanted places that exist: a field's is that of its name. */
function jsonLines(text: string, wanted: ReadonlySet<string>): Map<string, number> {
  const lines = new Map<string, number>();
  visitPlaces(text, (pointer, line) => {
    if (!wanted.has(pointer)) return false;
    if (!lines.has(pointer)) lines.set(pointer, line);
    return true;
  });
  return lines;
}

/** The same for YAML. What an alias stands for has the alias's line. */
function yamlLines(text: string, wanted: ReadonlySet<string>): Map<string, number> {
  const counter = new LineCounter();
  const lines = new Map<string, number>();
  const read = (node: CST.Token | null | undefined, pointer: string, offset = node?.offset ?? 0): void => {
    if (!wanted.has(pointer)) return;
    if (!lines.has(pointer)) lines.set(pointer, counter.linePos(offset).line);
    for (const { name, value, offset: place } of membersOf(node)) read(value, appended(pointer, name), place);
  };
  for (const token of new Parser(counter.addNewLine).parse(text)) {
    if (token.type !== 'document') continue;
    read(token.value, '');
    break;
  }
  return lines;
}

interface Member {
  readonly name: string | number;
  readonly value: CST.Token | null | undefined;
  readonly offset: number | undefined;
}

function membersOf(node: CST.Token | null | undefined): Member[] {
  if (node == null || !('items' in node)) return [];
  const items: readonly CST.CollectionItem[] = node.items;
  if (node.type === 'block-seq' || (node.type === 'flow-collection' && node.start.source === '[')) {
    return items
      .map(({ start, key, value = key }) => ({
        value,
        place: value ?? start.find(({ type }) => type === 'seq-item-ind'),
      }))
      .filter(({ place }) => place != null)
      .map(({ value, place }, name) => ({ name, value, offset: place?.offset }));
  }
  return items.flatMap(({ key, value }) => {
    const name = CST.resolveAsScalar(key)?.value;
    return name === undefined ? [] : [{ name, value, offset: key?.offset }];
  });
}
