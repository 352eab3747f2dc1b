// JSON values and JSON pointers as the platform reads them.

export type JsonObject = { [member: string]: unknown };

/** True for objects that are neither null nor arrays. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object; an empty one when it is none. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The value as an array; an empty one when it is none. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A copy of a JSON value that shares nothing with it. Several times as fast as `structuredClone`. */
export function copied<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copied) as T;
  // A member named "__proto__" stays one: it exists before it is assigned.
  const copy: JsonObject = { ...(value as JsonObject) };
  for (const name of Object.keys(copy)) {
    const member = copy[name];
    if (typeof member === 'object' && member !== null) copy[name] = copied(member);
  }
  return copy as T;
}

/** Value at a local reference ("#/components/schemas/Store"); undefined when there is none. */
export function atReference(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined;
  let here = root;
  for (const raw of reference.slice(1).split('/').slice(1)) {
    const member = decodeToken(raw);
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, member)) return undefined;
    here = (here as JsonObject)[member];
  }
  return here;
}

function decodeToken(raw: string): string {
  const unescaped = raw.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(unescaped);
  } catch {
    // A "%" that begins no escape stands for itself.
    return unescaped;
  }
}

/** Follows $ref until something else stands there; undefined when a reference leads nowhere or in a circle. */
export function dereference(root: unknown, value: unknown): unknown {
  let here = value;
  for (let hops = 0; hops < 32; hops++) {
    if (!isObject(here) || typeof here.$ref !== 'string') return here;
    here = atReference(root, here.$ref);
  }
  return undefined;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Levels of nesting; stops counting above `limit`. Iterative: the input may be hostile. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((item) => Object.values(item).filter(isContainer));
  }
  return false;
}
