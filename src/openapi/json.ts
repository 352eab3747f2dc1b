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

/** The same text for equal values, whatever the order of their members. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'undefined';
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${textOf(value[name])}`).join()}}`;
}

/** Tells whether both are the same, whatever the order of their members. */
export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  return typeof left === 'object' && typeof right === 'object' && textOf(left) === textOf(right);
}

/** The value with the members of its objects in one order. */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]));
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
  return valueBelow(document, tokensOf(pointer));
}

/** The same by the unescaped tokens of the pointer. */
export function valueBelow(document: unknown, tokens: readonly string[]): unknown {
  let value = document;
  for (const token of tokens) {
    if (!isContainer(value) || !Object.hasOwn(value, token)) return undefined;
    value = (value as JsonObject)[token];
  }
  return value;
}

/** The value with what stands below these tokens replaced by what `change` makes of it; undefined: left out of its object. */
export function changedBelow(
  value: unknown,
  [token, ...rest]: readonly string[],
  change: (there: unknown) => unknown,
): unknown {
  if (token === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === token ? changedBelow(item, rest, change) : item));
  if (!isObject(value)) return value;
  const { [token]: there, ...others } = value;
  const changed = changedBelow(there, rest, change);
  return changed === undefined ? others : { ...value, [token]: changed };
}

/** The texts of a value down to so many levels below it, each with the tokens that lead to it; `inLists`: those of items as well. */
export function textsBelow(
  value: unknown,
  levels: number,
  { inLists }: { readonly inLists: boolean },
  path: readonly string[] = [],
): readonly { readonly path: readonly string[]; readonly text: string }[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (levels === 0 || !isContainer(value) || (Array.isArray(value) && !inLists)) return [];
  return Object.entries(value).flatMap(([token, inner]) =>
    textsBelow(inner, levels - 1, { inLists }, [...path, token]),
  );
}

/** The pointer that a URI fragment ("/components/schemas/A%20B", without "#") stands for. */
export function pointerOfFragment(fragment: string): string {
  return uriDecoded(fragment);
}

/** A same-document reference to a pointer. */
export function referenceTo(pointer: string): string {
  return `#${pointer.split('/').map(uriEncoded).join('/')}`;
}
