// From text to a JSON value: JSON first, YAML 1.2 next, as swagger-parser reads files. Its parsers are used without the
// walks over the parsed document that it adds to them, which a document can make endless.
// @ts-expect-error its types leave this file out
import SwaggerParserOptions from '@apidevtools/swagger-parser/lib/options.js';
import { DescriptionUnreadable } from './unreadable.ts';

/** What swagger-parser reads files with. */
type Options = new (
  options: object,
) => { readonly parse: { readonly yaml: { parse(file: { url: string; data: string }): Promise<unknown> } } };

const Options: Options = SwaggerParserOptions;

const DEEPEST = 400;
/** Ten times what the largest public descriptions of single products hold. */
const MOST_VALUES = 2_000_000;

/**
 * The value that a text holds: a tree of JSON values, whatever YAML made it of. Throws DescriptionUnreadable when the text
 * is neither JSON nor YAML, or holds too much.
 */
export async function parseText(text: string, file: string, location: string): Promise<unknown> {
  if (text.trim() === '') throw new DescriptionUnreadable(file, 'the file is empty', EXPORT_HINT);
  if (/^\s*</.test(text)) {
    throw new DescriptionUnreadable(file, 'this is HTML or XML, neither JSON nor YAML', EXPORT_HINT, 1);
  }
  if (countedValues(text) > MOST_VALUES) throw tooMany(file);
  // YAML is nearly a superset of JSON: a .json file that only YAML can read is broken all the same.
  const json = /\.json$/i.test(new URL(location).pathname) ? parseJson(text, file) : jsonOrNull(text);
  const value = json ?? (await parseYaml(text, file, location));
  if (typeof value !== 'object' || value === null) {
    throw new DescriptionUnreadable(file, 'this is text or a single value, not a document with fields', EXPORT_HINT);
  }
  refuseUnreasonable(value, file);
  // Aliases become copies, and what only YAML knows (dates, infinities) what JSON makes of it.
  return json ?? JSON.parse(JSON.stringify(value));
}

const EXPORT_HINT = 'give the file or URL of an OpenAPI 3.0 or 3.1 document in JSON or YAML';

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

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
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

/** Keeps everything after this free from stack overflows and from documents that aliases blow up. */
function refuseUnreasonable(root: object, file: string): void {
  let values = 0;
  const visit = (value: object, depth: number): void => {
    if (depth > DEEPEST) {
      const reason = `it is nested more than ${DEEPEST} levels deep, or its YAML aliases go in a circle`;
      throw new DescriptionUnreadable(file, reason, 'write the document without such nesting');
    }
    for (const member of Object.values(value)) {
      values += 1;
      if (values > MOST_VALUES) throw tooMany(file);
      if (typeof member === 'object' && member !== null) visit(member, depth + 1);
    }
  };
  visit(root, 0);
}

function tooMany(file: string): DescriptionUnreadable {
  const reason = `it holds more than ${MOST_VALUES / 1e6} million values, as written or by its YAML aliases`;
  return new DescriptionUnreadable(file, reason, 'split the description, or replace the aliases by $refs');
}
