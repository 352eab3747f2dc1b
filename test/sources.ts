// The repository's own sources as data for the tests that judge them: which file imports what, and what it calls.
import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'vite';
import { ROOT } from './root.ts';

export interface Source {
  /** Relative to the repository: "src/client/client.ts". */
  readonly path: string;
  /** Specifiers as written; type imports, re-exports and `import('…')` included. */
  readonly imports: readonly string[];
  /** The files of the repository among them, relative to the repository. */
  readonly targets: readonly string[];
  /** What it calls or constructs by name: "fetch", "Math.random". */
  readonly calls: ReadonlySet<string>;
  /** Every name and member that stands in it, called or not: "Date.now", and "Date()" for a date without arguments. */
  readonly mentions: ReadonlySet<string>;
}

export interface SyntaxNode {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** Every source of src/ and suites/ by path, tests included. Throws on a file that does not parse. */
export const SOURCES: ReadonlyMap<string, Source> = new Map(
  globSync('{src,suites}/**/*.ts', { cwd: ROOT })
    .sort()
    .map((path) => [path, readSource(path)]),
);

/** The files that these reach by imports, themselves included; imports that `isFollowed` refuses are left aside. */
export function reachable(
  entries: readonly string[],
  isFollowed: (path: string) => boolean = () => true,
): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    waiting.push(...(SOURCES.get(path)?.targets ?? []).filter(isFollowed));
  }
  return reached;
}

/** The sources of src/ that the package ships: what its entries and the suites reach. */
export function shipped(): readonly Source[] {
  const build = JSON.parse(readFileSync(join(ROOT, 'tsconfig.build.json'), 'utf8'));
  const suites = [...SOURCES.keys()].filter((path) => path.startsWith('suites/'));
  const reached = reachable([...build.files, ...suites]);
  return [...SOURCES.values()].filter(({ path }) => path.startsWith('src/') && reached.has(path));
}

/** The package that a specifier belongs to: "ajv" of "ajv/dist/2020.js". */
export function packageOf(specifier: string): string {
  const depth = specifier.startsWith('@') ? 2 : 1;
  return specifier.split('/').slice(0, depth).join('/');
}

function readSource(path: string): Source {
  const { program, errors } = parseSync(path, readFileSync(join(ROOT, path), 'utf8'));
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`);
  const imports: string[] = [];
  const calls = new Set<string>();
  const mentions = new Set<string>();
  for (const node of nodes(program)) {
    const specifier = specifierOf(node);
    if (specifier !== null) imports.push(specifier);
    if (node.type === 'CallExpression' || node.type === 'NewExpression') calls.add(nameOf(node.callee));
    mentions.add(mentionOf(node));
  }
  const relative = imports.filter((specifier) => specifier.startsWith('.'));
  return { path, imports, targets: relative.map((target) => posix.join(posix.dirname(path), target)), calls, mentions };
}

/** The node and all below it, in the order of the source. */
export function* nodes(top: unknown): Generator<SyntaxNode> {
  const waiting = [top];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (isNode(value)) yield value;
    const members = Object.values(Object(value)).filter((member) => typeof member === 'object' && member !== null);
    waiting.push(...members.reverse());
  }
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function specifierOf(node: SyntaxNode): string | null {
  if (!/^(ImportDeclaration|Export(Named|All)Declaration|ImportExpression|TSImportType)$/.test(node.type)) return null;
  return isNode(node.source) && typeof node.source.value === 'string' ? node.source.value : null;
}

function mentionOf(node: SyntaxNode): string {
  const isCall = node.type === 'CallExpression' || node.type === 'NewExpression';
  const isBare = isCall && Array.isArray(node.arguments) && node.arguments.length === 0;
  return isBare ? `${nameOf(node.callee)}()` : nameOf(node);
}

/** "Math.random"; empty for what is neither a name nor a member of one. */
export function nameOf(callee: unknown): string {
  if (!isNode(callee)) return '';
  if (callee.type === 'Identifier') return String(callee.name);
  if (callee.type === 'MemberExpression') return `${nameOf(callee.object)}.${nameOf(callee.property)}`;
  return '';
}
