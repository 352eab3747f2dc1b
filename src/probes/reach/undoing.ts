// Which call of the descriptions takes away what an operation made, and where it has to be sent.

import { header } from '../../exchange/body.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { oncePer } from '../../exchange/once-per.ts';
import { sentId } from '../../facts/created.ts';
import { collectionOfMaking } from '../../facts/path-words.ts';
import { encodeSegment, fillPath, parameterNames, partedPath, trimmed, valuesOf } from '../../facts/paths.ts';
import type { Catalogue, Described } from '../../openapi/model/catalogue.ts';
import type { Operation } from '../../openapi/model/operation.ts';
import { creatorFor, isItemOf, makesByName } from './chains.ts';
import { nestedMaker } from './path-values.ts';
import { wordCallAt, wordCallOf } from './word-calls.ts';

/** A call that deletes, and the concrete path of the one object. */
export interface Undoing {
  readonly deleter: Described;
  readonly path: string;
}

/** The concrete path of an object of a collection. */
export function pathIn(collection: string, id: string): string {
  return `${trimmed(collection)}/${encodeSegment(id)}`;
}

/** The concrete path by which the descriptions know an object of a collection: /books/7, or in brackets where they have it so. */
export function describedPathIn(catalogue: Catalogue, collection: string, id: string): string {
  const [below, segment] = [pathIn(collection, id), encodeSegment(id)];
  const ways = [below, `${trimmed(collection)}(${segment})`, `${trimmed(collection)}('${segment}')`];
  return ways.find((path) => (deleterAt(catalogue, path) ?? readerAt(catalogue, path)) !== null) ?? below;
}

/** The operation that deletes the object at a concrete path; null where none does. */
export function deleterAt(catalogue: Catalogue, path: string): Described | null {
  return operationAt(catalogue, 'DELETE', path) ?? wordCallAt(catalogue, 'removes', path);
}

/** The name by which what deletes the objects of a collection knows one; empty where nothing does. */
export function addressIn(catalogue: Catalogue, collection: string): string {
  const deleter = deleterAt(catalogue, pathIn(collection, 'x'));
  if (deleter === null) return '';
  return wordCallOf(deleter)?.member ?? parameterNames(deleter.operation.path).at(-1) ?? '';
}

/** The operation that reads the object at a concrete path; null where none does. */
export function readerAt(catalogue: Catalogue, path: string): Described | null {
  return operationAt(catalogue, 'GET', path) ?? wordCallAt(catalogue, 'shows', path);
}

/** The operation of the method at a concrete path, with or without a slash at its end; null for none. */
export function operationAt(catalogue: Catalogue, method: string, path: string): Described | null {
  return catalogue.match(method, path) ?? catalogue.match(method, `${path}/`);
}

/** DELETEs by the operation that makes what they take: sought once, however often it is asked. */
const deletersOf = oncePer(({ operations }: Catalogue): ReadonlyMap<Operation, Described> => {
  const pairs = operations
    .filter(({ operation }) => operation.method === 'DELETE')
    .flatMap((one) => {
      const creator = creatorFor(one, operations, { byNoun: true })?.operation ?? null;
      const makers = new Set([creator, nestedMaker(one.operation, one.description)]);
      return [...makers].flatMap((maker) => (maker === null ? [] : [[maker, one] as const]));
    });
  return new Map(pairs.toReversed());
});

/** Tells whether single items are described of the collection to which the operation adds. */
export function hasItems(catalogue: Catalogue, operation: Operation): boolean {
  const item = pathIn(fillPath(operation.path, {}), 'x');
  if (['GET', 'DELETE'].some((method) => catalogue.match(method, item) !== null)) return true;
  return catalogue.operations.some(
    ({ operation: other }) => (other.method === 'GET' || other.method === 'DELETE') && isItemOf(other, operation),
  );
}

/** Tells whether the descriptions show a DELETE for what the operation makes, as far as they tell without an answer. */
export function isUndoable(catalogue: Catalogue, operation: Operation): boolean {
  const sample = fillPath(operation.path, {});
  if (deleterAt(catalogue, pathIn(sample, 'x')) !== null || deletersOf(catalogue).has(operation)) return true;
  const described = catalogue.operation(operation.key, operation.service);
  return described !== null && makesByName(operation, described.description) && deleterAt(catalogue, sample) !== null;
}

/**
 * How to delete what the answer to a create tells of: at the path that Location names, below the collection, or by the
 * DELETE of what the operation makes elsewhere (POST /dishes, DELETE /dish/{id}; POST /signup, DELETE /users/{id}), or by a call
 * whose path says so in a word (POST /dishes.delete). null where nothing is described. Elsewhere, but for a path in the singular,
 * only a 201 and what shows `nonce`, which nothing but this run sends: a sign-in answers with a user, too. One of both is enough for what is
 * made among its like (POST /menus/{menuId}/dishes, DELETE /dishes/{dishId}).
 */
export function undoingOf(catalogue: Catalogue, exchange: Exchange, id: string | null, nonce: string): Undoing | null {
  const { plan, request, response } = exchange;
  const located = response?.status === 201 ? locationOf(header(response.headers, 'location'), request.url) : null;
  const atLocation = located === null || isWithin(plan.path, located) ? null : deleterAt(catalogue, located);
  if (located !== null && atLocation !== null) return { deleter: atLocation, path: located };
  if (id === null) return null;
  const below = pathIn(plan.path, id);
  const deleter = operationAt(catalogue, 'DELETE', below);
  if (deleter !== null) return { deleter, path: below };
  return undoingElsewhere(catalogue, { plan, response }, id, nonce) ?? undoingByWord(catalogue, exchange, id);
}

/** An object whose id was sent may have been there before, as one that an upsert changes, unless the answer says that it is new. */
function undoingByWord(catalogue: Catalogue, exchange: Exchange, id: string): Undoing | null {
  const { path } = exchange.plan;
  const deleter = wordCallAt(catalogue, 'removes', pathIn(path, id));
  if (deleter === null) return null;
  const sent = sentId(exchange, addressIn(catalogue, path), collectionOfMaking(path) ?? path);
  return sent === id && exchange.response?.status !== 201 ? null : { deleter, path: pathIn(path, id) };
}

function undoingElsewhere(
  catalogue: Catalogue,
  { plan, response }: Pick<Exchange, 'plan' | 'response'>,
  id: string,
  nonce: string,
): Undoing | null {
  const maker = catalogue.operation(plan.operation, plan.service);
  const deleter = maker === null ? undefined : deletersOf(catalogue).get(maker.operation);
  if (maker === null || deleter === undefined || response === null) return null;
  const isBeside = isItemOf(deleter.operation, maker.operation);
  const makesSuch = isBeside || nestedMaker(deleter.operation, deleter.description) === maker.operation;
  const isMarked = response.body.toLowerCase().includes(nonce.toLowerCase());
  const isNew = isBeside || response.status === 201 || (makesSuch && isMarked);
  if (!isNew || !(makesSuch || isMarked)) return null;
  const target = parameterNames(deleter.operation.path).at(-1) ?? '';
  const values = { ...valuesOf(maker.operation.path, plan.path), [target]: id };
  return { deleter, path: trimmed(fillPath(deleter.operation.path, values)) };
}

/**
 * The path of the thing that will come of a request that was accepted (202): Location names it in the collection, of which the
 * descriptions have single items. null for none: a Location elsewhere names where the work can be followed.
 */
export function acceptedAt(catalogue: Catalogue, { plan, request, response }: Exchange): string | null {
  const located = response?.status === 202 ? locationOf(header(response.headers, 'location'), request.url) : null;
  if (located === null || partedPath(located)[0] !== trimmed(plan.path)) return null;
  return readerAt(catalogue, located) === null && deleterAt(catalogue, located) === null ? null : located;
}

/** Tells whether the path is the other one, or lies below it. */
export function isWithin(path: string, other: string): boolean {
  return `${path}/`.startsWith(`${other}/`);
}

/**
 * The path that Location names, without query and slash at its end; null for none, and for another host: what stands there
 * under this path is not what this host made.
 */
function locationOf(location: string | null, requested: string): string | null {
  if (location === null || !/^\/|^https?:/i.test(location) || !URL.canParse(location, requested)) return null;
  const { host, pathname } = new URL(location, requested);
  return host === new URL(requested).host ? trimmed(pathname) : null;
}
