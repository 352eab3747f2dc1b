// A spoiler: a body with one value changed at one place, made when it is asked for.
import { escapeToken, isObject } from '../openapi/json.ts';

export type SpoilerKind = 'missing' | 'wrong-type' | 'wrong-scalar' | 'null-optional' | 'constraint';

export interface Spoiler {
  readonly kind: SpoilerKind;
  /** Unescaped tokens of the spoiled place. */
  readonly path: readonly string[];
  /** JSON pointer of the spoiled place; empty: the body. */
  readonly pointer: string;
  /** Top-level field that an answer must name (ERR-10); empty where there is no such one: the body is an array, or spoiled as a whole. */
  readonly field: string;
  /** The change in words: "email left out", "price is an object instead of a number". */
  readonly what: string;
  /** Made when it is asked for: spoilers are many, and few are sent at once. */
  readonly body: unknown;
}

interface Change {
  readonly body: unknown;
  readonly value: unknown;
  /** True where it is a matter of several members of the body, so that an answer may name any of them. */
  readonly isShared?: boolean;
}

export class SpoiledPlace implements Spoiler {
  readonly kind: SpoilerKind;
  readonly what: string;
  readonly path: readonly string[];
  /** `value` takes the place of what is there; undefined: that is left out. */
  readonly #from: Change;

  constructor(kind: SpoilerKind, what: string, path: readonly string[], from: Change) {
    this.kind = kind;
    this.what = what;
    this.path = path;
    this.#from = from;
  }

  get pointer(): string {
    return this.path.map((token) => `/${escapeToken(token)}`).join('');
  }

  get field(): string {
    const [first] = this.path;
    return isIndex(first) || this.#from.isShared === true ? '' : (first ?? '');
  }

  get body(): unknown {
    const { body, value } = this.#from;
    return value === undefined ? without(body, this.path) : withValue(body, this.path, value);
  }
}

export function isIndex(segment: string | undefined): boolean {
  return segment !== undefined && /^\d+$/.test(segment);
}

function withValue(body: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(body))
    return body.map((item, index) => (String(index) === key ? withValue(item, rest, value) : item));
  if (!isObject(body)) return body;
  return { ...body, [key]: withValue(body[key], rest, value) };
}

function without(body: unknown, path: readonly string[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return body;
  if (Array.isArray(body)) return body.map((item, index) => (String(index) === key ? without(item, rest) : item));
  if (!isObject(body)) return body;
  if (rest.length > 0) return { ...body, [key]: without(body[key], rest) };
  const { [key]: _left, ...kept } = body;
  return kept;
}
