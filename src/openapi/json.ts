// JSON values and the pointers (RFC 6901) into them.
import { uriDecoded, uriEncoded } from '../exchange/decoded.ts';

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Tells whether the value is an object or an array. */
export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Tells whether the value may be an id: a text or a number. */
export function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** Members of an object that are looked at where nothing is known of its content. */
const MAX_MEMBERS = 1000;
const wide = new WeakMap<object, readonly (readonly [name: string, value: unknown])[]>();

/** The object's own members; of a very wide one the first. Names of a million members are read once: it takes a second. */
export function membersOf(value: object): readonly (readonly [name: string, value: unknown])[] {
  const known = wide.get(value);
  if (known !== undefined) return known;
  const names = Object.keys(value);
  const members = names.slice(0, MAX_MEMBERS).map((name) => [name, (value as JsonObject)[name]] as const);
  if (names.length > MAX_MEMBERS) wide.set(value, members);
  return members;
}

/** Letters and digits alone, in lower case: names of things are compared so. */
export function normal(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9]/g, '').toLowerCase();
}

/** The value when it is an object, else an empty one: for reading documents that may be malformed. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asString(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function escapeToken(token: string | number): string {
  const text = String(token);
  return /[~/]/.test(text) ? text.replaceAll('~', '~0').replaceAll('/', '~1') : text;
}

export function appended(pointer: string, ...tokens: readonly (string | number)[]): string {
  let longer = pointer;
  for (const token of tokens) longer += `/${escapeToken(token)}`;
  return longer;
}

/** The unescaped tokens of a pointer; none for the whole document. */
export function tokensOf(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value a pointer leads to; undefined when nothing stands there. */
export function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const token of tokensOf(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return undefined;
    value = (value as JsonObject)[token];
  }
  return value;
}

/** The pointer that a URI fragment ("/components/schemas/A%20B", without "#") stands for. */
export function pointerOfFragment(fragment: string): string {
  return uriDecoded(fragment);
}

/** A same-document reference to a pointer. */
export function referenceTo(pointer: string): string {
  return `#${pointer.split('/').map(uriEncoded).join('/')}`;
}
