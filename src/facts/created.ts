// Reads the id of what a create made: out of its answer, its Location, or what it sent.

import { exactBody, header } from '../exchange/body.ts';
import { uriEncoded } from '../exchange/decoded.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { isObject, membersOf } from '../openapi/json.ts';
import { addressing, createdObject, idOf, isDrawn, isIdValue } from './items.ts';
import { lastNoun } from './nouns.ts';
import { partedPath, trimmed } from './paths.ts';
import { sentMembers } from './sent-members.ts';

/** Ids that collections give in turn: what is made may have that of what it is made below. */
const COUNTED = /^\d{1,12}$/;

/** Tells whether the id names what the path leads through: an answer to who adds something below it may show that. */
function isAbove(id: string, { plan }: Exchange): boolean {
  return !COUNTED.test(id) && trimmed(plan.path).split('/').slice(0, -1).includes(uriEncoded(id));
}

/** The id that the answer of a create shows for the operation's parameter; null where it shows none. */
export function createdId(exchange: Exchange, parameter: string, collection: string): string | null {
  const body = exactBody(exchange);
  const whole = body.ok && Array.isArray(body.value) ? createdObject(body.value) : body.ok ? body.value : null;
  // Some answer the id alone.
  if (!isObject(whole)) return isDrawn(whole) ? whole : locatedId(exchange, collection);
  const wrapped = membersOf(whole).map(([, value]) => value);
  const candidates = [whole, ...wrapped.filter(isObject)];
  for (const candidate of candidates) {
    const id = idOf(candidate, parameter, collection.slice(collection.lastIndexOf('/') + 1));
    if (id !== null && !isAbove(id, exchange)) return id;
  }
  return locatedId(exchange, collection);
}

/** One of the things that a call has made. */
export interface OneMade {
  readonly id: string;
  /** The item that shows it; null where ids alone are shown. */
  readonly item: Record<string, unknown> | null;
}

/** The things that the answer to a create of several shows, as many as were sent; empty for any other call. */
export function createdTogether(exchange: Exchange, parameter: string, collection: string): readonly OneMade[] {
  const { body } = exchange.plan;
  const [sent, answered] = [body.kind === 'json' ? listIn(body.value) : null, exactBody(exchange)];
  if (sent === null || !sent.every(isObject) || !answered.ok) return [];
  const shown = isObject(answered.value) ? membersOf(answered.value).map(([, value]) => value) : [answered.value];
  const all = shown.find((one) => Array.isArray(one) && one.length === sent.length);
  if (!Array.isArray(all)) return [];
  const made = all.flatMap((one) => {
    const id = isObject(one) ? idOf(one, parameter, lastNoun(collection)) : isIdValue(one) ? String(one) : null;
    return id === null ? [] : [{ id, item: isObject(one) ? one : null }];
  });
  return made.length === sent.length ? made : [];
}

/** The list that is sent, by itself or as the one member; null for none, and for an empty one. */
function listIn(sent: unknown): readonly unknown[] | null {
  const [only, ...others] = isObject(sent) ? membersOf(sent).map(([, value]) => value) : [sent];
  return others.length === 0 && Array.isArray(only) && only.length > 0 ? only : null;
}

/** The last segment of Location, where it lies below the path. */
export function locatedId({ response }: Exchange, path: string): string | null {
  const location = header(response?.headers ?? [], 'location');
  if (location === null) return null;
  const [located = ''] = location.replace(/^[a-z]+:\/\/[^/]*/i, '').split(/[?#]/);
  const [above, id] = partedPath(located);
  const parent = trimmed(path);
  return id !== '' && (parent.endsWith(above) || above.endsWith(parent)) ? id : null;
}

/** The id that a create sent for what it makes, for an answer that shows none; null where it sent none. */
export function sentId(exchange: Exchange, parameter: string, collection: string): string | null {
  return idOf(sentMembers(exchange), parameter, lastNoun(collection));
}

/** Members that may address the object of a create: those that were sent, and those that the answer shows. */
export function madeObject(made: Exchange): Record<string, unknown> {
  const answered = exactBody(made);
  return addressing(
    { ...sentMembers(made), ...(answered.ok ? createdObject(answered.value) : null) },
    lastNoun(made.plan.path),
  );
}
