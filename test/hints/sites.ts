// The places in the sources where a message with a hint is made: each construction of one of the errors that carry one, and
// each call of a function that returns such an error.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { ROOT } from '../root.ts';
import { isNode, nameOf, nodes, SOURCES, type SyntaxNode } from '../sources.ts';

const ERRORS = ['UsageError', 'NoVerdict', 'DescriptionUnreadable', 'MergeRefused'];
const RETURNS = new RegExp(`^\\)?\\s*:\\s*(Promise<)?(${ERRORS.join('|')})\\b`);
/** The program of the reference platform has errors of its own, without hints; `assay platform` checks its words before. */
const OTHERS = /^src\/platform\/|\.test\.ts$/;

interface Parsed {
  readonly path: string;
  readonly text: string;
  readonly all: readonly SyntaxNode[];
}

/** "src/cli/load/elsewhere.ts:46" of each, in the order of files and lines. */
export function sites(): readonly string[] {
  const texts = [...SOURCES.keys()]
    .filter((path) => path.startsWith('src/') && !OTHERS.test(path))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
  const makers = texts.filter(({ text }) => ERRORS.some((name) => text.includes(name))).map(parse);
  const names = makers.flatMap((source) => makersIn(source));
  const callers = texts.filter(
    ({ path, text }) =>
      makers.every((source) => source.path !== path) && names.some((name) => text.includes(`${name}(`)),
  );
  const parsed = [...makers, ...callers.map(parse)];
  const made = parsed.flatMap((source) => [
    ...placesOf(source, 'NewExpression', ERRORS),
    ...placesOf(source, 'CallExpression', makersFor(source, parsed)),
  ]);
  return [...new Set(made)];
}

function parse({ path, text }: Pick<Parsed, 'path' | 'text'>): Parsed {
  return { path, text, all: [...nodes(parseSync(path, text).program)] };
}

function placesOf({ path, text, all }: Parsed, type: string, names: readonly string[]): readonly string[] {
  return all
    .filter((node) => node.type === type && names.includes(nameOf(node.callee)))
    .map(({ start }) => `${path}:${text.slice(0, Number(start)).split('\n').length}`);
}

/** The functions that return such an error and that this source may call: its own, and those exported by what it imports. */
function makersFor({ path, text, all }: Parsed, parsed: readonly Parsed[]): readonly string[] {
  const targets = SOURCES.get(path)?.targets ?? [];
  const imported = parsed
    .filter((other) => targets.includes(other.path))
    .flatMap((other) => makersIn(other))
    .filter((name) => new RegExp(`import \\{[^}]*\\b${name}\\b`).test(text));
  return [...makersIn({ path, text, all }), ...imported];
}

function makersIn({ text, all }: Parsed): readonly string[] {
  const returns = ({ returnType }: SyntaxNode): boolean =>
    isNode(returnType) && RETURNS.test(text.slice(Number(returnType.start), Number(returnType.end)));
  return all.flatMap((node) => {
    if (node.type === 'FunctionDeclaration' && returns(node)) return [nameOf(node.id)];
    if (node.type === 'VariableDeclarator' && isNode(node.init) && returns(node.init)) return [nameOf(node.id)];
    return [];
  });
}
