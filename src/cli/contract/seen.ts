// What a few reads of an API showed, as a first contract is drafted from it. Pure data: nothing here sends.
import { appended, isObject, membersOf } from '../../openapi/json.ts';
import type { Operation } from '../../openapi/model/operation.ts';

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

/** The entity tag of the answer; null where it has none. */
export function tagOf({ headers }: Pick<Seen, 'headers'>): string | null {
  return headers.find(([name]) => name.toLowerCase() === 'etag')?.[1] ?? null;
}

/** A line of the contract, and what speaks for it. */
export interface Line {
  /** As the file has it; empty for a comment alone. */
  readonly text: string;
  /** Evidence, or a question; empty: it speaks for itself. */
  readonly why: string;
}

/** A part of the contract: the presets that it stands on, and its own lines. */
export interface Part {
  readonly extends: readonly Line[];
  readonly lines: readonly Line[];
}

export const NOTHING: Part = { extends: [], lines: [] };

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
  if (!isObject(body)) return [{ at, name: plain(at.slice(at.lastIndexOf('/') + 1)), value: body }];
  return membersOf(body).flatMap(([name, value]) => leavesOf(value, appended(at, name), depth + 1));
}

/** next_cursor, nextCursor and next-cursor are one name. */
export function plain(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9]/g, '').toLowerCase();
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
