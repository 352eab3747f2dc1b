// Holds what a few reads of an API showed, from which is told how it pages and errs. Pure data: nothing here sends.
import { exactBody } from '../exchange/body.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { essence } from '../exchange/media-type.ts';
import { appended, isObject, membersOf, normal } from '../openapi/json.ts';
import type { Operation } from '../openapi/model/operation.ts';
import { contentTypeOf } from '../openapi/model/responses.ts';

/** Why it was asked. */
export type Purpose = 'plain' | 'one item' | 'unknown path' | 'unknown id' | 'no key' | 'bad value' | 'known state';

/** One answer. */
export interface Seen {
  readonly purpose: Purpose;
  /** Absent: a path of no operation. */
  readonly operation: Operation | null;
  /** The path that was asked for. */
  readonly path: string;
  readonly status: number;
  /** Without parameters, lower case; null where none is told. */
  readonly mediaType: string | null;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** undefined: no JSON. */
  readonly body: unknown;
}

/** The exchange as it was seen; null where it was not answered. */
export function seenIn(exchange: Exchange, purpose: Purpose, operation: Operation | null): Seen | null {
  const { response } = exchange;
  if (response === null) return null;
  const { status, headers } = response;
  const body = exactBody(exchange);
  const type = contentTypeOf(headers);
  return {
    ...{ purpose, operation, path: exchange.plan.path, status, headers },
    mediaType: type === null ? null : essence(type),
    body: body.ok ? body.value : undefined,
  };
}

/** The entity tag of the answer; null where it has none. */
export function tagOf({ headers }: Pick<Seen, 'headers'>): string | null {
  return headers.find(([name]) => name.toLowerCase() === 'etag')?.[1] ?? null;
}

/** "404 of GET /users/{id}". */
export function nameOf({ status, operation, path }: Pick<Seen, 'status' | 'operation' | 'path'>): string {
  return `${status} of ${operation?.key ?? `GET ${path}`}`;
}

/** A value that is no object and no list, with its place; `*` stands for the index in a list. */
export interface Leaf {
  readonly at: string;
  /** Its own name, without case and punctuation. */
  readonly name: string;
  readonly value: unknown;
}

const DEEPEST = 4;
const MOST_ITEMS = 5;

/** The leaves of a body, those that stand higher first within an object. */
export function leavesOf(body: unknown, at = '', depth = 0): readonly Leaf[] {
  if (depth > DEEPEST) return [];
  if (Array.isArray(body))
    return body.slice(0, MOST_ITEMS).flatMap((item: unknown) => leavesOf(item, `${at}/*`, depth + 1));
  if (!isObject(body)) return [{ at, name: normal(at.slice(at.lastIndexOf('/') + 1)), value: body }];
  return membersOf(body).flatMap(([name, value]) => leavesOf(value, appended(at, name), depth + 1));
}

/** Text as YAML reads it back, and that no line of a target can break out of. */
export function scalar(text: string): string {
  const isPlain = /^[A-Za-z/][A-Za-z0-9/_.*{}-]*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return isPlain && !text.includes('{') ? text : JSON.stringify(text);
}

/** The same for names of operations, which hold blanks and braces, in a flow list. */
export function listed(texts: readonly string[]): string {
  return `[${texts.map((text) => JSON.stringify(text)).join(', ')}]`;
}

/** X-Total-Count: as documents write names, whatever case they came in. */
export function headerName(name: string): string {
  return name.toLowerCase().replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
