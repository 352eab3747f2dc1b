// Finding the configuration file and reading it, whatever its form. What it says is judged elsewhere.
import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { UsageError } from './errors.ts';
import { segmentsOf } from './key-path.ts';
import { importOwn } from './own-package.ts';

const NAMES = ['assay.config.ts', 'assay.config.json', 'assay.config.yaml', 'assay.config.yml'];

/** Absolute path of the file named, else of the one in `cwd`; null when neither. Throws UsageError: named but absent, or two in `cwd`. */
export function findConfig(file: string | null, cwd: string): string | null {
  if (file !== null) {
    const path = resolve(cwd, file);
    if (existsSync(path)) return path;
    throw new UsageError(
      'ASSAY_CONFIG_NOT_FOUND',
      `configuration ${path} does not exist`,
      'assay init --out FILE writes one',
    );
  }
  const found = NAMES.map((name) => join(cwd, name)).filter((path) => existsSync(path));
  if (found.length < 2) return found[0] ?? null;
  const names = found.map((path) => basename(path)).join(' and ');
  throw new UsageError(
    'ASSAY_CONFIG_AMBIGUOUS',
    `${names} stand side by side in ${cwd}`,
    `assay … --config ${basename(found[0] ?? '')}`,
  );
}

/** The file's value, unchecked. Throws UsageError with file, line and column; never quotes the file's text, which may hold tokens. */
export async function readConfig(path: string): Promise<unknown> {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
    throw unreadable(path, 'is a folder, not a file', 'name the file in it');
  const extension = extname(path);
  if (extension === '.ts') return importConfig(path);
  if (extension !== '.json' && extension !== '.yaml' && extension !== '.yml') {
    throw unreadable(path, `"${extension}" is no known form`, 'use .ts, .json, .yaml or .yml');
  }
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw unreadable(path, `cannot be read (${error.code})`, 'check the path and its permissions');
  });
  return parseConfig(path, text);
}

/** The value of a text in YAML 1.2, of which JSON is a part. Throws UsageError with file, line and column. */
export function parseConfig(path: string, text: string): unknown {
  const lines = new LineCounter();
  const document = unlessTooDeep(path, () => parseDocument(text, { lineCounter: lines, prettyErrors: false }));
  const error = document.errors[0];
  if (error === undefined) return unlessTooDeep(path, () => contentOf(document, path));
  if (error.code === 'RESOURCE_EXHAUSTION') throw tooDeep(path);
  const { line, col } = lines.linePos(error.pos[0]);
  throw unreadable(
    `${path}:${line}:${col}`,
    error.message.split('\n', 1)[0] ?? '',
    'correct the line, then `assay doctor`',
  );
}

/** The line, counted from 1, of the key that a JSON pointer leads to in such a text; where there is none, that of the nearest key above it. */
export function lineFinder(text: string): (pointer: string) => number {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  return (pointer) => {
    let at = 0;
    let node: unknown = document.contents;
    for (const segment of segmentsOf(pointer)) {
      const member = memberOf(isAlias(node) ? node.resolve(document) : node, segment);
      if (member === null) break;
      at = member.at;
      node = member.value;
    }
    return lines.linePos(at).line;
  };
}

/** A member of a map, or an item of a list, with the place where it begins; null where there is none. */
function memberOf(node: unknown, segment: string): { readonly at: number; readonly value: unknown } | null {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === segment);
    return pair !== undefined && isScalar(pair.key) && pair.key.range
      ? { at: pair.key.range[0], value: pair.value }
      : null;
  }
  const item = isSeq(node) ? node.items[Number(segment)] : undefined;
  return isNode(item) && item.range ? { at: item.range[0], value: item } : null;
}

/** Throws UsageError where aliases stand for more than anybody means, lead nowhere, or go in a circle. */
function contentOf(document: Document.Parsed, path: string): unknown {
  let content: unknown;
  try {
    content = document.toJS({ maxAliasCount: MOST_ALIASED });
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw unreadable(path, error.message.split('\n', 1)[0] ?? '', 'write out what the aliases stand for');
  }
  mustBeShallow(content, 0);
  return content;
}

const MOST_ALIASED = 100;
const DEEPEST = 200;

/** Throws RangeError for what is nested without end: a circle of aliases is. */
function mustBeShallow(value: unknown, depth: number): void {
  if (depth > DEEPEST) throw new RangeError(`more than ${DEEPEST} levels`);
  if (typeof value !== 'object' || value === null) return;
  for (const member of Object.values(value)) mustBeShallow(member, depth + 1);
}

function unlessTooDeep<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw tooDeep(path);
  }
}

function tooDeep(path: string): UsageError {
  const what = `it is nested more than ${DEEPEST} levels deep, or its aliases go in a circle`;
  return unreadable(path, what, 'write it without such nesting');
}

async function importConfig(path: string): Promise<unknown> {
  const module = await importOwn(pathToFileURL(path).href).catch((error: Error) => {
    throw unreadable(path, `cannot be imported: ${error.message.split('\n', 1)[0]}`, `node ${path} shows where`);
  });
  if (module.default !== undefined) return await module.default;
  throw unreadable(path, 'has no default export', 'export default { target: { baseUrl: … }, … }');
}

function unreadable(where: string, what: string, hint: string): UsageError {
  return new UsageError('ASSAY_CONFIG_UNREADABLE', `${where}: ${what}`, hint);
}

/** Tells whether the value of a document is an object with members. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Both documents as one: objects member by member, everything else as the later one says it. */
export function merged(base: unknown, later: unknown): unknown {
  if (!isObject(base) || !isObject(later)) return later;
  const both = Object.entries(later).map(([name, value]) => [
    name,
    Object.hasOwn(base, name) ? merged(base[name], value) : value,
  ]);
  return { ...base, ...Object.fromEntries(both) };
}
