// From text to a JSON value. swagger-parser reads every description and every file it refers to: its parser (JSON first,
// YAML 1.2 next) is the one that decides what is in the file. `yaml` explains what the other cannot read, with the line.
import SwaggerParser from '@apidevtools/swagger-parser';
import { LineCounter, parseDocument } from 'yaml';
import { DescriptionUnreadable } from './unreadable.ts';

const DEEPEST = 400;
/** A text cannot hold more values than this per character unless its aliases multiply them. */
const MOST_VALUES_PER_CHARACTER = 4;

/** The value that a text holds. Throws DescriptionUnreadable when it is neither JSON nor YAML, or unreasonably deep or multiplied. */
export async function parseText(text: string, file: string, location: string): Promise<unknown> {
  if (text.trim() === '') throw new DescriptionUnreadable(file, 'the file is empty', EXPORT_HINT);
  if (/^\s*</.test(text)) {
    throw new DescriptionUnreadable(file, 'this is HTML or XML, neither JSON nor YAML', EXPORT_HINT, 1);
  }
  const value = await parsed(text, file, location);
  refuseUnreasonable(value, text, file);
  return value;
}

const EXPORT_HINT = 'give the file or URL of an OpenAPI 3.0 or 3.1 document in JSON or YAML';

async function parsed(text: string, file: string, location: string): Promise<unknown> {
  const parser = new SwaggerParser();
  try {
    return await parser.parse(location, {
      resolve: { file: { order: 1, canRead: true, read: () => text }, http: false },
      // YAML is nearly a superset of JSON: a .json file that only YAML can read is broken all the same.
      parse: { text: false, binary: false, ...(isJsonFile(location) ? { yaml: false } : {}) },
    });
  } catch (error) {
    // parse() also refuses what is readable but, in its eyes, no valid definition; that is for the rules to judge.
    if (parser.api !== null && parser.api !== undefined) return parser.api;
    throw isJsonFile(location) ? brokenJson(text, file, error) : brokenYaml(text, file, error);
  }
}

function brokenYaml(text: string, file: string, cause: unknown): DescriptionUnreadable {
  const lines = new LineCounter();
  const [first] = parseDocument(text, { lineCounter: lines, prettyErrors: false }).errors;
  if (first === undefined) {
    return new DescriptionUnreadable(file, 'this is text, not a document with fields', EXPORT_HINT, null, cause);
  }
  const reason = `neither JSON nor YAML: ${first.message.replace(/\s+/g, ' ')}`;
  return new DescriptionUnreadable(file, reason, 'correct that line', lines.linePos(first.pos[0]).line, cause);
}

function isJsonFile(location: string): boolean {
  return /\.json$/i.test(new URL(location).pathname);
}

function brokenJson(text: string, file: string, cause: unknown): DescriptionUnreadable {
  try {
    JSON.parse(text);
  } catch (error) {
    const { message } = error as SyntaxError;
    const offset = /at position (\d+)/.exec(message)?.[1];
    const line = offset === undefined ? text.split('\n').length : text.slice(0, Number(offset)).split('\n').length;
    return new DescriptionUnreadable(
      file,
      `no JSON: ${message.replace(/\s+/g, ' ')}`,
      'correct that line',
      line,
      cause,
    );
  }
  return new DescriptionUnreadable(file, 'this is JSON, but no object', EXPORT_HINT, null, cause);
}

/** Keeps everything after this free from stack overflows and from documents that aliases blow up. */
function refuseUnreasonable(root: unknown, text: string, file: string): void {
  const most = text.length * MOST_VALUES_PER_CHARACTER;
  let values = 0;
  const visit = (value: object, depth: number): void => {
    if (depth > DEEPEST) {
      const reason = `nested more than ${DEEPEST} levels deep`;
      throw new DescriptionUnreadable(file, reason, 'write the document without such nesting');
    }
    for (const member of Object.values(value)) {
      values += 1;
      if (values > most) {
        const reason = 'its YAML aliases multiply it beyond any reasonable size, or go in a circle';
        throw new DescriptionUnreadable(file, reason, 'replace the aliases by $refs');
      }
      if (typeof member === 'object' && member !== null) visit(member, depth + 1);
    }
  };
  if (typeof root === 'object' && root !== null) visit(root, 0);
}
