// Reads the values of parameters and body back from a plan that was sent, as its operation describes them.
import type { RequestPlan } from '../../exchange/exchange.ts';
import type { Description, Operation, Parameter, SchemaHandle } from '../../openapi/model/operation.ts';
import { isJson } from '../../openapi/model/responses.ts';
import { isObject } from '../schema-shape.ts';

export interface SentInput {
  /** "query limit" → its value; absent parameters have no entry. */
  readonly parameters: ReadonlyMap<string, unknown>;
  /** Media type of the body without its parameters; null: no body. */
  readonly mediaType: string | null;
  /** undefined: no body, or one that cannot be read back. */
  readonly body: unknown;
}

const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

/** Under which the values of parameters stand in `SentInput`. */
export function parameterKey({ in: place, name }: Pick<Parameter, 'in' | 'name'>): string {
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`;
}

/** The input of the plan as the operation reads it; never throws. */
export function sentInput(description: Description, operation: Operation, plan: RequestPlan): SentInput {
  const pairs = [...new URLSearchParams(plan.query)];
  const path = pathTexts(operation, plan.path);
  const parameters = operation.parameters.flatMap((parameter) => {
    const value = parameterOf(description, parameter, plan, pairs, path);
    return value === undefined ? [] : [[parameterKey(parameter), value] as const];
  });
  return { parameters: new Map(parameters), ...bodyOf(description, operation, plan) };
}

function parameterOf(
  description: Description,
  parameter: Parameter,
  plan: RequestPlan,
  pairs: readonly (readonly [string, string])[],
  path: ReadonlyMap<string, string>,
): unknown {
  const { name, in: place, schema } = parameter;
  if (place === 'query') return queryValue(description, parameter, pairs);
  const text = place === 'path' ? path.get(name) : place === 'header' ? headerText(plan, name) : cookieText(plan, name);
  return text === undefined ? undefined : readAs(description, schema, candidatesOf(parameter, [text]));
}

function queryValue(
  description: Description,
  parameter: Parameter,
  pairs: readonly (readonly [string, string])[],
): unknown {
  const { name, style, schema } = parameter;
  const texts = pairs.flatMap(([given, text]) => (given === name ? [text] : []));
  if (style === 'deepObject') {
    const members = pairs.filter(([given]) => given.startsWith(`${name}[`));
    if (members.length === 0) return texts[0];
    const entries = members.map(([given, text]) => [given.slice(name.length + 1).replace(/\].*$/, ''), text] as const);
    return readAs(description, schema, objectsOf(Object.fromEntries(entries)));
  }
  return texts.length === 0 ? undefined : readAs(description, schema, candidatesOf(parameter, texts));
}

/** What the texts may mean, the plainest first. */
function candidatesOf({ style, explode, contentType }: Parameter, texts: readonly string[]): readonly unknown[] {
  const [first = ''] = texts;
  if (contentType !== undefined) return isJson(contentType) ? [parsed(first), first] : [first];
  const delimiter = DELIMITERS[style] ?? ',';
  const items = texts.length > 1 || (explode && style === 'form') ? texts : first.split(delimiter);
  const lists = [items, items.map(scalarOf), first === '' ? [] : items];
  return texts.length > 1 ? [...lists, first] : [first, scalarOf(first), ...lists];
}

function objectsOf(members: Readonly<Record<string, string>>): readonly unknown[] {
  const read = Object.entries(members).map(([name, text]) => [name, scalarOf(text)]);
  return [members, Object.fromEntries(read)];
}

/** The first candidate that the schema admits; else the first of a type that it admits, else the first. */
function readAs(description: Description, schema: SchemaHandle | null, candidates: readonly unknown[]): unknown {
  if (schema === null) return candidates[0];
  const admitted = candidates.findIndex((candidate) => description.fits(schema, candidate) === true);
  if (admitted >= 0) return candidates[admitted];
  const validator = description.validator(schema, 'request');
  const isOfType = (candidate: unknown): boolean =>
    validator?.(candidate).every(({ pointer, keyword }) => pointer !== '' || keyword !== 'type') === true;
  return candidates[Math.max(0, candidates.findIndex(isOfType))];
}

/** A text as the JSON scalar that it spells. */
function scalarOf(text: string): unknown {
  if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return Number(text);
  return text === 'true' ? true : text === 'false' ? false : text === 'null' ? null : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The texts of path parameters, without what their style puts before them; empty where the path is another one. */
function pathTexts(operation: Operation, path: string): ReadonlyMap<string, string> {
  const { names, whole } = patternOf(operation);
  const [, ...texts] = whole.exec(path) ?? [];
  return new Map(texts.map((text, index) => [names[index] ?? '', decoded(text)]));
}

interface PathPattern {
  readonly names: readonly string[];
  readonly whole: RegExp;
}

/** Every request is read by the pattern of its operation. */
const patterns = new WeakMap<Operation, PathPattern>();

function patternOf(operation: Operation): PathPattern {
  const known = patterns.get(operation);
  if (known !== undefined) return known;
  const names = [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  const source = operation.path
    .split(/\{[^}]+\}/)
    .map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('([^/]*)');
  const pattern = { names, whole: new RegExp(`^${source}$`) };
  patterns.set(operation, pattern);
  return pattern;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function headerText({ headers }: RequestPlan, name: string): string | undefined {
  return headers.find(([given]) => given.toLowerCase() === name.toLowerCase())?.[1];
}

function cookieText(plan: RequestPlan, name: string): string | undefined {
  const pairs = (headerText(plan, 'cookie') ?? '').split(';').map((pair) => pair.trim().split('='));
  const pair = pairs.find(([given = '']) => decoded(given) === name);
  return pair === undefined ? undefined : decoded(pair.slice(1).join('='));
}

function bodyOf(
  description: Description,
  { requestBody }: Operation,
  { body }: RequestPlan,
): Pick<SentInput, 'mediaType' | 'body'> {
  if (body.kind === 'none') return { mediaType: null, body: undefined };
  const [mediaType = ''] = (body.contentType ?? 'application/json').toLowerCase().split(';');
  if (body.kind === 'json') return { mediaType, body: body.value };
  if (isJson(mediaType)) return { mediaType, body: parsed(body.text) };
  if (mediaType !== 'application/x-www-form-urlencoded') return { mediaType, body: undefined };
  const members = Object.fromEntries(new URLSearchParams(body.text));
  const schema = requestBody?.content.find((media) => media.mediaType === mediaType)?.schema ?? null;
  return { mediaType, body: isObject(members) ? readAs(description, schema, objectsOf(members)) : undefined };
}
