// Objects in answers: the items of a list, what a create made, and the value by which either is addressed. Pure.

import { isObject, membersOf, normal } from '../openapi/json.ts';
import { memberOf, singular } from './nouns.ts';
import { idInOwnAddress } from './own-address.ts';
import { itemsAt, placeOf } from './places-of-items.ts';

/** Longer texts address nothing. */
const MAX_ADDRESS_CHARS = 256;
/** Envelopes around a list that are looked into: nobody wraps it in more, and a hostile answer may wrap it without end. */
const MAX_ENVELOPES = 8;

/**
 * The items of a list answer: at the place that is configured, else the body itself, an array of a usual name, or the
 * likeliest array of objects, which what has an id of its own holds at its top only. `noun` is what the list holds: "products".
 */
export function itemsOf(body: unknown, noun = '', place: string | null = null): readonly unknown[] {
  if (place !== null) return itemsAt(body, place) ?? [];
  let value = body;
  for (let envelopes = 0; envelopes <= MAX_ENVELOPES; envelopes += 1) {
    if (Array.isArray(value)) return value;
    if (!isObject(value)) return [];
    const inner = wrappedIn(value);
    if (inner === null) return itemsById(value) ?? itemsBeside(value, noun);
    value = inner;
  }
  return [];
}

/** The value in an envelope of a usual name; null where the object is no envelope. */
function wrappedIn(body: Record<string, unknown>): unknown {
  for (const name of ['data', 'items', 'results', 'records']) {
    const inner = body[name];
    if (Array.isArray(inner) || isObject(inner)) return inner;
  }
  return null;
}

/** Keys that are ids by their form: no name of a member is made so. */
const ID_FORM = /^(\d{1,20}|[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}|[0-9a-f]{16,64})$/i;

/** The objects of a map by id, each with its id; null where the object is no such map. */
function itemsById(body: Record<string, unknown>): readonly unknown[] | null {
  const members = membersOf(body);
  const isMap = members.length > 0 && members.every(([key, value]) => ID_FORM.test(key) && isObject(value));
  return isMap ? members.map(([key, value]) => ({ id: key, ...(value as Record<string, unknown>) })) : null;
}

/** The likeliest array of objects among the members of an object that is no envelope. Lists within one of the things are its own. */
function itemsBeside(body: Record<string, unknown>, noun: string): readonly unknown[] {
  const members = membersOf(body);
  const atTop = members.filter(([, value]) => Array.isArray(value) && value.some(isObject));
  const one = normal(singular(noun));
  const wrapsItem = members.some(([name, value]) => normal(name) === one && isObject(value) && isIdValue(value.id));
  const isItem = isIdValue(body.id) || isIdValue(body.uuid) || wrapsItem;
  const likeliest = placeOf([atTop.length > 0 || isItem ? Object.fromEntries(atTop) : body], noun);
  const items = likeliest === null ? [] : (itemsAt(body, likeliest.pointer) ?? []);
  return items.some(isObject) ? items : [];
}

/** The created object: the body, the one object that it wraps, or the one that stands beside flags and numbers. */
export function createdObject(body: unknown): Record<string, unknown> | null {
  if (Array.isArray(body)) return objectBeside(body);
  if (!isObject(body)) return null;
  const members = membersOf(body);
  if (members.some(([key, value]) => /(^|_)id$/i.test(key) && isIdValue(value))) return body;
  const inner = body.data ?? members.map(([, value]) => value).find((value) => isObject(value) && isIdValue(value.id));
  return isObject(inner) ? inner : body;
}

/** The one object of an array that holds something else as well, which a list does not: [the object, whether it is new]. */
function objectBeside(values: readonly unknown[]): Record<string, unknown> | null {
  const [only, ...others] = values.filter(isObject);
  return only === undefined || others.length > 0 || values.length < 2 ? null : createdObject(only);
}

/** A member of an item that may address it, by its name in lower case without signs, and its value. */
export interface Address {
  readonly member: string;
  readonly value: string;
}

/** The value by which the item is addressed where the parameter stands. */
export function idOf(item: Record<string, unknown>, parameter: string, noun: string): string | null {
  return addressesOf(item, parameter, noun)[0]?.value ?? null;
}

/** Names of members, in lower case without signs, that hold ids, and not what else an object may be called by. */
const IDS = /(id|uuid)$/;

/** Every value by which the item may be addressed where the parameter stands, likeliest first. */
export function addressesOf(item: Record<string, unknown>, parameter: string, noun: string): readonly Address[] {
  const byNormal = new Map(membersOf(item).map(([key, value]) => [normal(key), value]));
  const one = singular(noun);
  const names = [
    normal(parameter),
    memberOf(parameter),
    'id',
    `${one}id`,
    'uuid',
    `${one}uuid`,
    `${one}code`,
    'slug',
    'code',
    'key',
    'handle',
    'sku',
    `${one}number`,
    'number',
    one,
    'name',
  ];
  const named = [...new Set(names)].flatMap((member) => {
    const value = byNormal.get(member);
    return isIdValue(value) ? [{ member, value: String(value) }] : [];
  });
  const own = named.some(({ member }) => IDS.test(member)) ? null : idInOwnAddress(item, [normal(one)]);
  return own === null ? named : [{ member: 'id', value: own }, ...named];
}

/** Tells whether the value may be an id: a text that is not too long to address anything, or a whole number. */
export function isIdValue(value: unknown): value is string | number {
  if (typeof value === 'string') return value !== '' && value.length <= MAX_ADDRESS_CHARS;
  return typeof value === 'number' && Number.isInteger(value);
}

/** An id that is drawn from so many that nothing else has it: a UUID for example, and no number, word or version. */
const DRAWN = /^(?=.*\d)[\w-]{16,}$/;

/** Tells whether the id is drawn from so many that it names one thing wherever it stands. */
export function isDrawn(id: unknown): id is string {
  return typeof id === 'string' && id.length <= MAX_ADDRESS_CHARS && DRAWN.test(id);
}

/**
 * Members of an object that may address it: objects that a run makes are kept to its end, and are more than their
 * descriptions say.
 */
export function addressing(item: Record<string, unknown>, noun: string): Record<string, unknown> {
  const shown = Object.fromEntries(membersOf(item).filter(([, value]) => isIdValue(value)));
  if ('id' in shown) return shown;
  const [likeliest] = addressesOf(item, '', noun);
  return likeliest?.member === 'id' ? { id: likeliest.value, ...shown } : shown;
}
