// A description read whole: parsed, its references followed, its problems found. All of it is data, so that it can be kept.

import { isObject, type JsonObject } from '../json.ts';
import type { Problem } from '../model/operation.ts';
import { readSchemes } from '../model/operations.ts';
import { compositionCircles } from '../rules/endless-references.ts';
import { ruleProblems } from '../rules/rules.ts';
import { structureProblems } from '../rules/structure.ts';
import { bundle } from './bundle.ts';
import { type FileOrigin, originOf } from './files.ts';
import { withLines } from './lines.ts';
import { parseText } from './parse.ts';
import { References } from './references.ts';
import type { Source, Sources } from './source.ts';
import { DescriptionUnreadable } from './unreadable.ts';

export type Dialect = '3.0' | '3.1';

export interface Checked {
  readonly dialect: Dialect;
  /** One document: files referred to are attached, every $ref is a pointer into it. */
  readonly document: JsonObject;
  /** In the order of file and line. */
  readonly problems: readonly Problem[];
  /** Schema objects that break a rule: pointers into the document. */
  readonly brokenSchemas: readonly string[];
  /** Whether any reference leads nowhere. */
  readonly dangling: boolean;
  /** The description first. */
  readonly files: readonly FileOrigin[];
  /** Whether every file referred to could be read. */
  readonly complete: boolean;
  /** Whether every reference stays in the document, so that it says the same wherever it lies. */
  readonly standsAlone: boolean;
}

/** A description's own document, before any reference is followed. */
export interface RootDocument {
  readonly document: JsonObject;
  readonly dialect: Dialect;
  /** How many fields came out of its text. */
  readonly fields: number;
}

/** Throws DescriptionUnreadable for what is no OpenAPI 3.0 or 3.1 document. */
export async function readDocument(root: Pick<Source, 'text' | 'name' | 'location'>): Promise<RootDocument> {
  const { value, fields } = await parseText(root.text, root.name, root.location);
  return { document: value as JsonObject, dialect: dialectOf(value, root.name), fields };
}

/** Throws DescriptionUnreadable for what is no OpenAPI 3.0 or 3.1 document. */
export async function checkDescription(root: Source, sources: Sources): Promise<Checked> {
  const { document, dialect, fields } = await readDocument(root);
  const bundled = await bundle({ root, document, fields, dialect, sources });
  const references = new References(bundled.document, dialect);
  const structure = structureProblems(bundled, dialect);
  const circles = compositionCircles(bundled.composed, references).map(({ pointer }) => ({
    pointer,
    rule: 'circular-ref',
    message: 'the schema is composed of itself (allOf): no value can be judged by it',
  }));
  const found = [...structure, ...circles, ...ruleProblems(references, readSchemes(references))];
  const problems = [
    ...found.map((problem) => ({ ...problem, ...originOf(bundled.files, problem.pointer) })),
    ...bundled.problems,
  ];
  return {
    dialect,
    document: bundled.document,
    problems: [...withLines(problems.slice(0, MOST_PROBLEMS), bundled.files), ...unlisted(problems, root)],
    brokenSchemas: [...structure, ...circles]
      .filter(({ rule }) => BREAKING.includes(rule))
      .map(({ pointer }) => pointer),
    dangling: bundled.dangling.size > 0,
    files: bundled.files.map(({ name, location, digest, prefix }) => ({ name, location, digest, prefix })),
    complete: bundled.complete,
    standsAlone: bundled.standsAlone,
  };
}

/** Nobody reads more, and reports must end. */
const MOST_PROBLEMS = 10_000;

function unlisted(problems: readonly Problem[], { name }: Source): Problem[] {
  const more = problems.length - MOST_PROBLEMS;
  const message = `${more} further problems are not listed`;
  return more > 0 ? [{ file: name, pointer: '', rule: 'more-problems', message }] : [];
}

const BREAKING: readonly string[] = ['schema-keyword', 'circular-ref'];

const VERSION_HINT = 'give an OpenAPI 3.0 or 3.1 document (converters exist for Swagger 2.0)';

/** Throws DescriptionUnreadable unless the document says that it is OpenAPI 3.0 or 3.1, even if badly ("3.0", 3.1). */
function dialectOf(document: unknown, file: string): Dialect {
  if (!isObject(document))
    throw new DescriptionUnreadable(file, 'this is a list, not an OpenAPI document', VERSION_HINT);
  if (document.openapi === undefined) {
    const reason =
      'swagger' in document ? `this is Swagger ${String(document.swagger)}` : 'there is no `openapi` field';
    throw new DescriptionUnreadable(file, `${reason}, not an OpenAPI 3 document`, VERSION_HINT);
  }
  const version = document.openapi === 3 ? '3.0' : String(document.openapi);
  const dialect = /^3\.([01])(\.|$)/.exec(version)?.[1];
  if (dialect === undefined) {
    throw new DescriptionUnreadable(file, `OpenAPI ${JSON.stringify(document.openapi)} is not supported`, VERSION_HINT);
  }
  return dialect === '0' ? '3.0' : '3.1';
}
