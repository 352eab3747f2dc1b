// Reads where a refusal finds fault with its request, and what it demands there, whatever the form of its body: lists of errors with
// a path (FastAPI, JSON Schema, Joi, Zod, JSON:API, problem details), maps by field (DRF, ASP.NET, Laravel, Rails), or one sentence.

import { header, jsonBody } from '../exchange/body.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { essence } from '../exchange/media-type.ts';
import { isObject, type JsonObject } from '../openapi/json.ts';
import { type Demand, demandsOf, valuesOf } from './refusal-demands.ts';

export type Part = 'body' | 'query' | 'path' | 'header' | 'cookie';

export interface Hint {
  /** Null: the refusal does not say. */
  readonly part: Part | null;
  /** Names from the outside in, as the refusal writes them; digits for an item of a list. Empty: the whole. */
  readonly path: readonly string[];
  readonly demand: Demand;
  /** The sentence that demands it; empty: what is beside one. */
  readonly sentence: string;
}

const [MAX_DEPTH, MAX_HINTS, MAX_NAME, MAX_TEXT] = [6, 50, 100, 20_000];

const PARTS: Readonly<Record<string, Part>> = {
  ...{ body: 'body', json: 'body', requestbody: 'body', form: 'body', formdata: 'body', payload: 'body', data: 'body' },
  ...{ query: 'query', querystring: 'query', params: 'path', path: 'path', pathparams: 'path' },
  ...{ header: 'header', headers: 'header', cookie: 'cookie', cookies: 'cookie' },
};
/** Members that hold a sentence. */
const SENTENCES =
  /^(message|messages|msg|detail|details|description|reason|title|error|errors|error_?message|error_description|text|hint)$/i;
/** Members that hold errors, and say nothing of where. */
const CONTAINERS =
  /^(errors?|details?|issues|violations|invalid[-_]?params|fields|field_?errors|validation_?errors|messages|causes?|inner|extensions|result|\d+)$/i;
/** Members that name the place. */
const PLACES =
  /^(loc|path|field|field_?name|pointer|instance_?path|data_?path|property|property_?path|parameter|param|attribute|source|name|location|key)$/i;

interface At {
  readonly part: Part | null;
  readonly path: readonly string[];
}

const NOWHERE: At = { part: null, path: [] };

/** Each once, in the order of the refusal; none where it demands nothing that can be read. */
export function hintsOf(exchange: Exchange): readonly Hint[] {
  const { response } = exchange;
  if (response === null || response.status < 400) return [];
  const body = jsonBody(exchange);
  const isText = essence(header(response.headers, 'content-type') ?? '') === 'text/plain';
  const value = body.ok ? body.value : isText ? response.body : null;
  const found = [...hintsIn(value, NOWHERE, 0)].slice(0, MAX_HINTS);
  return [...new Map(found.map((hint) => [JSON.stringify(hint), hint])).values()];
}

function* hintsIn(value: unknown, at: At, depth: number): Generator<Hint> {
  if (depth > MAX_DEPTH) return;
  if (typeof value === 'string') yield* hintsOfSentence(value, at);
  else if (Array.isArray(value)) for (const item of value.slice(0, MAX_HINTS)) yield* hintsIn(item, at, depth + 1);
  else if (isObject(value)) yield* hintsOfObject(value, at, depth);
}

/** FastAPI's list of errors where a server hands it on as a text. */
const LISTED_AS_TEXT = /'loc': \(([^)]{0,300})\), 'msg': (?:'([^']{1,500})'|"([^"]{1,500})")/g;

function* hintsOfSentence(sentence: string, at: At): Generator<Hint> {
  const listed = [...sentence.slice(0, MAX_TEXT).matchAll(LISTED_AS_TEXT)];
  for (const [, loc = '', single, double] of listed) {
    const tokens = loc.split(',').map((token) => token.replaceAll(/['"\s]/g, ''));
    const place = placeNamed(
      {},
      'loc',
      tokens.filter((token) => token !== ''),
    );
    yield* hintsOfOne(single ?? double ?? '', place ?? at);
  }
  if (listed.length === 0) yield* hintsOfOne(sentence, at);
}

function* hintsOfOne(sentence: string, at: At): Generator<Hint> {
  for (const { names, demand } of demandsOf(sentence)) {
    if (names.length === 0) yield { ...at, demand, sentence };
    // A validator names a member within the place of its sentence, or repeats the place.
    for (const name of names)
      yield {
        part: at.part,
        path: name === at.path.at(-1) ? at.path : [...at.path, ...tokensOf(name)],
        demand,
        sentence,
      };
  }
}

function* hintsOfObject(object: JsonObject, at: At, depth: number): Generator<Hint> {
  const place = placeOf(object);
  const own = place === null ? at : { part: place.part ?? at.part, path: [...at.path, ...place.path] };
  yield* statedIn(object, own);
  for (const [name, member] of Object.entries(object).slice(0, MAX_HINTS)) {
    if (place !== null && PLACES.test(name)) continue;
    if (SENTENCES.test(name) || CONTAINERS.test(name) || /^(ctx|context|params|meta|constraints)$/i.test(name)) {
      yield* hintsIn(member, own, depth + 1);
      continue;
    }
    const part = own.path.length === 0 ? PARTS[name.toLowerCase()] : undefined;
    if (part !== undefined) yield* hintsIn(member, { part, path: [] }, depth + 1);
    else if (isField(name, member))
      yield* hintsIn(member, { part: own.part, path: [...own.path, ...tokensOf(name)] }, depth + 1);
  }
}

/** A map by field has lists or sentences; a text of one word is a code. */
function isField(name: string, member: unknown): boolean {
  if (name.length > MAX_NAME) return false;
  return typeof member === 'string' ? /\s/.test(member) : Array.isArray(member) || isObject(member);
}

/** The place that the object names; null: none. */
function placeOf(object: JsonObject): At | null {
  for (const [name, member] of Object.entries(object)) {
    const place = PLACES.test(name) ? placeNamed(object, name, namesOf(member)) : null;
    if (place !== null) return place;
  }
  return null;
}

function namesOf(member: unknown): readonly string[] {
  const named = isObject(member) ? (member.pointer ?? member.parameter ?? member.header) : member;
  if (Array.isArray(named)) return named.map(String);
  return typeof named === 'string' ? tokensOf(named) : [];
}

function placeNamed(object: JsonObject, name: string, [first = '', ...rest]: readonly string[]): At | null {
  const part = PARTS[first.toLowerCase()] ?? null;
  // { location: "query", param: "page" }: the one says in which part, the other where.
  const isPart = /^(in|location)$/i.test(name);
  if (part !== null) return { part, path: isPart ? namedBeside(object) : rest };
  const path = [first, ...rest];
  const isName = first !== '' && path.every((token) => token.length <= MAX_NAME && !/\s/.test(token));
  return isName && !isPart ? { part: null, path } : null;
}

function namedBeside({ name, param, field }: JsonObject): readonly string[] {
  const named = [param, field, name].find((one) => typeof one === 'string');
  return typeof named === 'string' ? tokensOf(named) : [];
}

/** "/a/0/b", "a[0].b", "$.a.b" and "#/a" as tokens. */
function tokensOf(text: string): readonly string[] {
  const plain = text.replace(/^(?:[#$]|request\.body)?[./]?/, '');
  const parts = plain.includes('/')
    ? plain.split('/').map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    : plain.split(/[.[\]]+/);
  return parts.filter((token) => token !== '');
}

const LISTS =
  /^(enum|enum_?values|permitted|allowed|allowed_?values|accepted(_?values)?|valid_?values|valids|options|choices|values|expected)$/i;
const BOUNDS: Readonly<Record<string, string>> = {
  ...{
    ge: 'minimum',
    gte: 'minimum',
    minimum: 'minimum',
    min: 'minimum',
    le: 'maximum',
    lte: 'maximum',
    maximum: 'maximum',
  },
  ...{
    max: 'maximum',
    gt: 'exclusiveMinimum',
    lt: 'exclusiveMaximum',
    min_length: 'minLength',
    minlength: 'minLength',
  },
  ...{ max_length: 'maxLength', maxlength: 'maxLength' },
};

const IS_MISSING = /^(missing|required|value_error\.missing)$/i;
const IS_UNKNOWN = /^(extra_forbidden|value_error\.extra|unrecognized_keys)$/i;

/** The demands that the members beside a sentence state for programs: `ctx`, `params`, `context`, `type`. */
function statedIn(object: JsonObject, at: At): readonly Hint[] {
  const hint = (demand: Demand, ...names: readonly string[]): Hint => ({
    ...at,
    path: [...at.path, ...names],
    demand,
    sentence: '',
  });
  const kind = String(object.type ?? object.code ?? '');
  const isPlaced = at.path.length > 0;
  const keys = Array.isArray(object.keys) ? object.keys.map(String) : [];
  return [
    ...Object.entries(object).flatMap(([name, member]) => {
      const schema = schemaStated(name, member);
      return schema === null ? [] : [hint({ kind: 'fits', schema })];
    }),
    ...(typeof object.missingProperty === 'string' ? [hint({ kind: 'missing' }, object.missingProperty)] : []),
    ...(typeof object.additionalProperty === 'string' ? [hint({ kind: 'unknown' }, object.additionalProperty)] : []),
    ...(IS_MISSING.test(kind) && isPlaced ? [hint({ kind: 'missing' })] : []),
    ...(IS_UNKNOWN.test(kind) && isPlaced && keys.length === 0 ? [hint({ kind: 'unknown' })] : []),
    ...(IS_UNKNOWN.test(kind) ? keys.map((key) => hint({ kind: 'unknown' }, key)) : []),
  ];
}

/** The demand of a member that has a keyword's name, or one that validators give it; null for none. */
function schemaStated(name: string, member: unknown): JsonObject | null {
  if (LISTS.test(name) && Array.isArray(member)) {
    const values = member.filter((one) => ['string', 'number', 'boolean'].includes(typeof one));
    return values.length > 0 ? { enum: valuesOf(values) } : null;
  }
  const bound = BOUNDS[name.toLowerCase()];
  if (bound !== undefined) return typeof member === 'number' ? { [bound]: member } : null;
  return name.toLowerCase() === 'pattern' && typeof member === 'string' ? { pattern: member } : null;
}
