// Puts one object in the place of another in what is to be sent: in the path, and wherever query and body refer to it.

import { uriEncoded } from '../../exchange/decoded.ts';
import type { PlannedBody, RequestPlan } from '../../exchange/exchange.ts';
import { nounAt, nounOf } from '../../facts/nouns.ts';
import { encodeSegment, trimmed } from '../../facts/paths.ts';
import { isObject } from '../../openapi/json.ts';
import { isWithin } from '../../probes/reach/undoing.ts';
import type { Made } from '../books/made.ts';

type Place = Pick<Made, 'path' | 'collection' | 'id'>;

/** An object that is gone, and the one that stands for it. */
export interface Moved {
  readonly from: Place;
  readonly to: Place;
}

/** Shorter texts, and numbers, may be the id of something else. */
const MIN_LENGTH_OF_OWN_ID = 8;
/** References are sought so deep: hostile bodies are nested without end. */
const MAX_LEVELS = 4;

/** The plan with the new object in the place of the old one. */
export function ledTo(plan: RequestPlan, moved: Moved): RequestPlan {
  const { body } = plan;
  return {
    ...plan,
    path: pathTo(plan.path, moved),
    query: plan.query === '' ? '' : queryTo(plan.query, moved),
    body: bodyTo(body, moved),
  };
}

const NOBODY: Place = { path: '/nobody', collection: '/', id: 'nobody-else' };

/** Tells whether the request names one of these objects, in its path, its query or its body. */
export function namesAny(plan: RequestPlan, made: readonly Place[]): boolean {
  return made.some((from) => from.id !== null && names(plan, { from, to: NOBODY }));
}

function names({ path, query, body }: RequestPlan, moved: Moved): boolean {
  if (pathTo(path, moved) !== path || (query !== '' && queryTo(query, moved) !== query)) return true;
  if (body.kind === 'json') return isReferring(body.value, '', moved, 0);
  const led = bodyTo(body, moved);
  return body.kind === 'raw' && led.kind === 'raw' && led.text !== body.text;
}

function bodyTo(body: PlannedBody, moved: Moved): PlannedBody {
  if (body.kind === 'json') return { ...body, value: valueTo(body.value, '', moved, 0) };
  const { from, to } = moved;
  if (body.kind === 'none' || from.id === null || to.id === null || !isOwnId(from.id)) return body;
  const encoded = body.text.replaceAll(uriEncoded(from.id), uriEncoded(to.id));
  return { ...body, text: encoded.replaceAll(from.id, to.id) };
}

function pathTo(path: string, { from, to }: Moved): string {
  const led = isWithin(trimmed(path), from.path) ? to.path + path.slice(from.path.length) : path;
  if (from.id === null || to.id === null || !isOwnId(from.id)) return led;
  const [old, anew] = [encodeSegment(from.id), encodeSegment(to.id)];
  return led
    .split('/')
    .map((segment) => (segment === old ? anew : segment))
    .join('/');
}

function queryTo(query: string, moved: Moved): string {
  const pairs = [...new URLSearchParams(query)];
  const isConcerned = pairs.some(([name, value]) => refers(name, value, moved));
  if (!isConcerned) return query;
  const led = pairs.map(([name, value]) => [name, refers(name, value, moved) ? (moved.to.id ?? value) : value]);
  return led.map((pair) => pair.map((text) => uriEncoded(text ?? '')).join('=')).join('&');
}

function valueTo(value: unknown, name: string, moved: Moved, level: number): unknown {
  if (level > MAX_LEVELS) return value;
  if (Array.isArray(value)) return value.map((item) => valueTo(item, name, moved, level + 1));
  if (isObject(value)) {
    const members = Object.entries(value).map(([key, member]) => [key, valueTo(member, key, moved, level + 1)]);
    return Object.fromEntries(members);
  }
  if (!refers(name, value, moved)) return value;
  return typeof value === 'number' ? Number(moved.to.id) : moved.to.id;
}

/** Tells whether the value refers to the old object, at any of the levels that are looked at. */
function isReferring(value: unknown, name: string, moved: Moved, level: number): boolean {
  if (level > MAX_LEVELS) return false;
  if (Array.isArray(value)) return value.some((item) => isReferring(item, name, moved, level + 1));
  if (isObject(value)) return Object.entries(value).some(([key, member]) => isReferring(member, key, moved, level + 1));
  return refers(name, value, moved);
}

/** Tells whether the value is the old object's id, by itself or under the name of such objects. */
function refers(name: string, value: unknown, { from }: Moved): boolean {
  if ((typeof value !== 'string' && typeof value !== 'number') || String(value) !== from.id) return false;
  return isOwnId(from.id) || nounOf(name) === nounAt(from.collection);
}

function isOwnId(id: string): boolean {
  return id.length >= MIN_LENGTH_OF_OWN_ID && !/^\d+$/.test(id);
}
