// A description read whole: parsed, its references followed, its problems found. All of it is data, so that it can be kept.

import { isObject, type JsonObject } from '../json.ts';
import type { Problem } from '../model/operation.ts';
import { readSchemes } from '../model/operations.ts';
import { compositionCircles } from '../rules/endless-references.ts';
import type { Version } from '../rules/official-schemas.ts';
import { ruleProblems } from '../rules/rules.ts';
import { structureProblems } from '../rules/structure.ts';
import { bundle } from './bundle.ts';
import { type FileOrigin, originOf } from './files.ts';
import { withLines } from './lines.ts';
import { parseText } from './parse.ts';
import { References } from './references.ts';
import type { Source, Sources } from './source.ts';
import { fromSwagger } from './swagger.ts';
import { placeInSwagger } from './swagger-places.ts';
import { DescriptionUnreadable } from './unreadable.ts';

export type Dialect = '3.0' | '3.1';

export interface Checked {
  /** The version of OpenAPI as the description states it. */
  readonly openapi: string;
  readonly dialect: Dialect;
  /** One document: files referred to are attached, every $ref is a pointer into it. A Swagger 2.0 document stands here as OpenAPI 3.0. */
  readonly document: JsonObject;
  /** In the order of file and line. */
  readonly problems: readonly Problem[];
  /** Schema objects that break a rule: pointers into the document. */
  readonly brokenSchemas: readonly string[];
  /** True where any reference leads nowhere. */
  readonly dangling: boolean;
  /** The description first. */
  readonly files: readonly FileOrigin[];
  /** True where every file referred to could be read. */
  readonly complete: boolean;
  /** True where every reference stays in the document, so that it says the same wherever it lies. */
  readonly standsAlone: boolean;
}

/** A description's own document, before any reference is followed. */
export interface RootDocument {
  /** As it is written, of whichever version. */
  readonly document: JsonObject;
  readonly version: Version;
  /** How many fields came out of its text. */
  readonly fields: number;
}

/** Throws DescriptionUnreadable for what is no OpenAPI document. */
export async function readDocument(root: Pick<Source, 'text' | 'name' | 'location'>): Promise<RootDocument> {
  const { value, fields } = await parseText(root.text, root.name, root.location);
  return { document: value as JsonObject, version: versionOf(value, root.name), fields };
}

/** How the schemas of a version are read. */
export function dialectOf(version: Version): Dialect {
  return version === '2.0' || version === '3.0' ? '3.0' : '3.1';
}

/** The document as OpenAPI 3 would have it. */
export function asOpenApi3({ document, version }: Pick<RootDocument, 'document' | 'version'>): JsonObject {
  return version === '2.0' ? fromSwagger(document) : document;
}

/** Throws DescriptionUnreadable for what is no OpenAPI document. */
export async function checkDescription(root: Source, sources: Sources): Promise<Checked> {
  const { document: written, version, fields } = await readDocument(root);
  const dialect = dialectOf(version);
  const bundled = await bundle({ root, document: written, fields, dialect, sources });
  const structure = structureProblems(bundled, version);
  const asWritten = new References(bundled.document, dialect);
  const circles = compositionCircles(bundled.composed, asWritten).map(({ pointer }) => ({
    pointer,
    rule: 'circular-ref',
    message: 'the schema is composed of itself (allOf): no value can be judged by it',
  }));
  const document = asOpenApi3({ document: bundled.document, version });
  // References that were followed once are known: only another document is followed anew.
  const references = document === bundled.document ? asWritten : new References(document, dialect);
  const broken = ruleProblems(references, readSchemes(references));
  const rules = version === '2.0' ? broken.map((one) => ({ ...one, pointer: placeInSwagger(one.pointer) })) : broken;
  const problems = [
    ...[...structure, ...circles, ...rules].map((problem) => ({
      ...problem,
      ...originOf(bundled.files, problem.pointer),
    })),
    ...bundled.problems,
  ];
  return {
    openapi: String(written.openapi ?? written.swagger),
    dialect,
    document,
    problems: [...withLines(problems.slice(0, MAX_PROBLEMS), bundled.files), ...unlisted(problems, root)],
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
const MAX_PROBLEMS = 10_000;

function unlisted(problems: readonly Problem[], { name }: Source): Problem[] {
  const more = problems.length - MAX_PROBLEMS;
  const message = `${more} further problems are not listed`;
  return more > 0 ? [{ file: name, pointer: '', rule: 'more-problems', message }] : [];
}

const BREAKING: readonly string[] = ['schema-keyword', 'circular-ref'];

const VERSION_HINT = 'give an OpenAPI document of version 2.0 (Swagger), 3.0, 3.1 or 3.2';
const VERSIONS: readonly Version[] = ['2.0', '3.0', '3.1', '3.2'];

/** Throws DescriptionUnreadable unless the document says which version of OpenAPI it is, even if badly ("3.0", 3.1). */
function versionOf(document: unknown, file: string): Version {
  if (!isObject(document))
    throw new DescriptionUnreadable(file, 'this is a list, not an OpenAPI document', VERSION_HINT);
  const stated = document.openapi ?? document.swagger;
  if (stated === undefined)
    throw new DescriptionUnreadable(file, 'there is no `openapi` field, not an OpenAPI document', VERSION_HINT);
  const text = typeof stated === 'number' && Number.isInteger(stated) ? `${stated}.0` : String(stated);
  const version = VERSIONS.find((one) => text === one || text.startsWith(`${one}.`));
  if (version === undefined || (version === '2.0') !== (document.openapi === undefined))
    throw new DescriptionUnreadable(file, `OpenAPI ${JSON.stringify(stated)} is not supported`, VERSION_HINT);
  return version;
}
