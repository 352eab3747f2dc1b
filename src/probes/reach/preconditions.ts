// Which places of a request must hold what reading a thing shows: by the names that HTTP gives to conditions, and, once such a request was
// refused, by the names that resources give to the version of their state.

import type { AsRead, Exchange, HeaderList, PlannedBody } from '../../exchange/exchange.ts';
import { isSafe } from '../../exchange/methods.ts';
import { bodyType } from '../../generate/bodies.ts';
import { type Pair, pairsOf } from '../../generate/parameters.ts';
import { shapeOf } from '../../generate/schema-shape.ts';
import { isObject, normal } from '../../openapi/json.ts';
import { fixesMember, fixesParameter } from '../../openapi/model/fixed-input.ts';
import type { Description, Operation } from '../../openapi/model/operation.ts';

/** Hold only for a thing in a known state. Source: RFC 9110, 13.1.1 and 13.1.4. */
const ON_STATE = /^if-(match|unmodified-since)$/i;
/** Holds, with `*`, only where nothing is there yet. Source: RFC 9110, 13.1.2. */
const ON_ABSENCE = /^if-none-match$/i;
/** Names that resources give to the version of their state. */
const VERSION =
  /^(etag|rev|revision|revisionid|version|versionid|lockversion|rowversion|resourceversion|seqno|ifmatch)$/;
/** Statuses that refuse a write which names no state, or an old one. */
const STALE: readonly number[] = [400, 409, 412, 422, 428];

/** Any state of a thing that is there; in `If-None-Match` none. Source: RFC 9110, 13.1.1. */
export const ANY_STATE = '*';

/** Tells whether the name is one by which resources tell the version of their state. */
export function isVersionName(name: string): boolean {
  return VERSION.test(normal(name));
}

/** Tells whether a header of the name makes a request depend on the state of what it is sent to. */
export function isCondition(name: string): boolean {
  return ON_STATE.test(name) || ON_ABSENCE.test(name);
}

/** Tells whether the operation only makes what is not there: it must be sent to a name that is new. */
export function makesOnlyAnew({ method, parameters }: Operation): boolean {
  const demands = (names: RegExp): boolean => parameters.some((one) => isOf(one, names) && one.required);
  return method === 'PUT' && demands(ON_ABSENCE) && !demands(ON_STATE);
}

function isOf({ in: place, name }: Operation['parameters'][number], names: RegExp): boolean {
  return place === 'header' && names.test(name);
}

/** The headers with `*` for each condition of a write that the configuration does not fix, and which of them are filled in as read. */
export function conditional(
  operation: Operation,
  headers: HeaderList,
): { readonly headers: HeaderList; readonly asRead: readonly AsRead[] } {
  if (isSafe(operation.method)) return { headers, asRead: [] };
  const isOpen = (name: string): boolean => isCondition(name) && !fixesParameter(operation, name);
  return {
    headers: headers.map(([name, value]) => [name, isOpen(name) ? ANY_STATE : value] as const),
    asRead: headers.filter(([name]) => isOpen(name) && ON_STATE.test(name)).map(([name]) => ({ in: 'header', name })),
  };
}

/** The conditions of a recipe. */
export interface Conditions {
  readonly query: readonly Pair[];
  readonly headers: HeaderList;
  readonly asRead: readonly AsRead[];
}

/**
 * The conditions to try after a refusal of a write that may want to know the state of the thing, in turn: on its state,
 * by the headers and members that are described; then that nothing is there. Null where there is nothing left, or the
 * refusal has other grounds.
 */
export function otherwiseConditional(
  description: Description,
  operation: Operation,
  now: Conditions,
  { response }: Exchange,
): Conditions | null {
  const status = response?.status ?? 0;
  if (isSafe(operation.method) || !STALE.includes(status)) return null;
  const places = statePlaces(description, operation, status).filter(
    (place) => !now.asRead.some((one) => one.in === place.in && one.name === place.name),
  );
  if (places.length > 0) return withPlaces(operation, now, places);
  const absence = headerNamed(operation, ON_ABSENCE);
  const isTried = now.headers.some(([name]) => ON_ABSENCE.test(name));
  if (absence === null || isTried || operation.method !== 'PUT') return null;
  const headers = now.headers.filter(([name]) => !isCondition(name));
  return { ...now, headers: [...headers, [absence, ANY_STATE]], asRead: [] };
}

/** Where the operation may take the state of the thing. 428 asks for a header, described or not. Source: RFC 6585, 3. */
function statePlaces(description: Description, operation: Operation, status: number): readonly AsRead[] {
  const { parameters } = operation;
  const header = headerNamed(operation, ON_STATE) ?? (status === 428 ? 'If-Match' : null);
  const query = parameters.filter((one) => one.in === 'query' && isVersionName(one.name));
  const schema = bodyType(operation)?.schema ?? null;
  const { properties, required } = schema === null ? {} : shapeOf(description, schema.value);
  const members = Object.keys(isObject(properties) ? properties : {}).filter(isVersionName);
  const orLeftOut = (isNeeded: boolean): Pick<AsRead, 'optional'> => (isNeeded ? {} : { optional: true });
  const isOpen = ({ in: place, name }: AsRead): boolean =>
    place === 'body' ? !fixesMember(operation, name) : !fixesParameter(operation, name);
  return [
    ...(header === null ? [] : [{ in: 'header', name: header } as const]),
    ...query.map((one) => ({ in: 'query', name: one.name, ...orLeftOut(one.required) }) as const),
    ...members.map((name) => {
      const isNeeded = Array.isArray(required) && required.includes(name);
      return { in: 'body', name, ...orLeftOut(isNeeded) } as const;
    }),
  ].filter(isOpen);
}

function headerNamed({ parameters }: Operation, names: RegExp): string | null {
  return parameters.find((one) => isOf(one, names))?.name ?? null;
}

function withPlaces({ parameters }: Operation, now: Conditions, places: readonly AsRead[]): Conditions {
  const added = (place: AsRead['in'], known: readonly Pair[]): readonly string[] =>
    places.filter((one) => one.in === place && known.every(([name]) => name !== one.name)).map(({ name }) => name);
  const pairs = added('query', now.query).flatMap((name) =>
    parameters.filter((one) => one.in === 'query' && one.name === name).flatMap((one) => pairsOf(one, ANY_STATE)),
  );
  const headers = added('header', now.headers).map((name) => [name, ANY_STATE] as const);
  return {
    query: [...now.query, ...pairs],
    headers: [...now.headers, ...headers],
    asRead: [...now.asRead, ...places],
  };
}

/** The places with what stands there as the recipe has it: another value was put there on purpose. */
export function drawnPlaces(
  { asRead, headers, query }: Conditions,
  body: PlannedBody,
): readonly (AsRead & { readonly drawn: unknown })[] {
  const value = body.kind === 'json' && isObject(body.value) ? body.value : {};
  return asRead.map((place) => {
    const pairs = place.in === 'header' ? headers : query;
    const drawn = place.in === 'body' ? value[place.name] : pairs.find(([name]) => name === place.name)?.[1];
    return { ...place, drawn };
  });
}
