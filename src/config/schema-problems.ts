// Holds a file of the user against its published schema: tells every breach in words that name the key, and the
// expected and the found value. Values that may be secrets are named by their type only.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { CLAUSES, isClauseId } from '../contract/clauses.ts';
import { plural } from '../contract/numbers.ts';
import { isOwnClauseId } from '../contract/own-clauses.ts';
import { isTargetHeader } from './constant-header.ts';
import type { ConfigProblem, UsageCode } from './errors.ts';
import { isHttpUrl, isLoginUrl, isTraceUrl } from './http-url.ts';
import { keyOf, segmentOf } from './key-path.ts';
import { suggestion } from './nearest.ts';

interface SchemaPart {
  readonly title?: string;
  readonly properties?: Readonly<Record<string, SchemaPart>>;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly oneOf?: readonly { readonly required: readonly string[] }[];
  readonly anyOf?: readonly { readonly required: readonly string[] }[];
}

/** Schemas beside this file. */
type SchemaFile = 'config.schema.json' | 'contract.schema.json' | 'waivers.schema.json';

const CLAUSE_IDS = CLAUSES.map(({ id }) => id);

/**
 * All breaches of the schema, one per key and kind, in document order of the schema.
 * `hidden` are the pointers whose values must not be shown, besides keys and credentials, which never are.
 */
export function schemaProblems(
  document: unknown,
  hidden: ReadonlySet<string> = new Set(),
  file: SchemaFile = 'config.schema.json',
): ConfigProblem[] {
  const validate = validatorOf(file);
  if (validate(document)) return [];
  const seen = new Set<string>();
  const problems: ConfigProblem[] = [];
  for (const error of validate.errors ?? []) {
    const problem = inWords(error, hidden);
    if (problem === null || seen.has(`${problem.key} ${problem.message}`)) continue;
    seen.add(`${problem.key} ${problem.message}`);
    problems.push(problem);
  }
  return problems;
}

/** Compiled once a process. */
const validators = new Map<SchemaFile, ValidateFunction>();

function validatorOf(file: SchemaFile): ValidateFunction {
  const known = validators.get(file) ?? compiled(file);
  validators.set(file, known);
  return known;
}

function compiled(file: SchemaFile): ValidateFunction {
  // The schemas are our own, and judged by their tests: a command need not compile the meta-schema too.
  // They judge a file or two: optimising takes longer than it saves.
  const options = { meta: false, validateSchema: false, code: { optimize: false } };
  return new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true, ...options })
    .addFormat('http-url', isHttpUrl)
    .addFormat('trace-url', isTraceUrl)
    .addFormat('constant-header', isTargetHeader)
    .addFormat('login-url', isLoginUrl)
    .addFormat('clause-id', (id: string) => isClauseId(id) || isOwnClauseId(id))
    .addFormat('day', isDay)
    .compile(JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8')));
}

/** A day of the calendar: 2026-02-30 is none. */
function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function inWords(error: ErrorObject, hidden: ReadonlySet<string>): ConfigProblem | null {
  // The branches of a oneOf or anyOf are told as one, by itself; a name's pattern by propertyNames; a condition by what it asks for.
  if (/\/(oneOf|anyOf)\//.test(error.schemaPath) || error.propertyName !== undefined || error.keyword === 'if')
    return null;
  const part = (error.parentSchema ?? {}) as SchemaPart;
  return WORDED[error.keyword]?.(error, part) ?? wrongValue(error, part, hidden);
}

/** How breaches of some keywords are told; those of all others are wrong values. */
const WORDED: Readonly<Record<string, (error: ErrorObject, part: SchemaPart) => ConfigProblem>> = {
  additionalProperties({ params, instancePath }, part) {
    const name = String(params.additionalProperty);
    return problem(
      'ASSAY_CONFIG_KEY_UNKNOWN',
      instancePath,
      name,
      unknownKey(name, Object.keys(part.properties ?? {})),
    );
  },
  propertyNames({ params, instancePath, schema }) {
    const wanted = (schema as SchemaPart).title ?? 'another name';
    return problem('ASSAY_CONFIG_KEY_UNKNOWN', instancePath, String(params.propertyName), `expected ${wanted}`);
  },
  required({ params, instancePath }, part) {
    const name = String(params.missingProperty);
    const wanted = part.properties?.[name]?.title ?? kindOf(part.properties?.[name]);
    return problem('ASSAY_CONFIG_KEY_MISSING', instancePath, name, `is missing; expected ${wanted}`);
  },
  oneOf: ({ instancePath }, { oneOf }) => wrongChoice(instancePath, 'exactly', oneOf),
  anyOf: ({ instancePath }, { anyOf }) => wrongChoice(instancePath, 'at least', anyOf),
};

function wrongChoice(pointer: string, count: string, branches: SchemaPart['oneOf']): ConfigProblem {
  const all = (branches ?? []).flatMap(({ required }) => required);
  const names = `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
  return problem('ASSAY_CONFIG_VALUE_INVALID', pointer, null, `expected ${count} one of ${names}`);
}

function wrongValue(error: ErrorObject, part: SchemaPart, hidden: ReadonlySet<string>): ConfigProblem {
  const pointer = error.instancePath;
  const found = shown(error.data, pointer, hidden);
  const known = part.format === 'clause-id' ? CLAUSE_IDS : part.enum?.map(String);
  const guess = typeof error.data === 'string' && known ? suggestion(error.data, known) : '';
  return problem(
    'ASSAY_CONFIG_VALUE_INVALID',
    pointer,
    null,
    `expected ${expected(error, part)}, found ${found}${guess}`,
  );
}

function problem(code: UsageCode, pointer: string, name: string | null, message: string): ConfigProblem {
  const parent = keyOf(pointer);
  if (name === null) return { code, key: parent, pointer, message };
  return { code, key: parent === '' ? name : `${parent}.${name}`, pointer: `${pointer}/${segmentOf(name)}`, message };
}

function unknownKey(name: string, known: readonly string[]): string {
  return `unknown key${suggestion(name, known)}; known here: ${known.filter((key) => key !== '$schema').join(', ')}`;
}

/** The value that the schema demands, as a noun phrase: its title, else read off the keyword. */
function expected(error: ErrorObject, part: SchemaPart): string {
  if (part.title !== undefined) return part.title;
  if (part.enum) return `one of ${part.enum.join(', ')}`;
  if (error.keyword === 'type') return kindOf({ type: error.params.type } as SchemaPart);
  if (error.keyword === 'minItems' || error.keyword === 'minProperties') return 'at least one entry';
  if (error.keyword === 'minLength') return 'a string that is not empty';
  if (error.keyword === 'minimum') return `a number of at least ${error.params.limit}`;
  if (error.keyword === 'exclusiveMinimum') return `a number above ${error.params.limit}`;
  return `a value that meets ${error.keyword}`;
}

function kindOf(part: unknown): string {
  const { type, enum: values } = (part ?? {}) as { type?: string; enum?: readonly string[] };
  if (values) return `one of ${values.join(', ')}`;
  if (type === undefined) return 'a value';
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type === 'array' ? 'array (a list)' : type}`;
}

/** The value as it may be shown: short, and only its type where it may be a secret or came from the environment. */
function shown(value: unknown, pointer: string, hidden: ReadonlySet<string>): string {
  if (value === null) return 'nothing (null)';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  const article = `a ${typeof value}`;
  if (value === '') return 'an empty string';
  if (hidden.has(pointer)) return `${article} from the environment`;
  if (pointer === '/webhooks/secret' || /^\/target\/(headers|tls)\//.test(pointer)) return article;
  if (/^\/(keys|credentials)(\/|$)/.test(pointer) && !/^\/keys\/\d+\/(name|plan|account)$/.test(pointer))
    return article;
  if (/^\w+:\/\/[^/]*@/.test(String(value))) return 'a URL with a user name';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${article} of ${plural(String(value).length, 'character')}` : text;
}
