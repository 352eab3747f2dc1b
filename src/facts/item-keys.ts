// Tells by what two items are the same: their id where they have one, else the whole of them but for what changes by itself.

import { isObject } from '../openapi/json.ts';
import { isId } from './resource.ts';

/** `member`: the id's name; null compares whole, without the `ignored` members. */
export interface Identity {
  readonly member: string | null;
  readonly ignored: readonly string[];
}

/** Items of a page that are looked at to tell what identifies them. */
const MAX_ITEMS_LOOKED_AT = 2000;

const ID_NAMES = /^(_?id|uuid|guid)$/i;
const OWN_ID_NAMES = /^[a-z]+(_id|Id|_uuid|Uuid)$/;

/**
 * The member that identifies the items of a page, or what to leave out of them. A member that is named like an id and that all items have identifies them, unless
 * two items of the page share it and differ otherwise. `again` is the same page read once more: where items have no id,
 * members that differ between the two readings of an item are ignored.
 */
export function identityOf(page: readonly unknown[], again: readonly unknown[], noun: string): Identity {
  const first = page.slice(0, MAX_ITEMS_LOOKED_AT);
  const member = idMember(first, noun);
  return { member, ignored: member === null ? volatileMembers(first, again) : [] };
}

/** Equal for two items exactly when they are the same item. */
export function keyOf(identity: Identity, item: unknown): string {
  if (isObject(item) && identity.member !== null && isId(item[identity.member])) {
    return `${identity.member} ${String(item[identity.member])}`;
  }
  return whole(isObject(item) ? without(item, identity.ignored) : item);
}

function idMember(page: readonly unknown[], noun: string): string | null {
  const [first] = page;
  if (!isObject(first)) return null;
  const own = noun.toLowerCase().replace(/(ies|s)$/, '');
  const names = Object.keys(first);
  const candidates = [
    ...names.filter((name) => ID_NAMES.test(name)),
    ...names.filter((name) => OWN_ID_NAMES.test(name) && own.length > 2 && name.toLowerCase().startsWith(own)),
  ];
  return candidates.find((name) => identifies(name, page)) ?? null;
}

function identifies(name: string, page: readonly unknown[]): boolean {
  const known = new Map<unknown, string>();
  return page.every((item) => {
    if (!isObject(item) || !isId(item[name])) return false;
    const text = whole(item);
    const earlier = known.get(item[name]);
    known.set(item[name], text);
    return earlier === undefined || earlier === text;
  });
}

/** Members that differ between two readings of the same items; none where the readings cannot be laid side by side. */
function volatileMembers(page: readonly unknown[], again: readonly unknown[]): readonly string[] {
  const names = new Set<string>();
  const pairs = page.slice(0, again.length).map((item, index) => [item, again[index]] as const);
  for (const [left, right] of pairs) {
    if (!isObject(left) || !isObject(right)) continue;
    for (const name of Object.keys({ ...left, ...right }))
      if (whole(left[name]) !== whole(right[name])) names.add(name);
  }
  const ignored = [...names];
  const keys = (items: readonly unknown[]): readonly string[] =>
    items.map((item) => whole(isObject(item) ? without(item, ignored) : item));
  const left = keys(pairs.map(([item]) => item));
  const right = keys(pairs.map(([, item]) => item));
  const aligned = left.every((key, index) => key === right[index]);
  const telling = left.length < 2 || new Set(left).size > 1;
  return aligned && telling ? ignored : [];
}

function without(item: Readonly<Record<string, unknown>>, names: readonly string[]): Readonly<Record<string, unknown>> {
  return names.length === 0 ? item : Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));
}

/** JSON with its members in the order of their names. */
function whole(value: unknown): string {
  try {
    return JSON.stringify(value, (_name, inner: unknown) => (isObject(inner) ? sorted(inner) : inner)) ?? '';
  } catch {
    // Nested deeper than the stack allows.
    return 'nested too deeply';
  }
}

function sorted(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(record).sort(([left], [right]) => (left < right ? -1 : 1)));
}
