// Reads one resource out of an answer, and the id by which it is known, so that judges compare resources and not the envelopes around them.
import { exactBody } from '../exchange/body.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { isObject, type JsonObject, membersOf, normal } from '../openapi/json.ts';
import { isSuccess } from './answered.ts';
import { nounsOf } from './nouns.ts';
import { idInOwnAddress } from './own-address.ts';
import { partedPath } from './paths.ts';

/** Members that wrap a resource. */
const WRAPPER = /^(data|result|results|item|record|resource|entity|response|payload)$/i;
/** Members of a resource object. Source: JSON:API 1.1, Resource Objects. */
const JSON_API = /^(type|id|lid|attributes|relationships|links|meta)$/;
/** Nobody wraps a resource in more envelopes; a hostile answer may do so without end. */
export const MAX_ENVELOPES = 4;
/** Objects that wrap the object whose id is sought. */
const MAX_DEPTH = 3;
const OWN_ID = /^(_?id|uuid|guid)$/i;
const ID = /^(_?id|uuid|guid)$|(_id|Id|_uuid)$/;
/** Ids of the call itself, which an answer may show beside what it wraps. */
const CALL_ID = /^(x_?)?(request|trace|correlation|span)_?id$/i;

/** Tells whether a member of this name usually wraps a resource. */
export function isWrapperName(name: string): boolean {
  return WRAPPER.test(name);
}

/** Tells whether an object with these members is a resource object of JSON:API. */
export function isResourceObject(names: readonly string[]): boolean {
  return names.includes('attributes') && names.every((name) => JSON_API.test(name));
}

/** Tells whether an object with these members is a resource itself, and wraps none: it has an id. `inner`: members of what it may wrap. */
export function isResource(names: readonly string[], inner: readonly string[]): boolean {
  const ids = names.filter((name) => ID.test(name));
  return ids.some((name) => !CALL_ID.test(name)) || (ids.length > 0 && !inner.some((name) => ID.test(name)));
}

/** Tells whether a member of this name holds the id of the resource itself. */
export function isOwnIdName(name: string): boolean {
  return OWN_ID.test(name);
}

/** The resource that an answer shows, without its envelope; null where the answer shows none. */
export function resourceOf(exchange: Exchange): JsonObject | null {
  const body = exactBody(exchange);
  return body.ok ? resourceIn(body.value) : null;
}

/** The resource in a body. What JSON:API calls attributes are members of the resource. */
export function resourceIn(body: unknown): JsonObject | null {
  let value = body;
  for (let envelopes = 0; envelopes <= MAX_ENVELOPES; envelopes += 1) {
    if (Array.isArray(value) && value.length === 1) value = value[0];
    if (!isObject(value)) return null;
    if (isObject(value.attributes) && isResourceObject(Object.keys(value)))
      return { ...value.attributes, ...('id' in value ? { id: value.id } : {}) };
    const inner = wrapped(value);
    if (inner === null) return value;
    value = inner;
  }
  return null;
}

/** The object that an envelope wraps: under a usual name, or alone; null where the object is a resource itself. */
function wrapped(value: JsonObject): unknown {
  const members = membersOf(value);
  const objects = members.flatMap(([name, member]) => (isObject(member) ? [[name, member] as const] : []));
  const usual = objects.find(([name]) => WRAPPER.test(name));
  const [, inner] = usual ?? objects[0] ?? [];
  if (inner === undefined || (usual === undefined && (objects.length > 1 || idShown(inner) === null))) return null;
  const ids = members.flatMap(([name, member]) => (isId(member) ? [name] : []));
  return isResource(ids, Object.keys(inner)) ? null : inner;
}

/** The id that the resource shows as its own; null where it shows none. */
export function idShown(resource: JsonObject): string | null {
  const shown = membersOf(resource).find(([name, value]) => isOwnIdName(name) && isId(value));
  return shown === undefined ? null : String(shown[1]);
}

export function isId(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

/** The id in the answer's body: `id` or `uuid`, else `<noun>_id` with a word of the path's last segment; null for none. */
export function identityOf(exchange: Exchange): string | null {
  const body = exactBody(exchange);
  return body.ok ? idIn(body.value, nounsOf(exchange.plan.path)) : null;
}

/** The id of an object that was made, or of an item of a list of such objects; where it shows none, the one in its own address. */
export function idIn(value: unknown, nouns: readonly string[], depth = 0): string | null {
  if (!isObject(value) || depth > MAX_DEPTH) return null;
  const members = membersOf(value).map(([name, member]) => [name, normal(name), member] as const);
  for (const id of ['id', 'uuid', ...nouns.flatMap((noun) => [`${noun}id`, `${noun}uuid`])]) {
    const found = members.findLast(([, name]) => name === id)?.[2];
    if (isId(found)) return String(found);
  }
  const wrapped = members.filter(([as, name]) => WRAPPER.test(as) || nouns.includes(name));
  for (const [, , member] of wrapped) {
    const inner = idIn(member, nouns, depth + 1);
    if (inner !== null) return inner;
  }
  return idInOwnAddress(value, nouns);
}

/** Tells whether the resource names itself by the id, whatever its member is called; null where it shows no id at all. */
export function showsId(resource: JsonObject, id: string): boolean | null {
  if (membersOf(resource).some(([, value]) => isId(value) && sameId(value, id))) return true;
  return idShown(resource) === null ? null : false;
}

/** Tells whether two ids are one: numbers may be written as texts, and letters of a UUID in either case. */
function sameId(left: unknown, right: unknown): boolean {
  return comparable(left) === comparable(right);
}

function comparable(id: unknown): string {
  return String(id).toLowerCase();
}

/** Members other than ids by which paths may name a resource. */
const ADDRESS = /^(code|key|slug|handle|sku|number|name|username|login|email)$/i;

/** Tells whether an item of a list is the resource with the id. `nouns`: what the items are called, in the singular. */
export function isItem(listed: unknown, id: string, nouns: readonly string[]): boolean {
  return isOneOf(listed, [id], nouns);
}

/** Tells whether an item of a list is one of the resources with these ids. */
export function isOneOf(listed: unknown, ids: readonly string[], nouns: readonly string[]): boolean {
  const known = new Set(ids.map(comparable));
  const isKnown = (value: unknown): boolean => known.has(comparable(value));
  if (!isObject(listed)) return typeof listed !== 'object' && isKnown(listed);
  const own = idIn(listed, nouns);
  if (own !== null && isKnown(own)) return true;
  return membersOf(resourceIn(listed) ?? listed).some(([name, value]) => ADDRESS.test(name) && isKnown(value));
}

/** Tells whether the reading shows a resource of the id that its path ends with, whoever made it. */
export function showsItsId(reading: Exchange): boolean {
  const shown = isSuccess(reading.response?.status ?? 0) ? resourceOf(reading) : null;
  return shown !== null && showsId(shown, partedPath(reading.plan.path)[1]) === true;
}
