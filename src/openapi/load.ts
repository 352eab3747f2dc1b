// A description from its file or URL to operations: read, parsed, its references followed, its problems collected.
// Nothing is dereferenced and no schema is compiled here: that waits until somebody asks for a validator.
import { bundle } from './bundle.ts';
import { originOf, type SourceFile } from './files.ts';
import { asObject, asString, isObject, type JsonObject } from './json.ts';
import { withLines } from './lines.ts';
import type { Description, Problem, SchemaHandle, Validator } from './operation.ts';
import { readOperations } from './operations.ts';
import { parseText } from './parse.ts';
import { References } from './references.ts';
import { ruleProblems } from './rules.ts';
import { locationOf, readSource } from './source.ts';
import { structureProblems } from './structure.ts';
import { createUndescribed } from './undescribed.ts';
import { DescriptionUnreadable } from './unreadable.ts';
import { Validators } from './validators.ts';

export interface LoadOptions {
  readonly service: string;
  /** Path (relative to the working directory) or http(s) URL, as the user names it. */
  readonly file: string;
  /** Hosts ("example.com", "127.0.0.1:8080") from which $refs may be fetched. */
  readonly remoteRefs: readonly string[];
  /** What stands before a path of the description, given the path of its servers; absent: that path. */
  readonly rebase?: (serverPath: string) => string;
}

/**
 * The description, with every problem that SPEC-01 speaks of and the operations that can be understood all the same.
 * Throws DescriptionUnreadable for what is missing, unreadable or no OpenAPI 3.0 or 3.1 document.
 */
export async function loadDescription(options: LoadOptions): Promise<Description> {
  const { file, service } = options;
  const location = locationOf(file);
  const text = await textOf(file, location);
  const document = await parseText(text, file, location);
  const dialect = dialectOf(document, file);
  const root = { name: file, location, text };
  const bundled = await bundle({ root, document: document as JsonObject, dialect, remoteRefs: options.remoteRefs });
  const references = new References(bundled.document, dialect);
  const found = readOperations(references, {
    service,
    dangling: bundled.dangling.size > 0,
    rebase: options.rebase ?? ((path) => path),
  });
  const located = (problem: Omit<Problem, 'file'>): Problem => ({
    ...problem,
    ...originOf(bundled.files, problem.pointer),
  });
  const problems = [
    ...structureProblems(bundled, dialect).map(located),
    ...ruleProblems(references, found.securitySchemes).map(located),
    ...bundled.problems,
  ];
  return {
    service,
    file,
    openapi: String(bundled.document.openapi),
    dialect,
    title: asString(asObject(bundled.document.info).title) ?? '',
    version: String(asObject(bundled.document.info).version ?? ''),
    ...found,
    document: bundled.document,
    deref: (schema) => references.deref(schema),
    ...judging(references, withLines(problems, bundled.files), bundled.files),
  };
}

/** Rules whose breach explains why a schema cannot be compiled. */
const EXPLAINING: readonly string[] = ['unresolved-ref', 'circular-ref', 'schema-keyword'];

/** Validators are made on first use; a schema that then cannot be compiled, without known reason, is a further problem. */
function judging(references: References, problems: Problem[], files: readonly SourceFile[]) {
  const validators = new Validators(references, (pointer, message) => {
    if (problems.some(({ rule }) => EXPLAINING.includes(rule))) return;
    problems.push(...withLines([{ ...originOf(files, pointer), rule: 'schema-compilation', message }], files));
  });
  const validator = (schema: SchemaHandle, direction: 'request' | 'response'): Validator | null =>
    validators.validator(schema, direction);
  return {
    problems: problems as readonly Problem[],
    validator,
    undescribed: createUndescribed(references, validators),
  };
}

async function textOf(file: string, location: string): Promise<string> {
  try {
    return await readSource(location);
  } catch (error) {
    const hint = "check the path or URL of this service's `spec`";
    throw new DescriptionUnreadable(file, `cannot be read: ${(error as Error).message}`, hint, null, error);
  }
}

const VERSION_HINT = 'give an OpenAPI 3.0 or 3.1 document (converters exist for Swagger 2.0)';

/** Throws DescriptionUnreadable unless the document says that it is OpenAPI 3.0 or 3.1, even if badly ("3.0", 3.1). */
function dialectOf(document: unknown, file: string): '3.0' | '3.1' {
  if (!isObject(document)) {
    const actual = Array.isArray(document) ? 'a list' : `a ${document === null ? 'null' : typeof document}`;
    throw new DescriptionUnreadable(file, `this is ${actual}, not an OpenAPI document`, VERSION_HINT);
  }
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
