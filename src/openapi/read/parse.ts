// From text to a JSON value: JSON first, YAML 1.2 next, as swagger-parser reads files. Its parsers are used without the
// walks over the parsed document that it adds to them, which a document can make endless.
// @ts-expect-error its types leave this file out

import SwaggerParserOptions from '@apidevtools/swagger-parser/lib/options.js';
import { parsedJson } from '../../exchange/decoded.ts';
import { oncePer } from '../../exchange/once-per.ts';
import { isObject, type JsonObject } from '../json.ts';
import { DescriptionUnreadable } from './unreadable.ts';

/** Options with which swagger-parser reads files. */
type Options = new (
  options: object,
) => { readonly parse: { readonly yaml: { parse(file: { url: string; data: string }): Promise<unknown> } } };

const Options: Options = SwaggerParserOptions;

const MAX_DEPTH = 400;
/** A place is told by its pointer: with names of any length a list of problems has no bound. */
const MAX_POINTER_CHARS = 8192;
/** Ten times what the largest public descriptions of single products hold. */
const MAX_VALUES = 2_000_000;

export interface Parsed {
  /** An object or a list: a tree of JSON values, whatever YAML made it of. */
  readonly value: object;
  /** How many fields its objects have together. */
  readonly fields: number;
}

/** Value of a text. Throws DescriptionUnreadable when it is neither JSON nor YAML, or holds too much. */
export async function parseText(text: string, file: string, location: string): Promise<Parsed> {
  if (text.trim() === '') throw new DescriptionUnreadable(file, 'the file is empty', EXPORT_HINT);
  if (/^\s*</.test(text)) {
    throw new DescriptionUnreadable(file, 'this is HTML or XML, neither JSON nor YAML', EXPORT_HINT, 1);
  }
  if (countedValues(text) > MAX_VALUES) throw tooMany(file);
  // YAML is nearly a superset of JSON: a .json file that only YAML can read is broken all the same.
  const json = /\.json$/i.test(new URL(location).pathname) ? parseJson(text, file) : (parsedJson(text) ?? null);
  const value = json ?? (await parseYaml(text, file, location));
  if (typeof value !== 'object' || value === null) {
    throw new DescriptionUnreadable(file, 'this is text or a single value, not a document with fields', EXPORT_HINT);
  }
  const fields = countedFields(value, file);
  return json === null ? plain(value, text, file) : { value, fields };
}

/** Value of YAML as JSON: merge keys are followed, aliases become copies, dates and infinities what JSON makes of them. */
function plain(value: object, text: string, file: string): Parsed {
  const followed = hasMergeKeys(text) ? merged(value) : value;
  return { value: JSON.parse(JSON.stringify(followed)), fields: countedFields(followed, file) };
}

/**
 * Tells whether "<<" stands in the text as a key without quotes: no part of YAML 1.2, but of 1.1, and what documents
 * mean that write it. swagger-parser reads it as a field.
 */
function hasMergeKeys(text: string): boolean {
  return /(^|[\s{,])<<[ \t]*:\s/.test(text);
}

/**
 * The value with every "<<" replaced by the fields that it brings: own fields win, then those of earlier sources. What
 * aliases share stays shared. It holds no more than the value does whose aliases are counted as copies.
 */
function merged(root: object): object {
  const visit = oncePer((value: object): object =>
    Array.isArray(value) ? value.map(visitAny) : mergedObject(value as JsonObject),
  );
  const visitAny = (value: unknown): unknown => (typeof value === 'object' && value !== null ? visit(value) : value);
  const mergedObject = ({ '<<': source, ...own }: JsonObject): JsonObject => {
    const sources = [source].flat().filter(isObject).toReversed();
    const brought = sources.flatMap((one) => Object.entries(visit(one)));
    const fields = [...brought, ...Object.entries(own).map(([name, member]) => [name, visitAny(member)] as const)];
    return Object.fromEntries(fields);
  };
  return visit(root);
}

const EXPORT_HINT = 'give the file or URL of an OpenAPI document in JSON or YAML';

/** About as many values as a text holds, and no fewer: known before memory is spent on them. */
function countedValues(text: string): number {
  const isYaml = !/^\s*[{[]/.test(text);
  let values = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === COMMA || code === BRACE || code === BRACKET || (isYaml && code === NEWLINE)) values += 1;
  }
  return values;
}

const [COMMA, BRACE, BRACKET, NEWLINE] = [0x2c, 0x7b, 0x5b, 0x0a];

/** Throws DescriptionUnreadable, with the line, for what is no JSON. */
function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as SyntaxError;
    const offset = /at position (\d+)/.exec(message)?.[1];
    const line = text.slice(0, offset === undefined ? text.length : Number(offset)).split('\n').length;
    throw new DescriptionUnreadable(file, `no JSON: ${message.replace(/\s+/g, ' ')}`, LINE_HINT, line, error);
  }
}

const LINE_HINT = 'correct that line';

async function parseYaml(text: string, file: string, location: string): Promise<unknown> {
  try {
    return await new Options({}).parse.yaml.parse({ url: location, data: text });
  } catch (error) {
    const [first = ''] = (error as Error).message.replace(`Error parsing ${location}: `, '').split('\n', 1);
    const [whole, line] = / \((\d+):\d+\)$/.exec(first) ?? [''];
    const reason = `neither JSON nor YAML: ${first.slice(0, first.length - whole.length)}`;
    throw new DescriptionUnreadable(file, reason, LINE_HINT, line === undefined ? null : Number(line), error);
  }
}

/** The fields of all objects. Refuses what would overflow the stack or the memory of everything after this. */
function countedFields(root: object, file: string): number {
  let [values, fields] = [0, 0];
  const visit = (value: object, depth: number, length: number): void => {
    if (depth > MAX_DEPTH) throw tooDeep(file, `nested more than ${MAX_DEPTH} levels deep`);
    if (length > MAX_POINTER_CHARS)
      throw tooDeep(
        file,
        `so deep, or its names are so long, that pointers into it exceed ${MAX_POINTER_CHARS / 1024} KiB`,
      );
    const names = Object.keys(value);
    values += names.length;
    if (values > MAX_VALUES) throw tooMany(file);
    if (!Array.isArray(value)) fields += names.length;
    for (const name of names) {
      const member: unknown = value[name as keyof typeof value];
      if (typeof member === 'object' && member !== null) visit(member, depth + 1, length + name.length + 1);
    }
  };
  visit(root, 0, 0);
  return fields;
}

function tooDeep(file: string, how: string): DescriptionUnreadable {
  const reason = `it is ${how}, or its YAML aliases go in a circle`;
  return new DescriptionUnreadable(file, reason, 'write the document without such nesting');
}

function tooMany(file: string): DescriptionUnreadable {
  const reason = `it holds more than ${MAX_VALUES / 1e6} million values, as written or by its YAML aliases`;
  return new DescriptionUnreadable(file, reason, 'split the description, or replace the aliases by $refs');
}
