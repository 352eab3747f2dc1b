// A description from its file or URL to operations. Nothing is dereferenced and no schema is compiled here: that waits
// until somebody asks for a validator. What a description was found to be is kept by its digest, where a cache is given.
import { createHash } from 'node:crypto';
import type { DescriptionCache } from '../cache/cache.ts';
import { asObject, asString } from '../json.ts';
import type { Change, Description, Problem, SchemaHandle, Validator } from '../model/operation.ts';
import { readOperations, readSchemes, withUnspoken } from '../model/operations.ts';
import { TooCostly } from '../patterns/too-costly.ts';
import { Uncompilable } from '../schema/dialect.ts';
import { Discriminators } from '../schema/discriminator.ts';
import { createUndescribed } from '../schema/undescribed.ts';
import { beginLook } from '../validate/spending.ts';
import { Validators } from '../validate/validators.ts';
import type { Checked } from './checked.ts';
import { originOf } from './files.ts';
import { References, reachable } from './references.ts';
import { type Ask, type Source, Sources } from './source.ts';
import { placeInSwagger } from './swagger-places.ts';
import { DescriptionUnreadable } from './unreadable.ts';

export interface LoadOptions {
  readonly service: string;
  /** Path (relative to the working directory) or http(s) URL, as the user names it. */
  readonly file: string;
  /** Text of the file, where it is at hand; absent: it is read. */
  readonly text?: string;
  /** Hosts ("example.com", "127.0.0.1:8080") from which $refs may be fetched. */
  readonly remoteRefs: readonly string[];
  /** Text before a path of the description, given the path of its servers; absent: that path. */
  readonly rebase?: (serverPath: string) => string;
  /** Absent: every description is read anew. */
  readonly cache?: DescriptionCache;
  /** How URLs are fetched; absent: directly. */
  readonly ask?: Ask;
}

/**
 * The description, with every problem that SPEC-01 speaks of and the operations that can be understood all the same.
 * Throws DescriptionUnreadable for what is missing, unreadable or no OpenAPI document.
 */
export async function loadDescription(options: LoadOptions): Promise<Description> {
  const { service, file, text, remoteRefs, cache, ask, rebase = (path: string) => path } = options;
  const sources = new Sources(file, remoteRefs, text, ask);
  const root = await readRoot(file, sources);
  const key = (await cache?.keyOf(root, remoteRefs)) ?? '';
  const kept = (await cache?.find(key, root, sources)) ?? null;
  const checked = kept ?? (await check(root, sources));
  if (kept === null) await cache?.keep(key, checked);
  const { document, dialect, dangling } = checked;
  const references = new References(document, dialect);
  const discriminators = new Discriminators(references);
  const { title, version } = asObject(document.info);
  const securitySchemes = readSchemes(references);
  const ownPath = /^https?:/i.test(file) ? new URL(file).pathname : '/';
  const operations = readOperations(references, { service, dangling, rebase, ownPath });
  return {
    service,
    file,
    digest: digestOf(checked.files),
    openapi: checked.openapi,
    dialect,
    title: asString(title) ?? '',
    version: String(version ?? ''),
    operations: operations.map((operation) => withUnspoken(operation, securitySchemes)),
    securitySchemes,
    document,
    deref: (schema) => references.deref(schema),
    branches: (schema) => discriminators.choiceOf(asObject(schema)),
    ...judging(references, checked),
  };
}

/** One digest for all files of a description. */
function digestOf(files: Checked['files']): string {
  const [first, ...others] = files.map(({ name, digest }) => `${name} ${digest}`);
  const hash = createHash('sha256');
  // The name of the description itself is no part of what it says.
  return hash.update([first?.split(' ').at(-1), ...others.sort()].join('\n')).digest('hex');
}

/** The tools that read a description anew (parsers, the schemas of OpenAPI) are only loaded when they must be. */
async function check(root: Source, sources: Sources): Promise<Checked> {
  const { checkDescription } = await import('./checked.ts');
  return checkDescription(root, sources);
}

async function readRoot(file: string, sources: Sources): Promise<Source> {
  try {
    return await sources.description();
  } catch (error) {
    const hint = "check the path or URL of this service's `spec`";
    throw new DescriptionUnreadable(file, `cannot be read: ${(error as Error).message}`, hint, null, error);
  }
}

/** The rule of a schema that is sound and too large to be judged by: no fault of the description. */
const TOO_LARGE = 'schema-too-large';

/** Answer to the question, or `otherwise` where nobody can wait for it. */
function unlessTooCostly<T>(ask: () => T, otherwise: T): T {
  beginLook();
  try {
    return ask();
  } catch (error) {
    if (error instanceof TooCostly) return otherwise;
    throw error;
  }
}

/** Keeps the problems: those found already, and one for each schema that turns out not to compile without known reason. */
class Problems {
  readonly all: Problem[];
  /** Schemas, as values, that are sound and too large to be judged by. */
  readonly tooLarge = new Set<unknown>();
  readonly #references: References;
  readonly #checked: Checked;

  constructor(references: References, checked: Checked) {
    this.all = [...checked.problems];
    this.#references = references;
    this.#checked = checked;
  }

  readonly report = (schema: SchemaHandle, error: Error): void => {
    const why = error instanceof Uncompilable ? error.why : error instanceof RangeError ? 'large' : 'broken';
    if ((why === 'told' && this.#checked.dangling) || this.#isExplained(schema)) return;
    if (why === 'large') this.tooLarge.add(schema.value);
    const problem = {
      ...originOf(this.#checked.files, this.#place(schema.pointer)),
      rule: why === 'large' ? TOO_LARGE : 'schema-compilation',
      message: `the schema cannot be compiled: ${error.message}`,
    };
    if (this.all.every(({ rule, pointer }) => rule !== problem.rule || pointer !== problem.pointer))
      this.all.push(problem);
  };

  #isExplained(schema: SchemaHandle): boolean {
    return reachable(schema, this.#references)
      .map(({ pointer }) => this.#place(pointer))
      .some((place) =>
        this.#checked.brokenSchemas.some((broken) => broken === place || broken.startsWith(`${place}/`)),
      );
  }

  #place(pointer: string): string {
    return this.#checked.openapi === '2.0' ? placeInSwagger(pointer) : pointer;
  }
}

/** Validators are made on first use. */
function judging(references: References, checked: Checked) {
  const { all: problems, tooLarge, report } = new Problems(references, checked);
  const validators = new Validators({ references, report });
  const undescribed = {
    request: createUndescribed(references, validators, 'request'),
    response: createUndescribed(references, validators, 'response'),
  };
  return {
    problems: problems as readonly Problem[],
    validator: (schema: SchemaHandle, direction: 'request' | 'response'): Validator | null =>
      validators.validator(schema, direction),
    prepare: (schema: SchemaHandle, direction: 'request' | 'response') => validators.prepare(schema, direction),
    fits: (schema: SchemaHandle, value: unknown) =>
      unlessTooCostly(() => validators.judge(schema, 'request')?.(value) ?? null, null),
    isBrokenAt: (schema: SchemaHandle, change: Change) =>
      unlessTooCostly(() => validators.isBrokenAt(schema, change), false),
    undescribed(schema: SchemaHandle, value: unknown, direction: 'request' | 'response') {
      validators.judge(schema, direction);
      if ([schema, references.resolve(schema.value, '')].some((at) => tooLarge.has(at?.value)))
        throw new TooCostly('its schema is too large');
      beginLook();
      return undescribed[direction](schema, value);
    },
    forget: () => validators.forget(),
  };
}
