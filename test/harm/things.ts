// What a target for tests of harm holds and how it answers: collections that keep what they are sent, some of which do not give
// it back. No sockets here.

import type { Clock } from '../../src/clock/clock.ts';
import { uriDecoded } from '../../src/exchange/decoded.ts';

/**
 * What becomes of a DELETE. gone: the object is. none: no DELETE is described. refused: 405. denied: 403. absent: 404, and
 * the object is there. accepted: 202, and it is gone a moment later. kept: 204, and it is there. soft: 204, and it says so.
 */
export type Deletion = 'gone' | 'none' | 'refused' | 'denied' | 'absent' | 'accepted' | 'kept' | 'soft';

/** By name. */
export type Collections = Readonly<Record<string, Deletion>>;

/** What was there from the start, and what came since. */
export interface Things {
  answer(request: Asked): Answer;
  /** Names of what is there and was not from the start, by collection. */
  left(): Readonly<Record<string, readonly string[]>>;
  /** Most objects of a collection that were there at once, those from the start aside. */
  most(collection: string): number;
  /** Puts an object there, as a run would; its path. */
  put(collection: string, name: string): string;
  /** Takes the object away, as somebody else would. */
  take(path: string): void;
  /** Whether everything that was there from the start is there as it was. */
  isUntouched(): boolean;
}

export interface Asked {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly authorization: string | undefined;
  readonly contentType?: string | undefined;
  /** Another header that carries the token. */
  readonly token?: string | undefined;
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly location?: string;
  readonly body?: unknown;
}

interface Thing {
  readonly id: string;
  readonly isForeign: boolean;
  fields: Record<string, unknown>;
  isDeleted: boolean;
}

/** Whoever sends it may do everything. */
export const TOKEN = 'harmless-token-0123456789';
const FOREIGN = 3;
const MOMENT_MS = 150;

/** The collections as they are at first; what happens later happens by this clock. */
export function thingsOf(collections: Collections, { after }: Pick<Clock, 'after'>): Things {
  const things = new Map(Object.keys(collections).map((name) => [name, seeds(name)]));
  const most = new Map<string, number>();
  const foreign = (): string =>
    JSON.stringify([...things].map(([name, own]) => [name, own.filter(({ isForeign }) => isForeign)]));
  const before = foreign();
  return {
    answer(request) {
      const answer = answerTo(request, collections, things, after);
      for (const [name, own] of things) most.set(name, Math.max(most.get(name) ?? 0, made(own).length));
      return answer;
    },
    left: () =>
      Object.fromEntries([...things].map(([name, own]) => [name, made(own).map(({ fields }) => String(fields.name))])),
    most: (collection) => most.get(collection) ?? 0,
    put(collection, name) {
      const thing = newThing(collection, { name });
      things.get(collection)?.push(thing);
      return `/${collection}/${thing.id}`;
    },
    take(path) {
      for (const thing of [...things.values()].flat()) if (path.endsWith(`/${thing.id}`)) thing.isDeleted = true;
    },
    isUntouched: () => foreign() === before,
  };
}

function seeds(name: string): Thing[] {
  return Array.from({ length: FOREIGN }, (_, index) => ({
    ...{ id: `${name}-theirs-${index}`, isForeign: true, isDeleted: false },
    fields: { name: `the shop's own ${index}`, note: 'not yours' },
  }));
}

function made(own: readonly Thing[]): readonly Thing[] {
  return own.filter(({ isForeign, isDeleted }) => !isForeign && !isDeleted);
}

let serial = 0;

function answerTo(
  { method, url, authorization, body }: Asked,
  collections: Collections,
  things: ReadonlyMap<string, Thing[]>,
  after: Clock['after'],
): Answer {
  const [path = '', query = ''] = url.split('?');
  const [, name = '', id, ...more] = path.split('/').map(uriDecoded);
  const own = things.get(name);
  if (own === undefined || more.length > 0) return { status: 404, body: { error: 'no such path' } };
  if (authorization !== `Bearer ${TOKEN}`) return { status: 401, body: { error: 'no token' } };
  if (id === undefined) return onCollection(method, new URLSearchParams(query), body, name, own);
  const thing = own.find((one) => one.id === id && !(one.isDeleted && collections[name] !== 'soft'));
  if (thing === undefined) return { status: 404, body: { error: 'no such thing' } };
  return onThing(method, body, thing, collections[name] ?? 'none', after);
}

function onCollection(method: string, query: URLSearchParams, body: string, name: string, own: Thing[]): Answer {
  if (method === 'GET') {
    const [limit, offset] = [Number(query.get('limit') ?? 20), Number(query.get('offset') ?? 0)];
    const there = own.filter(({ isDeleted }) => !isDeleted);
    return { status: 200, body: there.slice(offset, offset + limit).map(shown) };
  }
  if (method !== 'POST') return { status: 405, body: { error: 'no such method' } };
  const fields = fieldsIn(body);
  if (fields === null) return { status: 400, body: { error: 'name is missing' } };
  const thing = newThing(name, fields);
  own.push(thing);
  return { status: 201, body: shown(thing) };
}

function newThing(name: string, fields: Thing['fields']): Thing {
  serial += 1;
  return { id: `${name}-${serial}`, isForeign: false, isDeleted: false, fields };
}

function onThing(method: string, body: string, thing: Thing, deletion: Deletion, after: Clock['after']): Answer {
  if (method === 'GET') return { status: 200, body: shown(thing) };
  if (method === 'DELETE') return deleted(thing, deletion, after);
  const fields = fieldsIn(body);
  if (method !== 'PUT') return { status: 405, body: { error: 'no such method' } };
  if (fields === null) return { status: 400, body: { error: 'name is missing' } };
  thing.fields = fields;
  return { status: 200, body: shown(thing) };
}

function deleted(thing: Thing, deletion: Deletion, after: Clock['after']): Answer {
  const refusals = { none: 405, refused: 405, denied: 403, absent: 404 } as const;
  if (deletion in refusals) return { status: refusals[deletion as keyof typeof refusals], body: { error: 'it stays' } };
  const goes = (): void => {
    thing.isDeleted = true;
  };
  if (deletion === 'accepted') after(MOMENT_MS, goes);
  else if (deletion !== 'kept') goes();
  return { status: deletion === 'accepted' ? 202 : 204 };
}

function shown({ id, fields, isDeleted }: Thing): unknown {
  return { id, ...fields, ...(isDeleted ? { deleted_at: '2026-01-31T12:00:00Z' } : {}) };
}

/** The members of a thing; null where the body is none. */
function fieldsIn(body: string): Record<string, unknown> | null {
  try {
    const { name, note } = JSON.parse(body);
    const isThing = typeof name === 'string' && (note === undefined || typeof note === 'string');
    return isThing ? { name, ...(note === undefined ? {} : { note }) } : null;
  } catch {
    return null;
  }
}

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const error = { description: 'refused', ...json({ type: 'object', properties: { error: { type: 'string' } } }) };
const REFUSALS = Object.fromEntries([400, 401, 403, 404, 405].map((status) => [status, error]));

export function descriptionOf(collections: Collections): Record<string, unknown> {
  const fields = { name: { type: 'string' }, note: { type: 'string' } };
  const thing = { type: 'object', required: ['id', 'name'], properties: { id: { type: 'string' }, ...fields } };
  const sent = { required: true, ...json({ type: 'object', required: ['name'], properties: fields }) };
  const answer = (schema: unknown) => ({ description: 'as told', ...json(schema) });
  const paged = ['limit', 'offset'].map((name) => ({ name, in: 'query', schema: { type: 'integer', minimum: 0 } }));
  const paths = Object.entries(collections).flatMap(([name, deletion]) => [
    [
      `/${name}`,
      {
        get: { parameters: paged, responses: { 200: answer({ type: 'array', items: thing }), ...REFUSALS } },
        post: { requestBody: sent, responses: { 201: answer(thing), ...REFUSALS } },
      },
    ],
    [
      `/${name}/{id}`,
      {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        get: { responses: { 200: answer(thing), ...REFUSALS } },
        put: { requestBody: sent, responses: { 200: answer(thing), ...REFUSALS } },
        ...(deletion === 'none'
          ? {}
          : { delete: { responses: { 204: { description: 'gone' }, 202: { description: 'soon' }, ...REFUSALS } } }),
      },
    ],
  ]);
  return {
    openapi: '3.0.3',
    info: { title: 'Things', version: '1' },
    security: [{ bearer: [] }],
    paths: Object.fromEntries(paths),
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  };
}
